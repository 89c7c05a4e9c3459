/**
 * Recovers batches whose owner died or was paused longer than its lease. Messages below the intent mark without an
 * outcome that are not listed as not accepted may be at the carrier: they become in doubt (policy hold) or are sent
 * again (resend). Then any process may claim the batch.
 */
import {
  type ExpiredRow,
  insertDoubts,
  type LockedMessage,
  lockBatchMessages,
  lockExpiredBatches,
  returnBatch,
  type WriterLease,
  writeOutcomes,
} from '@pahatid/db';
import type { Pool, PoolClient } from 'pg';
import { IN_DOUBT, WAITING } from '../settle/message-states.ts';
import { type Tally, toTallyMessage } from '../settle/tally.ts';
import { withTally } from '../settle/with-tally.ts';
import { getDoubtPolicy } from './send-store.ts';

/** Batches per transaction; running senders share the work. */
const BATCHES_A_TURN = 20;

export interface RecoveredBatch {
  readonly batchId: bigint;
  readonly taskId: string | null;
  readonly inDoubt: number;
  readonly resent: number;
}

/**
 * Recovers all current ones, some per transaction. `except`: batches that this process knows as its own, whatever their
 * lease.
 */
export const recoverLeases = async (
  pool: Pool,
  writer: WriterLease,
  except: readonly bigint[] = [],
): Promise<RecoveredBatch[]> => {
  const all: RecoveredBatch[] = [];
  for (;;) {
    const recovered = await recoverSome(pool, writer, except);
    all.push(...recovered);
    if (recovered.length < BATCHES_A_TURN) return all;
  }
};

const recoverSome = async (pool: Pool, writer: WriterLease, except: readonly bigint[]): Promise<RecoveredBatch[]> =>
  await withTally(pool, async (tx, tally) => {
    const recovered: RecoveredBatch[] = [];
    const at = new Date();
    for (const batch of await lockExpiredBatches(tx, except, BATCHES_A_TURN)) {
      recovered.push(await recoverBatch(tx, tally, batch, at));
    }
    await tally.write(tx, writer.writer, at);
    return recovered;
  });

async function recoverBatch(tx: PoolClient, tally: Tally, batch: ExpiredRow, at: Date): Promise<RecoveredBatch> {
  const waiting = await lockBatchMessages(tx, batch, WAITING);
  const notTaken = new Set(batch.notTaken);
  const positionOf = (row: LockedMessage): number => Number(row.messageId - batch.batchId);
  const below = waiting.filter((row) => positionOf(row) < batch.intentMark);
  const doubtful = below.filter((row) => !notTaken.has(positionOf(row)));
  const isHeld = getDoubtPolicy(batch) === 'hold';
  if (isHeld) await holdRows(tx, tally, batch, doubtful);
  await insertDoubts(tx, doubtful, at, isHeld ? null : 'resent');
  const again = isHeld ? below.filter((row) => notTaken.has(positionOf(row))) : below;
  if (!isHeld) tally.outcomes.add(batch.supplierId, batch.lane, 'resent', doubtful.length);
  const isDone = waiting.length - (isHeld ? doubtful.length : 0) === 0;
  await returnBatch(tx, batch.batchId, isDone, again.map(positionOf));
  return {
    batchId: batch.batchId,
    taskId: batch.taskId,
    inDoubt: isHeld ? doubtful.length : 0,
    resent: isHeld ? 0 : doubtful.length,
  };
}

async function holdRows(
  tx: PoolClient,
  tally: Tally,
  batch: ExpiredRow,
  rows: readonly LockedMessage[],
): Promise<void> {
  await writeOutcomes(
    tx,
    rows.map((row) => ({
      ...unchanged,
      ...row,
      before: { ...WAITING, partsDelivered: row.partsDelivered },
      after: IN_DOUBT,
    })),
  );
  for (const row of rows) tally.add(toTallyMessage(row, batch.batchId), WAITING, IN_DOUBT);
}

const unchanged = { dealResult: null, carrierCode: null, submittedMs: null, answeredMs: null, reportMs: null } as const;
