import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatisticsMetric } from '@pahatid/contract';
import { chartHeight, type Line, panesOf } from './chart-lines.ts';
import { makeOption } from './chart-options.ts';
import { mostSeries } from './series.ts';

const linesOf = (groups: number, metrics: readonly StatisticsMetric[], withBefore = false): Line[] =>
  [false, ...(withBefore ? [true] : [])].flatMap((isBefore) =>
    Array.from({ length: groups }, (_, at) => `group ${at}`).flatMap((name) =>
      metrics.map((metric) => ({
        key: `${name} ${metric} ${isBefore}`,
        name,
        metric,
        isBefore,
        values: [1, 2],
        group: { key: name, values: { clientSid: name } },
      })),
    ),
  );
const optionOf = (type: 'line' | 'bar', lines: Line[]) =>
  makeOption({
    type,
    lines,
    ticks: ['1', '2'],
    mode: 'light',
    rtl: false,
    narrow: false,
    endRoom: null,
    textures: null,
    still: true,
    metricName: (metric) => metric,
    short: String,
    percent: String,
  }) as {
    grid: unknown;
    series: { itemStyle: { color: string }; name: string; xAxisIndex: number; yAxisIndex: number }[];
  };

test('series share one chart while each has its own color', () => {
  const lines = linesOf(4, ['reqTotalNum', 'reqSuccessNum'], true);
  assert.deepEqual(panesOf(lines), [['reqTotalNum', 'reqSuccessNum']]);
  assert.equal(chartHeight('line', lines), null);
  const { series } = optionOf('line', lines);
  assert.equal(new Set(series.slice(0, 8).map(({ itemStyle }) => itemStyle.color)).size, mostSeries);
  assert.equal(chartHeight('pie', linesOf(8, ['reqTotalNum', 'reqFailNum'])), null);
});

test('past eight series each metric has a pane, and a group keeps its colour in all of them', () => {
  const lines = linesOf(3, ['reqTotalNum', 'reqSuccessNum', 'reqFailRate'], true);
  assert.deepEqual(panesOf(lines), [['reqTotalNum'], ['reqSuccessNum'], ['reqFailRate']]);
  assert.ok((chartHeight('bar', lines) ?? 0) > 600);
  for (const type of ['line', 'bar'] as const) {
    const { grid, series } = optionOf(type, lines);
    assert.equal((grid as unknown[]).length, 3);
    for (const name of ['group 0', 'group 1', 'group 2']) {
      const own = series.filter((each) => each.name === name);
      assert.equal(new Set(own.map(({ itemStyle }) => itemStyle.color)).size, 1, name);
      assert.deepEqual(own.map(({ xAxisIndex, yAxisIndex }) => [xAxisIndex, yAxisIndex]).slice(0, 3), [
        [0, 0],
        [1, 1],
        [2, 2],
      ]);
    }
    assert.equal(new Set(series.map(({ itemStyle }) => itemStyle.color)).size, 3);
  }
});
