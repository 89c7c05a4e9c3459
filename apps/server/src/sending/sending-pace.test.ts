/** C3: a supplier account's limit over several sender processes, while they come, go and die. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import { makeScene, to } from './testing/make-scene.ts';
import type { Scene } from './testing/scene.ts';

const TPS = 200;
const settings = { leaseMs: 1_500, renewEveryMs: 400 };

/** In batches small enough for every sender to have some. */
const acceptGlobe = async (scene: Scene, count: number): Promise<void> => {
  for (let from = 0; from < count; from += 100) {
    await scene.accept(Array.from({ length: 100 }, (_, n) => to(`63917${String(from + n).padStart(7, '0')}`)));
  }
};

const mostInASecond = (times: readonly number[]): number => {
  let most = 0;
  for (let low = 0, high = 0; high < times.length; high++) {
    while (times[high]! - times[low]! >= 1_000) low += 1;
    most = Math.max(most, high - low + 1);
  }
  return most;
};

const arrivals = (scene: Scene): number[] =>
  [...scene.simulator!.journal.entries()].map((entry) => Date.parse(entry.time)).sort((a, b) => a - b);

/** By the senders' own clocks, which are the same on one machine, without network latency to the carrier. */
const departures = async (scene: Scene): Promise<number[]> => {
  const { rows } = await scene.pool.query<{ at: number }>(
    `select extract(epoch from submitted_at) * 1000 as at from message where submitted_at is not null order by 1`,
  );
  return rows.map(({ at }) => Number(at));
};

const shares = async (scene: Scene): Promise<number[]> => {
  const { rows } = await scene.pool.query<{ share: number }>(
    `select h.share from supplier_share h join supplier s using (supplier_id)
     where s.carrier = 'Globe' and h.wanted is not null and h.lease_until > clock_timestamp() order by 1`,
  );
  return rows.map(({ share }) => share);
};

const untilShares = (scene: Scene, wanted: readonly number[]) =>
  until(async () => JSON.stringify(await shares(scene)) === JSON.stringify(wanted), {
    everyMs: 50,
    what: `shares of ${wanted.join(' and ')}`,
  });

test('C3: while senders join, are asked to leave and are killed, no second sees more than the limit', async (t) => {
  const scene = await makeScene(t, { tps: TPS, bindCount: 3 }, { strict: false });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await acceptGlobe(scene, 4_000);
  const first = await scene.spawnSender(scene.database.url, settings);
  await untilShares(scene, [TPS]);
  await scene.untilSeen(150);
  const second = await scene.spawnSender(scene.database.url, settings);
  await untilShares(scene, [TPS / 2, TPS / 2]);
  // Both run at their share: the total depends on the machine, so it is reported, not asserted.
  const [from, seen] = [performance.now(), scene.seen];
  await scene.untilSeen(seen + 400);
  const rate = (scene.seen - seen) / ((performance.now() - from) / 1_000);
  t.diagnostic(`two busy senders: ${rate.toFixed(1)} a second, ${((rate / TPS) * 100).toFixed(1)} % of the limit`);
  const third = await scene.spawnSender(scene.database.url, settings);
  await untilShares(scene, [66, 67, 67]);
  second.kill('SIGTERM');
  await once(second, 'exit');
  await untilShares(scene, [TPS / 2, TPS / 2]);
  third.kill('SIGKILL');
  await once(third, 'exit');
  await untilShares(scene, [TPS]);
  const before = scene.seen;
  await scene.pool.query(`update supplier set tps = 50`);
  await untilShares(scene, [50]);
  const lowered = Date.now();
  await scene.untilSeen(before + 100);
  first.kill('SIGTERM');
  await once(first, 'exit');
  delay.disable();

  const left = await departures(scene);
  assert.ok(mostInASecond(left) <= TPS, `${mostInASecond(left)} left in a second`);
  assert.ok(mostInASecond(left.filter((at) => at > lowered)) <= 50);
  const came = arrivals(scene);
  // The simulator notes a time when it gets to it: what came while it was late counts for a longer second.
  const lateMs = delay.max / 1e6 + 5;
  const most = mostInASecond(came);
  assert.ok(most <= TPS * (1 + lateMs / 1_000), `${most} came in a second; the simulator was up to ${lateMs} ms late`);
  t.diagnostic(
    `at most ${most} of ${TPS} came in a second, ${mostInASecond(left)} left; up to ${lateMs.toFixed(0)} ms late`,
  );
  const audit = await scene.audit();
  assert.partialDeepStrictEqual(audit, { rows: 4_000, failed: 0, sentTwice: 0, neverSeen: 0 });
});

test('C3: a sender frozen past its lease does not use the share that another has taken', async (t) => {
  const scene = await makeScene(t, { tps: TPS, bindCount: 2 }, { strict: false });
  await acceptGlobe(scene, 1_500);
  const zombie = await scene.spawnSender(scene.database.url, settings);
  await scene.untilSeen(100);
  zombie.kill('SIGSTOP');
  await scene.startSender(settings);
  await untilShares(scene, [TPS]);
  const seen = scene.seen;
  await scene.untilSeen(seen + 100);
  zombie.kill('SIGCONT');
  await untilShares(scene, [TPS / 2, TPS / 2]);
  await until(async () => (await scene.states())['0/0'] === undefined, { everyMs: 100 });
  const left = await departures(scene);
  assert.ok(mostInASecond(left) <= TPS, `${mostInASecond(left)} left in a second`);
  assert.partialDeepStrictEqual(await scene.audit(), { rows: 1_500, waiting: 0, sentTwice: 0, neverSeen: 0 });
});
