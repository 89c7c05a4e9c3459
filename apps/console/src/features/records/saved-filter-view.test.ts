import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShown, valuesToView, viewToValues } from './saved-filter-view.ts';

const zone = 'Asia/Manila';
const now = Date.parse('2026-11-21T18:00:00Z');

test('a period that ends now is kept as its days and moves on with the calendar', () => {
  // In Manila it is the 22nd already.
  const view = { from: '2026-11-15T16:00:00.000Z', clientStatus: '3,4' };
  const values = viewToValues(view, zone, now);
  assert.deepEqual(values, { days: 7, clientStatus: '3,4' });
  assert.equal(valuesToView(values, zone, now).from, view.from);
  assert.equal(valuesToView(values, zone, now + 86_400_000).from, '2026-11-16T16:00:00.000Z');
});

test('a period chosen by hand is kept as it is', () => {
  const view = { from: '2026-11-15T01:30:00.000Z', to: '2026-11-16T01:30:00.000Z' };
  assert.deepEqual(viewToValues(view, zone, now), view);
  const { from, to } = valuesToView(view, zone, now);
  assert.deepEqual({ from, to }, view);
});

test('a phone number is never kept, and applying takes away what is not part of the filter', () => {
  assert.deepEqual(viewToValues({ phoneAddress: '09171234567', carrier: 'Globe' }, zone, now), { carrier: 'Globe' });
  const view = valuesToView({ carrier: 'Globe' }, zone, now);
  assert.ok('phoneAddress' in view && view.phoneAddress === undefined);
  assert.ok(isShown({ carrier: 'Globe' }, { carrier: 'Globe' }, zone));
  assert.ok(!isShown({ carrier: 'Globe' }, { carrier: 'Globe', phoneAddress: '0917' }, zone));
});
