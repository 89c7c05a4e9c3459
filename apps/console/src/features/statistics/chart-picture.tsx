import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import { useSize } from '../../ui/charts/use-size.ts';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { useColorMode, useReducedMotion } from '../../ui/theme/color-mode.ts';
import type { Palette } from '../../ui/theme/tokens.ts';
import type { ChartInput } from './chart-input.ts';
import { ChartLegend, EndLabel } from './chart-legend.tsx';
import { chartHeight, currentLines, type Line, lineKey, panesOf } from './chart-lines.ts';
import { makeOption } from './chart-options.ts';
import { tonesOf } from './chart-tones.ts';
import EChart from './echart.tsx';
import { HoverCard } from './hover-card.tsx';
import { endRoomOf, findEnds } from './line-ends.ts';
import type { PngName } from './png-of.ts';
import { endOfStep } from './records-behind.ts';
import { mostSeries } from './series.ts';
import { figureText, stepText } from './statistics-text.ts';
import type { Division } from './use-division.ts';
import { useLines } from './use-lines.ts';
import type { ChartView } from './view.ts';

const narrowPx = 560;

export interface ChartPictureProps {
  title: string;
  view: ChartView;
  division: Division;
  textures?: ChartInput['textures'];
  /** Opens what a line has at a step; null: the whole range. Without it a click does nothing. */
  onOpen?: (line: Line, step: number | null) => void;
  /** Shows the period that was dragged over. */
  onPeriod?: (from: string, to: string) => void;
  onReady?: (take: TakePicture | null) => void;
}

/** Returns the picture alone, and what its colours are. */
export type TakePicture = (palette: Palette, pixelRatio: number) => { canvas: HTMLCanvasElement; names: PngName[] };

const ignore = () => {};

/** What one name of the legend switches: a line, or a group in all panes. */
const switchKey = (line: Line, isPaned: boolean): string => (isPaned ? line.group.key : lineKey(line));

/** A chart as a picture, with the values at the pointer. */
export function ChartPicture(props: ChartPictureProps) {
  const t = useText();
  const { totals } = props.division.statistics;
  if (totals.reqTotalNum > 0) return <Drawn {...props} />;
  return <EmptyState title={t('statistics.empty.title')}>{t('statistics.empty.text')}</EmptyState>;
}

function Drawn({
  title,
  view,
  division,
  textures = null,
  onOpen,
  onPeriod,
  onReady = ignore,
}: ChartPictureProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  const { dir, locale } = useTexts();
  const mode = useColorMode();
  const still = useReducedMotion();
  const [place, { width }] = useSize<HTMLDivElement>();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const { statistics, data } = division;
  const { type, metrics, lines: all } = useLines(view, division);
  const rtl = dir === 'rtl';
  const narrow = width > 0 && width < narrowPx;
  const isPaned = type !== 'pie' && panesOf(all).length > 1;
  const tones = useMemo(() => tonesOf(all, type), [all, type]);

  const { lines, ends, option, height } = useMemo(() => {
    const shown = all.map((line) =>
      hidden.has(switchKey(line, isPaned)) ? { ...line, values: line.values.map(() => null) } : line,
    );
    const found = findEnds(shown, type);
    const texts = found.map(({ line, value }) => {
      const { name = '', metric = 'reqTotalNum' } = shown[line] ?? {};
      return `${name} ${figureText(metric, value, formats)}`;
    });
    const endRoom = hidden.size > 0 ? null : endRoomOf(texts, width);
    const steps =
      data.times?.slice(0, shown[0]?.values.length).map((time) => stepText(time, view.unit, formats, locale)) ?? [];
    const chartOption = makeOption({
      type,
      lines: shown,
      mode,
      rtl,
      narrow,
      endRoom,
      textures,
      still,
      ticks: data.times === null ? [t('statistics.wholeRange')] : steps.map(({ tick }) => tick),
      metricName: (metric) => t(`statistics.metric.${metric}`),
      short: (value) => formats.number(value, { notation: 'compact', useGrouping: true }),
      percent: (value) => formats.percent(value),
    });
    return { lines: shown, ends: endRoom === null ? [] : found, option: chartOption, height: chartHeight(type, shown) };
  }, [all, hidden, isPaned, type, width, data, mode, rtl, narrow, textures, still, view.unit, formats, locale, t]);

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
  const timeText = (time: string | undefined) =>
    time === undefined ? t('statistics.wholeRange') : stepText(time, view.unit, formats, locale).title;
  const label = t('statistics.picture', {
    title,
    figures: formats.list(
      metrics.map(
        (metric) => `${t(`statistics.metric.${metric}`)} ${figureText(metric, statistics.totals[metric], formats)}`,
      ),
    ),
  });
  // A group has one name in all panes.
  const named = currentLines(all).filter(
    (line, at, lines) => lines.findIndex((each) => switchKey(each, isPaned) === switchKey(line, isPaned)) === at,
  );
  const namesIn = useRef((_: Palette): PngName[] => []);
  namesIn.current = (palette) =>
    all.length === 1
      ? []
      : named.map((line) => ({ name: line.name, color: palette[tones[all.indexOf(line)] ?? 'chart1'] }));
  return (
    <div ref={place} className={classNames(textures !== null && 'has-textures')}>
      <ChartLegend
        items={
          ends.length > 0 || named.length < 2
            ? []
            : named.map((line, at) => ({
                key: switchKey(line, isPaned),
                name: line.name,
                tone: tones[all.indexOf(line)] ?? 'chart1',
                place: at % mostSeries,
              }))
        }
        hidden={hidden}
        onToggle={(key) =>
          setHidden(hidden.has(key) ? new Set([...hidden].filter((each) => each !== key)) : new Set([...hidden, key]))
        }
        hasBefore={all.some(({ isBefore }) => isBefore)}
      />
      <EChart
        option={option}
        label={label}
        height={height}
        rtl={rtl}
        ends={ends}
        stepCount={data.times?.length ?? 0}
        onSteps={
          onPeriod === undefined || type === 'pie'
            ? undefined
            : ({ first, last }) => {
                const [from, begin] = [data.times?.[first], data.times?.[last]];
                if (from === undefined || begin === undefined) return;
                const end = endOfStep(begin, view.unit, formats.zone);
                onPeriod(from > statistics.from ? from : statistics.from, end < statistics.to ? end : statistics.to);
              }
        }
        endLabel={({ line: index, value }) => {
          const line = lines[index];
          return line && <EndLabel line={line} tone={tones[index] ?? 'chart1'} value={value} formats={formats} />;
        }}
        leadsOn={leadsOn}
        onOpen={(index, at) => {
          const line = lines[index];
          if (line !== undefined) onOpen?.(line, stepOf(at));
        }}
        figureOf={type === 'line' ? figureOf : null}
        onReady={(draw) =>
          onReady(
            draw &&
              ((palette, pixelRatio) => ({
                canvas: draw(palette.surface, pixelRatio),
                names: namesIn.current(palette),
              })),
          )
        }
        hover={({ series, at, target }) => (
          <HoverCard
            lines={lines}
            tones={tones}
            at={at}
            target={target}
            title={type === 'pie' ? undefined : timeText(data.times?.[at])}
            titleBefore={timeText(statistics.before?.times[at])}
            canDrag={onPeriod !== undefined && (data.times?.length ?? 0) > 1}
            shown={series.filter((index) => lines[index]?.values.some((value) => value !== null))}
          />
        )}
      />
    </div>
  );
}
