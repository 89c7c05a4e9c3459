import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import { pino } from 'pino';
import { startLoop } from './loop.ts';

const log = pino({ level: 'silent' });

test('runs again immediately while there is work, waits when there is none, and runs when woken', async () => {
  let left = 5;
  let steps = 0;
  const step = async (): Promise<boolean> => {
    steps += 1;
    left -= 1;
    return left > 0;
  };
  const loop = startLoop({ name: 'a', everyMs: 60_000, log, step });
  await until(() => steps === 5);
  left = 2;
  loop.wake();
  await until(() => steps === 7);
  await loop.stop();
});

test('two iterations never overlap; a wake during one is not lost; stopping waits for its end', async () => {
  let running = 0;
  let steps = 0;
  let release: () => void = () => {};
  const step = async (): Promise<boolean> => {
    running += 1;
    steps += 1;
    assert.equal(running, 1);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    running -= 1;
    return false;
  };
  const loop = startLoop({ name: 'b', everyMs: 60_000, log, step });
  await until(() => steps === 1);
  loop.wake();
  release();
  await until(() => steps === 2);
  let stopped = false;
  const stopping = loop.stop().then(() => {
    stopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(stopped, false);
  release();
  await stopping;
  assert.deepEqual([running, steps], [0, 2]);
});

test('a failure is not the end: the next iteration comes after a pause', async () => {
  let steps = 0;
  const step = async (): Promise<boolean> => {
    steps += 1;
    if (steps === 1) throw new Error('once');
    return false;
  };
  const loop = startLoop({ name: 'c', everyMs: 60_000, log, step });
  await until(() => steps === 2);
  await loop.stop();
});

test('failures in a row are counted out loud, and so is the first success after them', async () => {
  const said: number[] = [];
  let steps = 0;
  const step = async (): Promise<boolean> => {
    steps += 1;
    if (steps === 2 || steps === 3) throw new Error('broken for now');
    return steps < 5;
  };
  const loop = startLoop({ name: 'd', everyMs: 60_000, log, step, onFailures: (_, inARow) => said.push(inARow) });
  await until(() => steps === 5);
  await loop.stop();
  assert.deepEqual(said, [1, 2, 0]);
});
