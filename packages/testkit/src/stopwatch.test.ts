import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { slowdown, startStopwatch } from './stopwatch.ts';

test('a machine is never taken for a quicker one', () => {
  assert.ok(slowdown() >= 1);
});

test('what was quick passes; what took far longer than the bound fails, and says how long', async () => {
  const watch = startStopwatch();
  watch.assertWithin(60_000);
  await sleep(300);
  assert.throws(() => watch.assertWithin(0, 'the wait'), /the wait took \d+ ms; 0 ms at most/);
  assert.ok(watch.elapsedMs >= 299);
});
