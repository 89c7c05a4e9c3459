import type { Chart, Statistics } from '@pahatid/contract';
import { Plus } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { regionName } from '../../lib/format/regions.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { PartBoundary } from '../../ui/feedback/part-boundary.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Tabs } from '../../ui/layers/tabs.tsx';
import { Page, PageHeader, Panel } from '../../ui/page/page.tsx';
import { ChartMenu } from './chart-menu.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { FilterRow } from './filter-row.tsx';
import { NumbersTable } from './numbers-table.tsx';
import { divide, mostSeries } from './series.ts';
import { ShortenedNote } from './shortened-note.tsx';
import './statistics.css';
import { Totals } from './totals.tsx';
import {
  applyAddress,
  type ChartView,
  drawnMetrics,
  firstView,
  mostDimensions,
  questionOf,
  shownDimensions,
  type ViewAddress,
  viewKeys,
} from './view.ts';

const ChartForm = lazyPart(() => import('./chart-form.tsx'));
const VerificationFigures = lazyPart(() => import('./verification-figures.tsx'));

/** The tab that everybody has. */
const overviewTab = 'overview';
const codesTab = 'codes';
const panelId = 'statistics-panel';
const unchanged = Object.fromEntries(viewKeys.map((key) => [key, undefined]));

export default function StatisticsScreen() {
  const t = useText();
  const formats = useFormats();
  const { zone } = formats;
  const refresh = useRefresh();
  const [address, setAddress] = useSearchParams(['tab', ...viewKeys]);
  // Charts are of what is real.
  const mayKeep = useMay('owner', 'member', 'reviewer', 'operator', 'admin') && !address.test;
  const [form, setForm] = useState<'add' | 'edit' | null>(null);
  const stored = useCall('GET /charts');
  const charts = stored.data?.items ?? [];
  const first = charts.find((each) => each.isDefault === 1)?.chartId ?? overviewTab;
  const asked = address.tab ?? first;
  const chart = charts.find((each) => each.chartId === asked);
  const isCodes = asked === codesTab;
  const tab = isCodes ? codesTab : (chart?.chartId ?? overviewTab);
  const isChanged = viewKeys.some((key) => address[key] !== undefined);
  const view = useMemo(() => applyAddress(chart ?? firstView, address), [chart, address]);
  const query = questionOf(view, zone);
  const read = useCall(
    'GET /statistics',
    { query },
    { keepPrevious: true, enabled: stored.data !== undefined && !isCodes },
  );
  const title = isCodes ? t('overview.lane.1') : (chart?.tabName ?? t('statistics.overview'));
  const bar = useRef<HTMLDivElement>(null);
  // Tabs that do not fit scroll sideways: the chosen one is seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tab that is chosen, and once the tabs have come.
  useEffect(() => {
    bar.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab, charts.length]);
  const change = (patch: ViewAddress) => setAddress(patch, { replace: true });
  const choose = (next: string | undefined) => setAddress({ ...unchanged, tab: next, test: address.test });

  const save = async (of: Chart) => {
    // More dimensions can be viewed than stored.
    if (view.dimensions.length > mostDimensions) {
      toast(formats.pair(t('statistics.by'), t('statistics.form.dimensions.many')), 'danger');
      return;
    }
    const { filters, ...rest } = view;
    try {
      await call('PATCH /charts/:chartId', {
        params: { chartId: of.chartId },
        body: { ...rest, filters, version: of.version },
      });
      toast(t('statistics.edited'));
      await refresh('/charts');
      change(unchanged);
    } catch (error) {
      toastError(error);
      await refresh('/charts');
    }
  };
  const download = async () => {
    try {
      const metrics = view.selectedMetrics.join(',');
      await exportCsv('GET /statistics', { query: { ...query, metrics } }, 'sms-statistics.csv');
    } catch (error) {
      toastError(error);
    }
  };

  return (
    <Page>
      <PageHeader
        title={t('statistics.title')}
        fact={t('ui.zoned', { zone: formats.zoneName, offset: formats.zoneOffset() })}
        actions={
          <>
            {chart && isChanged && mayKeep && <Button onClick={() => void save(chart)}>{t('statistics.save')}</Button>}
            {!isCodes && <Button onClick={() => void download()}>{t('ui.export')}</Button>}
            {chart && mayKeep && (
              <ChartMenu chart={chart} charts={charts} onEdit={() => setForm('edit')} onChoose={choose} />
            )}
          </>
        }
      />
      <div className="statistics-tabs" ref={bar}>
        <Tabs
          inline
          label={t('statistics.tabs')}
          panelId={panelId}
          value={tab}
          onChange={choose}
          items={[
            {
              key: overviewTab,
              label: t('statistics.overview'),
              ...(first === overviewTab && { count: t('statistics.default') }),
            },
            ...charts.map((each) => ({
              key: each.chartId,
              label: <bdi>{each.tabName}</bdi>,
              ...(each.isDefault === 1 && { count: t('statistics.default') }),
            })),
            { key: codesTab, label: t('overview.lane.1') },
          ]}
        />
        {mayKeep && (
          <Button variant="quiet" size="small" icon={Plus} onClick={() => setForm('add')}>
            {t('statistics.add')}
          </Button>
        )}
      </div>
      <div id={panelId} role="tabpanel" aria-label={title} className="statistics-body">
        {isCodes ? (
          <PartBoundary fallback={<SkeletonLines lines={7} />}>
            <VerificationFigures />
          </PartBoundary>
        ) : (
          <>
            <FilterRow
              view={view}
              range={read.data}
              onChange={change}
              onClear={isChanged ? () => change(unchanged) : undefined}
            />
            {stored.error ? (
              <FailedState error={stored.error} onRetry={() => void stored.refetch()} />
            ) : read.error ? (
              <Refused error={read.error} onRetry={() => void read.refetch()} view={view} onChange={change} />
            ) : (
              <>
                {read.data && <ShortenedNote statistics={read.data} view={view} onChange={change} />}
                <Totals statistics={read.data} />
                {read.data ? (
                  <Figures title={title} view={view} statistics={read.data} onChange={change} />
                ) : (
                  <Panel>
                    <SkeletonLines lines={7} />
                  </Panel>
                )}
              </>
            )}
          </>
        )}
      </div>
      {form && (
        <PartBoundary>
          <ChartForm
            chart={form === 'edit' ? chart : undefined}
            view={view}
            onClose={() => setForm(null)}
            onDone={(made) => {
              setForm(null);
              choose(made.chartId);
            }}
          />
        </PartBoundary>
      )}
    </Page>
  );
}

interface FiguresProps {
  title: string;
  view: ChartView;
  statistics: Statistics;
  onChange: (patch: ViewAddress) => void;
}

function Figures({ title, view, statistics: answer, onChange }: FiguresProps) {
  const { locale } = useTexts();
  const statistics = useMemo(() => nameRegions(answer, locale), [answer, locale]);
  const dimensions = shownDimensions(view);
  const by = dimensions.join();
  const isPie = view.chartType === 'pie';
  // biome-ignore lint/correctness/useExhaustiveDependencies: by stands for the dimensions.
  const { data, before, whole, wholeBefore } = useMemo(() => {
    // A pie has no comparison.
    const made = divide(statistics, dimensions, mostSeries, undefined, isPie ? null : statistics.before);
    const all = divide(statistics, dimensions, Number.POSITIVE_INFINITY, undefined, statistics.before);
    return {
      data: made,
      before: statistics.before && divide(statistics.before, dimensions, mostSeries, made),
      whole: all,
      wholeBefore: statistics.before && divide(statistics.before, dimensions, Number.POSITIVE_INFINITY, all),
    };
  }, [statistics, by, isPie]);
  // Reset when the figures change.
  const [sought, setSought] = useState<{ at: number | null; in: typeof data } | null>(null);
  const hasNumbers = statistics.totals.reqTotalNum > 0 || (statistics.before?.totals.reqTotalNum ?? 0) > 0;
  return (
    <>
      <ChartPanel
        title={title}
        view={view}
        statistics={statistics}
        data={data}
        before={before}
        onChange={onChange}
        onGathered={(at) => setSought({ at, in: data })}
      />
      {hasNumbers && (
        <NumbersTable
          title={title}
          statistics={statistics}
          view={{ ...view, dimensions }}
          data={whole}
          before={wholeBefore}
          metrics={drawnMetrics(
            view,
            dimensions.some((each) => each !== 'logDate'),
          )}
          swatches={data.groups}
          sought={sought?.in === data ? sought : null}
        />
      )}
    </>
  );
}

/** Countries are named in the user's language; the response has their codes. */
function nameRegions(statistics: Statistics, locale: string): Statistics {
  const codes = [...statistics.items, ...(statistics.before?.items ?? [])].flatMap(({ areaCode }) => areaCode ?? []);
  const regions = [...new Set(codes)].map((code) => [code, regionName(locale, code)]);
  return { ...statistics, names: { ...statistics.names, ...Object.fromEntries(regions) } };
}

interface RefusedProps {
  error: ApiError;
  view: ChartView;
  onRetry: () => void;
  onChange: (patch: ViewAddress) => void;
}

/** A query beyond its limits is not a failure: shows the limits, and one step to comply. */
function Refused({ error, view, onRetry, onChange }: RefusedProps) {
  const t = useText();
  const formats = useFormats();
  if (!(error instanceof ApiError) || (error.code !== 'RANGE_TOO_LONG' && error.code !== 'STATISTICS_TOO_WIDE'))
    return <FailedState error={error} onRetry={onRetry} />;
  const preset = view.unit === 0 ? 'last24Hours' : 'last3Months';
  // Steps of time alone are never too many figures; another period may be.
  const fix =
    error.code === 'RANGE_TOO_LONG'
      ? { patch: { preset, from: undefined, to: undefined }, label: t(`statistics.preset.${preset}`) }
      : { patch: { by: 'logDate' }, label: formats.pair(t('statistics.by'), t('statistics.dimension.logDate')) };
  return (
    <div role="alert">
      <EmptyState
        title={t('statistics.tooLong')}
        action={<Button onClick={() => onChange(fix.patch)}>{fix.label}</Button>}
      >
        {errorText(error, t)}
      </EmptyState>
    </div>
  );
}
