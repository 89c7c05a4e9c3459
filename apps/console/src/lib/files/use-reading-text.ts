import type { File as StoredFile, TaskDetail } from '@pahatid/contract';
import { useFormats } from '../format/formats.ts';
import { useText } from '../i18n/use-text.tsx';

interface ReadingProgress {
  rowsRead: number;
  /** Null while unknown. */
  totalRows: number | null;
  remainingSeconds: number | null;
  isWaiting: boolean;
}

/** How far a file or a check is: rows read, of how many, and how long it takes yet. */
export function useReadingText(): (progress: ReadingProgress) => string {
  const t = useText();
  const { number } = useFormats();
  return ({ rowsRead, totalRows, remainingSeconds, isWaiting }) => {
    if (isWaiting) return t('ui.reading.waiting');
    if (totalRows === null) return rowsRead === 0 ? t('ui.reading.begun') : t('ui.reading.rows', { count: rowsRead });
    const read = t('ui.reading.rowsOf', { read: number(rowsRead), total: number(totalRows) });
    if (remainingSeconds === null) return read;
    const left =
      remainingSeconds < 90
        ? t('ui.reading.seconds', { count: remainingSeconds })
        : t('ui.reading.minutes', { count: Math.ceil(remainingSeconds / 60) });
    return `${read} · ${left}`;
  };
}

export const progressOfFile = (file: StoredFile): ReadingProgress => ({
  rowsRead: file.totalRows,
  totalRows: file.estimatedRows,
  remainingSeconds: file.remainingSeconds,
  isWaiting: file.isWaiting,
});

export const progressOfCheck = (check: NonNullable<TaskDetail['check']>): ReadingProgress => check;
