/** Valid rows of a file by their place, out of the few blocks that hold them. */
import type { CallResult } from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import { listBlocks, readSomeBlocks } from '@pahatid/db/queries/task-figures';
import { decodeBlock } from '../../files/blocks.ts';

export async function readRows(
  db: Db,
  file: { fileId: string; generation: number },
  from: number,
  limit: number,
): Promise<CallResult<'GET /files/:fileId/rows'>> {
  const blocks = await listBlocks(db, file);
  let total = 0;
  let firstRow = 0;
  const seqs: number[] = [];
  for (const { seq, rowCount } of blocks) {
    if (total < from + limit && total + rowCount > from) {
      if (seqs.length === 0) firstRow = total;
      seqs.push(seq);
    }
    total += rowCount;
  }
  const pieces = seqs.length === 0 ? [] : await readSomeBlocks(db, file, seqs);
  const rows = pieces.flatMap(({ bytes }) => decodeBlock(bytes));
  const items = rows
    .slice(from - firstRow, from - firstRow + limit)
    .map(({ line, values }) => ({ line, values: values.map((value) => value ?? '') }));
  return { items, total };
}
