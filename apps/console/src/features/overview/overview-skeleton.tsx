import { useText } from '../../lib/i18n/use-text.tsx';
import { ChartSkeleton } from '../../ui/charts/chart-skeleton.tsx';
import { Delayed, Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Panel } from '../../ui/page/page.tsx';

const figures = ['messages', 'segments', 'accepted', 'delivered', 'spend'];
const rows = ['first', 'second', 'third'];

/** The shape of the first screen while its numbers come. */
export function OverviewSkeleton() {
  const t = useText();
  return (
    <Delayed>
      <div className="overview-figures" role="status" aria-label={t('ui.loading')}>
        <div className="kpi-strip">
          {figures.map((key) => (
            <div className="kpi overview-skeleton-kpi" key={key}>
              <Skeleton width="50%" />
              <Skeleton width="75%" height={26} />
              <Skeleton width="60%" height={10} />
            </div>
          ))}
        </div>
        <div className="overview-columns">
          <Panel>
            <div className="overview-skeleton-chart">
              <Skeleton width="30%" height={16} />
              <div className="overview-trend">
                <ChartSkeleton />
              </div>
            </div>
          </Panel>
          <Panel>
            <div className="overview-skeleton-chart">
              <Skeleton width="50%" height={16} />
              {rows.map((key) => (
                <Skeleton key={key} height={36} />
              ))}
            </div>
          </Panel>
        </div>
      </div>
    </Delayed>
  );
}
