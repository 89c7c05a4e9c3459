/** Deploys under load: each role is replaced by a new process while it works, again and again. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectProcess } from '@pahatid/db/embedded';
import { findChildren, freePort, Program, startStopwatch, testDatabase, until } from '@pahatid/testkit';
import { parseMetrics, sumOf } from '../metrics/testing/parse-metrics.ts';
import { clean } from '../sending/testing/make-scene.ts';
import { masterKey, Scene } from '../sending/testing/scene.ts';

const MAIN = path.join(import.meta.dirname, '../main.ts');
const notLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' };
const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-deploy-'));
const db = await testDatabase({ strict: false });
const programs: Program[] = [];
const scene = await Scene.build({ pool: db.pool, tps: 250 });
db.beforeClose(async () => {
  for (const program of programs) await program.kill();
  await scene.close();
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function startMachine(roles: string, port: number, name: string, apiProcesses = 1): Promise<Program> {
  const program = new Program([MAIN, 'start', '--roles', roles], {
    env: {
      DATABASE_URL: db.url,
      PAHATID_SECRET: masterKey.toString('hex'),
      PAHATID_DEMO: 'off',
      PAHATID_PORT: String(port),
      PAHATID_SIM_PORT: 'off',
      PAHATID_API_PROCESSES: String(apiProcesses),
      PAHATID_DATA: path.join(folder, name),
      // The askers are a flood from one address.
      PAHATID_RATE_ADDRESS: '1000000',
    },
  });
  programs.push(program);
  await program.says('Pahatid is ready');
  return program;
}

const childOf = (program: Program, role: string): number => findChildren(program.pid, `run --role ${role}`)[0] ?? 0;

const timesReplaced = (program: Program): number => program.output.split('child process replaced').length - 1;

/** Replaces every role of the machine, and waits until that is done. */
async function replaceRoles(program: Program, roles: number): Promise<void> {
  const before = timesReplaced(program);
  program.child.kill('SIGUSR2');
  await until(() => timesReplaced(program) === before + roles, { what: 'the new processes' });
}

test(
  'P19 two machines send one task, and each sender is replaced in turn, then asked to end in turn: none in doubt, lost or sent twice',
  notLinux,
  async () => {
    const total = 4_000;
    const machines = [
      await startMachine('sender', await freePort(), 'first'),
      await startMachine('sender', await freePort(), 'second'),
    ];
    await scene.accept(scene.recipients(total));
    for (let turn = 0; turn < 4; turn++) {
      const machine = machines[turn % 2];
      assert.ok(machine);
      await scene.untilSeen(300 + turn * 600);
      // By the supervisor, which starts the new one first; or from outside, after which it starts a new one.
      if (turn < 2) await replaceRoles(machine, 1);
      else {
        const old = childOf(machine, 'sender');
        process.kill(old, 'SIGTERM');
        await until(() => ![0, old].includes(childOf(machine, 'sender')));
      }
      assert.equal((await scene.states())['1/0'], undefined, `in doubt after turn ${turn}`);
    }
    await scene.untilStates({ '3/2': total }, 60_000);
    assert.partialDeepStrictEqual(await scene.audit(), { ...clean, rows: total, failed: 0, delivered: total });
    assert.equal((await db.pool.query('select from in_doubt')).rowCount, 0);
    for (const machine of machines) {
      assert.ok(!machine.output.includes('answers were still missing'), machine.output);
      assert.equal(await machine.end('SIGTERM'), 0);
    }
  },
);

interface Tally {
  ok: number;
  unavailable: number;
  broken: string[];
}

/** Between two calls of one client: the processor is for the processes that start. */
const CALL_PAUSE_MS = 20;

/** Sends requests one after another, half of the clients on keep-alive connections, until stopped. */
async function hammer(port: number, signal: AbortSignal, tally: Tally, keepAlive: boolean): Promise<void> {
  const agent = new Agent({ keepAlive, maxSockets: 1 });
  while (!signal.aborted) {
    try {
      const { status, retryAfter } = await ask(port, agent);
      if (status === 401) tally.ok += 1;
      else if (status === 503 && retryAfter !== undefined) tally.unavailable += 1;
      else tally.broken.push(`answer ${status}`);
    } catch (error) {
      tally.broken.push(String((error as NodeJS.ErrnoException).code));
    }
    await sleep(CALL_PAUSE_MS);
  }
  agent.destroy();
}

/** A call with a nonexistent session: it reaches the database and is refused. */
function ask(port: number, agent: Agent): Promise<{ status: number; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = { cookie: `pahatid=${'A'.repeat(43)}` };
    request({ host: '127.0.0.1', port, path: '/api/v1/tasks', agent, headers }, (response) => {
      response.resume();
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }),
      );
      response.once('error', reject);
    })
      .once('error', reject)
      .end();
  });
}

test(
  'P19 the api is replaced twice, and once asked to end, under load: each request gets a response, or 503 with Retry-After',
  notLinux,
  async () => {
    const port = await freePort();
    const machine = await startMachine('api', port, 'api');
    const stopping = new AbortController();
    const tally: Tally = { ok: 0, unavailable: 0, broken: [] };
    const askers = [true, true, false, false].map((keep) => hammer(port, stopping.signal, tally, keep));
    for (let turn = 0; turn < 3; turn++) {
      const [old, before] = [childOf(machine, 'api'), tally.ok];
      if (turn < 2) await replaceRoles(machine, 1);
      else process.kill(old, 'SIGTERM');
      await until(() => ![0, old].includes(childOf(machine, 'api')));
      await until(() => tally.ok > before + 20, { what: 'answers of the new process' });
    }
    stopping.abort();
    await Promise.all(askers);
    assert.deepEqual(tally.broken, []);
    assert.ok(tally.ok > 60, JSON.stringify(tally));
    assert.equal(await machine.end('SIGTERM'), 0);
  },
);

test('a machine without the api still reports its health, at the address of the api', notLinux, async () => {
  const port = await freePort();
  const machine = await startMachine('jobs', port, 'jobs');
  const address = `http://127.0.0.1:${port}`;
  assert.equal((await fetch(`${address}/healthz`)).status, 200);
  const ready = await fetch(`${address}/readyz`);
  assert.equal(ready.status, 200);
  assert.deepEqual(await ready.json(), {
    status: 'ready',
    draining: false,
    roles: [{ role: 'jobs', process: 'jobs', state: 'running' }],
  });
  const jobsDone = async (): Promise<boolean> => {
    const samples = parseMetrics(await (await fetch(`${address}/metrics`)).text());
    return sumOf(samples, 'pahatid_job_duration_seconds_count', { role: 'jobs' }) > 0;
  };
  await until(jobsDone);
  assert.equal((await fetch(`${address}/metrics`, { headers: { 'x-real-ip': '127.0.0.1' } })).status, 404);
  assert.equal(await machine.end('SIGTERM'), 0);
});

test(
  'on shutdown /readyz returns 503 while the listener is still open; a second signal exits immediately',
  notLinux,
  async () => {
    const port = await freePort();
    const machine = await startMachine('api', port, 'watched');
    const address = `http://127.0.0.1:${port}`;
    for (let probe = 0; probe < 2; probe++) assert.equal((await fetch(`${address}/readyz`)).status, 200);
    machine.child.kill('SIGTERM');
    const told = await until(async () => {
      const answer = await fetch(`${address}/readyz`);
      return answer.status === 503 && answer;
    });
    assert.ok(Number(told.headers.get('retry-after')) > 0);
    assert.partialDeepStrictEqual(await told.json(), { code: 'UNAVAILABLE', draining: true, database: 'ok' });
    assert.equal(await machine.ended(), 0);

    const hurried = await startMachine('api', port, 'hurried');
    for (let probe = 0; probe < 2; probe++) assert.equal((await fetch(`${address}/readyz`)).status, 200);
    const api = childOf(hurried, 'api');
    // No probe follows, so it would wait three seconds for a balancer to be notified.
    const watch = startStopwatch();
    // As an operator presses Ctrl-C again: two that arrive together count as one.
    while (!hurried.hasEnded) {
      hurried.child.kill('SIGTERM');
      await sleep(200);
    }
    await hurried.ended();
    watch.assertWithin(2_000, 'the hurried stop');
    assert.equal(inspectProcess(api), null);
  },
);

test('with two api processes one serves while the other is started again after a crash', notLinux, async () => {
  const port = await freePort();
  const machine = await startMachine('api', port, 'two', 2);
  const look = async () => {
    // A separate connection: a keep-alive one would stay with its process.
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } });
    const { roles } = (await answer.json()) as { roles: { process: string; state: string }[] };
    return { status: answer.status, running: roles.flatMap((each) => (each.state === 'running' ? each.process : [])) };
  };
  const both = { status: 200, running: ['api', 'api-2'] };
  for (const dead of ['api', 'api-2']) {
    await until(async () => (await look()).running.length === 2);
    const [first = 0, second = 0] = ['run --role api', 'api-2'].map((words) => findChildren(machine.pid, words)[0]);
    process.kill(dead === 'api' ? first : second, 'SIGKILL');
    const seen = await until(async () => {
      const now = await look();
      return now.running.length === 1 && now;
    });
    assert.deepEqual(seen, { status: 200, running: both.running.filter((each) => each !== dead) });
  }
  assert.deepEqual(
    await until(async () => {
      const now = await look();
      return now.running.length === 2 && now;
    }),
    both,
  );
  await replaceRoles(machine, 2);
  assert.deepEqual(await look(), both);
  assert.equal(await machine.end('SIGTERM'), 0);
});
