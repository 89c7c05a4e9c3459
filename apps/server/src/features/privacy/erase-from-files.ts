/**
 * Erases one number from a customer's uploads. Its row stays in place, emptied, because a task counts the rows of its
 * file; later reads count it like an opted-out one. The original bytes are deleted with it, since one number cannot be
 * removed from a workbook: such a file is not read again.
 */
import { withTransaction } from '@pahatid/db';
import { readBlocks } from '@pahatid/db/queries/files';
import {
  eraseFromFile,
  type FilePiece,
  listFileRejects,
  listTaskRejects,
  lockReadFile,
  readFileFace,
  setFileBlock,
  setFileReject,
  setTaskReject,
} from '@pahatid/db/queries/numbers';
import { mentionsNumber } from '@pahatid/domain';
import type { Pool, PoolClient } from 'pg';
import { type BlockRow, decodeBlock, encodeBlock } from '../../files/blocks.ts';
import { findFileMentions, type Read, rowMentions } from './file-mentions.ts';

const blocksAtOnce = 20;

/** Returns how many files it was erased from. */
export async function eraseFromFiles(pool: Pool, customerId: string, msisdn: string): Promise<number> {
  let count = 0;
  const read: Read = (work) => withTransaction(pool, work);
  for await (const { fileId } of findFileMentions(read, customerId, msisdn))
    count += (await withTransaction(pool, (tx) => eraseFrom(tx, fileId, msisdn))) ? 1 : 0;
  return count;
}

/** Returns false if another pass was faster. */
async function eraseFrom(tx: PoolClient, fileId: string, msisdn: string): Promise<boolean> {
  if (!(await lockReadFile(tx, fileId))) return false;
  const { rows } = await tx.query<{ generation: number }>('select generation from file where file_id = $1', [fileId]);
  const generation = rows[0]?.generation ?? 0;
  let changed = 0;
  for (let from = 0; ; from += blocksAtOnce) {
    const blocks = await readBlocks(tx, { fileId, generation }, from, blocksAtOnce);
    for (const { seq, bytes } of blocks) {
      const before = decodeBlock(bytes);
      if (!before.some((row) => rowMentions(row, msisdn))) continue;
      const after = encodeBlock(before.map((row) => emptied(row, msisdn)));
      await setFileBlock(tx, { fileId, generation, seq, bytes: after });
      changed += 1;
    }
    if (blocks.length < blocksAtOnce) break;
  }
  for (const piece of await listFileRejects(tx, fileId)) {
    if (!holds(piece, msisdn)) continue;
    await setFileReject(tx, { ...piece, fileId, rows: emptiedRows(piece, msisdn) });
    changed += 1;
  }
  if (changed === 0) return false;
  for (const piece of await listTaskRejects(tx, fileId))
    if (holds(piece, msisdn))
      await setTaskReject(tx, { ...piece, taskId: piece.taskId, rows: emptiedRows(piece, msisdn) });
  const { columns, sample } = await readFileFace(tx, fileId);
  await eraseFromFile(tx, fileId, {
    columns: columns.map((column) => ({
      ...column,
      name: hidden(column.name, msisdn),
      first: hidden(column.first, msisdn),
    })),
    // The other cells of the row are erased with the number.
    sample: sample.map((cells) => (cells.some((cell) => mentionsNumber(cell, msisdn)) ? cells.map(() => '') : cells)),
  });
  return true;
}

const hidden = (text: string, msisdn: string): string => (mentionsNumber(text, msisdn) ? '' : text);

const emptied = (row: BlockRow, msisdn: string): BlockRow =>
  row.msisdn === msisdn
    ? { line: row.line, msisdn: '', values: row.values.map(() => '') }
    : { ...row, values: row.values.map((value) => (value === null ? null : hidden(value, msisdn))) };

const holds = (piece: FilePiece, msisdn: string): boolean => piece.rows.some(([, raw]) => mentionsNumber(raw, msisdn));

const emptiedRows = (piece: FilePiece, msisdn: string): FilePiece['rows'] =>
  piece.rows.map(([line, raw, reason]) => [line, hidden(raw, msisdn), reason]);
