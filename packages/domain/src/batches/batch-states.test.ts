import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BatchState, canMoveBatch } from './batch-states.ts';

test('a batch is claimed, given back or finished, and never leaves its end', () => {
  const allowed = Object.values(BatchState).flatMap((from) =>
    Object.values(BatchState)
      .filter((to) => canMoveBatch(from, to))
      .map((to) => `${from}${to}`),
  );
  assert.deepEqual(allowed, ['01', '02', '10', '12']);
});
