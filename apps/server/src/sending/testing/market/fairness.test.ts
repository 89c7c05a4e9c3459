import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CampaignCount, divideByShare } from './fairness.ts';

/** By customer, the messages written in each slot. */
const counts = (of: Record<string, readonly number[]>): CampaignCount[] =>
  Object.entries(of).flatMap(([customerId, list]) =>
    list.flatMap((count, slot) => (count === 0 ? [] : [{ customerId, slot, count }])),
  );

test('customers that are served alike have their share, whatever each has', () => {
  const result = divideByShare(
    counts({ big: [50, 50, 100, 100], small: [50, 50] }),
    new Map([
      ['big', 300],
      ['small', 100],
    ]),
  );
  assert.deepEqual(Object.fromEntries(result), { big: 1, small: 1 });
});

test('a customer that waits behind a big one has a fraction of its share', () => {
  const result = divideByShare(
    counts({ big: [100, 100, 100, 0], small: [0, 0, 0, 100] }),
    new Map([
      ['big', 300],
      ['small', 100],
    ]),
  );
  // Half of three slots and all of the fourth.
  assert.equal(result.get('small'), 2.5);
});

test('a campaign that never ends is judged by what was sent, one that never began is infinitely late', () => {
  const result = divideByShare(
    counts({ big: [75, 75], small: [25, 25] }),
    new Map([
      ['big', 1_000],
      ['small', 1_000],
      ['none', 10],
    ]),
  );
  assert.equal(result.get('none'), Number.POSITIVE_INFINITY);
  assert.equal(Math.round((result.get('small') ?? 0) * 100), 133);
});
