import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockParts } from './clock-parts.ts';

test('a duration is shown in hours and minutes, and sixty minutes are an hour', () => {
  assert.deepEqual(clockParts(4_800), { h: 1, m: 20 });
  assert.deepEqual(clockParts(7_199), { h: 2, m: 0 });
  assert.deepEqual(clockParts(59 * 60), { h: 0, m: 59 });
  assert.deepEqual(clockParts(0), { h: 0, m: 1 });
});
