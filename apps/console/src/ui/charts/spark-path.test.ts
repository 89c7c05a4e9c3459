import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sparkPath } from './spark-path.ts';

const size = { width: 100, height: 20 };

test('the lowest value is at the bottom and the highest at the top', () => {
  assert.equal(sparkPath([0, 10, 5], size), 'M0 20L50 0L100 10');
});

test('equal values are a line in the middle, and what is missing is passed over', () => {
  assert.equal(sparkPath([3, 3], size), 'M0 10L100 10');
  assert.equal(sparkPath([0, null, 4], size), 'M0 20L100 0');
});

test('one value is no course', () => {
  assert.equal(sparkPath([7], size), null);
  assert.equal(sparkPath([null, 7, null], size), null);
});
