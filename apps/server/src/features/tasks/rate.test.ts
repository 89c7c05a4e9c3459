import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRateTracker } from './rate.ts';

test('the rate covers the last ten seconds, however often it is read', () => {
  let now = 0;
  const tracker = makeRateTracker(() => now);
  assert.equal(tracker.rate('a', 0), 0);
  for (now = 250; now <= 20_000; now += 250) tracker.rate('a', now / 2);
  now = 20_000;
  assert.equal(tracker.rate('a', 10_000), 500);
  for (; now <= 40_000; now += 250) tracker.rate('a', 10_000);
  assert.equal(tracker.rate('a', 10_000), 0);
  assert.equal(tracker.rate('b', 5), 0);
});

test('a task not read for long has no rate yet, and a retry that lowers counts never gives a negative one', () => {
  let now = 0;
  const tracker = makeRateTracker(() => now);
  tracker.rate('a', 0);
  now = 3_600_000;
  assert.equal(tracker.rate('a', 1_000_000), 0);
  now += 1_000;
  assert.equal(tracker.rate('a', 1_000_100), 100);
  now += 1_000;
  assert.equal(tracker.rate('a', 400_000), 0);
});
