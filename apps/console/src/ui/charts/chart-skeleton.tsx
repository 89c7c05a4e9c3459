import { useText } from '../../lib/i18n/use-text.tsx';
import { Delayed } from '../feedback/skeleton.tsx';
import './charts.css';

/** Share of the height that each bar has. */
const bars = [34, 52, 40, 68, 58, 82, 62, 74, 48, 90, 70, 56];

/** The shape of a chart while its numbers are loading, as high as what it is put in. */
export function ChartSkeleton() {
  const t = useText();
  return (
    <Delayed>
      <div className="chart-skeleton" role="status" aria-label={t('ui.loading')}>
        {bars.map((height) => (
          <span className="skeleton" key={height} style={{ height: `${height}%` }} aria-hidden="true" />
        ))}
      </div>
    </Delayed>
  );
}
