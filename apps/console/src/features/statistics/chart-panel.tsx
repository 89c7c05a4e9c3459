import { type ChartType, type Statistics, statisticsMetrics } from '@pahatid/contract';
import { useNavigate } from '@tanstack/react-router';
import { ChartColumn, ChartLine, ChartPie, Image, SlidersHorizontal } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { saveBlob } from '../../lib/api/export-csv.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { useSize } from '../../ui/charts/use-size.ts';
import { EmptyState } from '../../ui/feedback/blank.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Popover } from '../../ui/layers/popover.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { useColorMode, useReducedMotion } from '../../ui/theme/color-mode.ts';
import { dark, light } from '../../ui/theme/tokens.ts';
import { chartHeight, makeLines } from './chart-lines.ts';
import { makeOption } from './chart-options.ts';
import EChart, { type DrawPicture } from './echart.tsx';
import { HoverCard } from './hover-card.tsx';
import { pngOf } from './png-of.ts';
import { recordsBehind } from './records-behind.ts';
import { type ChartData, mostSeries } from './series.ts';
import { figureText, groupName, rangeText, stepText } from './statistics-text.ts';
import { type ChartView, drawnMetrics, type ViewAddress } from './view.ts';

const typeIcons = { line: ChartLine, bar: ChartColumn, pie: ChartPie } as const;
const narrowPx = 560;

interface ChartPanelProps {
  title: string;
  view: ChartView;
  statistics: Statistics;
  data: ChartData;
  before: ChartData | null;
  onChange: (patch: ViewAddress) => void;
  /** Shows the groups of the "others" series: at a step, or null, of the whole range. */
  onGathered: (at: number | null) => void;
}

/** The chart with its kind, its png, and links to the records behind each point. */
export function ChartPanel({ title, view, statistics, data, before, onChange, onGathered }: ChartPanelProps) {
  const t = useText();
  const formats = useFormats();
  const navigate = useNavigate();
  const { dir, locale } = useTexts();
  const mode = useColorMode();
  const still = useReducedMotion();
  const [place, { width }] = useSize<HTMLDivElement>();
  const draw = useRef<DrawPicture | null>(null);
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
      label: description,
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
    return line !== undefined && (figureOf(index, at) ?? 0) > 0 && !(line.isBefore && line.group.values === null);
  };
  const open = (index: number, at: number) => {
    const line = lines[index];
    if (line === undefined) return;
    const step = stepOf(at);
    if (line.group.values === null) return onGathered(step);
    const period = line.isBefore && statistics.before ? statistics.before : statistics;
    const time = step === null ? null : (period.times[step] ?? null);
    const search = recordsBehind({ group: line.group, metric: line.metric, time }, view, period, formats.zone);
    if (search) void navigate({ to: '/bussinessStatistics/sendRecord', search });
  };
  const titleAt = (at: number): string | undefined => {
    if (type === 'pie') return undefined;
    const time = data.times?.[at];
    return time === undefined ? t('statistics.wholeRange') : stepText(time, view.unit, formats, locale).title;
  };
  const savePng = async () => {
    const picture = draw.current?.((mode === 'dark' ? dark : light).surface, 2);
    if (picture === undefined) return;
    try {
      const caption = { title, range: rangeText(statistics, view, formats), rtl: dir === 'rtl' };
      const name = title.replaceAll(/[\\/:*?"<>|]+/g, ' ').trim() || 'chart';
      saveBlob(await pngOf(picture, caption, mode === 'dark' ? dark : light, 2), `${name}.png`);
    } catch (error) {
      toastError(error);
    }
  };

  return (
    <Panel
      title={<bdi>{title}</bdi>}
      aside={
        <div className="row">
          <Segmented<ChartType>
            label={t('statistics.type')}
            value={view.chartType}
            onChange={(kind) => onChange({ type: kind })}
            options={(['line', 'bar', 'pie'] as const).map((value) => ({
              value,
              label: (
                <span title={t(`statistics.type.${value}`)} className="row">
                  <Icon of={typeIcons[value]} />
                  <span className="visually-hidden">{t(`statistics.type.${value}`)}</span>
                </span>
              ),
            }))}
          />
          <MetricsChooser view={view} onChange={onChange} />
          <Button
            variant="quiet"
            size="small"
            icon={Image}
            aria-label={t('statistics.png')}
            title={t('statistics.png')}
            onClick={() => void savePng()}
          />
        </div>
      }
    >
      <div ref={place}>
        {statistics.totals.reqTotalNum === 0 ? (
          <EmptyState title={t('statistics.empty.title')}>{t('statistics.empty.text')}</EmptyState>
        ) : (
          <EChart
            option={option}
            label={label}
            height={height}
            leadsOn={leadsOn}
            onOpen={open}
            figureOf={type === 'line' ? figureOf : null}
            onReady={(made) => {
              draw.current = made;
            }}
            hover={({ series, at, target }) => (
              <HoverCard lines={lines} at={at} target={target} title={titleAt(at)} shown={series} />
            )}
          />
        )}
      </div>
    </Panel>
  );
}

/** Which figures are drawn; the last one stays. */
function MetricsChooser({ view, onChange }: Pick<ChartPanelProps, 'view' | 'onChange'>) {
  const t = useText();
  const { selectedMetrics: chosen } = view;
  const label = t('statistics.form.metrics');
  return (
    <Popover
      align="end"
      label={label}
      button={{
        icon: SlidersHorizontal,
        variant: 'quiet',
        size: 'small',
        'aria-label': label,
        title: label,
        label: null,
      }}
    >
      {() =>
        statisticsMetrics.map((metric) => (
          <label className="choice" key={metric}>
            <input
              type="checkbox"
              checked={chosen.includes(metric)}
              disabled={chosen.length === 1 && chosen.includes(metric)}
              onChange={() =>
                onChange({
                  metrics: statisticsMetrics.filter((one) => (one === metric) !== chosen.includes(one)).join(','),
                })
              }
            />
            {t(`statistics.metric.${metric}`)}
          </label>
        ))
      }
    </Popover>
  );
}
