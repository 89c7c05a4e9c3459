import type { File } from '@pahatid/contract';
import { countSegments, isGsmText, listUnicodeCharacters, renderTemplate } from '@pahatid/domain';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { CostReceipt, fillPreview, PhonePreview, SegmentMeter } from '../../ui/data/pictures.tsx';
import { Bdi, Count, Dash, Money } from '../../ui/data/text.tsx';
import { valuesOfRow } from './estimate.ts';
import type { Estimate } from './use-estimate.ts';

interface TaskPreviewProps {
  content: string | null;
  senderId: string | null;
  file: File | undefined;
  mapping: readonly (number | null)[];
  estimate: Estimate;
  /** Sends a test of what is shown: the values of the row in view. */
  test: (values: readonly string[]) => ReactNode;
}

/** The message as its readers see it, with the file's own rows, and what it will cost. */
export function TaskPreview({ content, senderId, file, mapping, estimate, test }: TaskPreviewProps) {
  const t = useText();
  const formats = useFormats();
  const [chosen, setRow] = useState(0);
  const sample = file?.fileStatus === 'success' ? file.sample : [];
  const row = Math.min(chosen, Math.max(0, sample.length - 1));
  const values = valuesOfRow(sample[row], mapping);

  return (
    <div className="tasks-preview">
      <div className="row">
        <h2 className="grow small strong">{t('tasks.preview')}</h2>
        {sample.length > 0 && file && (
          <>
            <span className="tiny ink-3">
              {t.rich('tasks.preview.row', {
                row: <Bdi>{formats.number(row + 1)}</Bdi>,
                total: <Bdi>{formats.number(file.totalRows)}</Bdi>,
              })}
            </span>
            <Button
              variant="quiet"
              size="small"
              icon={ChevronLeft}
              mirrorIcon
              disabled={row === 0}
              aria-label={t('tasks.preview.previous')}
              onClick={() => setRow(row - 1)}
            />
            <Button
              variant="quiet"
              size="small"
              icon={ChevronRight}
              mirrorIcon
              disabled={row >= sample.length - 1}
              aria-label={t('tasks.preview.next')}
              onClick={() => setRow(row + 1)}
            />
          </>
        )}
      </div>
      <div className="tasks-preview-phone">
        <PhonePreview
          sender={senderId ?? t('tasks.senderId')}
          parts={content === null ? [] : fillPreview(content, values)}
        />
        {content === null ? (
          <p className="tiny ink-3">{t('tasks.preview.empty')}</p>
        ) : (
          <Meter content={content} values={values} />
        )}
      </div>
      <CostEstimate estimate={estimate} />
      {test(values)}
    </div>
  );
}

function Meter({ content, values }: { content: string; values: readonly string[] }) {
  const text = renderTemplate(
    content,
    values.map((value) => value || undefined),
  );
  const { encoding, units, segments, perSegment } = countSegments(text);
  const isUnicode = encoding === 'UCS-2';
  // Only what this row brought in is worth naming: the template's own characters were settled when it was written.
  const forced = isUnicode && isGsmText(content) ? listUnicodeCharacters(text) : [];
  return (
    <SegmentMeter
      encoding={isUnicode ? 'ucs2' : 'gsm'}
      used={units}
      segments={segments}
      perSegment={perSegment}
      forcedBy={[...new Set(forced.map(({ character }) => character))]}
    />
  );
}

/** What sending will cost, as far as it can be told before the check. */
function CostEstimate({ estimate }: { estimate: Estimate }) {
  const t = useText();
  const formats = useFormats();
  const { customer } = useSession();
  const { recipients, segments, price, cost } = estimate;
  const available = customer ? customer.balance - customer.reserved : 0;
  const about = (value: string, exact: boolean): ReactNode => (exact ? value : t('tasks.estimate.about', { value }));
  return (
    <CostReceipt
      lines={[
        { key: 'recipients', label: t('tasks.recipients'), value: <Count value={recipients} /> },
        {
          key: 'segments',
          label: t('tasks.segments'),
          value: segments ? <Bdi>{about(formats.number(segments.segments), segments.exact)}</Bdi> : <Dash />,
        },
        { key: 'price', label: t('tasks.price'), value: <Money value={price} /> },
      ]}
      totalLabel={t('tasks.estimatedCost')}
      total={<Money value={cost} />}
      note={
        cost === null ? (
          t('tasks.cost.afterCheck')
        ) : (
          <>
            <span className="row">
              <span className="grow">{t('tasks.balanceAfter')}</span>
              <span className={available < cost ? 'is-danger' : undefined}>
                <Money value={available - cost} />
              </span>
            </span>
            {t('tasks.estimate.basis')}
          </>
        )
      }
    />
  );
}
