import { useMemo } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSize } from '../../ui/charts/use-size.ts';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { useColorMode, useReducedMotion } from '../../ui/theme/color-mode.ts';
import { chartHeight, type Line, makeLines } from './chart-lines.ts';
import { makeOption } from './chart-options.ts';
import EChart, { type DrawPicture } from './echart.tsx';
import { HoverCard } from './hover-card.tsx';
import { mostSeries } from './series.ts';
import { figureText, groupName, stepText } from './statistics-text.ts';
import type { Division } from './use-division.ts';
import { type ChartView, drawnMetrics } from './view.ts';

const narrowPx = 560;

interface ChartPictureProps {
  title: string;
  view: ChartView;
  division: Division;
  /** Opens what a line has at a step; null: the whole range. Without it a click does nothing. */
  onOpen?: (line: Line, step: number | null) => void;
  onReady?: (draw: DrawPicture | null) => void;
}

const ignore = () => {};

/** A chart as a picture, with the values at the pointer. */
export function ChartPicture({ title, view, division, onOpen, onReady = ignore }: ChartPictureProps) {
  const t = useText();
  const formats = useFormats();
  const { dir, locale } = useTexts();
  const mode = useColorMode();
  const still = useReducedMotion();
  const [place, { width }] = useSize<HTMLDivElement>();
  const { statistics, data, before } = division;
  const type = view.chartType === 'line' && data.times === null ? 'bar' : view.chartType;
  const hasGroups = data.groups.some(({ values }) => values === null || Object.keys(values).length > 0);
  const metrics = drawnMetrics(view, hasGroups);
  const narrow = width > 0 && width < narrowPx;

  const chosen = metrics.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: chosen stands for the metrics.
  const { lines, option, label, height } = useMemo(() => {
    const shownBefore = type === 'pie' ? null : before;
    const isPaned = data.groups.length * metrics.length > mostSeries && metrics.length > 1;
    const drawnLines = makeLines(data, shownBefore, metrics, (group, metric, isBefore) => {
      const parts = [];
      if (hasGroups) parts.push(groupName(group, statistics.names, t));
      if ((metrics.length > 1 && !isPaned) || parts.length === 0) parts.push(t(`statistics.metric.${metric}`));
      if (isBefore) parts.push(t('statistics.before'));
      return parts.join(' · ');
    });
    const steps = data.times?.map((time) => stepText(time, view.unit, formats, locale)) ?? [];
    const description = t('statistics.picture', {
      title,
      figures: formats.list(
        metrics.map(
          (metric) => `${t(`statistics.metric.${metric}`)} ${figureText(metric, statistics.totals[metric], formats)}`,
        ),
      ),
    });
    const chartOption = makeOption({
      type,
      lines: drawnLines,
      mode,
      rtl: dir === 'rtl',
      narrow,
      still,
      ticks: data.times === null ? [t('statistics.wholeRange')] : steps.map(({ tick }) => tick),
      metricName: (metric) => t(`statistics.metric.${metric}`),
      short: (value) => formats.number(value, { notation: 'compact', useGrouping: true }),
      percent: (value) => formats.percent(value),
    });
    return { lines: drawnLines, option: chartOption, label: description, height: chartHeight(type, drawnLines) };
  }, [
    data,
    before,
    chosen,
    hasGroups,
    type,
    mode,
    dir,
    locale,
    narrow,
    still,
    statistics,
    title,
    view.unit,
    formats,
    t,
  ]);

  const stepOf = (at: number): number | null => (type === 'pie' || data.times === null ? null : at);
  const figureOf = (index: number, at: number): number | null => lines[index]?.values[stepOf(at) ?? 0] ?? null;
  // Grouped values are shown in the table, whose rows are of the period itself.
  const leadsOn = (index: number, at: number): boolean => {
    const line = lines[index];
    return (
      onOpen !== undefined &&
      line !== undefined &&
      (figureOf(index, at) ?? 0) > 0 &&
      !(line.isBefore && line.group.values === null)
    );
  };
  const titleAt = (at: number): string | undefined => {
    if (type === 'pie') return undefined;
    const time = data.times?.[at];
    return time === undefined ? t('statistics.wholeRange') : stepText(time, view.unit, formats, locale).title;
  };
  return (
    <div ref={place}>
      {statistics.totals.reqTotalNum === 0 ? (
        <EmptyState title={t('statistics.empty.title')}>{t('statistics.empty.text')}</EmptyState>
      ) : (
        <EChart
          option={option}
          label={label}
          height={height}
          leadsOn={leadsOn}
          onOpen={(index, at) => {
            const line = lines[index];
            if (line !== undefined) onOpen?.(line, stepOf(at));
          }}
          figureOf={type === 'line' ? figureOf : null}
          onReady={onReady}
          hover={({ series, at, target }) => (
            <HoverCard lines={lines} at={at} target={target} title={titleAt(at)} shown={series} />
          )}
        />
      )}
    </div>
  );
}
