import type { Chart } from '@pahatid/contract';
import { Plus } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { ChartSkeleton } from '../../ui/charts/chart-skeleton.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { PartBoundary } from '../../ui/feedback/part-boundary.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Tabs } from '../../ui/layers/tabs.tsx';
import { Page, PageHeader, Panel } from '../../ui/page/page.tsx';
import { Figures } from './figures.tsx';
import { FilterRow } from './filter-row.tsx';
import { Refused } from './refused.tsx';
import { ShortenedNote } from './shortened-note.tsx';
import './statistics.css';
import { Totals } from './totals.tsx';
import {
  applyAddress,
  firstView,
  mostDimensions,
  questionOf,
  readyTabs,
  readyViews,
  type ViewAddress,
  viewKeys,
} from './view.ts';

const ChartMenu = lazyPart(() => import('./chart-menu.tsx'));
const ChartForm = lazyPart(() => import('./chart-form.tsx'));
const VerificationFigures = lazyPart(() => import('./verification-figures.tsx'));

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
  const ready = readyTabs.find((each) => each === asked);
  const tab = isCodes ? codesTab : (chart?.chartId ?? ready ?? overviewTab);
  const isChanged = viewKeys.some((key) => address[key] !== undefined);
  const view = useMemo(
    () => applyAddress(chart ?? (ready ? readyViews[ready] : firstView), address),
    [chart, ready, address],
  );
  const query = questionOf(view, zone);
  const read = useCall(
    'GET /statistics',
    { query },
    { keepPrevious: true, enabled: stored.data !== undefined && !isCodes },
  );
  const title = isCodes
    ? t('overview.lane.1')
    : (chart?.tabName ?? t(ready ? `statistics.ready.${ready}` : 'statistics.overview'));
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
              <PartBoundary>
                <ChartMenu chart={chart} charts={charts} onEdit={() => setForm('edit')} onChoose={choose} />
              </PartBoundary>
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
            ...readyTabs.map((key) => ({ key, label: t(`statistics.ready.${key}`) })),
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
                  <Figures
                    title={title}
                    view={view}
                    statistics={read.data}
                    onChange={change}
                    // A step that Back undoes.
                    onPeriod={(from, to) => setAddress({ preset: undefined, from, to })}
                  />
                ) : (
                  <Panel>
                    <div className="statistics-picture">
                      <ChartSkeleton />
                    </div>
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
