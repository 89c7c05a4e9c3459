/** The program as it is started in life, with its processes really killed. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { inspectProcess, removeEmbedded } from '@pahatid/db/embedded';
import { freePort, isRunning, Program, startStopwatch, until } from '@pahatid/testkit';

const MAIN = path.join(import.meta.dirname, '../main.ts');
const base = mkdtempSync(path.join(os.tmpdir(), 'pahatid-supervisor-'));
const dataDir = path.join(base, 'data');
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const env = { PAHATID_DATA: dataDir, PAHATID_PORT: String(port), PAHATID_SIM_PORT: 'off', NODE_COMPILE_CACHE: '' };
const READY = `Pahatid is ready: ${address}`;
const programs: Program[] = [];
after(async () => {
  for (const program of programs) await program.kill();
  await removeEmbedded(dataDir);
  rmSync(base, { recursive: true, force: true });
});

function run(words: string[], extra: Record<string, string> = {}): Program {
  const program = new Program([MAIN, ...words], { env: { ...env, ...extra } });
  programs.push(program);
  return program;
}

const start = (): Program => run(['start', '--roles', 'api']);

function children(program: Program): { api: number; postgres: number } {
  const pids = readdirSync('/proc').map(Number);
  const isApi = (pid: number): boolean =>
    pid > 0 && parentOf(pid) === program.pid && inspectProcess(pid)?.commandLine.endsWith('run --role api') === true;
  return { api: pids.find(isApi) ?? 0, postgres: postmaster() };
}

function postmaster(): number {
  try {
    return Number(readFileSync(path.join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return 0;
  }
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

const isReady = async (): Promise<boolean> => (await fetch(`${address}/readyz`)).ok;

const notLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' };

test('starts everything, each role in a process named after it, and reports when it is ready', notLinux, async () => {
  const program = start();
  await program.says(READY);
  assert.ok(await isReady());
  assert.match(program.output, /demo, demo-member, demo-viewer, other, reviewer, operator, admin/);
  assert.equal(statSync(path.join(dataDir, 'master-key')).mode & 0o777, 0o600);
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  const { api, postgres } = children(program);
  assert.ok(api > 0 && postgres > 0);
  // Compiled code that the next start finds, however this one ends.
  await until(() => readdirSync(path.join(dataDir, 'compiled'), { recursive: true }).length > 100);

  const second = run(['start', '--roles', 'api']);
  assert.equal(await second.ended(20_000), 1);
  assert.match(second.output, /^PAHATID_DATA: Pahatid already runs with/);
  assert.ok(await isReady(), 'the second start disturbed the first');

  process.kill(api, 'SIGKILL');
  await until(() => children(program).api !== 0 && children(program).api !== api);
  await until(isReady);

  process.kill(postgres, 'SIGKILL');
  await until(() => children(program).postgres !== 0 && children(program).postgres !== postgres);
  await until(isReady);
  assert.equal(children(program).postgres > 0, true);

  const before = children(program);
  const watch = startStopwatch();
  assert.equal(await program.end('SIGINT'), 0);
  watch.assertWithin(10_000, 'the stop');
  assert.ok(!isRunning(before.api), 'the api still runs');
  assert.ok(!isRunning(before.postgres), 'PostgreSQL still runs');
});

test('when the parent is killed its children end, and a start after it finds the data', notLinux, async () => {
  const first = start();
  await first.says(READY);
  const before = children(first);
  await first.kill();
  await until(() => !isRunning(before.api) && !isRunning(before.postgres));

  const watch = startStopwatch();
  const second = start();
  await second.says(READY);
  watch.assertWithin(10_000, 'the start');
  assert.ok(!second.output.includes('demo seeded'), 'the demo was made twice');
  assert.equal(await second.end('SIGTERM'), 0);
});

test('S22 a port in use, a bad setting and a demo in the open each stop the start with one line', async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ PAHATID_LOG: 'loud' }, /^PAHATID_LOG: “loud” is none of .*\n$/],
    [{ PAHATID_HOST: '0.0.0.0' }, /^PAHATID_DEMO: .*\n$/],
    [{ PAHATID_PUBLIC_URL: 'https://sms.example' }, /^PAHATID_DEMO: .*\n$/],
    [{ PAHATID_TRUST_PROXY: '127.0.0.1' }, /^PAHATID_DEMO: .*\n$/],
    [{ PAHATID_SIM_PORT: String(port) }, /^PAHATID_SIM_PORT: port \d+ of 127\.0\.0\.1 is in use by another program\n$/],
  ];
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(port, '127.0.0.1', resolve));
  try {
    for (const [extra, line] of cases) {
      const program = run(['start'], { PAHATID_PORT: '0', ...extra });
      assert.equal(await program.ended(), 1);
      assert.match(program.output, line);
    }
  } finally {
    blocker.close();
  }
});

test('S67 without the demo a data folder that has its accounts is refused', async () => {
  const program = run(['start', '--roles', 'api'], { PAHATID_DEMO: 'off' });
  assert.equal(await program.ended(30_000), 1);
  assert.match(program.output, /PAHATID_DEMO: is off, but this database has the demo accounts/);
});

test('verify finds that all counts match their sources', async () => {
  const program = run(['verify']);
  assert.equal(await program.ended(30_000), 0);
  assert.match(
    program.output,
    /^Compared [1-9][\d,]* messages, .* of 3 customers\. Days: .*\.\nEverything agrees\.\n$/,
  );
});

test('an admin is added from the command line, once', async () => {
  const words = ['user', 'add', '--account', 'root.admin', '--email', 'root@pahatid.test', '--role', 'admin'];
  const first = run(words);
  assert.equal(await first.ended(30_000), 0);
  assert.match(first.output, /^Added root\.admin; password, shown this once: \S{16}\n$/);
  const second = run(words);
  assert.equal(await second.ended(30_000), 1);
  assert.match(second.output, /^root\.admin or root@pahatid\.test is taken/);
});
