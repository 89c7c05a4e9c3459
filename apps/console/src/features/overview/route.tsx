import { useText } from '../../lib/i18n/use-text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Delayed, Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { AlertsPanel } from './alerts-panel.tsx';
import { BindsPanel } from './binds-panel.tsx';
import { BusiestPanel } from './busiest-panel.tsx';
import { OverviewFrame } from './overview-frame.tsx';
import { QueuesPanel } from './queues-panel.tsx';
import { RestorePanel, useRestore } from './restore-panel.tsx';
import { TrafficPanel } from './traffic-panel.tsx';
import './traffic.css';
import { useTraffic } from './use-traffic.ts';

/** The staff's first screen: problems to fix, the system's current traffic, and the figures over all customers. */
export default function OverviewScreen() {
  const t = useText();
  const { data: traffic, error, refetch } = useTraffic();
  const restore = useRestore();
  return (
    <OverviewFrame
      title={t('shell.title.overview')}
      lead={
        traffic ? (
          <>
            {restore !== null && <RestorePanel restore={restore} />}
            {(restore === null || traffic.alerts.length > 0) && (
              <AlertsPanel alerts={traffic.alerts} time={traffic.time} isStale={error !== null} />
            )}
            <TrafficPanel traffic={traffic} />
            <div className="overview-staff">
              <QueuesPanel queues={traffic.queues} />
              <BindsPanel binds={traffic.binds} />
            </div>
          </>
        ) : error ? (
          <Panel>
            <FailedState error={error} onRetry={() => void refetch()} reassurance={t('overview.failed.kept')} />
          </Panel>
        ) : (
          <Delayed>
            <Panel>
              <div className="overview-skeleton-chart" role="status" aria-label={t('ui.loading')}>
                <Skeleton width="30%" height={16} />
                <Skeleton height={180} />
              </div>
            </Panel>
          </Delayed>
        )
      }
      after={(overview) => overview.staff && <BusiestPanel staff={overview.staff} traffic={traffic} />}
    />
  );
}
