/** The lines of a chart, and the panes they are drawn in. */
import type { ChartType, StatisticsMetric } from '@pahatid/contract';
import { type ChartData, type Group, mostSeries, sumFigures } from './series.ts';
import { isRate } from './view.ts';

export interface Line {
  key: string;
  name: string;
  group: Group;
  metric: StatisticsMetric;
  /** Of the period before, drawn as a ghost. */
  isBefore: boolean;
  values: (number | null)[];
}

/** The same for a line and for that of the period before. */
export const lineKey = ({ group, metric }: Pick<Line, 'group' | 'metric'>): string => `${group.key} ${metric}`;

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
        key: `${lineKey({ group, metric })}${isBefore ? ' before' : ''}`,
        name: nameOf(group, metric, isBefore),
        group,
        metric,
        isBefore,
        values: (data.times ?? [null]).map((_, at) => source.figuresOf(group, data.times === null ? null : at)[metric]),
      })),
    );
  return [...linesOf(data, false), ...(before === null ? [] : linesOf(before, true))];
}

const whole: Group = { key: 'all', values: {} };
const outcomesOfAll: Group = { key: 'all', values: null };

/** Returns a line along the tops of the stacks of the period before: the sum of its groups. */
export function sumOfStack(before: ChartData, metrics: readonly StatisticsMetric[], name: string): Line[] {
  return metrics.slice(0, 1).map((metric) => ({
    key: `all ${metric} before`,
    name,
    // Records of several outcomes can't be found by one filter.
    group: metrics.length > 1 ? outcomesOfAll : whole,
    metric,
    isBefore: true,
    values: (before.times ?? [null]).map((_, at) => {
      const figures = sumFigures(
        before.groups.map((group) => before.figuresOf(group, before.times === null ? null : at)),
      );
      return metrics.reduce((sum, each) => sum + (figures[each] ?? 0), 0);
    }),
  }));
}

/** A share of an interval that has not ended is of too few messages: lines of shares end at the last complete one. */
export function untilComplete(lines: readonly Line[]): Line[] {
  const hasOnlyShares = lines.every(({ metric }) => isRate(metric));
  return lines.map((line) => {
    const complete = line.values.slice(0, -1);
    if (hasOnlyShares) return { ...line, values: complete };
    return line.isBefore || !isRate(line.metric) ? line : { ...line, values: [...complete, null] };
  });
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
/** Space for the name of each pane. */
export const nameRoom = 40;
/** Space for the labels under the last pane. */
const ticksRoom = 30;

/** Returns the chart's height in pixels; null if the style sheet's applies. */
export function chartHeight(type: ChartType, lines: readonly Line[]): number | null {
  const panes = type === 'pie' ? 1 : panesOf(lines).length;
  return panes === 1 ? null : panes * (nameRoom + paneHeight) + ticksRoom;
}

/**
 * Returns the colour of each line: its group's if each metric has a pane, else its own; the previous period has the
 * same.
 */
export function colorPlaces(lines: readonly Line[]): number[] {
  const keys = currentLines(lines).map(lineKey);
  const panes = panesOf(lines).length;
  // Groups come with their metrics side by side.
  return lines.map((line) => Math.floor(Math.max(0, keys.indexOf(lineKey(line))) / panes) % mostSeries);
}
