import type { Palette } from '../../ui/theme/tokens.ts';
import type { CartesianLayout } from './cartesian-layout.ts';
import type { ChartInput } from './chart-input.ts';
import { isRate } from './view.ts';

export interface ValueAxis {
  pane: number;
  isRateAxis: boolean;
  /** On the far side of its pane. */
  isSecond: boolean;
}

/** One axis for counts and one for rates in each pane, whichever it has. */
export const findValueAxes = ({ panes }: CartesianLayout): ValueAxis[] =>
  panes.flatMap((metrics, pane) => {
    const kinds = [false, true].filter((isRateAxis) => metrics.some((metric) => isRate(metric) === isRateAxis));
    return kinds.map((isRateAxis, at) => ({ pane, isRateAxis, isSecond: at === 1 }));
  });

/** The canvas lays out from left to right; an isolate preserves the order of right-to-left text. */
const isolate = (text: string, rtl: boolean): string => (rtl ? `\u2067${text}\u2069` : text);

export function valueAxisOption(
  { pane, isRateAxis, isSecond }: ValueAxis,
  { type, rtl, percent, short, metricName }: ChartInput,
  { panes, hasOnePane }: CartesianLayout,
  palette: Palette,
) {
  return {
    type: 'value',
    gridIndex: pane,
    position: rtl !== isSecond ? 'right' : 'left',
    min: isRateAxis && type === 'line' ? undefined : 0,
    max: isRateAxis && type === 'bar' ? 1 : undefined,
    scale: isRateAxis && type === 'line',
    minInterval: isRateAxis ? undefined : 1,
    splitNumber: hasOnePane ? undefined : 3,
    axisLabel: {
      color: palette.ink3,
      formatter: isRateAxis ? percent : (value: number) => isolate(short(value), rtl),
    },
    splitLine: { show: !isSecond, lineStyle: { color: palette.line } },
    ...(!hasOnePane && {
      name: isolate(metricName(panes[pane]?.[0] ?? 'reqTotalNum'), rtl),
      nameGap: 12,
      nameTextStyle: { color: palette.ink, fontWeight: 600, align: rtl ? 'right' : 'left' },
    }),
  };
}

/** Returns the time axis of a pane; only the last pane has labels. */
export const timeAxisOption = (
  pane: number,
  { type, rtl, ticks }: ChartInput,
  { panes }: CartesianLayout,
  palette: Palette,
) => ({
  type: 'category',
  gridIndex: pane,
  inverse: rtl,
  boundaryGap: type === 'bar',
  data: ticks.map((tick) => isolate(tick, rtl)),
  axisLine: { lineStyle: { color: palette.lineStrong } },
  axisTick: { show: false },
  axisLabel: { show: pane === panes.length - 1, color: palette.ink3, hideOverlap: true },
});
