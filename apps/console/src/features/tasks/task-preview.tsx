import type { File } from '@pahatid/contract';
import { countSegments, isGsmText, listUnicodeCharacters, renderTemplate } from '@pahatid/domain';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { fillPreview, PhonePreview, SegmentMeter } from '../../ui/data/pictures.tsx';
import { Bdi } from '../../ui/data/text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { NumberInput } from '../../ui/form/inputs.tsx';
import { valuesOfRow } from './estimate.ts';
import { EstimateReceipt } from './estimate-receipt.tsx';
import type { Estimate } from './use-estimate.ts';
import { usePreviewRow } from './use-preview-row.ts';

interface TaskPreviewProps {
  content: string | null;
  senderId: string | null;
  file: File | undefined;
  mapping: readonly (number | null)[];
  /** Values of a member of the groups, shown if there is no file. */
  sample: readonly string[] | undefined;
  estimate: Estimate;
  /** Sends a test of the preview: the values of the row in view. */
  test: (values: readonly string[]) => ReactNode;
}

/** The message as recipients see it, with the file's own rows, and its cost. */
export function TaskPreview({ content, senderId, file, mapping, sample, estimate, test }: TaskPreviewProps) {
  const t = useText();
  const [chosen, setRow] = useState(0);
  const row = Math.max(0, Math.min(chosen, (file?.validCount ?? 1) - 1));
  const { values: cells, total } = usePreviewRow(file, row);
  const values = file === undefined && sample !== undefined ? sample : valuesOfRow(cells, mapping);

  return (
    <div className="tasks-preview">
      <div className="tasks-preview-head">
        <h2 className="grow small strong">{t('tasks.preview')}</h2>
        {total > 0 && (
          <RowPager row={row} total={total} longest={estimate.figures?.longestRow ?? null} onRow={setRow} />
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
      <EstimateReceipt estimate={estimate} />
      {test(values)}
    </div>
  );
}

interface RowPagerProps {
  row: number;
  total: number;
  /** Of the longest message; null if unknown. */
  longest: number | null;
  onRow: (row: number) => void;
}

/** Back and forth through the rows of the file, to any of them, and to the one with the longest text. */
function RowPager({ row, total, longest, onRow }: RowPagerProps) {
  const t = useText();
  const formats = useFormats();
  // Current input; applied if it is a row of the file.
  const [typed, setTyped] = useState<number | null | undefined>();
  const go = (next: number | null) => {
    setTyped(next);
    if (next !== null && next >= 1 && next <= total) onRow(next - 1);
  };
  return (
    <div className="tasks-pager">
      <Button
        variant="quiet"
        size="small"
        icon={ChevronLeft}
        mirrorIcon
        disabled={row === 0}
        aria-label={t('tasks.preview.previous')}
        onClick={() => onRow(row - 1)}
      />
      <Field label={t('taskFigures.row')} className="tasks-bare">
        <NumberInput
          className="tasks-row-number"
          min={1}
          max={total}
          value={typed === undefined ? row + 1 : typed}
          onChange={go}
          onBlur={() => setTyped(undefined)}
        />
      </Field>
      <span className="tiny ink-3">
        {t.rich('taskFigures.ofRows', { total: <Bdi key="total">{formats.number(total)}</Bdi> })}
      </span>
      <Button
        variant="quiet"
        size="small"
        icon={ChevronRight}
        mirrorIcon
        disabled={row >= total - 1}
        aria-label={t('tasks.preview.next')}
        onClick={() => onRow(row + 1)}
      />
      {longest !== null && longest !== row && (
        <Button variant="link" size="small" onClick={() => onRow(longest)}>
          {t('taskFigures.longest')}
        </Button>
      )}
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
