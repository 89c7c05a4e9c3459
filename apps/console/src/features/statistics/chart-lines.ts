/** The lines of a chart, and the panes they are drawn in. */
import type { ChartType, StatisticsMetric } from '@pahatid/contract';
import { type ChartData, type Group, mostSeries } from './series.ts';

export interface Line {
  key: string;
  name: string;
  group: Group;
  metric: StatisticsMetric;
  /** Of the period before, drawn dashed behind. */
  isBefore: boolean;
  values: (number | null)[];
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

export const currentLines = (lines: readonly Line[]): Line[] => lines.filter(({ isBefore }) => !isBefore);

/**
 * Metrics that share one chart. If that needs more colours than there are, each metric has a separate pane below the
 * others, and a colour means the same group in all of them.
 */
export function panesOf(lines: readonly Line[]): StatisticsMetric[][] {
  const current = currentLines(lines);
  const metrics = [...new Set(current.map(({ metric }) => metric))];
  return current.length > mostSeries ? metrics.map((metric) => [metric]) : [metrics];
}

export const paneHeight = 190;
/** Space for the legend above the first pane. */
export const legendRoom = 30;
/** Space for the name of each pane. */
export const nameRoom = 40;
/** Space for the labels under the last pane. */
const ticksRoom = 30;

/** Returns the chart's height in pixels; null if the style sheet's applies. */
export function chartHeight(type: ChartType, lines: readonly Line[]): number | null {
  const panes = type === 'pie' ? 1 : panesOf(lines).length;
  return panes === 1 ? null : legendRoom + panes * (nameRoom + paneHeight) + ticksRoom;
}

/**
 * Returns the colour of each line: its group's if each metric has a pane, else its own; the previous period has the
 * same.
 */
export function colorPlaces(lines: readonly Line[]): number[] {
  const count = currentLines(lines).length;
  const panes = panesOf(lines).length;
  // Groups come with their metrics side by side.
  return lines.map(({ isBefore }, index) => Math.floor((isBefore ? index - count : index) / panes) % mostSeries);
}
