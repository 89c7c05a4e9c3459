import type { Palette } from '../../ui/theme/tokens.ts';
import type { ValueAxis } from './cartesian-axes.ts';
import type { CartesianLayout } from './cartesian-layout.ts';
import type { ChartInput } from './chart-input.ts';
import { colorPlaces, type Line } from './chart-lines.ts';
import { isStacked, tonesOf } from './chart-tones.ts';
import { isRate } from './view.ts';

interface Look {
  color: string;
  place: number;
  palette: Palette;
  textures: ChartInput['textures'];
}

export function makeSeries(input: ChartInput, layout: CartesianLayout, axes: readonly ValueAxis[], palette: Palette) {
  const places = colorPlaces(input.lines);
  const tones = tonesOf(input.lines, input.type);
  return input.lines.map((line, index) => {
    const pane = layout.panes.findIndex((metrics) => metrics.includes(line.metric));
    const isOneStack = isStacked(input.lines, layout.panes[pane] ?? []);
    const place = places[index] ?? 0;
    const look = { color: palette[tones[index] ?? 'chart1'], place, palette, textures: input.textures };
    const common = {
      name: line.name,
      data: line.values,
      cursor: 'default',
      xAxisIndex: pane,
      yAxisIndex: axes.findIndex((axis) => axis.pane === pane && axis.isRateAxis === isRate(line.metric)),
    };
    if (line.isBefore) return { ...common, ...ghostStyle(input, look) };
    if (input.type === 'bar') return { ...common, ...barStyle(isOneStack ? `${pane}` : undefined, look) };
    return { ...common, ...lineStyle(line, look) };
  });
}

const barStyle = (stack: string | undefined, { color, place, palette, textures }: Look) => ({
  type: 'bar',
  stack,
  barMaxWidth: 28,
  itemStyle: {
    color,
    borderRadius: stack === undefined ? [3, 3, 0, 0] : 0,
    // A gap between the parts of a stack.
    ...(stack !== undefined && { borderColor: palette.surface, borderWidth: 0.75 }),
    decal: textures?.decalAt(place, palette),
  },
});

/** The period before: a faint line, along the tops of bars. */
const ghostStyle = ({ type }: ChartInput, { color }: Look) => ({
  type: 'line',
  step: type === 'bar' ? 'middle' : undefined,
  symbol: 'none',
  z: 3,
  itemStyle: { color },
  lineStyle: { width: 1.5, color, opacity: 0.45, type: type === 'bar' ? 'solid' : 'dashed' },
});

/** Fewer points are marked one by one, if that is wanted. */
const mostMarks = 31;
const markSize = 6;

const lineStyle = ({ values }: Line, { color, place, textures }: Look) => ({
  type: 'line',
  symbol: textures?.symbolAt(place) ?? 'circle',
  // Where a line ends, or begins and ends, is marked.
  symbolSize: (_: unknown, { dataIndex: at }: { dataIndex: number }) =>
    (textures && values.length <= mostMarks) || (values[at + 1] ?? null) === null ? markSize : 0,
  showAllSymbol: true,
  triggerLineEvent: true,
  itemStyle: { color },
  lineStyle: { width: 2, color, type: textures?.dashAt(place) ?? 'solid' },
});
