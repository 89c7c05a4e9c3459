import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeLiveBudget } from './live-budget.ts';

test('a listener gets 1,000 events at once, then 200 a second, each customer apart', () => {
  const take = (wanted: number, nowMs: number, owner = 'a') => takeLiveBudget(owner, wanted, nowMs);
  assert.equal(take(10, 0), 10);
  assert.equal(take(2_000, 0), 990);
  assert.equal(take(5, 0), 0);
  assert.equal(take(2_000, 0, 'b'), 1_000);
  assert.equal(take(500, 1_000), 200);
  // A rest fills it, and not beyond.
  assert.equal(take(5_000, 3_600_000), 1_000);
});
