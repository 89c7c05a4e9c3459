import type { File } from '@pahatid/contract';
import type { FileRow } from '@pahatid/db/queries/files';
import type { Caller } from '../../http/call.ts';
import { textFor } from '../../http/phones.ts';

/** Converts a stored file into the contract's type, with its phones as this user may see them. */
export function presentFile(row: FileRow, user: Caller): File {
  // Any cell may hold a number, whichever column was found to be the phone's.
  const shown = (text: string): string => textFor(user, text);
  return {
    fileId: row.fileId,
    fileName: row.fileName,
    size: row.size,
    fileStatus: row.fileStatus === 'uploading' ? 'processing' : row.fileStatus,
    error: row.errorCode === null ? null : { code: row.errorCode, params: row.errorParams ?? {} },
    progress: Math.round(row.progress * 10) / 10,
    totalRows: row.totalRows,
    ...presentReadingProgress(row),
    validCount: row.validCount,
    duplicateCount: row.duplicateCount,
    rejectedCount: row.rejectedCount,
    optedOutCount: row.optedOutCount,
    columns: row.columns.map(({ index, name, first }) => ({ index, name: shown(name), first: shown(first) })),
    sample: row.sample.map((cells) => cells.map(shown)),
    sheetNames: row.sheetNames,
    reading: presentReading(row.reading),
    createTime: row.createdAt.toISOString(),
  };
}

/** Below this share of the bytes an estimate would be a guess. */
const leastPercent = 1;

function presentReadingProgress(row: FileRow): Pick<File, 'estimatedRows' | 'remainingSeconds' | 'isWaiting'> {
  const { progress, totalRows: rows, parseSeconds: seconds } = row;
  if (row.fileStatus !== 'processing') return { estimatedRows: null, remainingSeconds: null, isWaiting: false };
  if (seconds === null || progress < leastPercent || rows === 0)
    return { estimatedRows: null, remainingSeconds: null, isWaiting: seconds === null };
  return {
    estimatedRows: Math.round((rows * 100) / progress),
    remainingSeconds: Math.max(0, Math.ceil((seconds * (100 - progress)) / progress)),
    isWaiting: false,
  };
}

/** The columns, once they are known. */
function presentReading(reading: FileRow['reading']): File['reading'] {
  const { hasHeader, phoneColumn, sheetName } = reading ?? {};
  if (hasHeader === undefined || phoneColumn === undefined) return null;
  return { hasHeader, phoneColumn, ...(sheetName !== undefined && { sheetName }) };
}
