/** P7: a carrier that throttles. Nothing fails, nothing counts as an attempt, order and pace are kept. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStopwatch } from '@pahatid/testkit';
import type { Submit } from './carrier-process.ts';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

const timeout = patience(90_000);
const THROTTLED = 0x58;

const collect = async (world: World): Promise<Submit[]> => {
  const all: Submit[] = [];
  for await (const submit of world.carriers.submits()) all.push(submit);
  return all;
};

/** The most submits within any second, of one carrier. */
function mostInASecond(times: readonly number[]): number {
  let most = 0;
  let low = 0;
  for (const [high, time] of times.entries()) {
    while (time - (times[low] ?? time) >= 1_000) low += 1;
    most = Math.max(most, high - low + 1);
  }
  return most;
}

/** Of the whole seconds between the first and the last submit: a machine that is busy elsewhere spoils single ones. */
function medianRate(times: readonly number[]): number {
  const first = times[0] ?? 0;
  const counts = new Array<number>(Math.max(0, Math.floor(((times.at(-1) ?? 0) - first) / 1_000))).fill(0);
  for (const time of times) {
    const second = Math.floor((time - first) / 1_000);
    if (second < counts.length) counts[second] = (counts[second] ?? 0) + 1;
  }
  return counts.sort((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
}

/**
 * How late the carriers' process came to what had arrived, at worst: the journal's times are of its turn to read. What
 * it had not read when it answered one request it had read when it answered the next, so that is the bound; the waiting
 * of this process in between counts, as it may have slept while the carriers did.
 */
async function watchLateness(world: World, done: Promise<void>): Promise<number> {
  let isDone = false;
  void done.finally(() => {
    isDone = true;
  });
  let worst = 1;
  let askedBefore = performance.now();
  while (!isDone) {
    const asked = performance.now();
    await fetch(`${world.carriers.controlUrl}/carriers/globe`);
    worst = Math.max(worst, performance.now() - askedBefore);
    askedBefore = asked;
    await sleep(5);
  }
  return worst;
}

describe('P7: throttling', { timeout }, () => {
  test('never more than the account’s rate in any second, and 95 % of it at least', { timeout }, async (t) => {
    const tps = 200;
    const world = await World.make(t, { tps });
    await world.startSender();
    const watch = startStopwatch();
    await world.accept(size(3_000, 100_000));
    const lateMs = await watchLateness(world, world.untilQuiet());
    await world.audit();
    // Messages read together may have been sent this far apart.
    const most = Math.floor((tps * (1_000 + lateMs)) / 1_000);
    const submits = await collect(world);
    for (const carrier of ['globe', 'smart', 'dito']) {
      const times = submits.filter((each) => each.carrier === carrier).map((each) => each.timeMs);
      const found = mostInASecond(times);
      const rate = medianRate(times);
      t.diagnostic(
        `${carrier}: ${found} at most in a second, ${rate} in the median one, of ${tps}; read up to ${Math.round(lateMs)} ms late`,
      );
      assert.ok(found <= most, `${carrier}: ${found} in one second`);
      watch.assertSpan((tps * 1_000) / rate, 1_000 / 0.95, `${carrier}: what it takes in a second`);
    }
  });

  test('a carrier of a smaller limit than agreed refuses, and gets all of it in the end', { timeout }, async (t) => {
    const world = await World.make(t, { tps: 400, carrierFlags: ['--tps', '200'] });
    await world.carriers.setFaults({
      errors: [
        { status: THROTTLED, rate: 0.05 },
        { status: 0x14, rate: 0.01 },
      ],
    });
    await world.startSender();
    await world.accept(size(2_500, 600_000));
    await world.untilQuiet();
    const verdict = await world.audit();
    const refused = (await collect(world)).filter((each) => each.status !== 0).length;
    t.diagnostic(`${refused} throttled answers to ${verdict.rows} messages`);
    assert.equal(verdict.delivered, world.accepted.size);
    assert.equal(verdict.doubted, 0);
    assert.ok(refused >= size(100, 50_000), `${refused} throttled`);
  });

  test('with one message at a time the order of the task is kept through every refusal', { timeout }, async (t) => {
    const world = await World.make(t, { tps: 400, windowSize: 1, bindCount: 1 });
    await world.carriers.setFaults({ errors: [{ status: THROTTLED, rate: 0.05 }] });
    await world.startSender();
    await world.accept(size(1_000, 20_000));
    await world.untilQuiet();
    await world.audit();
    const taken = (await collect(world)).filter((each) => each.status === 0 && each.part === 1);
    const { rows } = await world.pool.query<{ msisdn: string; n: number }>(
      'select msisdn, row_number() over (order by message_id)::int n from message',
    );
    const place = new Map(rows.map(({ msisdn, n }) => [msisdn, n]));
    for (const carrier of ['globe', 'smart', 'dito']) {
      const places = taken.filter((each) => each.carrier === carrier).map((each) => place.get(each.destination) ?? 0);
      const late = places.findIndex((at, index) => index > 0 && at < (places[index - 1] ?? 0));
      assert.equal(late, -1, `${carrier}: submit ${late} came out of order`);
    }
  });
});
