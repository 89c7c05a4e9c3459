import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Pacer } from './pacer.ts';

/** Times at which segments leave when something always waits; timers wake up to `lateMs` late. */
const leave = (pacer: Pacer, untilMs: number, late: () => number): number[] => {
  const times: number[] = [];
  for (let now = 0; now < untilMs; ) {
    const wait = pacer.waitMs(now);
    if (wait > 0) {
      now += wait + late();
      continue;
    }
    pacer.take(now);
    times.push(now);
  }
  return times;
};

test('no window of a second holds more than the limit, and a busy account uses nearly all of it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3_000 }),
      fc.array(fc.nat(15), { minLength: 1, maxLength: 50 }),
      (limit, lates) => {
        let i = 0;
        const times = leave(new Pacer(limit), 4_000, () => lates[i++ % lates.length]!);
        for (let low = 0, high = 0; high < times.length; high++) {
          while (times[high]! - times[low]! >= 1_000) low += 1;
          assert.ok(high - low + 1 <= limit);
        }
        if (limit >= 20) assert.ok(times.length >= limit * 4 * 0.95, `${times.length} of ${limit * 4}`);
      },
    ),
    { numRuns: 100 },
  );
});

test('a pause does not save up for a burst', () => {
  const pacer = new Pacer(100);
  for (let n = 0; n < 3; n++) pacer.take(n * 10.2);
  let burst = 0;
  while (pacer.waitMs(60_000) === 0) {
    pacer.take(60_000);
    burst += 1;
  }
  assert.ok(burst <= 3, `${burst} at once`);
});

test('a throttled account falls to what the carrier takes, once for each overrun, and climbs back', () => {
  const pacer = new Pacer(1_000);
  for (let n = 0; n < 300; n++) {
    pacer.take(n);
    pacer.accepted(n + 1);
  }
  for (let n = 300; n < 400; n++) pacer.throttled(n + 1, 300);
  assert.equal(pacer.rate, 500);
  // Responses already in transit when the rate was cut are not new information.
  for (let n = 0; n < 50; n++) pacer.throttled(420, 300);
  assert.equal(pacer.rate, 500);
  assert.ok(pacer.waitMs(410) > 0);
  for (let now = 2_000; now < 40_000; now += 100) {
    if (pacer.waitMs(now) === 0) pacer.take(now);
    pacer.accepted(now);
  }
  assert.equal(pacer.rate, 1_000);
});

test('a few throttled answers among many are noise: the rate stays', () => {
  const pacer = new Pacer(500);
  for (let n = 0; n < 1_000; n++) {
    pacer.take(n * 2);
    if (n % 20 === 19) pacer.throttled(n * 2 + 1, n * 2);
    else pacer.accepted(n * 2 + 1);
  }
  assert.equal(pacer.rate, 500);
});

test('one throttled answer alone in its second is waited out, and the rate stays', () => {
  const pacer = new Pacer(500);
  let waited = 0;
  for (let now = 0; now < 60_000; now += 3_000) {
    pacer.take(now);
    pacer.throttled(now + 5, now);
    waited = pacer.waitMs(now + 6);
    assert.ok(waited > 200 && waited <= 1_000, `${waited} ms`);
  }
  assert.equal(pacer.rate, 500);
});

test('full queues of phones leave the rate as it is; where nothing else is taken they are the account’s', () => {
  const pacer = new Pacer(1_000);
  for (let n = 0; n < 1_000; n++) {
    pacer.take(n);
    if (n % 5 === 0) assert.equal(pacer.queueFull(n + 1, n), false);
    else pacer.accepted(n + 1);
  }
  assert.deepEqual([pacer.rate, pacer.waitMs(1_100)], [1_000, 0]);
  for (let n = 2_100; n < 2_140; n++) pacer.queueFull(n + 1, 2_100);
  assert.equal(pacer.rate, 500);
  assert.ok(pacer.waitMs(2_141) > 0);
  // Alone in its second it still is, until something is taken.
  assert.equal(pacer.queueFull(5_000, 4_990), true);
  pacer.accepted(5_010);
  assert.equal(pacer.queueFull(5_020, 5_000), false);
});
