/** P2: kill -9 of PostgreSQL, and storms of terminated backends. What can't commit its intent can't send. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import { Chance } from './chance.ts';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

const STOPS_MS = 1_000;
const RESUMES_MS = 15_000;

test('P2: kill -9 of the database: no submit later than 1 s after it, the next within 15 s of its return', {
  timeout: patience(120_000),
}, async (t) => {
  const chance = Chance.of(t);
  const kills = size(3, 50);
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
      timeoutMs: RESUMES_MS * 2,
      what: 'a submit after the return of the database',
    });
  }
  await world.untilQuiet();
  const verdict = await world.audit();
  const times: number[] = [];
  for await (const { timeMs } of world.carriers.submits()) times.push(timeMs);
  const waits = outages.map(({ diedMs, backMs }) => {
    const late = times.find((at) => at > diedMs + STOPS_MS && at < backMs);
    assert.equal(late, undefined, `a submit ${(late ?? 0) - diedMs} ms after the database was killed`);
    const last = times.findLast((at) => at < backMs) ?? diedMs;
    return { stopped: Math.max(0, last - diedMs), resumed: (times.find((at) => at >= backMs) ?? 0) - backMs };
  });
  for (const { resumed } of waits) assert.ok(resumed <= RESUMES_MS, `resumed after ${resumed} ms`);
  assert.equal(verdict.rows, world.accepted.size);
  assert.equal(verdict.extraCopies, 0);
  const most = (name: 'stopped' | 'resumed') => Math.max(...waits.map((wait) => wait[name]));
  t.diagnostic(
    `${kills} kills, last submit after at most ${most('stopped')} ms, first after the return ${most('resumed')} ms, ${verdict.doubted} ever in doubt`,
  );
});

test('P2: a storm of terminated backends loses nothing and repeats nothing', {
  timeout: patience(60_000),
}, async (t) => {
  const chance = Chance.of(t);
  const world = await World.make(t, { tps: 600 });
  await world.startSender();
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
