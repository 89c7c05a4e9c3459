import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from './fake-clock.ts';

test('timers run at their own instant, in order, and what they set runs too', async () => {
  const clock = new FakeClock(1000);
  const seen: [string, number][] = [];
  const see = (word: string) => () => seen.push([word, clock.now()]);
  clock.setTimeout(see('late'), 300);
  clock.setTimeout(() => {
    see('early')();
    clock.setTimeout(see('from early'), 50);
  }, 100);
  const dropped = clock.setTimeout(see('dropped'), 200);
  clock.clearTimeout(dropped);
  void clock.sleep(200).then(see('slept'));
  await clock.advance(300);
  assert.deepEqual(seen, [
    ['early', 1100],
    ['from early', 1150],
    ['slept', 1200],
    ['late', 1300],
  ]);
  assert.equal(clock.pending, 0);
});

test('a jump of the wall clock moves no timer', async () => {
  const clock = new FakeClock(0);
  let ran = false;
  clock.setTimeout(() => {
    ran = true;
  }, 1000);
  clock.jump(7_200_000);
  await clock.advance(999);
  assert.equal(ran, false);
  await clock.advance(1);
  assert.equal(ran, true);
  assert.equal(clock.now(), 7_201_000);
  assert.equal(clock.monotonic(), 1000);
});
