import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPesos } from './in-pesos.ts';

test('a limit of an amount is shown in pesos, as the amount is typed', () => {
  const largest = { field: 'amount', code: 'TOO_BIG', params: { maximum: 1_000_000_000_000 } };
  assert.deepEqual(inPesos(largest), { ...largest, params: { maximum: 100_000_000 } });
  assert.deepEqual(inPesos({ ...largest, params: { minimum: 1 } }).params, { minimum: 0.0001 });
});

test('errors without a limit are unchanged', () => {
  const typed = { field: 'amount', code: 'TYPE', params: { expected: 'int' } };
  assert.deepEqual(inPesos(typed), typed);
  assert.deepEqual(inPesos({ field: 'amount', code: 'REQUIRED' }), { field: 'amount', code: 'REQUIRED' });
});
