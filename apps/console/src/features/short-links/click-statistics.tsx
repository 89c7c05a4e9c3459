import type { LinkStatistics } from '@pahatid/contract';
import { ChartColumn, Table2 } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { intlTag } from '../../lib/format/make-formats.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { BarChart, type BarGroup, type Series } from '../../ui/charts/bar-chart.tsx';
import { ChartLegend, ChartTable } from '../../ui/charts/chart-parts.tsx';
import { ChartSkeleton } from '../../ui/charts/chart-skeleton.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { DateRangeFilter } from '../../ui/filters/date-range-filter.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { KpiStrip, Panel } from '../../ui/page/page.tsx';
import { ChosenLink } from './chosen-link.tsx';
import { ClickParts } from './click-parts.tsx';
import { type ClickQuestion, type ClickView, clickUnits, daysBefore, questionOf, spanOf } from './click-question.ts';

type Unit = ClickQuestion['unit'];
const ticks = [1, 2, 3, 6, 7, 12, 14, 30, 60, 120, 180, 360];

/** Figures of the range, of all links or of one: sums, course of time, and what they divide by. */
export function ClickStatistics({ view, onView }: { view: ClickView; onView: (patch: ClickView) => void }) {
  const t = useText();
  const query = questionOf(view);
  const statistics = useCall('GET /short-links/statistics', { query }, { keepPrevious: true });
  const { data, error } = statistics;
  const earlier = data && daysBefore(data);
  const before = useCall(
    'GET /short-links/statistics',
    { query: { ...earlier, linkId: query.linkId, customerId: query.customerId } },
    { keepPrevious: true, enabled: Boolean(earlier) },
  );
  return (
    <>
      <div className="row wrap short-links-period">
        <DateRangeFilter
          label={t('shortLinks.range')}
          from={view.from ?? data?.from}
          to={view.to}
          onChange={(from, to) => onView({ from, to })}
        />
        <Segmented<Unit>
          label={t('shortLinks.unit')}
          value={query.unit}
          onChange={(unit) => onView({ unit })}
          options={clickUnits.map((value) => ({ value, label: t(`shortLinks.unit.${value}`) }))}
        />
        {view.link && <ChosenLink linkId={view.link} onClear={() => onView({ link: undefined })} />}
      </div>
      {error && !data ? (
        <FailedState error={error} onRetry={() => void statistics.refetch()} />
      ) : (
        <>
          {error && <FailedState error={error} onRetry={() => void statistics.refetch()} />}
          <Sums statistics={data} />
          <div className="short-links-figures">
            <Course
              statistics={data}
              before={earlier ? before.data : undefined}
              onBrush={data && ((first, last) => onView(spanOf(data, first, last)))}
            />
            <ClickParts statistics={data} query={query} by={view.by} onBy={(by) => onView({ by })} />
          </div>
        </>
      )}
    </>
  );
}

function Sums({ statistics }: { statistics: LinkStatistics | undefined }) {
  const t = useText();
  const formats = useFormats();
  const totals = statistics?.totals;
  const waiting = <Skeleton width={80} height={24} />;
  const share = (part: number, all: number) => (all === 0 ? '–' : formats.percent(part / all));
  return (
    <KpiStrip
      label={t('shortLinks.totals')}
      items={[
        {
          key: 'human',
          label: t('shortLinks.humanCount'),
          value: totals ? formats.number(totals.humanCount) : waiting,
          note: totals && t('shortLinks.note.ofClicks', { share: share(totals.humanCount, totals.clickCount) }),
        },
        {
          key: 'recipients',
          label: t('shortLinks.recipientCount'),
          value: totals ? formats.number(totals.recipientCount) : waiting,
          note: totals && t('shortLinks.note.first'),
        },
        {
          key: 'rate',
          label: t('shortLinks.clickRate'),
          value: totals ? (totals.clickRate === null ? '–' : formats.percent(totals.clickRate)) : waiting,
          note: totals && t('shortLinks.note.delivered', { count: totals.deliveredCount }),
        },
        {
          key: 'robots',
          label: t('shortLinks.robotCount'),
          value: totals ? formats.number(totals.robotCount) : waiting,
          note:
            totals &&
            t('shortLinks.note.robots', {
              head: totals.headCount,
              scanner: totals.scannerCount,
              early: totals.earlyCount,
            }),
        },
        {
          key: 'last',
          label: t('shortLinks.lastClickTime'),
          isText: true,
          value: totals ? (totals.lastClickTime === null ? '–' : formats.relative(totals.lastClickTime)) : waiting,
          note:
            totals?.firstClickTime &&
            t('shortLinks.note.firstClick', { time: formats.date(totals.firstClickTime, 'short') }),
        },
      ]}
    />
  );
}

interface CourseProps {
  statistics: LinkStatistics | undefined;
  /** Of as many days before. */
  before: LinkStatistics | undefined;
  onBrush: ((first: number, last: number) => void) | undefined;
}

function Course({ statistics, before, onBrush }: CourseProps) {
  const t = useText();
  const formats = useFormats();
  const [asTable, setAsTable] = useState(false);
  const series: Series[] = [
    { key: 'human', label: t('shortLinks.humanCount'), color: 'done' },
    { key: 'robot', label: t('shortLinks.robotCount'), color: 'half' },
  ];
  const { locale } = useTexts();
  const month = new Intl.DateTimeFormat(intlTag(locale), { year: 'numeric', month: 'short', timeZone: formats.zone });
  const unit = statistics?.unit ?? 1;
  const at = new Map(statistics?.items.map((item) => [item.logDate, item]));
  const bars: BarGroup[] = (statistics?.times ?? []).map((time) => ({
    key: time,
    tick: unit === 2 ? month.format(new Date(time)) : formats.date(time, unit === 0 ? 'minute' : 'monthDay'),
    title: unit === 2 ? month.format(new Date(time)) : formats.date(time, unit === 0 ? 'short' : 'day'),
    values: [at.get(time)?.humanCount ?? 0, at.get(time)?.robotCount ?? 0],
  }));
  const then = new Map(before?.items.map((item) => [item.logDate, item.humanCount + item.robotCount]));
  const marks = before && {
    label: t('statistics.before.against'),
    values: before.times.map((time) => then.get(time) ?? 0),
  };
  const title = t(`shortLinks.course.${unit}`);
  const totals = statistics?.totals;
  return (
    <Panel
      title={title}
      aside={
        <div className="row">
          <ChartLegend series={series} mark={marks?.label} />
          <Button
            variant="quiet"
            size="small"
            icon={asTable ? ChartColumn : Table2}
            aria-pressed={asTable}
            aria-label={t('shortLinks.asTable')}
            title={t('shortLinks.asTable')}
            onClick={() => setAsTable(!asTable)}
          />
        </div>
      }
    >
      <div className="short-links-course">
        {statistics === undefined ? (
          <ChartSkeleton />
        ) : totals?.clickCount === 0 ? (
          <EmptyState title={t('shortLinks.none.title')}>{t('shortLinks.none.text')}</EmptyState>
        ) : (
          <>
            {!asTable && (
              <BarChart
                label={t('shortLinks.course.label', {
                  human: totals?.humanCount ?? 0,
                  robots: totals?.robotCount ?? 0,
                })}
                series={series}
                bars={bars}
                marks={marks}
                onBrush={bars.length > 1 ? onBrush : undefined}
                tickSteps={ticks}
              />
            )}
            <ChartTable
              hidden={!asTable}
              caption={title}
              head={t('shortLinks.time')}
              series={series}
              marks={marks}
              // Of a day by the minute only those with a click, or the table would have 1,440 rows.
              bars={unit === 0 ? bars.filter(({ values }) => values.some((value) => value > 0)) : bars}
            />
          </>
        )}
      </div>
    </Panel>
  );
}
