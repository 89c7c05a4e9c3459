import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShown, valuesToView, viewToValues } from './view-values.ts';

const zone = 'Asia/Manila';
const now = Date.parse('2026-11-21T18:00:00Z');

test('a period that ends now is kept as its days and moves on with the calendar', () => {
  // In Manila it is the 22nd already.
  const view = { from: '2026-11-15T16:00:00.000Z', clientStatus: '3,4' };
  const values = viewToValues('records', view, zone, now);
  assert.deepEqual(values, { days: 7, clientStatus: '3,4' });
  assert.equal(valuesToView('records', values, zone, now).from, view.from);
  assert.equal(valuesToView('records', values, zone, now + 86_400_000).from, '2026-11-16T16:00:00.000Z');
});

test('a period chosen by hand is kept as it is', () => {
  const view = { from: '2026-11-15T01:30:00.000Z', to: '2026-11-16T01:30:00.000Z' };
  assert.deepEqual(viewToValues('records', view, zone, now), view);
  const { from, to } = valuesToView('records', view, zone, now);
  assert.deepEqual({ from, to }, view);
});

test('a phone number is never kept, and applying takes away what is not part of the filter', () => {
  assert.deepEqual(viewToValues('records', { phoneAddress: '09171234567', carrier: 'Globe' }, zone, now), {
    carrier: 'Globe',
  });
  const view = valuesToView('records', { carrier: 'Globe' }, zone, now);
  assert.ok('phoneAddress' in view && view['phoneAddress'] === undefined);
  assert.ok(isShown('records', { carrier: 'Globe' }, { carrier: 'Globe' }, zone));
  assert.ok(!isShown('records', { carrier: 'Globe' }, { carrier: 'Globe', phoneAddress: '0917' }, zone));
});

test('a view of a list holds what that list has, without a search that may be for a number', () => {
  const address = { mobileNumber: '0917', source: 'page', taskStatus: '2', search: 'x' };
  assert.deepEqual(viewToValues('opt-outs', address, zone, now), { source: 'page' });
  assert.deepEqual(viewToValues('tasks', address, zone, now), { taskStatus: '2', search: 'x' });
  const view = valuesToView('opt-outs', { source: 'page' }, zone, now);
  assert.deepEqual(
    Object.keys(view).filter((name) => view[name] !== undefined),
    ['source'],
  );
  assert.ok('mobileNumber' in view);
});
