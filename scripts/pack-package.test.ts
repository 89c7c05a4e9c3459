import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { packPackage } from './pack-package.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pahatid-client-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const installed = path.join(folder, 'node_modules/@pahatid/client');
packPackage('packages/client', installed);

const packageName = ['@pahatid', 'client'].join('/');
/** A strict program of a user, without the types of Node. */
const consumer = `
import { Pahatid, PahatidError, verifyCallback } from '${packageName}';
const pahatid = new Pahatid({ baseUrl: 'http://127.0.0.1:1', appId: 'app', appSecret: 'secret', retries: 0 });
export const names = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const { templateName } of pahatid.each('GET /templates', { query: { limit: 2 } })) found.push(templateName);
  return found;
};
export const send = async (): Promise<string> => {
  const { messageId, pkgTotal } = await pahatid.messages.send({ to: '09171234567', smsType: 2, content: 'x' });
  // @ts-expect-error a text of one's own needs its type
  await pahatid.messages.send({ to: '09171234567', content: 'x' });
  // @ts-expect-error no such operation
  await pahatid.call('GET /nothing');
  return messageId + pkgTotal;
};
export { PahatidError, verifyCallback };
`;

test('the package has compiled code and declarations only, and no dependencies', () => {
  assert.deepEqual(readdirSync(installed).toSorted(), ['LICENSE', 'README.md', 'dist', 'package.json']);
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as Record<string, object>;
  for (const kind of ['dependencies', 'devDependencies', 'private']) assert.equal(manifest[kind], undefined, kind);
  const files = readdirSync(path.join(installed, 'dist'), { recursive: true }).map(String);
  assert.deepEqual(
    files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file)),
    [],
  );
});

test('a program keeps its name, and its rights to run', () => {
  const program = path.join(folder, 'cli');
  packPackage('apps/cli', program);
  const { bin } = JSON.parse(readFileSync(path.join(program, 'package.json'), 'utf8')) as { bin: { pahatid: string } };
  assert.equal(statSync(path.join(program, bin.pahatid)).mode & 0o111, 0o111);
  assert.match(readFileSync(path.join(program, bin.pahatid), 'utf8'), /^#!\/usr\/bin\/env node\n/);
});

test('a strict program compiles with it, and it runs', () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(folder, 'use.ts'), consumer);
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    lib: ['es2024', 'dom'],
    types: [],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  const tsc = path.join(import.meta.dirname, '../node_modules/.bin/tsc');
  try {
    execFileSync(tsc, ['-p', folder], { encoding: 'utf8' });
  } catch (error) {
    assert.fail((error as { stdout: string }).stdout);
  }
  const script = `const { Pahatid } = await import('${packageName}');
    const pahatid = new Pahatid({ baseUrl: 'http://127.0.0.1:1', key: 'pk_test_x', retries: 0 });
    console.log(await pahatid.call('GET /templates').catch((error) => error.cause?.code ?? error.message));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.match(output, /ECONNREFUSED|bad port|fetch failed/);
});
