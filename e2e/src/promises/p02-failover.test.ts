/** P2: the leader of two database servers dies while messages are sent, and the other takes over. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { startStopwatch, until } from '@pahatid/testkit';
import { Chance } from './chance.ts';
import { type Failure, PatroniCluster, whyNoPatroni } from './patroni-cluster.ts';
import { main } from './root.ts';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

const STOPS_MS = 1_000;
const RESUMES_MS = 15_000;
const missing = whyNoPatroni();
if (missing !== false) console.warn(`FAILOVERS ARE NOT TESTED HERE: ${missing}`);

test('P2: the leader is killed or frozen: nothing acknowledged is lost or sent twice, sending stops within 1 s, and resumes within 15 s of the new leader', {
  timeout: patience(180_000),
  skip: missing,
}, async (t) => {
  const chance = Chance.of(t);
  const watch = startStopwatch();
  const cluster = await PatroniCluster.start(t);
  const world = await World.make(t, { databaseUrl: cluster.url, tps: size(400, 600) });
  await world.startSender({ PAHATID_UNSAFE_DATABASE: 'off' });
  const outages: { diedMs: number; backMs: number }[] = [];
  const failures: readonly Failure[] = ['postgres', 'machine', 'frozen', 'postgres', 'machine', 'frozen'];
  for (const failure of failures.slice(0, size(1, 6))) {
    const leader = await cluster.leader();
    await world.accept(2_500);
    const loading = world.accept(size(2_000, 10_000));
    await chance.pause(300, 1_200);
    const diedMs = await cluster.fail(leader, failure);
    await cluster.leader(leader);
    outages.push({ diedMs, backMs: Date.now() });
    await loading;
    const { journal } = await world.carriers.counters();
    await until(async () => (await world.carriers.counters()).journal > journal, {
      timeoutMs: patience(RESUMES_MS),
      what: 'a submit after the failover',
    });
    await cluster.rejoin(leader);
  }
  await world.untilQuiet();
  const verdict = await world.audit();
  const times: number[] = [];
  for await (const { timeMs } of world.carriers.submits()) times.push(timeMs);
  const waits = outages.map(({ diedMs, backMs }) => ({
    failover: backMs - diedMs,
    stopped: Math.max(0, (times.findLast((at) => at < backMs) ?? diedMs) - diedMs),
    resumed: (times.find((at) => at >= backMs) ?? 0) - backMs,
  }));
  for (const { stopped, resumed } of waits) {
    watch.assertSpan(stopped, STOPS_MS, 'the last submit after the death of the leader');
    watch.assertSpan(resumed, RESUMES_MS, 'the first submit after the failover');
  }
  t.diagnostic(
    `${JSON.stringify(waits)} ms; ${world.accepted.size} acknowledged, ${world.uncertain.size} without a response, ${verdict.doubted} ever in doubt`,
  );
  assert.equal(verdict.extraCopies, 0);

  const doctor = (): string =>
    spawnSync(process.execPath, [main, 'doctor'], { encoding: 'utf8', env: world.env() }).stdout;
  assert.match(doctor(), /ok +durability/);
  await cluster.makeAsynchronous();
  await until(() => /WRONG commits do not wait for a standby/.test(doctor()), { everyMs: 1_000, what: 'the risk' });
});
