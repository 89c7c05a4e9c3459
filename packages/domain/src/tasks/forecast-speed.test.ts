import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitSpeed, measureSpeed } from './forecast-speed.ts';

test('the median of the whole minutes is the speed, whatever the first, the last and an outage show', () => {
  assert.equal(measureSpeed([10, 600, 600, 6, 600, 90], 360), 10);
  assert.equal(measureSpeed([100, 0, 100], 180), null);
});

test('a short task is measured from its first message to its last', () => {
  assert.equal(measureSpeed([1_000], 4), 250);
  assert.equal(measureSpeed([900, 100], 5), 200);
  assert.equal(measureSpeed([1_000], 0), null);
  assert.equal(measureSpeed([], 10), null);
});

const only = (supplierId: string) => [{ supplierId, weight: 1 }];
const limits = new Map([
  ['globe', { tps: 100, others: 0 }],
  ['smart', { tps: 100, others: 1 }],
]);

test('carriers work side by side: the one that takes longest decides', () => {
  const carriers = [
    { recipients: 600, segments: 600, routes: only('globe') },
    { recipients: 400, segments: 400, routes: only('smart') },
  ];
  // Smart shares its 100 a second with another: 8 s for 400, while Globe takes 6 s.
  assert.equal(limitSpeed(carriers, limits), 125);
});

test('segments are what an account counts, and accounts share by weight', () => {
  assert.equal(limitSpeed([{ recipients: 100, segments: 300, routes: only('globe') }], limits), 100 / 3);
  const shared = [
    { supplierId: 'globe', weight: 3 },
    { supplierId: 'smart', weight: 1 },
  ];
  // 300 of 400 segments go to Globe in 3 s, 100 to Smart in 2 s.
  assert.equal(limitSpeed([{ recipients: 400, segments: 400, routes: shared }], limits), 400 / 3);
});

test('if some recipients reach no account nothing is returned', () => {
  assert.equal(limitSpeed([{ recipients: 1, segments: 1, routes: [] }], limits), null);
  assert.equal(limitSpeed([{ recipients: 1, segments: 1, routes: only('dito') }], limits), null);
  assert.equal(limitSpeed([], limits), null);
});
