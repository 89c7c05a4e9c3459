import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { freePort, Program, testDatabase, until } from '@pahatid/testkit';

const MAIN = path.join(import.meta.dirname, '../main.ts');
const db = await testDatabase();
const programs: Program[] = [];
const forks: ChildProcess[] = [];
db.beforeClose(async () => {
  for (const program of programs) await program.kill();
  for (const child of forks) child.kill('SIGKILL');
});

/** Runs the api role alone, with a script that runs in it first. */
async function runApi(script = ''): Promise<{ program: Program; address: string }> {
  const port = await freePort();
  const preload = `data:text/javascript,${encodeURIComponent(script)}`;
  const program = new Program(['--import', preload, MAIN, 'run', '--role', 'api'], {
    env: { DATABASE_URL: db.url, PAHATID_SECRET: 'ab'.repeat(32), PAHATID_PORT: String(port) },
  });
  programs.push(program);
  const address = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${address}/readyz`)).ok);
  return { program, address };
}

test('SIGTERM ends a role in order', async () => {
  const { program } = await runApi();
  assert.equal(await program.end('SIGTERM'), 0);
  assert.match(program.output, /"why":"asked to","msg":"role stopping"/);
});

const accidents: [string, string, RegExp][] = [
  ['an unhandled rejection', 'Promise.reject(new Error("boom"))', /"level":60.*boom.*unhandled rejection/],
  ['an uncaught exception', 'throw new Error("boom")', /"level":60.*boom.*uncaught exception/],
];
for (const [name, accident, logged] of accidents) {
  test(`S63 after ${name} a role reports it, drains and exits as failed`, async () => {
    const { program, address } = await runApi(`process.on('SIGUSR2', () => { ${accident} })`);
    program.child.kill('SIGUSR2');
    assert.equal(await program.ended(), 1);
    assert.match(program.output, logged);
    assert.match(program.output, /role stopping/);
    await assert.rejects(fetch(`${address}/readyz`));
  });
}

const taken = createServer().listen(0, '127.0.0.1');
db.beforeClose(() => void taken.close());
for (const role of ['api', 'sender', 'jobs'] as const)
  test(`${role} exits as failed when its start fails, while its supervisor is running`, async () => {
    const url = new URL(db.url);
    url.pathname = '/no_such_database';
    // The api starts without a database, but not on a port that is taken.
    const port = (taken.address() as AddressInfo).port;
    const child = fork(MAIN, ['run', '--role', role], {
      env: { ...process.env, DATABASE_URL: url.href, PAHATID_SECRET: 'ab'.repeat(32), PAHATID_PORT: String(port) },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    forks.push(child);
    await until(() => child.exitCode !== null, { what: 'the end of the role' });
    assert.equal(child.exitCode, 1);
  });

test('a role without a database or a key is refused with one line', async () => {
  const program = new Program([MAIN, 'run', '--role', 'api'], { env: { DATABASE_URL: db.url } });
  programs.push(program);
  assert.equal(await program.ended(), 1);
  assert.match(program.output, /^PAHATID_SECRET: is required with DATABASE_URL.*\n$/);
});
