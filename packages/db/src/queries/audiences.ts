/**
 * Frozen audiences of tasks to groups: stored like the rows of a file with one generation, and found through their
 * task.
 */
import { uuidV7 } from '../ids.ts';
import { type Db, run, sql } from '../sql.ts';

/** Returns its ID. The number precedes the values, which follow the order of the template's variables. */
export const insertAudience = async (
  db: Db,
  audience: { customerId: string; fileName: string; variableCount: number },
): Promise<string> => {
  const fileId = uuidV7();
  const names = Array.from({ length: audience.variableCount }, (_, index) => `{${index + 1}}`);
  const columns = ['', ...names].map((name, index) => ({ index, name, first: '' }));
  const reading = { hasHeader: false, phoneColumn: 0 };
  await run(
    db,
    sql`insert into file (file_id, customer_id, file_name, file_status, progress, columns, reading, generation, is_audience)
        values (${fileId}, ${audience.customerId}, ${audience.fileName}, 'success', 100, ${JSON.stringify(columns)},
                ${JSON.stringify(reading)}, 1, true)`,
  );
  return fileId;
};

/** Updates the row count with it, so the count is always correct. */
export const insertAudienceBlock = async (
  tx: Db,
  block: { fileId: string; customerId: string; seq: number; rowCount: number; bytes: Uint8Array },
): Promise<void> => {
  await run(
    tx,
    sql`insert into file_block (file_id, generation, seq, customer_id, row_count, bytes)
        values (${block.fileId}, 1, ${block.seq}, ${block.customerId}, ${block.rowCount}, ${Buffer.from(block.bytes)})`,
  );
  await run(
    tx,
    sql`update file set valid_count = valid_count + ${block.rowCount}, total_rows = total_rows + ${block.rowCount}
        where file_id = ${block.fileId}`,
  );
};

export const setAudienceSample = async (db: Db, fileId: string, sample: readonly string[][]): Promise<void> => {
  await run(db, sql`update file set sample = ${JSON.stringify(sample)} where file_id = ${fileId}`);
};
