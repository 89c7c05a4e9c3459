import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatisticsItem, StatisticsMetric } from '@pahatid/contract';
import { type Line, sumOfStack, untilComplete } from './chart-lines.ts';
import { areOutcomes, isStacked, tonesOf } from './chart-tones.ts';
import { divide, sumFigures } from './series.ts';

const line = (metric: StatisticsMetric, values: (number | null)[], group = '[]', isBefore = false): Line => ({
  key: `${group} ${metric}${isBefore ? ' before' : ''}`,
  name: metric,
  group: { key: group, values: {} },
  metric,
  isBefore,
  values,
});

test('lines of shares end at the last complete interval, those of counts do not', () => {
  const shares = [
    line('receiptSuccessRate', [0.9, 0.95, 0.1]),
    line('receiptSuccessRate', [0.8, 0.8, 0.8], '[]', true),
  ];
  assert.deepEqual(
    untilComplete(shares).map(({ values }) => values),
    [
      [0.9, 0.95],
      [0.8, 0.8],
    ],
  );
  const mixed = [line('reqTotalNum', [5, 6, 1]), line('reqFailRate', [0.1, 0.1, 1])];
  assert.deepEqual(
    untilComplete(mixed).map(({ values }) => values),
    [
      [5, 6, 1],
      [0.1, 0.1, null],
    ],
  );
});

test('outcomes of all requests are stacked in the colours of their states, groups in those of series', () => {
  const outcomes = [line('receiptSuccessNum', [9]), line('receiptFailNum', [1]), line('reqFailNum', [2])];
  assert.ok(areOutcomes(outcomes));
  assert.ok(isStacked(outcomes, ['receiptSuccessNum', 'receiptFailNum', 'reqFailNum']));
  assert.deepEqual(tonesOf(outcomes, 'bar'), ['fill', 'dangerFill', 'warningFill']);
  // Lines of outcomes cross each other: they are series like any.
  assert.deepEqual(tonesOf(outcomes, 'line'), ['chart1', 'chart2', 'chart3']);
  // One counts what the other does.
  assert.ok(!areOutcomes([line('reqTotalNum', [9]), line('receiptFailNum', [1])]));
  const groups = [line('receiptFailNum', [9], 'a'), line('receiptFailNum', [1], 'b')];
  assert.ok(!areOutcomes(groups));
  assert.deepEqual(tonesOf(groups, 'bar'), ['chart1', 'chart2']);
});

test('the ghost of a stack is as high as its groups together', () => {
  const item = (carrier: string, logDate: string, total: number): StatisticsItem => ({
    ...sumFigures([]),
    carrier,
    logDate,
    reqTotalNum: total,
    receiptSuccessNum: total - 1,
    receiptFailNum: 1,
  });
  const before = divide(
    { times: ['1', '2'], items: [item('Globe', '1', 5), item('Smart', '1', 3), item('Smart', '2', 4)] },
    ['logDate', 'carrier'],
  );
  const [sum] = sumOfStack(before, ['reqTotalNum'], 'previous');
  assert.deepEqual([sum?.values, sum?.isBefore, sum?.group.values], [[8, 4], true, {}]);
  const [outcomes] = sumOfStack(before, ['receiptSuccessNum', 'receiptFailNum'], 'previous');
  assert.deepEqual([outcomes?.values, outcomes?.group.values], [[8, 4], null]);
  // Of the colour of no group.
  const tones = tonesOf([line('reqTotalNum', [1, 2], 'a'), line('reqTotalNum', [1, 2], 'b'), sum as Line], 'bar');
  assert.deepEqual(tones, ['chart1', 'chart2', 'ink3']);
});
