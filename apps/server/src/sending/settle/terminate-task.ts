/** The rest of a terminated task: never handed over, not sent and not charged. */
import { countOpenBatches, lockUnclaimedBatch, returnBatch, type WriterLease } from '@pahatid/db';
import { DealResult } from '@pahatid/domain';
import type { Pool } from 'pg';
import { endUnsent } from './end-unsent.ts';
import { withTally } from './with-tally.ts';

export interface TerminationResult {
  /** Messages ended now. */
  readonly terminated: number;
  /** Batches that senders still hold: they hand back what they did not send within seconds. Call again. */
  readonly openBatches: number;
}

/**
 * Ends every message of the task's batches that no sender has. The task must have left status 5 (or be paused) before, or senders go
 * on claiming. Call again until `openBatches` is 0.
 */
export const terminateTaskMessages = async (
  pool: Pool,
  writer: WriterLease,
  taskId: string,
): Promise<TerminationResult> => {
  let terminated = 0;
  for (;;) {
    const ended = await terminateBatch(pool, writer, taskId);
    if (ended === null) break;
    terminated += ended;
  }
  return { terminated, openBatches: await countOpenBatches(pool, taskId) };
};

/** Messages ended, or null when no batch was left that no sender has. */
async function terminateBatch(pool: Pool, writer: WriterLease, taskId: string): Promise<number | null> {
  return await withTally(pool, async (tx, tally) => {
    const batch = await lockUnclaimedBatch(tx, taskId);
    if (batch === null) return null;
    const ended = await endUnsent(tx, tally, batch, DealResult.Terminated);
    await tally.write(tx, writer.writer, new Date());
    await returnBatch(tx, batch.batchId, true);
    return ended;
  });
}
