import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysAhead, daysBefore, daysOf, lastMonths, rangeNamed } from './charge-range.ts';

const now = Date.parse('2026-03-01T15:30:00Z');

test('days are those of the zone', () => {
  assert.deepEqual(daysOf('7days', 'Asia/Manila', now), { from: '2026-02-23', to: '2026-03-01' });
  assert.deepEqual(daysOf('7days', 'Pacific/Auckland', now), { from: '2026-02-24', to: '2026-03-02' });
  assert.deepEqual(daysOf('30days', 'Asia/Manila', now), { from: '2026-01-31', to: '2026-03-01' });
});

test('a month begins on its first day and ends today, the one before on its last', () => {
  assert.deepEqual(daysOf('month', 'Asia/Manila', now), { from: '2026-03-01', to: '2026-03-01' });
  assert.deepEqual(daysOf('lastMonth', 'Asia/Manila', now), { from: '2026-02-01', to: '2026-02-28' });
});

test('days ahead are the rest of the month, and only of the month', () => {
  assert.deepEqual(daysAhead('month', '2026-02-26'), ['2026-02-27', '2026-02-28']);
  assert.deepEqual(daysAhead('month', '2026-12-30'), ['2026-12-31']);
  assert.deepEqual(daysAhead('month', '2026-03-31'), []);
  assert.deepEqual(daysAhead('30days', '2026-02-26'), []);
});

test('months go back over the year, and a range that is none is the usual one', () => {
  assert.deepEqual(lastMonths(4, 'Asia/Manila', now), ['2026-03', '2026-02', '2026-01', '2025-12']);
  assert.equal(rangeNamed('for ever'), '30days');
});

test('the days before are as many, and end on the day before the first', () => {
  assert.deepEqual(daysBefore({ from: '2026-03-01', to: '2026-03-07' }), { from: '2026-02-22', to: '2026-02-28' });
  assert.deepEqual(daysBefore({ from: '2026-03-01', to: '2026-03-01' }), { from: '2026-02-28', to: '2026-02-28' });
});
