/** What the reading of a file came to, as it is stored. */
import { createHash } from 'node:crypto';
import type { Pool } from './audited-row.ts';
import { decodeBlock } from './server-parts.ts';

export { sweepFiles } from '@pahatid/db/queries/file-parsing';

export interface Ends {
  readonly recipients: number;
  /** Of line, phone and cells of every recipient in their order. */
  readonly sha256: string;
  readonly counts: Record<string, number>;
}

export async function findEnds(pool: Pool, fileId: string): Promise<Ends> {
  const { rows: blocks } = await pool.query<{ bytes: Buffer }>(
    `select b.bytes from file_block b join file f using (file_id, generation) where b.file_id = $1 order by b.seq`,
    [fileId],
  );
  const hash = createHash('sha256');
  let recipients = 0;
  for (const { bytes } of blocks) {
    for (const row of decodeBlock(bytes)) {
      hash.update(`${JSON.stringify(row)}\n`);
      recipients += 1;
    }
  }
  const { rows } = await pool.query<Record<string, number>>(
    `select total_rows::int as total, valid_count::int as valid, duplicate_count::int as duplicate,
       rejected_count::int as rejected from file where file_id = $1`,
    [fileId],
  );
  return { recipients, sha256: hash.digest('hex'), counts: rows[0] ?? {} };
}
