/** Flushes that concern many accounts and customers: what they cost depends on their batches, not on their messages. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SendingEngine } from './engine.ts';
import type { Flush } from './ports.ts';
import { makeWorldBatch, WorldClock, WorldLink, WorldStore } from './testing-world.ts';

/** Segments a second. */
const PACES = [667, 333, 100, 17, 667, 250, 67, 533, 167, 33];
const CUSTOMERS = 20;
const COUNT = 1_000;
const COMMIT_MS = 40;
const SECONDS = 2;

function makeMarket(t: TestContext) {
  const clock = new WorldClock();
  const store = new WorldStore(clock);
  store.commitMs = () => COMMIT_MS;
  const flushes: Flush[] = [];
  const commit = store.commit.bind(store);
  store.commit = async (flush, ...rest) => {
    flushes.push(flush);
    return await commit(flush, ...rest);
  };
  const engine = new SendingEngine(store, clock);
  const links = PACES.map(
    (tps, n) =>
      new WorldLink({
        ...{ clock, tps, windowSize: 50, supplierId: `account${n}`, answerKind: () => 'ok', delay: () => 50 },
        check: () => {},
      }),
  );
  let batchId = 0n;
  for (const { supplierId } of links)
    for (let n = 0; n < CUSTOMERS; n++) {
      batchId += BigInt(COUNT);
      store.add(makeWorldBatch({ batchId, customerId: `shop${n}`, lane: 3, count: COUNT, parts: 1, supplierId }));
    }
  engine.start();
  for (const link of links) {
    engine.addLink(link);
    link.bind('1');
  }
  t.after(async () => {
    for (const link of links) link.detach();
    void engine.finish(0);
    await clock.advance(1);
  });
  const written = (): number => links.reduce((sum, link) => sum + link.times.length, 0);
  return { clock, flushes, written };
}

test('accounts of many paces keep them with few flushes, and few batches in each', async (t) => {
  const { clock, flushes, written } = makeMarket(t);
  await clock.advance(2_000);
  const from = written();
  flushes.length = 0;
  await clock.advance(SECONDS * 1_000);
  const count = written() - from;
  const marks = flushes.reduce((sum, flush) => sum + flush.marks.length, 0);
  const batches = flushes.reduce((sum, { changes }) => sum + new Set(changes.map(({ batch }) => batch)).size, 0);
  const pace = PACES.reduce((sum, tps) => sum + tps, 0);
  t.diagnostic(
    `${count / SECONDS} of ${pace}/s, ${flushes.length / SECONDS} flushes/s, ${(marks / count).toFixed(2)} marks and ${(batches / count).toFixed(2)} batches with results a message`,
  );
  assert.ok(count >= 0.9 * pace * SECONDS, `${count} in ${SECONDS} s`);
  assert.ok(marks <= 0.15 * count, `${marks} marks of ${count} messages`);
  assert.ok(batches <= 0.3 * count, `${batches} batches in flushes of ${count} messages`);
});
