import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalStore } from './journal-store.ts';
import { makeMessageId, receiptId } from './message-ids.ts';
import { NumberCounter } from './number-counter.ts';
import { PeakRate } from './rate-limit.ts';
import { TimerWheel } from './timer-wheel.ts';

test('the counter agrees with a Map over 50,000 numbers, phones and hashes', () => {
  const counter = new NumberCounter();
  const expected = new Map<number, number>();
  for (let i = 0; i < 70_000; i++) {
    const key = i % 2 === 0 ? 639_170_000_000 + (i % 50_000) : (i % 25_000) * 180_143_985_094 + 7;
    expected.set(key, (expected.get(key) ?? 0) + 1);
    assert.equal(counter.add(key), expected.get(key));
  }
  assert.equal(counter.size, expected.size);
  assert.deepEqual(new Map(counter.entries()), expected);
  assert.equal(counter.get(5), 0);
});

test('the journal stores every entry, and over its limit the newest', () => {
  const store = new JournalStore(['globe'], 10_000);
  const octets = Buffer.from('Kumusta ka');
  for (let i = 0; i < 60_000; i++) {
    store.append({
      carrierIndex: 0,
      timeMs: 1_000 + i,
      alphabet: 'gsm7',
      status: 0,
      id: String(i),
      source: 'S',
      destination: String(i),
      dataCoding: 0,
      part: 1,
      parts: 1,
      reference: 0,
      octets,
    });
  }
  assert.equal(store.length, 60_000);
  const entries = [...store.read()];
  assert.ok(entries.length >= 10_000 && entries.length < 60_000);
  assert.equal(entries.at(-1)?.id, '59999');
  const [first] = store.read(59_000);
  assert.deepEqual([first?.at, first?.id, first?.text], [59_000, '59000', 'Kumusta ka']);
  assert.equal([...store.read(59_990)].length, 10);
});

test('the wheel runs everything, in the order it is due, and never early', async () => {
  const wheel = new TimerWheel();
  const ran: number[] = [];
  const startedAt = performance.now();
  await new Promise<void>((resolve) => {
    for (const delay of [60, 5, 30]) {
      wheel.after(delay, () => {
        assert.ok(performance.now() - startedAt >= delay - 5);
        ran.push(delay);
        if (ran.length === 3) resolve();
      });
    }
  });
  assert.deepEqual(ran, [5, 30, 60]);
  assert.equal(wheel.isEmpty, true);
  wheel.stop();
});

test('ids are unique, and a receipt’s spelling is the same number', () => {
  const ids = new Set(Array.from({ length: 5_000 }, (_, n) => makeMessageId('uuid', n, 1)));
  assert.equal(ids.size, 5_000);
  assert.equal(makeMessageId('decimal10', 10_000_000_042, 1), '0000000042');
  assert.equal(receiptId('38601fa', 'hex', 'decimal10'), '0059113978');
  assert.equal(receiptId('0059113978', 'decimal10', 'hex'), '38601fa');
  assert.equal(receiptId('0059113978', 'decimal10', 'decimal'), '59113978');
  assert.equal(receiptId('a-b', 'uuid', 'hex'), 'a-b');
});

test('the peak is the most within one second', () => {
  const rate = new PeakRate();
  for (let i = 0; i < 500; i++) rate.add();
  assert.equal(rate.peak, 500);
});
