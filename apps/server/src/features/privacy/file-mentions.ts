/** One number in the rows of uploads, which lie compressed: found by reading them, block by block. */
import { readBlocks } from '@pahatid/db/queries/files';
import { listFileRejects, listReadFiles } from '@pahatid/db/queries/numbers';
import { mentionsNumber } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { type BlockRow, decodeBlock } from '../../files/blocks.ts';

const blocksAtOnce = 20;

/** Provides a transaction that sees one customer's rows; none of them stays open while blocks are read. */
export type Read = <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>;

export interface FileMention {
  readonly fileId: string;
  readonly fileName: string;
  readonly createdAt: Date;
  readonly rows: { line: number; values: string[] }[];
}

export const rowMentions = (row: BlockRow, msisdn: string): boolean =>
  row.msisdn === msisdn || row.values.some((value) => value !== null && mentionsNumber(value, msisdn));

/** Uploads of a customer that hold the number in a row, a refused one included. */
export async function* findFileMentions(read: Read, customerId: string, msisdn: string): AsyncGenerator<FileMention> {
  for (const file of await read((tx) => listReadFiles(tx, customerId))) {
    const rows: FileMention['rows'] = [];
    for (let from = 0; ; from += blocksAtOnce) {
      const of = { fileId: file.fileId, generation: file.generation };
      const blocks = await read((tx) => readBlocks(tx, of, from, blocksAtOnce));
      for (const { bytes } of blocks)
        for (const row of decodeBlock(bytes))
          if (rowMentions(row, msisdn)) rows.push({ line: row.line, values: row.values.map((value) => value ?? '') });
      if (blocks.length < blocksAtOnce) break;
    }
    for (const piece of await read((tx) => listFileRejects(tx, file.fileId)))
      for (const [line, raw] of piece.rows) if (mentionsNumber(raw, msisdn)) rows.push({ line, values: [raw] });
    if (rows.length > 0) yield { fileId: file.fileId, fileName: file.fileName, createdAt: file.createdAt, rows };
  }
}
