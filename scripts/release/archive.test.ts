import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Entry, writeArchive } from './archive.ts';
import { collectPackages, type Lock, PLATFORMS } from './packages.ts';

const folders: string[] = [];
const makeFolder = (): string => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-archive-'));
  folders.push(folder);
  return folder;
};
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const madeAt = new Date('2026-01-02T03:04:05Z');
const large = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * at) % 251));

/** The same files in another folder, with other times and rights, and named in another order. */
async function build(mode: number, at: number, reversed: boolean): Promise<{ sum: string; file: string }> {
  const folder = makeFolder();
  const place = (name: string, content: Buffer | string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    chmodSync(file, mode);
    utimesSync(file, at, at);
    return file;
  };
  const long = `${'folder/'.repeat(30)}file-with-a-long-name`;
  const entries: Entry[] = [
    { path: 'top/run', from: { file: place('run', '#!/bin/sh\n') }, isProgram: true },
    { path: 'top/large', from: { file: place('large', large) } },
    { path: `top/${long}`, from: { text: 'déjà vu' } },
    { path: 'top/lib.so', from: { link: 'lib.so.1' } },
  ];
  const file = path.join(folder, 'archive.tar.gz');
  return { sum: await writeArchive(file, reversed ? entries.reverse() : entries, madeAt), file };
}

test('S62 an archive has the same bytes whatever the folder, times, rights and order of its files are', async () => {
  const first = await build(0o600, 1_000, false);
  const second = await build(0o755, 2_000_000_000, true);
  assert.equal(first.sum, second.sum);
  const bytes = readFileSync(first.file);
  assert.equal(createHash('sha256').update(bytes).digest('hex'), first.sum);
  const text = gunzipSync(bytes).toString('latin1');
  assert.ok(text.includes(large.toString('latin1')));
});

test('a platform gets the packages that fit it, with what those need, and nothing for development', () => {
  const [x64, arm64] = PLATFORMS;
  assert.ok(x64 && arm64);
  const native = (cpu: string, libc: string) => ({ os: ['linux'], cpu: [cpu], libc: [libc] });
  const lock: Lock = {
    'apps/server': { dependencies: { '@our/rules': '1', deep: '2' } },
    'apps/server/node_modules/deep': { version: '2' },
    'node_modules/@our/rules': { link: true, resolved: 'packages/rules' },
    'packages/rules': { dependencies: { native: '1', deep: '1' } },
    'node_modules/native': { optionalDependencies: { 'native-x64': '1', 'native-musl': '1', 'native-arm64': '1' } },
    'node_modules/native-x64': native('x64', 'glibc'),
    'node_modules/native-musl': native('x64', 'musl'),
    'node_modules/native-arm64': native('arm64', 'glibc'),
    'node_modules/deep': {
      version: '1',
      peerDependencies: { left: '1' },
      peerDependenciesMeta: { left: { optional: true } },
    },
    'node_modules/left': { version: '1' },
  };
  const shared = ['apps/server', 'apps/server/node_modules/deep', 'node_modules/deep', 'node_modules/native'];
  assert.deepEqual(
    [...collectPackages(lock, ['apps/server'], x64)].sort(),
    [...shared, 'node_modules/native-x64', 'packages/rules'].sort(),
  );
  assert.ok(collectPackages(lock, ['apps/server'], arm64).has('node_modules/native-arm64'));
  assert.throws(
    () => collectPackages({ 'apps/server': { dependencies: { gone: '1' } } }, ['apps/server'], x64),
    /gone/,
  );
});
