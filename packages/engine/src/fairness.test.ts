/** Lanes and turns, by a clock moved by hand: the same in every run. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SmsType } from '@pahatid/contract';
import { SendingEngine } from './engine.ts';
import { makeWorldBatch, WorldClock, WorldLink, WorldStore } from './testing-world.ts';

const BATCH = 1_000;

interface Written {
  batchId: bigint;
  at: number;
}

/** One account of a pace, on which customers have work. */
class Account {
  readonly clock = new WorldClock();
  readonly store = new WorldStore(this.clock);
  readonly written: Written[] = [];
  readonly engine = new SendingEngine(this.store, this.clock);
  readonly link: WorldLink;
  private batches = 0n;

  constructor(t: TestContext, options: { tps: number; windowSize: number; answerMs: number }) {
    const { tps, windowSize, answerMs } = options;
    this.link = new WorldLink({
      clock: this.clock,
      tps,
      windowSize,
      answerKind: () => 'ok',
      delay: () => answerMs,
      check: (messageId, position) =>
        this.written.push({ batchId: messageId - BigInt(position), at: this.clock.now() }),
    });
    this.engine.start();
    this.engine.addLink(this.link);
    this.link.bind('1');
    t.after(async () => {
      this.link.detach();
      void this.engine.finish(0);
      await this.clock.advance(1);
    });
  }

  /** Adds messages of a customer, in batches, each with the given number of parts; returns the IDs of the batches. */
  add(customerId: string, lane: SmsType, count: number, parts = 1): bigint[] {
    const ids: bigint[] = [];
    for (let left = count; left > 0; left -= BATCH) {
      this.batches += 1n;
      const batchId = this.batches * BigInt(BATCH);
      this.store.add(makeWorldBatch({ batchId, customerId, lane, count: Math.min(left, BATCH), parts }));
      ids.push(batchId);
    }
    this.engine.wake();
    return ids;
  }

  /** How long it took from now until so many parts of these batches were written. */
  async untilWritten(batchIds: readonly bigint[], parts: number, timeoutMs: number): Promise<number> {
    const from = this.clock.now();
    const of = () => this.written.filter(({ batchId }) => batchIds.includes(batchId));
    while (of().length < parts && this.clock.now() < from + timeoutMs) await this.clock.advance(50);
    const last = of()[parts - 1];
    assert.ok(last !== undefined, `${of().length} of ${parts} after ${timeoutMs} ms`);
    return last.at - from;
  }
}

for (const { name, giants, batches, parts } of [
  { name: 'a huge task', giants: 1, batches: 30, parts: 1 },
  { name: 'a huge task of three segments each', giants: 1, batches: 20, parts: 3 },
  { name: 'three huge tasks', giants: 3, batches: 10, parts: 1 },
]) {
  test(`a small task alongside ${name} of others ends within 1.5 times its time at a fair share`, async (t) => {
    const tps = 100;
    const account = new Account(t, { tps, windowSize: 50, answerMs: 20 });
    for (let n = 1; n <= giants; n++) account.add(`giant${n}`, 3, batches * BATCH, parts);
    await account.clock.advance(5_000);
    const count = 200;
    const small = account.add('small', 3, count);
    const fairMs = (count / (tps / (giants + 1))) * 1_000;
    const tookMs = await account.untilWritten(small, count, 3 * fairMs);
    t.diagnostic(`${tookMs} ms of ${fairMs} at its share`);
    assert.ok(tookMs <= 1.5 * fairMs, `${tookMs} ms of ${fairMs}`);
  });
}

test('customers share by segments, however many batches each has', async (t) => {
  const account = new Account(t, { tps: 200, windowSize: 50, answerMs: 20 });
  const many = account.add('many', 3, 20 * BATCH);
  const few = account.add('few', 3, 2 * BATCH);
  const long = account.add('long', 3, 5 * BATCH, 3);
  await account.clock.advance(15_000);
  const of = (ids: readonly bigint[]) => account.written.filter(({ batchId }) => ids.includes(batchId)).length;
  for (const count of [of(many), of(few), of(long)]) {
    assert.ok(Math.abs(count - account.written.length / 3) < account.written.length * 0.02, String(count));
  }
});

test('forty customers on a slow account are served side by side, not one dozen after the other', async (t) => {
  const account = new Account(t, { tps: 100, windowSize: 50, answerMs: 20 });
  const campaigns = Array.from({ length: 40 }, (_, n) => account.add(`shop${n}`, 3, 500));
  await account.clock.advance(40_000);
  const counts = campaigns.map((ids) => account.written.filter(({ batchId }) => ids.includes(batchId)).length);
  const share = account.written.length / counts.length;
  t.diagnostic(`${Math.min(...counts)} to ${Math.max(...counts)} of a share of ${share}`);
  for (const count of counts) assert.ok(count >= share / 1.5, `${count} of ${share}`);
});

test('marketing is claimed however often a code wakes the engine', async (t) => {
  const account = new Account(t, { tps: 2_000, windowSize: 50, answerMs: 20 });
  account.store.lookMs = 5;
  const shops = Array.from({ length: 10 }, (_, n) => account.add(`shop${n}`, 3, 4 * BATCH)).flat();
  for (let n = 0; n < 1_000; n++) {
    account.add('bank', 1, 1);
    await account.clock.advance(2);
  }
  const count = account.written.filter(({ batchId }) => shops.includes(batchId)).length;
  const codes = account.written.length - count;
  t.diagnostic(`${count} messages of marketing, ${codes} codes`);
  assert.ok(codes >= 900, `${codes} codes`);
  assert.ok(count >= 1_500, `${count} of 3,000 that the pace has left`);
});

for (const { tps, windowSize, answerMs, bound } of [
  // The next segment's time, two commits of 3 ms, and the tick of the clock in this test.
  { tps: 20, windowSize: 10, answerMs: 20, bound: 60 },
  { tps: 2_000, windowSize: 100, answerMs: 20, bound: 30 },
  // A carrier slower than the pace: the next response frees a slot.
  { tps: 1_000, windowSize: 4, answerMs: 100, bound: 110 },
  // Messages ready before the code are sent after it.
  { tps: 1, windowSize: 1, answerMs: 20, bound: 1_100 },
]) {
  test(`a code waits at most for the next segment, whatever marketing is ready: ${tps} a second, window ${windowSize}`, async (t) => {
    const account = new Account(t, { tps, windowSize, answerMs });
    account.add('giant', 3, 20 * BATCH);
    await account.clock.advance(3_000);
    let worst = 0;
    for (let n = 0; n < 12; n++) {
      const code = account.add('bank', 1, 1);
      worst = Math.max(worst, await account.untilWritten(code, 1, 5_000));
      await account.clock.advance(37);
    }
    t.diagnostic(`${worst.toFixed(1)} ms at the longest`);
    assert.ok(worst <= bound, `${worst} ms`);
  });
}

test('notifications go before marketing that was claimed long before, and after codes', async (t) => {
  const account = new Account(t, { tps: 50, windowSize: 20, answerMs: 20 });
  const marketing = account.add('shop', 3, 10 * BATCH);
  await account.clock.advance(2_000);
  const before = account.written.length;
  const notices = account.add('shop', 2, 40);
  const codes = account.add('shop', 1, 10);
  await account.clock.advance(1_500);
  const order = account.written.slice(before).map(({ batchId }) => {
    if (codes.includes(batchId)) return 'code';
    return notices.includes(batchId) ? 'notice' : 'marketing';
  });
  // Ready messages, for 50 ms, may still have been sent.
  const first = order.findIndex((lane) => lane !== 'marketing');
  assert.ok(first <= 3, order.join());
  const rest = order.slice(first);
  assert.equal(rest.indexOf('marketing'), 50, rest.join());
  assert.ok(rest.lastIndexOf('code') < 15, rest.join());
  assert.ok(marketing.length > 0);
});
