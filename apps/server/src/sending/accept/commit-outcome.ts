/**
 * Determines the outcome of a transaction whose COMMIT was lost with the connection: by reading, never by repeating it.
 * While the server still works on it, it is undecided; afterwards either its first batch exists, or nothing of it does.
 * The row is decisive, because a crashed server may reuse a transaction's number.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitUnknownError } from '@pahatid/db';
import { hasBatch, isTransactionOpen } from '@pahatid/db/queries/api-messages';
import type { Pool } from 'pg';

export interface GroupMark {
  readonly xid: string;
  readonly batchId: bigint;
}

/** A restarting server is back within this time; otherwise callers are asked to retry. */
const PATIENCE_MS = 15_000;
const EVERY_MS = 25;

/**
 * A null mark means that nothing could be found: then the outcome is irrelevant. Throws if the database stays
 * unreachable.
 */
export async function resolveCommitOutcome(control: Pool, mark: GroupMark | null): Promise<'committed' | 'aborted'> {
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
