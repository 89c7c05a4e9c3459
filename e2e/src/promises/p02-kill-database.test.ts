/** P2: kill -9 of PostgreSQL, and storms of terminated backends. What can't commit its intent can't send. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { startStopwatch, until } from '@pahatid/testkit';
import { Chance } from './chance.ts';
import { killRole, type Machine, setDatabaseOpen, startMachine } from './machine.ts';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

const STOPS_MS = 1_000;
const RESUMES_MS = 15_000;

test('P2: kill -9 of the database: no submit later than 1 s after it, the next within 15 s of its return', {
  timeout: patience(120_000),
}, async (t) => {
  const chance = Chance.of(t);
  const kills = size(3, 50);
  const watch = startStopwatch();
  const world = await World.make(t, { ownDatabase: true, tps: size(400, 600) });
  await world.startSender();
  const outages: { diedMs: number; backMs: number }[] = [];
  for (let kill = 0; kill < kills; kill++) {
    await world.accept(2_500);
    await chance.pause(200, 900);
    const diedMs = await world.killDatabase();
    await chance.pause(1_500, 2_500);
    outages.push({ diedMs, backMs: await world.reviveDatabase() });
    const { journal } = await world.carriers.counters();
    await until(async () => (await world.carriers.counters()).journal > journal, {
      timeoutMs: patience(RESUMES_MS),
      what: 'a submit after the return of the database',
    });
  }
  await world.untilQuiet();
  const verdict = await world.audit();
  const times: number[] = [];
  for await (const { timeMs } of world.carriers.submits()) times.push(timeMs);
  const waits = outages.map(({ diedMs, backMs }) => {
    const last = times.findLast((at) => at < backMs) ?? diedMs;
    return { stopped: Math.max(0, last - diedMs), resumed: (times.find((at) => at >= backMs) ?? 0) - backMs };
  });
  for (const { stopped, resumed } of waits) {
    watch.assertSpan(stopped, STOPS_MS, 'the last submit after the death of the database');
    watch.assertSpan(resumed, RESUMES_MS, 'the first submit after its return');
  }
  assert.equal(verdict.rows, world.accepted.size);
  assert.equal(verdict.extraCopies, 0);
  const most = (name: 'stopped' | 'resumed') => Math.max(...waits.map((wait) => wait[name]));
  t.diagnostic(
    `${kills} kills, last submit after at most ${most('stopped')} ms, first after the return ${most('resumed')} ms, ${verdict.doubted} ever in doubt`,
  );
});

test('P2: a storm of terminated backends loses nothing and repeats nothing', {
  timeout: patience(180_000),
}, async (t) => {
  const chance = Chance.of(t);
  const world = await World.make(t, { tps: 600 });
  let { program: sender } = await world.startSender();
  // One that loses the database while it starts ends: a supervisor starts it again.
  const supervising = setInterval(() => {
    if (sender.hasEnded) sender = world.run('sender');
  }, 100);
  t.after(() => clearInterval(supervising));
  const loading = world.accept(size(3_000, 60_000));
  for (let round = 0; round < size(15, 400); round++) {
    await chance.pause(20, 200);
    await world.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'pahatid sender%'
         and random() < 0.6`,
    );
  }
  await loading;
  await world.untilQuiet();
  const verdict = await world.audit();
  assert.equal(verdict.rows, world.accepted.size);
  assert.equal(verdict.delivered + verdict.inDoubt, verdict.rows);
  assert.equal(verdict.extraCopies, 0);
});

const OUTAGE_MS = 15_000;

/** Each waits for what its role alone does. */
const works: Record<'sender' | 'jobs' | 'api', (machine: Machine) => Promise<unknown>> = {
  sender: async ({ world }) => {
    const { journal } = await world.carriers.counters();
    return until(async () => (await world.carriers.counters()).journal > journal, {
      timeoutMs: patience(RESUMES_MS),
      what: 'a submit',
    });
  },
  jobs: async ({ journey }) => until(() => journey.prepare(10, 'After the outage').catch(() => null)),
  api: async ({ url }) => until(async () => (await fetch(`${url}/healthz`)).ok),
};

test('P2: kill -9 of a role and the database together, which is back after 15 s: the role works within 15 s of its return', {
  timeout: patience(180_000),
}, async (t) => {
  const chance = Chance.of(t);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-outage-'));
  const onWorld = (): void => t.after(() => rmSync(folder, { recursive: true, force: true }));
  const machine = await startMachine(t, folder, { tps: size(20, 100), onWorld });
  const { world, journey, url } = machine;
  const task = await journey.prepare(size(4_000, 100_000), 'Through outages');
  await journey.confirm(task);
  await world.carriers.untilSeen(50);
  const resumed: Record<string, number> = {};
  for (let round = 0; round < size(1, 10); round++)
    for (const role of ['sender', 'jobs', 'api'] as const) {
      const { rows } = await world.pool.query<{ pid: number }>(
        `select split_part(pg_read_file('postmaster.pid'), e'\n', 1)::int as pid`,
      );
      setDatabaseOpen(machine, false);
      killRole(machine, role);
      process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
      await chance.pause(OUTAGE_MS, OUTAGE_MS);
      setDatabaseOpen(machine, true);
      await until(() => world.pool.query('select').then(() => true), { everyMs: 10, what: 'the database' });
      const watch = startStopwatch();
      await works[role](machine);
      await until(async () => (await fetch(`${url}/readyz`)).ok, { what: 'every role' });
      resumed[role] = Math.max(resumed[role] ?? 0, Math.round(watch.elapsedMs));
      watch.assertWithin(RESUMES_MS, `the return of ${role}`);
    }
  await world.pool.query('update supplier set tps = 1000');
  const end = await journey.untilEnded(task.taskId, TaskStatus.Completed);
  const verdict = await world.audit();
  t.diagnostic(`worked ${JSON.stringify(resumed)} ms after the return; ${verdict.doubted} ever in doubt`);
  assert.equal(end.successCount + end.unconfirmedCount, task.phones.length);
  assert.equal(verdict.extraCopies, 0);
});
