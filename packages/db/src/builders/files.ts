import { uuidV7 } from '../ids.ts';
import { type Db, run, sql } from '../sql.ts';

/** One valid row of a file: values of every column except the MSISDN are stored by column index. */
export interface BlockRow {
  line: number;
  msisdn: string;
  values: string[];
}

/** Packs up to 1,000 rows as the parser does. */
export type EncodeBlock = (rows: BlockRow[]) => Uint8Array;

export interface FileSpec {
  customerId: string;
  fileName?: string;
  createdBy?: string;
  createdAt?: Date;
  /** Names of the columns; the first is the phone's. */
  columns: string[];
  rows: { msisdn: string; values: string[] }[];
  rejects?: [line: number, raw: string, reason: string][];
  duplicateCount?: number;
  encodeBlock: EncodeBlock;
}

/** A file that was read to its end. `values` of a row go with `columns` after the first. */
export const buildFile = async (db: Db, spec: FileSpec): Promise<string> => {
  const fileId = uuidV7();
  const rejects = spec.rejects ?? [];
  const duplicates = spec.duplicateCount ?? 0;
  const sample = spec.rows.slice(0, 20).map((row) => [row.msisdn, ...row.values]);
  const columns = spec.columns.map((name, index) => ({ index, name, first: sample[0]?.[index] ?? '' }));
  const bytes = spec.rows.reduce((sum, row) => sum + row.msisdn.length + row.values.join(',').length + 2, 0);
  await run(
    db,
    sql`insert into file (file_id, customer_id, file_name, size, file_status, progress, total_rows, valid_count, duplicate_count,
                          rejected_count, columns, sample, reading, generation, created_by, created_at)
        values (${fileId}, ${spec.customerId}, ${spec.fileName ?? 'phones.csv'}, ${bytes}, 'success', 100,
                ${spec.rows.length + rejects.length + duplicates}, ${spec.rows.length}, ${duplicates}, ${rejects.length},
                ${JSON.stringify(columns)}, ${JSON.stringify(sample)}, ${JSON.stringify({ hasHeader: true, phoneColumn: 0 })}, 1,
                ${spec.createdBy ?? null}, ${spec.createdAt ?? new Date()})`,
  );
  for (let seq = 0; seq * 1000 < spec.rows.length; seq++) {
    const rows = spec.rows
      .slice(seq * 1000, seq * 1000 + 1000)
      .map((row, index) => ({ line: seq * 1000 + index + 2, msisdn: row.msisdn, values: ['', ...row.values] }));
    await run(
      db,
      sql`insert into file_block (file_id, generation, seq, customer_id, row_count, bytes)
          values (${fileId}, 1, ${seq}, ${spec.customerId}, ${rows.length}, ${Buffer.from(spec.encodeBlock(rows))})`,
    );
  }
  if (rejects.length > 0)
    await run(
      db,
      sql`insert into file_reject (file_id, generation, seq, customer_id, rows)
          values (${fileId}, 1, 0, ${spec.customerId}, ${JSON.stringify(rejects)})`,
    );
  return fileId;
};
