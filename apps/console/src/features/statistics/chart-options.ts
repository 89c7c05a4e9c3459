/** The chart as ECharts options. No html: the page's policy refuses the styles of a tooltip. */
import type { ChartType, StatisticsMetric } from '@pahatid/contract';
import { dark, fontSans, light, type Palette } from '../../ui/theme/tokens.ts';
import { type ChartData, type Group, mostSeries } from './series.ts';
import { isRate } from './view.ts';

export interface Line {
  key: string;
  name: string;
  group: Group;
  metric: StatisticsMetric;
  /** Of the period before, drawn dashed behind. */
  isBefore: boolean;
  values: (number | null)[];
}

export interface PictureInput {
  type: ChartType;
  lines: readonly Line[];
  /** Labels under the axis. */
  ticks: readonly string[];
  mode: 'light' | 'dark';
  rtl: boolean;
  narrow: boolean;
  still: boolean;
  label: string;
  /** Returns a metric's label, above its pane. */
  metricName: (metric: StatisticsMetric) => string;
  short: (value: number) => string;
  percent: (value: number) => string;
}

export const chartColors = (palette: Palette): string[] => [
  ...[palette.chart1, palette.chart2, palette.chart3, palette.chart4],
  ...[palette.chart5, palette.chart6, palette.chart7, palette.chart8],
];

/** Marks, dashes and hatchings distinguish series where colour can't. */
const symbols = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond'];
const dashes = ['solid', 'solid', 'dashed', 'dotted'] as const;
const hatch = (index: number, color: string) =>
  [
    { symbolSize: 0, color: 'transparent' },
    { symbol: 'rect', rotation: Math.PI / 4, dashArrayX: [1, 0], dashArrayY: [2, 6], color },
    {
      symbol: 'circle',
      symbolSize: 0.7,
      dashArrayX: [
        [4, 4],
        [0, 4, 4, 0],
      ],
      dashArrayY: [5, 0],
      color,
    },
    { symbol: 'rect', rotation: -Math.PI / 4, dashArrayX: [1, 0], dashArrayY: [2, 6], color },
    { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 5], color },
    { symbol: 'rect', rotation: Math.PI / 2, dashArrayX: [1, 0], dashArrayY: [2, 5], color },
    { symbol: 'triangle', symbolSize: 0.7, dashArrayX: [[6, 6]], dashArrayY: [8, 2], color },
    { symbol: 'rect', symbolSize: 0.6, dashArrayX: [[4, 4]], dashArrayY: [8, 4], color },
  ][index % 8];

/**
 * Metrics that share one chart. If that needs more colours than there are, each metric has a separate pane below the
 * others, and a colour means the same group in all of them.
 */
export function panesOf(lines: readonly Line[]): StatisticsMetric[][] {
  const now = lines.filter(({ isBefore }) => !isBefore);
  const metrics = [...new Set(now.map(({ metric }) => metric))];
  return now.length > mostSeries ? metrics.map((metric) => [metric]) : [metrics];
}

const paneHeight = 190;
/** Space for the legend above the first pane, the name of each, and the labels under the last. */
const [legendRoom, nameRoom, ticksRoom] = [30, 40, 30];

/** Returns the chart's height in pixels; null if the style sheet's applies. */
export function pictureHeight(type: ChartType, lines: readonly Line[]): number | null {
  const panes = type === 'pie' ? 1 : panesOf(lines).length;
  return panes === 1 ? null : legendRoom + panes * (nameRoom + paneHeight) + ticksRoom;
}

/** Each group of a metric: the same lines in order, those of the period before after them. */
export function makeLines(
  data: ChartData,
  before: ChartData | null,
  metrics: readonly StatisticsMetric[],
  nameOf: (group: Group, metric: StatisticsMetric, isBefore: boolean) => string,
): Line[] {
  const linesOf = (source: ChartData, isBefore: boolean): Line[] =>
    data.groups.flatMap((group) =>
      metrics.map((metric) => ({
        key: `${group.key} ${metric}${isBefore ? ' before' : ''}`,
        name: nameOf(group, metric, isBefore),
        group,
        metric,
        isBefore,
        values: (data.times ?? [null]).map((_, at) => source.figuresOf(group, data.times === null ? null : at)[metric]),
      })),
    );
  return [...linesOf(data, false), ...(before === null ? [] : linesOf(before, true))];
}

/** Values at the pointer are shown outside the canvas (hover-card.tsx); ECharts only locates them. */
const tooltip = { renderMode: 'richText', showContent: false };

/**
 * Returns the colour of each line: its group's if each metric has a pane, else its own; the previous period has the
 * same.
 */
export function colorPlaces(lines: readonly Line[]): number[] {
  const count = lines.filter(({ isBefore }) => !isBefore).length;
  const panes = panesOf(lines).length;
  // Groups come with their metrics side by side.
  return lines.map(({ isBefore }, index) => Math.floor((isBefore ? index - count : index) / panes) % mostSeries);
}

export function makeOption(input: PictureInput): Record<string, unknown> {
  const palette = input.mode === 'dark' ? dark : light;
  const shared = {
    color: chartColors(palette),
    textStyle: { fontFamily: fontSans, color: palette.ink2 },
    animation: !input.still,
    animationDuration: 240,
    aria: { enabled: true, label: { description: input.label } },
  };
  return input.type === 'pie' ? { ...shared, ...pie(input, palette) } : { ...shared, ...course(input, palette) };
}

const hitchIn = (palette: Palette) => (palette === dark ? 'rgba(0, 0, 0, 0.35)' : 'rgba(255, 255, 255, 0.5)');

function pie(input: PictureInput, palette: Palette) {
  const { lines } = input;
  const whole = lines.reduce((sum, { values: [value] }) => sum + (value ?? 0), 0);
  const share = (value: number) => input.percent(whole === 0 ? 0 : value / whole);
  const shareOfName = (name: string) => share(lines.find((line) => line.name === name)?.values[0] ?? 0);
  return {
    tooltip,
    legend: {
      top: 0,
      type: input.narrow ? 'plain' : 'scroll',
      icon: 'roundRect',
      itemWidth: 12,
      itemHeight: 12,
      textStyle: { color: palette.ink2 },
      // No room for labels next to the pie.
      ...(input.narrow && { formatter: (name: string) => `${name} ${shareOfName(name)}` }),
    },
    series: [
      {
        type: 'pie',
        radius: ['42%', '70%'],
        center: ['50%', input.narrow ? '62%' : '56%'],
        avoidLabelOverlap: true,
        cursor: 'default',
        itemStyle: { borderColor: palette.surface, borderWidth: 2, borderRadius: 4 },
        label: {
          show: !input.narrow,
          color: palette.ink,
          lineHeight: 16,
          formatter: ({ name, value }: { name: string; value: number }) => `${name}\n${share(value)}`,
        },
        labelLine: { lineStyle: { color: palette.lineStrong } },
        data: lines.map((line, index) => ({
          name: line.name,
          value: line.values[0] ?? 0,
          itemStyle: { decal: hatch(index, hitchIn(palette)) },
        })),
      },
    ],
  };
}

/** Whether the last values are far enough apart for a line of text at each. */
function endApart(lines: readonly Line[]): boolean {
  const ends = lines.map(({ values }) => values.at(-1) ?? 0).toSorted((a, b) => a - b);
  const all = lines.flatMap(({ values }) => values).filter((value) => value !== null);
  const span = Math.max(...all) - (isRate(lines[0]?.metric ?? 'reqTotalNum') ? Math.min(...all) : 0);
  const sameKind = new Set(lines.map(({ metric }) => isRate(metric))).size <= 1;
  return sameKind && ends.every((end, index) => index === 0 || end - (ends[index - 1] ?? 0) > span * 0.06);
}

/** The canvas lays out from left to right; an isolate preserves the order of right-to-left text. */
const rightToLeft = (text: string): string => `\u2067${text}\u2069`;

function course(input: PictureInput, palette: Palette) {
  const { lines, type, rtl } = input;
  const inOrder = rtl ? rightToLeft : (text: string) => text;
  const now = lines.filter(({ isBefore }) => !isBefore);
  const panes = panesOf(lines);
  const isOne = panes.length === 1;
  const places = colorPlaces(lines);
  // No room at the end of a line in mirrored charts, on phones, and if lines end close together.
  const isRoomy = isOne && !rtl && !input.narrow && input.ticks.length > 1 && lines.length === now.length;
  const endLabels = type === 'line' && isRoomy && endApart(now);
  const widest = Math.max(0, ...now.map(({ name }) => name.length * (/[\u2e80-\uffff]/.test(name) ? 13 : 7)));
  const room = endLabels ? Math.min(190, widest + 28) : 14;
  const axis = (isRateAxis: boolean, isSecond: boolean, gridIndex: number) => ({
    type: 'value',
    gridIndex,
    position: rtl !== isSecond ? 'right' : 'left',
    min: isRateAxis && type === 'line' ? undefined : 0,
    max: isRateAxis && type === 'bar' ? 1 : undefined,
    scale: isRateAxis && type === 'line',
    minInterval: isRateAxis ? undefined : 1,
    splitNumber: isOne ? undefined : 3,
    axisLabel: {
      color: palette.ink3,
      formatter: isRateAxis ? input.percent : (value: number) => inOrder(input.short(value)),
    },
    splitLine: { show: !isSecond, lineStyle: { color: palette.line } },
    ...(!isOne && {
      name: inOrder(input.metricName(panes[gridIndex]?.[0] ?? 'reqTotalNum')),
      nameGap: 12,
      nameTextStyle: { color: palette.ink, fontWeight: 600, align: rtl ? 'right' : 'left' },
    }),
  });
  // One for counts and one for rates in each pane, whichever it has.
  const axes = panes.flatMap((metrics, pane) => {
    const kinds = [false, true].filter((isRateAxis) => metrics.some((metric) => isRate(metric) === isRateAxis));
    return kinds.map((isRateAxis, at) => ({ pane, isRateAxis, option: axis(isRateAxis, at === 1, pane) }));
  });
  const hasTwo = isOne && axes.length === 2;
  const side = input.narrow ? 44 : 52;
  const paneGrid = (pane: number) => ({
    top: legendRoom + nameRoom + pane * (nameRoom + paneHeight),
    height: paneHeight,
    left: rtl ? room : side,
    right: rtl ? side : room,
  });
  const isStackedIn = (metrics: readonly StatisticsMetric[]) =>
    type === 'bar' && metrics.length === 1 && !isRate(metrics[0] ?? 'reqTotalNum') && now.length > panes.length;
  return {
    grid: isOne
      ? {
          top: endLabels ? 12 : 40,
          bottom: 8,
          containLabel: true,
          left: rtl ? room : 4,
          right: rtl ? 4 : room + (hasTwo ? 8 : 0),
        }
      : panes.map((_, pane) => paneGrid(pane)),
    legend: {
      show: !endLabels && lines.length > 1,
      top: 0,
      type: 'scroll',
      itemWidth: 18,
      itemHeight: 10,
      ...(rtl ? { right: 0, align: 'right', data: lines.map(({ name }) => name).toReversed() } : { left: 0 }),
      textStyle: { color: palette.ink2 },
      pageIconColor: palette.ink2,
      pageTextStyle: { color: palette.ink3 },
    },
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    tooltip: {
      ...tooltip,
      trigger: 'axis',
      axisPointer: {
        type: type === 'bar' ? 'shadow' : 'line',
        lineStyle: { color: palette.lineStrong, type: 'dashed' },
        shadowStyle: { color: palette.lineStrong, opacity: 0.3 },
      },
    },
    xAxis: panes.map((_, pane) => ({
      type: 'category',
      gridIndex: pane,
      inverse: rtl,
      boundaryGap: type === 'bar',
      data: input.ticks.map(inOrder),
      axisLine: { lineStyle: { color: palette.lineStrong } },
      axisTick: { show: false },
      axisLabel: { show: pane === panes.length - 1, color: palette.ink3, hideOverlap: true },
    })),
    yAxis: axes.map(({ option }) => option),
    series: lines.map((line, index) => {
      const pane = panes.findIndex((metrics) => metrics.includes(line.metric));
      const place = places[index] ?? 0;
      const color = chartColors(palette)[place];
      const common = {
        name: line.name,
        data: line.values,
        cursor: 'default',
        xAxisIndex: pane,
        yAxisIndex: axes.findIndex((each) => each.pane === pane && each.isRateAxis === isRate(line.metric)),
      };
      if (type === 'bar') {
        const isStacked = isStackedIn(panes[pane] ?? []);
        return {
          ...common,
          type: 'bar',
          stack: isStacked ? `${pane} ${line.isBefore ? 'before' : 'now'}` : undefined,
          barMaxWidth: 28,
          itemStyle: {
            color,
            opacity: line.isBefore ? 0.45 : 1,
            borderRadius: isStacked ? 0 : [3, 3, 0, 0],
            decal: hatch(place, hitchIn(palette)),
          },
        };
      }
      return {
        ...common,
        type: 'line',
        symbol: symbols[place],
        symbolSize: 6,
        showSymbol: line.values.length <= 31,
        triggerLineEvent: true,
        itemStyle: { color },
        lineStyle: {
          width: line.isBefore ? 1.5 : 2,
          color,
          opacity: line.isBefore ? 0.55 : 1,
          type: line.isBefore ? 'dashed' : dashes[Math.floor(place / 2) % dashes.length],
        },
        endLabel: { show: endLabels, formatter: '{a}', color: palette.ink, distance: 8 },
      };
    }),
  };
}
