import type { File } from '@pahatid/contract';
import type { FileRow } from '@pahatid/db/queries/files';
import type { SignedInUser } from '../../http/call.ts';
import { textFor } from '../../http/phones.ts';

/** Converts a stored file into the contract's type, with its phones as this user may see them. */
export function presentFile(row: FileRow, user: SignedInUser): File {
  // Any cell may hold a number, whichever column was found to be the phone's.
  const shown = (text: string): string => textFor(user, text);
  return {
    fileId: row.file_id,
    fileName: row.file_name,
    size: row.size,
    fileStatus: row.file_status === 'uploading' ? 'processing' : row.file_status,
    error: row.error_code === null ? null : { code: row.error_code, params: row.error_params ?? {} },
    progress: Math.round(row.progress * 10) / 10,
    totalRows: row.total_rows,
    ...presentReadingProgress(row),
    validCount: row.valid_count,
    duplicateCount: row.duplicate_count,
    rejectedCount: row.rejected_count,
    optedOutCount: row.opted_out_count,
    columns: row.columns.map(({ index, name, first }) => ({ index, name: shown(name), first: shown(first) })),
    sample: row.sample.map((cells) => cells.map(shown)),
    sheetNames: row.sheet_names,
    reading: presentReading(row.reading),
    createTime: row.created_at.toISOString(),
  };
}

/** Below this share of the bytes an estimate would be a guess. */
const leastPercent = 1;

function presentReadingProgress(row: FileRow): Pick<File, 'estimatedRows' | 'remainingSeconds' | 'isWaiting'> {
  const { progress, total_rows: rows, parse_seconds: seconds } = row;
  if (row.file_status !== 'processing') return { estimatedRows: null, remainingSeconds: null, isWaiting: false };
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
