import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsBetween } from './brushed-steps.ts';

test('a drag selects the steps between its ends, in either direction, and none beyond the axis', () => {
  assert.deepEqual(stepsBetween(2, 5, 14), { first: 2, last: 5 });
  assert.deepEqual(stepsBetween(5, 2, 14), { first: 2, last: 5 });
  assert.deepEqual(stepsBetween(-3, 40, 14), { first: 0, last: 13 });
});

test('a drag within one step, or outside the axis, selects nothing', () => {
  assert.equal(stepsBetween(3, 3.2, 14), null);
  assert.equal(stepsBetween(20, 30, 14), null);
  assert.equal(stepsBetween(Number.NaN, 3, 14), null);
});
