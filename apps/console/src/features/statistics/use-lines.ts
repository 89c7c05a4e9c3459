import type { ChartType, StatisticsMetric } from '@pahatid/contract';
import { useMemo } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { type Line, makeLines, panesOf, sumOfStack, untilComplete } from './chart-lines.ts';
import { isStacked } from './chart-tones.ts';
import { endOfStep } from './records-behind.ts';
import { mostSeries } from './series.ts';
import { groupName } from './statistics-text.ts';
import type { Division } from './use-division.ts';
import { type ChartView, drawnMetrics } from './view.ts';

interface DrawnLines {
  type: ChartType;
  metrics: readonly StatisticsMetric[];
  lines: Line[];
}

/** Returns what is drawn of a division: the lines of its kind of chart, with their names. */
export function useLines(view: ChartView, { statistics, data, before }: Division): DrawnLines {
  const t = useText();
  const { zone } = useFormats();
  const type = view.chartType === 'line' && data.times === null ? 'bar' : view.chartType;
  const hasGroups = data.groups.some(({ values }) => values === null || Object.keys(values).length > 0);
  const metrics = drawnMetrics(view, hasGroups);
  const chosen = metrics.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: chosen stands for the metrics.
  return useMemo(() => {
    const isPaned = data.groups.length * metrics.length > mostSeries && metrics.length > 1;
    const then = t('statistics.before');
    const made = makeLines(data, type === 'pie' ? null : before, metrics, (group, metric, isBefore) => {
      const parts = [];
      if (hasGroups) parts.push(groupName(group, statistics.names, t));
      if ((metrics.length > 1 && !isPaned) || parts.length === 0) parts.push(t(`statistics.metric.${metric}`));
      if (isBefore) parts.push(then);
      return parts.join(' · ');
    });
    const now = made.filter(({ isBefore }) => !isBefore);
    const stacks = type === 'bar' && before ? panesOf(now).filter((pane) => isStacked(now, pane)) : [];
    const summed = new Set(stacks.flat());
    const ghosts = made.filter(({ isBefore, metric }) => isBefore && !summed.has(metric));
    const lines = [...now, ...ghosts, ...stacks.flatMap((pane) => (before ? sumOfStack(before, pane, then) : []))];
    const last = data.times?.at(-1);
    const isRunning = last !== undefined && endOfStep(last, view.unit, zone) > statistics.to;
    const hasCourse = type === 'line' && (data.times?.length ?? 0) > 2;
    return { type, metrics, lines: isRunning && hasCourse ? untilComplete(lines) : lines };
  }, [data, before, chosen, hasGroups, type, statistics, view.unit, zone, t]);
}
