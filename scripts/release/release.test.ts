/** The archive of this machine, unpacked elsewhere and used as its first user does. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { after, test } from 'node:test';
import { freePort, until } from '../../packages/testkit/src/index.ts';
import { packEntries } from './archive.ts';
import { buildConsole } from './console.ts';
import { listEntries } from './files.ts';
import { PLATFORMS } from './packages.ts';

const root = path.join(import.meta.dirname, '../..');
const platform = PLATFORMS.find(({ name }) => name === `${process.platform}-${process.arch}`);
const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-release-'));
// PostgreSQL runs as another user where this one is root.
chmodSync(folder, 0o755);
const top = path.join(folder, 'pahatid-test');
const program = path.join(top, 'pahatid');
let started: ChildProcess | null = null;
after(async () => {
  if (started !== null && started.exitCode === null && started.signalCode === null) {
    started.kill('SIGKILL');
    await once(started, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

test('an unpacked archive starts without npm, Node or a home, signs a user in and stops', {
  skip: platform === undefined ? 'there is no archive for this machine' : false,
}, async () => {
  assert.ok(platform);
  buildConsole();
  const entries = await listEntries(root, platform, 'pahatid-test', path.join(folder, 'no-downloads'));
  const unpack = spawn('tar', ['-x', '-f', '-'], { cwd: folder, stdio: ['pipe', 'inherit', 'inherit'] });
  const unpacked = once(unpack, 'exit');
  await pipeline(packEntries(entries, new Date(0)), unpack.stdin);
  assert.deepEqual(await unpacked, [0, null]);
  const names = entries.map(({ path: name }) => name);
  assert.deepEqual(
    names.filter((name) => /\.test\.ts$|\/testing\/|node_modules\/(?:typescript|vite|react)\//.test(name)),
    [],
  );
  assert.match(readFileSync(path.join(top, 'THIRD-PARTY-LICENSES.txt'), 'utf8'), /^fastify \d.+: MIT\n\nMIT License/m);
  assert.match(readFileSync(path.join(top, 'bom.json'), 'utf8'), /pkg:npm\/react@/);

  const env = {
    PATH: '',
    PAHATID_PORT: String(await freePort()),
    PAHATID_SMPP_PORT: String(await freePort()),
    PAHATID_SIM_PORT: String(await freePort()),
    PAHATID_API_PROCESSES: '1',
    PAHATID_TEST_RUN: process.env.PAHATID_TEST_RUN,
  };
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  assert.equal(execFileSync(program, ['version'], { cwd: folder, env, encoding: 'utf8' }), `${version}\n`);

  started = spawn(program, ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [started.stdout, started.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const child = started;
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await until(() => output.includes('Pahatid is ready') || hasEnded(), { timeoutMs: 180_000, what: 'the start' });
  assert.ok(!hasEnded(), output);
  const address = `http://127.0.0.1:${env.PAHATID_PORT}`;
  const session = await fetch(`${address}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'demo', password: 'Demo@1234' }),
  });
  assert.equal(session.status, 200, await session.text());
  const page = await (await fetch(`${address}/home`)).text();
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  assert.equal((await fetch(address + script)).status, 200, 'the built console is served');
  child.kill('SIGTERM');
  await until(hasEnded, { what: 'the end' });
  assert.equal(child.exitCode, 0, output);
});
