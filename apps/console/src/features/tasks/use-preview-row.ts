import type { File } from '@pahatid/contract';
import { useCall } from '../../lib/api/use-call.ts';

/** Rows fetched at a time: paging through them seldom waits. */
const chunk = 20;

export interface PreviewRow {
  /** Cells by column; undefined while loading. */
  values: readonly string[] | undefined;
  /** Valid rows of the file. */
  total: number;
}

/** One of the valid rows of a file, by its place counted from 0. */
export function usePreviewRow(file: File | undefined, row: number): PreviewRow {
  const read = file?.fileStatus === 'success' ? file : undefined;
  const from = Math.floor(row / chunk) * chunk;
  const { data } = useCall(
    'GET /files/:fileId/rows',
    { params: { fileId: read?.fileId ?? '' }, query: { from: String(from), limit: String(chunk) } },
    // A file that is read again gets other rows under the same id.
    { enabled: read !== undefined && read.validCount > 0, staleTime: 30_000 },
  );
  const total = read?.validCount ?? 0;
  if (data && read) return { values: data.items[row - from]?.values, total };
  // The first rows came with the file itself; with a refused one among them the numbering would differ.
  return { values: read?.rejectedCount === 0 ? read.sample[row] : undefined, total };
}
