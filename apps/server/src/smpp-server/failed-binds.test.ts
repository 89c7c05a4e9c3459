import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailedBinds } from './failed-binds.ts';
import { FloodBrake } from './flood-brake.ts';
import { TokenBucket } from './token-bucket.ts';

test('S48 the fifth failure within a minute blocks until the minute is over, each key separately', () => {
  let now = 0;
  const failures = new FailedBinds(() => now);
  for (let n = 0; n < 5; n++) {
    assert.equal(failures.isBlocked('a'), false);
    failures.note('a');
    now += 1_000;
  }
  assert.deepEqual([failures.isBlocked('a'), failures.isBlocked('b')], [true, false]);
  now = 60_000;
  assert.equal(failures.isBlocked('a'), false);
  failures.note('a');
  assert.equal(failures.isBlocked('a'), false);
});

test('S51 D9 a client at exactly the rate for a minute is never refused, nor is a burst of one second', () => {
  const bucket = new TokenBucket(300, 0);
  for (let n = 0; n < 300; n++) assert.ok(bucket.take(0));
  assert.equal(bucket.take(0), false);
  for (let n = 1; n <= 300 * 60; n++) assert.ok(bucket.take((n * 1_000) / 300), `${n}`);
  assert.equal(bucket.take(60_000), false);
});

test('D17 more numbers than a second allows are taken from a full credit, and owed', () => {
  const bucket = new TokenBucket(100, 0);
  assert.ok(bucket.take(0, 254));
  assert.equal(bucket.take(1_500), false);
  assert.ok(bucket.take(1_600));
});

test('S51 a client that floods is answered a thousand times immediately, and then once in 10 ms', () => {
  const brake = new FloodBrake();
  for (let n = 0; n < 1_000; n++) assert.equal(brake.note(100, 300), 0);
  assert.equal(brake.mayWaitMs(100), 0);
  for (let now = 100; now < 5_000; now += 10) {
    // Of four sessions each.
    for (let session = 0; session < 4; session++) assert.equal(brake.note(now, 300), 10);
    assert.equal(brake.mayWaitMs(now), 100);
  }
  assert.equal(brake.mayWaitMs(5_990), 0);
  for (let n = 0; n < 1_000; n++) assert.equal(brake.note(9_000, 300), 0);
  assert.equal(brake.note(9_000, 300), 10);
});

test('S51 a client that now and then goes beyond its rate floods no longer', () => {
  const brake = new FloodBrake();
  for (let n = 0; n <= 1_000; n++) brake.note(0, 300);
  for (let now = 40; now < 1_000; now += 40) assert.equal(brake.note(now, 300), 10);
  assert.equal(brake.note(1_000, 300), 0);
  assert.equal(brake.mayWaitMs(1_000), 0);
});

test('S51 an account of a high rate is answered twice its rate', () => {
  const brake = new FloodBrake();
  for (let n = 0; n < 4_000; n++) assert.equal(brake.note(1_200, 2_000), 0);
  assert.equal(brake.note(1_200, 2_000), 10);
});
