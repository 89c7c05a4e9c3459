/** With small windows the carrier's answers set the speed, not the commits between them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SendingEngine } from './engine.ts';
import { makeWorldBatch, WorldClock, WorldLink, WorldStore } from './testing-world.ts';

const SECONDS = 1;

/** Parts written a second to one carrier that takes `answerMs` to respond, after the first second. */
async function rateAt(windowSize: number, answerMs: number): Promise<{ rate: number; commits: number }> {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  let commits = 0;
  const commit = store.commit.bind(store);
  store.commit = async (...args) => {
    commits += 1;
    return await commit(...args);
  };
  const link = new WorldLink({
    clock,
    windowSize,
    tps: 100_000,
    answerKind: () => 'ok',
    // The world adds a millisecond.
    delay: () => answerMs - 1,
    check: () => {},
  });
  const most = Math.ceil((2 * windowSize * 1_000 * (SECONDS + 1)) / answerMs);
  for (let from = 0; from < most; from += 1_000)
    store.add(
      makeWorldBatch({ batchId: BigInt(from + 1_000), customerId: 'customer', lane: 3, count: 1_000, parts: 1 }),
    );
  const engine = new SendingEngine(store, clock);
  engine.start();
  engine.addLink(link);
  link.bind('1');
  link.bind('2');
  await clock.advance(1_000);
  const [before, committed] = [link.times.length, commits];
  await clock.advance(SECONDS * 1_000);
  const written = link.times.length - before;
  link.detach();
  void engine.finish(0);
  await clock.advance(1);
  return { rate: written / SECONDS, commits: (commits - committed) / SECONDS };
}

for (const { windowSize, answerMs } of [
  { windowSize: 1, answerMs: 2 },
  { windowSize: 1, answerMs: 20 },
  { windowSize: 10, answerMs: 2 },
  { windowSize: 10, answerMs: 20 },
  { windowSize: 10, answerMs: 100 },
  { windowSize: 50, answerMs: 20 },
])
  test(`two binds with a window of ${windowSize} and answers after ${answerMs} ms are always full`, async (t) => {
    const { rate, commits } = await rateAt(windowSize, answerMs);
    const ideal = (2 * windowSize * 1_000) / answerMs;
    t.diagnostic(`${Math.round(rate)} of ${ideal}/s with ${Math.round(commits)} commits/s`);
    assert.ok(rate >= 0.95 * ideal, `${rate} of ${ideal}/s`);
    assert.ok(commits <= 40, `${commits} commits/s`);
  });

test('C4: with one message at a time those of a batch leave in its order, through every refusal', async () => {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  let submits = 0;
  const taken: number[] = [];
  const link: WorldLink = new WorldLink({
    clock,
    windowSize: 1,
    tps: 400,
    answerKind: (messageId) => {
      submits += 1;
      // Now and then three in a row.
      if (submits % 19 < 2 || submits % 7 === 0) return 'throttled';
      taken.push(Number(messageId));
      return 'ok';
    },
    delay: () => 2 + (submits % 5),
    check: () => {},
  });
  const count = 500;
  store.add(makeWorldBatch({ batchId: 1_000n, customerId: 'customer', lane: 3, count, parts: 1 }));
  const engine = new SendingEngine(store, clock);
  engine.start();
  engine.addLink(link);
  link.bind('1');
  await clock.advance(300_000);
  assert.equal(taken.length, count);
  assert.deepEqual(
    taken,
    taken.toSorted((a, b) => a - b),
  );
  link.detach();
  void engine.finish(0);
  await clock.advance(1);
});
