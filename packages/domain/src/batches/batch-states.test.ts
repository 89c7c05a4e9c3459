import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BatchState, canMoveBatch } from './batch-states.ts';

test('a batch is claimed, given back, parked or finished, and never leaves its end', () => {
  const allowed = Object.values(BatchState).flatMap((from) =>
    Object.values(BatchState)
      .filter((to) => canMoveBatch(from, to))
      .map((to) => `${from} ${to}`),
  );
  assert.deepEqual(allowed, ['-1 0', '-1 2', '0 -1', '0 1', '0 2', '1 0', '1 2']);
});
