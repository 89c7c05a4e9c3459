import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfStep, recordsBehind } from './records-behind.ts';
import { applyAddress, drawnMetrics, firstView, questionOf, shownDimensions } from './view.ts';

const range = { from: '2026-02-28T16:00:00.000Z', to: '2026-03-10T06:30:00.000Z' };
const zone = 'Asia/Manila';

test('the address changes what is stored, and what it says wrongly changes nothing', () => {
  assert.deepEqual(applyAddress(firstView, {}), firstView);
  const wrong = { type: 'radar', metrics: 'money', preset: 'always', unit: '7' };
  assert.deepEqual(applyAddress(firstView, wrong), firstView);
  const view = applyAddress(
    { ...firstView, filters: { carrier: 'Smart', appId: 'shop1' } },
    { type: 'bar', metrics: 'reqFailNum,reqTotalNum', by: 'carrier,logDate', unit: '2', carrier: 'none', compare: '1' },
  );
  assert.deepEqual(view, {
    ...firstView,
    ...{ chartType: 'bar', selectedMetrics: ['reqFailNum', 'reqTotalNum'], dimensions: ['carrier', 'logDate'] },
    ...{ unit: 2, filters: { appId: 'shop1' }, compare: 1 },
  });
  assert.deepEqual(applyAddress(firstView, { by: 'none' }).dimensions, []);
});

test('a range by hand takes the place of a preset, and the other way round', () => {
  const byHand = applyAddress(firstView, range);
  assert.deepEqual([byHand.preset, byHand.from, byHand.to], [null, range.from, range.to]);
  const back = applyAddress(byHand, { preset: 'last7Days' });
  assert.deepEqual([back.preset, back.from, back.to], ['last7Days', null, null]);
  assert.equal('preset' in questionOf(byHand, zone), false);
  assert.equal('from' in questionOf(back, zone), false);
});

test('a range by hand that is none, or ends before it begins, is passed over', () => {
  for (const wrong of [{ from: range.to, to: range.from }, { from: 'yesterday' }, { from: range.from, to: 'x' }])
    assert.deepEqual(applyAddress(firstView, wrong), firstView);
  const byDay = applyAddress(firstView, { from: '2026-02-28', to: '2026-03-01' });
  assert.deepEqual([byDay.from, byDay.to], ['2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z']);
});

test('a pie has no course of time', () => {
  const view = { ...firstView, chartType: 'pie' as const, dimensions: ['logDate', 'carrier'] as const };
  assert.deepEqual(shownDimensions({ ...view, dimensions: [...view.dimensions] }), ['carrier']);
});

test('a step ends where the next begins, in the zone, on days of 23 hours and months of any length', () => {
  assert.equal(endOfStep('2026-03-09T16:00:00.000Z', 1, zone), '2026-03-10T16:00:00.000Z');
  assert.equal(endOfStep('2026-03-08T05:00:00.000Z', 1, 'America/New_York'), '2026-03-09T04:00:00.000Z');
  assert.equal(endOfStep('2026-01-31T16:00:00.000Z', 2, zone), '2026-02-28T16:00:00.000Z');
  assert.equal(endOfStep('2025-11-30T16:00:00.000Z', 2, zone), '2025-12-31T16:00:00.000Z');
  assert.equal(endOfStep('2026-03-09T16:59:00.000Z', 0, zone), '2026-03-09T17:00:00.000Z');
});

test('the records behind a point are those of its step, its group, its fate and the filters', () => {
  const view = { ...firstView, filters: { appId: 'shop1' } };
  const group = { key: 'x', values: { carrier: 'Smart' } };
  assert.deepEqual(
    recordsBehind({ group, metric: 'receiptSuccessNum', time: '2026-03-08T16:00:00.000Z' }, view, range, zone),
    {
      ...{ appId: 'shop1', carrier: 'Smart', clientStatus: '2' },
      ...{ from: '2026-03-08T16:00:00.000Z', to: '2026-03-09T16:00:00.000Z' },
    },
  );
  const all = recordsBehind({ group, time: null }, view, range, zone);
  assert.deepEqual(all, { ...range, appId: 'shop1', carrier: 'Smart' });
  // The first and the last step are cut to the range.
  const month = { ...view, unit: 2 as const };
  assert.deepEqual(recordsBehind({ group, time: '2026-02-28T16:00:00.000Z' }, month, range, zone), all);
});

test('accepted leads to what a carrier took, whatever became of it, and to nothing that was refused or waits', () => {
  const group = { key: '', values: {} };
  const found = recordsBehind({ group, metric: 'reqSuccessNum', time: null }, firstView, range, zone);
  assert.equal(found?.['clientStatus'], '1,2,3,4,6');
});

test('a pie shares one count; undivided, the requests by what became of them', () => {
  const pie = (...selectedMetrics: typeof firstView.selectedMetrics) => ({
    ...firstView,
    ...{ chartType: 'pie' as const, selectedMetrics },
  });
  assert.deepEqual(drawnMetrics(pie('reqFailRate', 'reqFailNum', 'reqTotalNum'), true), ['reqFailNum']);
  assert.deepEqual(drawnMetrics(pie('reqFailRate'), true), ['reqTotalNum']);
  const outcomes = ['receiptSuccessNum', 'receiptFailNum', 'receiptUnknownNum', 'reqFailNum'];
  assert.deepEqual(drawnMetrics(pie('reqTotalNum', 'receiptSuccessNum'), false), outcomes);
  assert.deepEqual(drawnMetrics(pie('receiptFailNum', 'receiptSuccessNum'), false), [
    'receiptSuccessNum',
    'receiptFailNum',
  ]);
  assert.deepEqual(drawnMetrics(firstView, true), firstView.selectedMetrics);
});

test('what records cannot be narrowed to leads nowhere', () => {
  for (const group of [
    { key: 'others', values: null },
    { key: 'x', values: { carrier: null } },
    { key: 'x', values: { routeId: 'r' } },
    { key: 'x', values: { customerId: 'c' } },
  ])
    assert.equal(recordsBehind({ group, time: null }, firstView, range, zone), null);
});
