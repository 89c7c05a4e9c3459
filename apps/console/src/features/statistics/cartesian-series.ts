import type { Palette } from '../../ui/theme/tokens.ts';
import type { ValueAxis } from './cartesian-axes.ts';
import type { CartesianLayout } from './cartesian-layout.ts';
import type { ChartInput } from './chart-input.ts';
import { colorPlaces, currentLines, type Line } from './chart-lines.ts';
import { chartColors, dashAt, decalAt, symbolAt } from './chart-palette.ts';
import { isRate } from './view.ts';

export function makeSeries(input: ChartInput, layout: CartesianLayout, axes: readonly ValueAxis[], palette: Palette) {
  const places = colorPlaces(input.lines);
  const colors = chartColors(palette);
  return input.lines.map((line, index) => {
    const pane = layout.panes.findIndex((metrics) => metrics.includes(line.metric));
    const place = places[index] ?? 0;
    const color = colors[place];
    const common = {
      name: line.name,
      data: line.values,
      cursor: 'default',
      xAxisIndex: pane,
      yAxisIndex: axes.findIndex((axis) => axis.pane === pane && axis.isRateAxis === isRate(line.metric)),
    };
    if (input.type === 'bar') {
      const stack = isStacked(input, layout, pane) ? `${pane} ${line.isBefore ? 'before' : 'now'}` : undefined;
      return { ...common, ...barStyle(line, stack, color, decalAt(place, palette)) };
    }
    return {
      ...common,
      ...lineStyle(line, place, color),
      endLabel: { show: layout.hasEndLabels, formatter: '{a}', color: palette.ink, distance: 8 },
    };
  });
}

/** Bars of one count are stacked if several groups share it. */
function isStacked({ lines }: ChartInput, { panes }: CartesianLayout, pane: number): boolean {
  const [metric, ...others] = panes[pane] ?? [];
  return metric !== undefined && others.length === 0 && !isRate(metric) && currentLines(lines).length > panes.length;
}

const barStyle = (line: Line, stack: string | undefined, color: string | undefined, decal: unknown) => ({
  type: 'bar',
  stack,
  barMaxWidth: 28,
  itemStyle: {
    color,
    opacity: line.isBefore ? 0.45 : 1,
    borderRadius: stack === undefined ? [3, 3, 0, 0] : 0,
    decal,
  },
});

const lineStyle = (line: Line, place: number, color: string | undefined) => ({
  type: 'line',
  symbol: symbolAt(place),
  symbolSize: 6,
  showSymbol: line.values.length <= 31,
  triggerLineEvent: true,
  itemStyle: { color },
  lineStyle: {
    width: line.isBefore ? 1.5 : 2,
    color,
    opacity: line.isBefore ? 0.55 : 1,
    type: line.isBefore ? 'dashed' : dashAt(place),
  },
});
