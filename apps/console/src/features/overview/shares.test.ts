import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFormats } from '../../lib/format/make-formats.ts';
import {
  acceptedShare,
  awaitingReceipt,
  countRecipients,
  deliveredShare,
  inFlight,
  timeLeft,
  toPercent,
} from './shares.ts';

const figures = {
  messages: 1_000,
  segments: 1_200,
  accepted: 950,
  refused: 50,
  blocked: 0,
  delivered: 900,
  undelivered: 20,
  unknown: 10,
  spend: 0,
};

test('accepted is a share of what was handed over, as in the statistics; delivered a share of what was accepted', () => {
  assert.equal(acceptedShare(figures), 0.95);
  // Waiting messages are counted separately.
  assert.equal(acceptedShare({ ...figures, accepted: 500, refused: 0 }), 1);
  assert.equal(acceptedShare({ ...figures, messages: 1_763, accepted: 1_125, refused: 0 }), 1);
  assert.deepEqual([inFlight(figures), inFlight({ ...figures, accepted: 500, refused: 0 })], [0, 500]);
  assert.equal(deliveredShare(figures), 900 / 950);
  assert.equal(awaitingReceipt(figures), 20);
});

test('where nothing was sent there is no share, not zero', () => {
  const nothing = { ...figures, messages: 0, accepted: 0, refused: 0, delivered: 0 };
  assert.equal(acceptedShare(nothing), null);
  assert.equal(deliveredShare(nothing), null);
});

test('receipts that arrive before their answers never make a count negative', () => {
  assert.equal(awaitingReceipt({ ...figures, accepted: 100 }), 0);
  const counts = countRecipients({
    totalCount: 10,
    successCount: 4,
    failedCount: 3,
    deliveredCount: 5,
    undeliveredCount: 1,
    unknownCount: 0,
    unconfirmedCount: 9,
  });
  assert.equal(counts.awaiting, 0);
  assert.equal(counts.settled, 10);
  assert.equal(counts.left, 0);
  assert.equal(counts.failed, 4);
});

test('the time left is shown in the natural unit', () => {
  assert.deepEqual(timeLeft(100, 10), { unit: 'second', count: 10 });
  assert.deepEqual(timeLeft(1_200, 10), { unit: 'minute', count: 2 });
  assert.deepEqual(timeLeft(72_000, 10), { unit: 'hour', count: 2 });
  assert.equal(timeLeft(0, 10), null);
  assert.equal(timeLeft(10, 0), null);
});

test('a share reads as it does in the statistics, to the last digit', () => {
  const { number, percent } = makeFormats('en-US', 'Asia/Manila');
  for (const [part, whole] of [
    [1_723, 2_271],
    [1_672, 1_723],
    [2_999, 3_000],
    [1, 3],
    [7, 7],
    [0, 9],
  ] as const) {
    const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
    assert.equal(`${number(toPercent(part / whole), digits)}%`, percent(part / whole), `${part} of ${whole}`);
  }
});
