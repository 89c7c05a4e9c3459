/**
 * Carries out what a person decided about a lane after a restore. `release`: what is still in doubt because of the restore
 * waits again and is sent, unless its time is over. `hold`: it stays unconfirmed. What a receipt settled meanwhile is
 * settled, and what was in doubt in the backup stays so.
 */
import {
  type LockedMessage,
  lockBatchMessages,
  resolveDoubts,
  returnBatch,
  type WriterLease,
  writeOutcomes,
} from '@pahatid/db';
import { wakeEach } from '@pahatid/db/queries/batch-parking';
import { endLane, listDecidedLanes, listRestoredDoubts, lockRestoredBatches } from '@pahatid/db/queries/restores';
import type { Pool, PoolClient } from 'pg';
import { IN_DOUBT, WAITING } from '../settle/message-states.ts';
import { type Tally, toTallyMessage } from '../settle/tally.ts';
import { withTally } from '../settle/with-tally.ts';

const BATCHES_AT_ONCE = 20;

export interface SettledStep {
  /** Messages that wait again. */
  readonly released: number;
  readonly taskIds: readonly string[];
  readonly isMore: boolean;
}

/** One step: call again while there is more. */
export async function settleRestored(pool: Pool, writer: WriterLease): Promise<SettledStep> {
  const [lane] = await listDecidedLanes(pool);
  if (lane === undefined) return { released: 0, taskIds: [], isMore: false };
  return await withTally(pool, async (tx, tally) => {
    const batches = await lockRestoredBatches(tx, lane.lane, BATCHES_AT_ONCE);
    // Another process may have the last ones: then this one comes again.
    if (batches.length === 0)
      return { released: 0, taskIds: [], isMore: await endLane(tx, lane.restoreId, lane.lane, new Date()) };
    await wakeEach(
      tx,
      batches.map(({ batchId }) => batchId),
    );
    let released = 0;
    for (const batch of batches) {
      const isReleased = lane.decision === 'release' && !batch.isOver;
      const rows = isReleased ? await releaseBatch(tx, tally, batch, lane.restoredAt) : [];
      const notTaken = rows.map((row) => Number(row.messageId - batch.batchId));
      await returnBatch(tx, batch.batchId, rows.length === 0, notTaken);
      released += rows.length;
    }
    await tally.write(tx, writer.writer, new Date());
    return { released, taskIds: tally.taskIds, isMore: true };
  });
}

async function releaseBatch(
  tx: PoolClient,
  tally: Tally,
  batch: { customerId: string; batchId: bigint; messageCount: number },
  restoredAt: Date,
): Promise<LockedMessage[]> {
  const unsure = new Set(await listRestoredDoubts(tx, batch, restoredAt));
  const rows = (await lockBatchMessages(tx, batch, IN_DOUBT)).filter(({ messageId }) => unsure.has(messageId));
  await writeOutcomes(
    tx,
    rows.map((row) => ({
      ...row,
      ...unchanged,
      before: { ...IN_DOUBT, partsDelivered: row.partsDelivered },
      after: WAITING,
    })),
  );
  for (const row of rows) tally.add(toTallyMessage(row, batch.batchId), IN_DOUBT, WAITING);
  await resolveDoubts(tx, rows, 'released', new Date());
  return rows;
}

const unchanged = { dealResult: null, carrierCode: null, submittedMs: null, answeredMs: null, reportMs: null } as const;
