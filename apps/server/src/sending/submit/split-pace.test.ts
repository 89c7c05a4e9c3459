import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Sharer, splitPace } from './split-pace.ts';

const MUCH = 1_000_000;
const split = (tps: number, wants: readonly (number | null)[], slot = 0): number[] => {
  const sharers = wants.map((wanted, index): Sharer => ({ owner: `p${String(index).padStart(3, '0')}`, wanted }));
  const shares = splitPace(tps, sharers, slot);
  return sharers.map(({ owner }) => shares.get(owner)!);
};
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test('for any demand, shares are integers, add up to the limit, and do not depend on the order', () => {
  const want = fc.oneof(fc.constant(null), fc.constant(0), fc.integer({ min: 1, max: 3_000 }), fc.constant(MUCH));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), fc.array(want, { maxLength: 12 }), fc.nat(), (tps, wants, slot) => {
      const shares = split(tps, wants, slot);
      assert.equal(sum(shares), wants.some((wanted) => wanted !== null) ? tps : 0);
      assert.ok(
        shares.every((share, index) => Number.isInteger(share) && share >= 0 && (wants[index] !== null || share === 0)),
      );
      const sharers = wants.map((wanted, index) => ({ owner: `p${String(index).padStart(3, '0')}`, wanted }));
      assert.deepEqual(
        [...splitPace(tps, sharers.toReversed(), slot)].sort(),
        [...splitPace(tps, sharers, slot)].sort(),
      );
    }),
  );
});

test('one alone has everything; two with work have half each; one without work keeps a little', () => {
  assert.deepEqual(split(1_000, [0]), [1_000]);
  assert.deepEqual(split(1_000, [MUCH, MUCH]), [500, 500]);
  assert.deepEqual(split(401, [MUCH, MUCH]), [201, 200]);
  assert.deepEqual(split(1_000, [MUCH, 0]), [980, 20]);
  assert.deepEqual(split(1_000, [MUCH, 0, 0, null]), [980, 10, 10, 0]);
  assert.deepEqual(split(20, [MUCH, 0, 0]), [18, 1, 1]);
});

test('small demands are met, the others share the rest; unclaimed pace is available to all', () => {
  assert.deepEqual(split(1_000, [100, MUCH, MUCH]), [100, 450, 450]);
  assert.deepEqual(split(1_000, [100, 300]), [400, 600]);
  assert.deepEqual(split(1_000, [0, 0]), [500, 500]);
});

test('with more processes than segments each has its turn, those with work before those without', () => {
  const turns = [0, 1, 2, 3, 4, 5].map((slot) => split(2, [MUCH, MUCH, MUCH], slot));
  for (const shares of turns) assert.equal(sum(shares), 2);
  for (const index of [0, 1, 2]) assert.equal(sum(turns.map((shares) => shares[index]!)), 4);
  assert.deepEqual(split(1, [0, MUCH, 0]), [0, 1, 0]);
  assert.equal(sum(split(3, [0, 0, 0, 0, 0])), 3);
});
