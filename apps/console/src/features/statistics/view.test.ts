import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyAddress, drawnMetrics, firstView, questionOf, shownDimensions } from './view.ts';

const range = { from: '2026-02-28T16:00:00.000Z', to: '2026-03-10T06:30:00.000Z' };
const zone = 'Asia/Manila';

test('the address overrides the stored view, and invalid values change nothing', () => {
  assert.deepEqual(applyAddress(firstView, {}), firstView);
  const wrong = { type: 'radar', metrics: 'money', preset: 'always', unit: '7' };
  assert.deepEqual(applyAddress(firstView, wrong), firstView);
  const view = applyAddress(
    { ...firstView, filters: { carrier: 'Smart', appId: 'shop1' } },
    { type: 'bar', metrics: 'reqFailNum,reqTotalNum', by: 'carrier,logDate', unit: '2', carrier: 'none', compare: '1' },
  );
  assert.deepEqual(view, {
    ...firstView,
    chartType: 'bar',
    selectedMetrics: ['reqFailNum', 'reqTotalNum'],
    dimensions: ['carrier', 'logDate'],
    unit: 2,
    filters: { appId: 'shop1' },
    compare: 1,
  });
  assert.deepEqual(applyAddress(firstView, { by: 'none' }).dimensions, []);
});

test('a manual range replaces a preset, and vice versa', () => {
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

test('a pie splits one count; undivided, the requests by outcome', () => {
  const pie = (...selectedMetrics: typeof firstView.selectedMetrics) => ({
    ...firstView,
    chartType: 'pie' as const,
    selectedMetrics,
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
