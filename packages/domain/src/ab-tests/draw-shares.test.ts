import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawShares, LAST_PLACE } from './draw-shares.ts';

const drawn = (count: number): Float64Array =>
  Float64Array.from({ length: count }, () => Math.floor(Math.random() * LAST_PLACE));
/** How many fall into each part and into the rest. */
const sizes = (count: number, shares: number[]): number[] => {
  const places = drawn(count);
  const parts = drawShares(places, shares);
  const rest = { low: parts.at(-1)?.high ?? 0, high: LAST_PLACE };
  const found = [...parts, rest].map(({ low, high }) => places.filter((place) => place >= low && place < high).length);
  assert.equal(
    found.reduce((sum, size) => sum + size, 0),
    count,
    'each place is in one part',
  );
  return found;
};

test('shares are exact for one, seven and ten thousand recipients', () => {
  assert.deepEqual(sizes(1, [10, 10]), [0, 0, 1]);
  assert.deepEqual(sizes(7, [10, 10]), [1, 0, 6]);
  assert.deepEqual(sizes(7, [20, 20, 20]), [1, 2, 1, 3]);
  assert.deepEqual(sizes(10_000, [10, 10]), [1_000, 1_000, 8_000]);
  assert.deepEqual(sizes(10_000, [1, 2, 33, 13]), [100, 200, 3_300, 1_300, 5_100]);
});

test('no recipients, no parts', () => {
  assert.deepEqual(sizes(0, [50, 49]), [0, 0, 0]);
});
