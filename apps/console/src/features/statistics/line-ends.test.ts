import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatisticsMetric } from '@pahatid/contract';
import type { Line } from './chart-lines.ts';
import { endRoomOf, findEnds } from './line-ends.ts';

const line = (metric: StatisticsMetric, values: (number | null)[], isBefore = false): Line => ({
  key: `${metric} ${isBefore}`,
  name: metric,
  group: { key: '[]', values: {} },
  metric,
  isBefore,
  values,
});

test('a line ends at its last value; the period before has no label', () => {
  const lines = [
    line('reqTotalNum', [1, 2, 3]),
    line('reqSuccessNum', [1, 2, null]),
    line('reqTotalNum', [4, 4, 4], true),
    line('reqFailNum', [null, null, null]),
  ];
  assert.deepEqual(findEnds(lines, 'line'), [
    { line: 0, at: 2, value: 3 },
    { line: 1, at: 1, value: 2 },
  ]);
  assert.deepEqual(findEnds(lines, 'bar'), []);
});

test('counts and rates have no common end, since the second axis is there', () => {
  assert.deepEqual(findEnds([line('reqTotalNum', [1, 2]), line('reqFailRate', [0, 0.1])], 'line'), []);
});

test('labels are only where the picture has room for them', () => {
  const room = endRoomOf(['Globe 97.1%'], 600) ?? 0;
  assert.ok(room > 100 && room < 150, String(room));
  assert.equal(endRoomOf(['Globe 97.1%'], 200), null);
  assert.equal(endRoomOf([], 600), null);
});
