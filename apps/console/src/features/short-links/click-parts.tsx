import { clickDimensions, type LinkStatistics } from '@pahatid/contract';
import { Download } from 'lucide-react';
import { exportCsv } from '../../lib/api/export-csv.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bar } from '../../ui/data/pictures.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Panel } from '../../ui/page/page.tsx';
import type { ClickQuestion, LinkPart } from './click-question.ts';

interface ClickPartsProps {
  statistics: LinkStatistics | undefined;
  query: ClickQuestion;
  by: string | undefined;
  onBy: (by: LinkPart) => void;
}

/** Clicks by dimension, the largest first, as a table whose bars only illustrate the numbers. */
export function ClickParts({ statistics, query, by, onBy }: ClickPartsProps) {
  const t = useText();
  const dimension = clickDimensions.find((each) => each === by) ?? 'carrier';
  return (
    <Panel
      title={t('shortLinks.parts')}
      aside={
        <div className="row">
          <select
            className="input short-links-by"
            aria-label={t('shortLinks.parts.by')}
            value={dimension}
            onChange={(event) => onBy(event.target.value as LinkPart)}
          >
            {clickDimensions.map((key) => (
              <option key={key} value={key}>
                {t(`shortLinks.by.${key}`)}
              </option>
            ))}
          </select>
          <SaveParts query={query} dimension={dimension} />
        </div>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="short-links-parts" tabIndex={0} aria-label={t('shortLinks.parts.table')}>
        {statistics === undefined ? (
          <Skeleton width="100%" height={200} />
        ) : (
          <PartsTable statistics={statistics} dimension={dimension} />
        )}
      </section>
    </Panel>
  );
}

function PartsTable({ statistics, dimension }: { statistics: LinkStatistics; dimension: LinkPart }) {
  const t = useText();
  const formats = useFormats();
  const rows = statistics.parts[dimension] ?? [];
  const nameOf = usePartName(statistics, dimension);
  const most = Math.max(1, ...rows.map((row) => row.humanCount));
  if (rows.length === 0) return <p className="ink-3 short-links-no-parts">{t('shortLinks.none.title')}</p>;
  return (
    <table className="plain-table short-links-table">
      <caption className="visually-hidden">{t(`shortLinks.by.${dimension}`)}</caption>
      <thead>
        <tr>
          <th scope="col">{t(`shortLinks.by.${dimension}`)}</th>
          <th scope="col" className="align-end">
            {t('shortLinks.humanCount.short')}
          </th>
          <th scope="col" className="align-end">
            {t('shortLinks.recipientCount.short')}
          </th>
          <th scope="col" className="align-end">
            {t('shortLinks.robotCount.short')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">
              <span className="short-links-part">
                <bdi className="clip">{nameOf(row.key)}</bdi>
                <Bar parts={[{ kind: 'done', share: row.humanCount / most }]} />
              </span>
            </th>
            {[row.humanCount, row.recipientCount, row.robotCount].map((value, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: three columns that never move
              <td key={index} className="align-end">
                <bdi dir="ltr">{formats.number(value)}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function usePartName(statistics: LinkStatistics, dimension: LinkPart): (key: string) => string {
  const t = useText();
  return (key) => {
    if (key === '') return t(dimension === 'taskId' ? 'shortLinks.part.noTask' : 'shortLinks.part.unknown');
    if (dimension === 'linkId' || dimension === 'taskId')
      return statistics.names[key] ?? t('shortLinks.part.gone', { id: key.slice(0, 8) });
    if (dimension === 'hour') return `${key.padStart(2, '0')}:00–${key.padStart(2, '0')}:59`;
    if (dimension === 'areaCode') return t.maybe(`shortLinks.area.${key}`) ?? key;
    if (dimension === 'device') return t.maybe(`shortLinks.device.${key}`) ?? key;
    return key === 'other' ? t('shortLinks.part.other') : key;
  };
}

/** Saves the rows of one dimension. */
function SaveParts({ query, dimension }: { query: ClickQuestion; dimension: LinkPart }) {
  const t = useText();
  const save = () =>
    exportCsv('GET /short-links/statistics', { query: { ...query, dimension } }, 'short-link-statistics.csv').catch(
      toastError,
    );
  return (
    <Button
      variant="quiet"
      size="small"
      icon={Download}
      aria-label={t('shortLinks.export')}
      title={t('shortLinks.export')}
      onClick={() => void save()}
    />
  );
}
