import type { Statistics } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ChartSkeleton } from '../../ui/charts/chart-skeleton.tsx';
import { ChartPicture } from './chart-picture.tsx';
import { Refused } from './refused.tsx';
import { useDivision } from './use-division.ts';
import { type ChartView, questionOf, type ViewAddress } from './view.ts';

interface ChartPreviewProps {
  title: string;
  view: ChartView;
  onChange: (patch: ViewAddress) => void;
}

/** The chart as it will be, while it is being chosen. */
export function ChartPreview({ title, view, onChange }: ChartPreviewProps) {
  const t = useText();
  const { zone } = useFormats();
  const read = useCall('GET /statistics', { query: questionOf(view, zone) }, { keepPrevious: true });
  const retry = () => void read.refetch();
  return (
    <section className="statistics-preview" aria-label={t('statistics.preview')} aria-busy={read.isPlaceholderData}>
      <p className="row">
        <strong className="grow clip">
          <bdi>{title}</bdi>
        </strong>
        <span className="small ink-3">{t('statistics.preview')}</span>
      </p>
      {read.error ? (
        <Refused error={read.error} view={view} onRetry={retry} onChange={onChange} />
      ) : read.data ? (
        <Drawn title={title} view={view} statistics={read.data} />
      ) : (
        <div className="statistics-picture">
          <ChartSkeleton />
        </div>
      )}
    </section>
  );
}

function Drawn({ title, view, statistics }: { title: string; view: ChartView; statistics: Statistics }) {
  const division = useDivision(statistics, view);
  return <ChartPicture title={title} view={view} division={division} />;
}
