import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spreadLabels } from './spread-labels.ts';

test('labels with room stay where their lines end', () => {
  assert.deepEqual(spreadLabels([100, 20, 60], 300, 17), [100, 20, 60]);
});

test('labels of lines that end together stand below one another, in the order of their lines', () => {
  assert.deepEqual(spreadLabels([52, 50, 50], 300, 17), [84, 50, 67]);
});

test('labels at the foot move up instead of out of the picture', () => {
  const spread = spreadLabels([298, 299, 300], 300, 17);
  assert.deepEqual(spread, [266, 283, 300]);
});
