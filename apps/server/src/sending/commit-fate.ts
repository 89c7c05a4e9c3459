/**
 * What became of a transaction whose COMMIT was lost with the connection: found out by reading, never by doing it again.
 * While the server still works on it, it is neither; then its first batch is there, or nothing of it is. The row has the
 * last word, because a crashed server may give a transaction's number to another one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitUnknownError } from '@pahatid/db';
import { hasBatch, isTransactionOpen } from '@pahatid/db/queries/messages-door';
import type { Pool } from 'pg';

export interface GroupMark {
  readonly xid: string;
  readonly batchId: bigint;
}

/** A server that restarts is back within this time, or the callers are told to ask again. */
const PATIENCE_MS = 15_000;
const EVERY_MS = 25;

/** Null marks nothing that could be found: then nothing of it matters. Throws where the database stays away. */
export async function findFate(control: Pool, mark: GroupMark | null): Promise<'committed' | 'aborted'> {
  if (mark === null) return 'aborted';
  const deadline = performance.now() + PATIENCE_MS;
  let last: unknown = null;
  while (performance.now() < deadline) {
    try {
      if (!(await isTransactionOpen(control, mark.xid)))
        return (await hasBatch(control, mark.batchId)) ? 'committed' : 'aborted';
    } catch (error) {
      last = error;
    }
    await sleep(EVERY_MS);
  }
  throw new CommitUnknownError(last);
}
