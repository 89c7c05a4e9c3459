import type { Palette } from '../../ui/theme/tokens.ts';
import { findValueAxes, timeAxisOption, valueAxisOption } from './cartesian-axes.ts';
import { gridOption, makeLayout } from './cartesian-layout.ts';
import { makeSeries } from './cartesian-series.ts';
import type { ChartInput } from './chart-input.ts';
import { hiddenTooltip } from './chart-tooltip.ts';

/** A line or bar chart: a time axis and a value axis in each pane. */
export function cartesianOption(input: ChartInput, palette: Palette) {
  const layout = makeLayout(input);
  const axes = findValueAxes(layout);
  return {
    grid: gridOption(input, layout, axes.length),
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    tooltip: {
      ...hiddenTooltip,
      trigger: 'axis',
      axisPointer: {
        type: input.type === 'bar' ? 'shadow' : 'line',
        lineStyle: { color: palette.lineStrong, type: 'dashed' },
        shadowStyle: { color: palette.lineStrong, opacity: 0.3 },
      },
    },
    xAxis: layout.panes.map((_, pane) => timeAxisOption(pane, input, layout, palette)),
    yAxis: axes.map((axis) => valueAxisOption(axis, input, layout, palette)),
    series: makeSeries(input, layout, axes, palette),
  };
}
