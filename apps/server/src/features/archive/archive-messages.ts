/**
 * Moves old messages to the archive: sealed days, the oldest first, a block in each transaction, so a process that dies
 * leaves each message in one place. Weeks of which nothing is left are dropped, which gives their space back.
 */
import { withTransaction } from '@pahatid/db';
import { archiveDayBlock, listArchivable, type SealedDay } from '@pahatid/db/queries/archive-days';
import { dropEmptyMessages } from '@pahatid/db/queries/partition-dropping';
import type { JobContext } from '../../sending/job-context.ts';

const dayMs = 86_400_000;

/** Returns a step that moves some days and is true if more may follow. */
export function makeArchiver(context: JobContext, afterDays: number): () => Promise<boolean> {
  let position: SealedDay | null = null;
  return async () => {
    const beforeMs = Date.now() + context.offsetMs - afterDays * dayMs;
    const { days, end } = await listArchivable(context.pool, position, beforeMs);
    for (const day of days) await archiveDay(context, day);
    position = end;
    if (end === null) await dropWeeks(context, beforeMs);
    return end !== null && context.signal?.aborted !== true;
  };
}

async function archiveDay({ pool, log, signal }: JobContext, day: SealedDay): Promise<void> {
  let messages = 0;
  try {
    while (signal?.aborted !== true) {
      const moved = await withTransaction(pool, (tx) => archiveDayBlock(tx, day));
      if (moved === 0) break;
      messages += moved;
    }
  } catch (error) {
    // One day that can't be moved must not keep the others.
    log.error({ err: error, ...day }, 'day not archived, will retry');
  }
  if (messages > 0) log.debug({ ...day, messages }, 'messages archived');
}

async function dropWeeks({ pool, log }: JobContext, beforeMs: number): Promise<void> {
  const partitions = await dropEmptyMessages(pool, beforeMs);
  if (partitions.length > 0) log.info({ partitions }, 'archived partitions dropped');
}
