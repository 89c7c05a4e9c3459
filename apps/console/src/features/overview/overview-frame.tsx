import type { Overview } from '@pahatid/contract';
import { type ReactNode, useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Segmented } from '../../ui/filters/segmented.tsx';
import { Page, PageHeader, Panel } from '../../ui/page/page.tsx';
import { FigureStrip } from './figure-strip.tsx';
import './overview.css';
import { overviewRanges, readRange } from './overview-range.ts';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { RunningTasks } from './running-tasks.tsx';
import { TrendPanel } from './trend-panel.tsx';
import { useOverview } from './use-overview.ts';
import { WaitingPanel } from './waiting-panel.tsx';

interface OverviewFrameProps {
  title: string;
  action?: ReactNode;
  /** Below the header, whether the figures are there or not. */
  lead?: ReactNode;
  /** Between the header and the figures. */
  before?: (overview: Overview) => ReactNode;
  /** Above the waiting items, next to the chart. */
  aside?: (overview: Overview) => ReactNode;
  /** Below the running tasks. */
  after?: (overview: Overview) => ReactNode;
}

/** What both first screens share: the range, the figures, their course, what waits and what runs. */
export function OverviewFrame({ title, action, lead, before, aside, after }: OverviewFrameProps) {
  const t = useText();
  const formats = useFormats();
  const [view, setView] = useSearchParams(['range']);
  const range = readRange(view.range);
  const overview = useOverview(range);
  const { data, error } = overview;
  const [shown, setShown] = useState(range);
  // While the next range loads, the numbers are still those of the one before, so the labels must be too.
  if (!overview.isPlaceholderData && shown !== range) setShown(range);

  return (
    <Page>
      <PageHeader
        title={title}
        fact={t('overview.fact', {
          date: formats.date(Date.now(), 'day'),
          zone: formats.zoneName,
          offset: formats.zoneOffset(),
        })}
        actions={
          <>
            <Segmented
              label={t('overview.range')}
              options={overviewRanges.map((value) => ({ value, label: t(`overview.range.${value}`) }))}
              value={range}
              onChange={(next) => setView({ range: next === 'today' ? undefined : next }, { replace: true })}
            />
            {action}
          </>
        }
      />
      {lead}
      {data ? (
        <>
          {before?.(data)}
          <div className="overview-figures" aria-busy={overview.isPlaceholderData}>
            <FigureStrip overview={data} range={shown} />
            <div className="overview-columns">
              <TrendPanel overview={data} range={shown} />
              <div className="overview-side">
                {aside?.(data)}
                <WaitingPanel waiting={data.waiting} />
              </div>
            </div>
          </div>
          <RunningTasks tasks={data.running} />
          {after?.(data)}
        </>
      ) : error ? (
        <Panel>
          <FailedState error={error} onRetry={() => void overview.refetch()} reassurance={t('overview.failed.kept')} />
        </Panel>
      ) : (
        <OverviewSkeleton />
      )}
    </Page>
  );
}
