/**
 * Batches whose time is over before a sender had them: parked for quiet hours, a pause or a carrier, or ready and not
 * claimed. Their messages end unsent and uncharged, as in a sender.
 */
import { lockOutdatedBatches, type OutdatedBatch, returnBatch, type WriterLease } from '@pahatid/db';
import { wakeEach } from '@pahatid/db/queries/batch-parking';
import { DealResult } from '@pahatid/domain';
import type { Pool } from 'pg';
import { endUnsent } from './end-unsent.ts';
import { withTally } from './with-tally.ts';

/** Batches of one transaction: many have a single message. */
const BATCHES_AT_ONCE = 50;
/** Messages after which a transaction takes no further batch. */
const MESSAGES_AT_ONCE = 2_000;

export interface OutdatedResult {
  readonly batches: number;
  readonly messages: number;
  readonly taskIds: readonly string[];
}

/** Ends some of them: call again while there are any. */
export const endOutdated = async (pool: Pool, writer: WriterLease): Promise<OutdatedResult> =>
  await withTally(pool, async (tx, tally) => {
    const batches = takeSome(await lockOutdatedBatches(tx, BATCHES_AT_ONCE));
    if (batches.length === 0) return { batches: 0, messages: 0, taskIds: [] };
    await wakeEach(
      tx,
      batches.map(({ batchId }) => batchId),
    );
    let messages = 0;
    for (const batch of batches) messages += await endUnsent(tx, tally, batch, DealResult.NotSentInTime);
    await tally.write(tx, writer.writer, new Date());
    for (const { batchId } of batches) await returnBatch(tx, batchId, true);
    return { batches: batches.length, messages, taskIds: tally.taskIds };
  });

function takeSome(batches: readonly OutdatedBatch[]): OutdatedBatch[] {
  let messages = 0;
  return batches.filter(({ messageCount }, index) => {
    messages += messageCount;
    return index === 0 || messages <= MESSAGES_AT_ONCE;
  });
}
