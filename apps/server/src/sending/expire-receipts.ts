/** Messages whose receipt never came: unknown after the deadline, and corrected by a receipt that comes later still. */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import {
  closeReceipts,
  lockBatchMessages,
  lockOverdueBatch,
  messageIdFloor,
  type WriterLease,
  writeOutcomes,
} from '@pahatid/db';
import { DealResult } from '@pahatid/domain';
import type { Pool } from 'pg';
import { tallyMessageOf } from './tally.ts';
import { withTally } from './with-tally.ts';

/** Validity at the carriers (48 hours) and a day of grace. */
export const RECEIPT_DEADLINE_MS = 72 * 3_600_000;
const BATCHES_A_TURN = 100;

const SUBMITTED = { sendStatus: SendStatus.Successful, clientStatus: ClientStatus.Submitted } as const;
const UNKNOWN = { sendStatus: SendStatus.Successful, clientStatus: ClientStatus.Unknown } as const;

export interface ExpiredReceipts {
  readonly messages: number;
  readonly taskIds: readonly string[];
  /** More batches are overdue: call again. */
  readonly more: boolean;
}

/** Goes through batches past the deadline, a hundred at most; each is looked at once. `nowMs`: of the database's clock. */
export const expireReceipts = async (
  pool: Pool,
  writer: WriterLease,
  nowMs: number,
  deadlineMs = RECEIPT_DEADLINE_MS,
): Promise<ExpiredReceipts> => {
  const before = messageIdFloor(nowMs - deadlineMs);
  const taskIds = new Set<string>();
  let messages = 0;
  for (let turn = 0; turn < BATCHES_A_TURN; turn++) {
    const expired = await expireBatch(pool, writer, before);
    if (expired === null) return { messages, taskIds: [...taskIds], more: false };
    messages += expired.count;
    for (const taskId of expired.taskIds) taskIds.add(taskId);
  }
  return { messages, taskIds: [...taskIds], more: true };
};

async function expireBatch(pool: Pool, writer: WriterLease, before: bigint) {
  return await withTally(pool, async (tx, tally) => {
    const batch = await lockOverdueBatch(tx, before);
    if (batch === null) return null;
    const rows = await lockBatchMessages(tx, batch, SUBMITTED);
    await writeOutcomes(
      tx,
      rows.map((row) => ({
        ...row,
        before: { ...SUBMITTED, partsDelivered: row.partsDelivered },
        after: UNKNOWN,
        dealResult: DealResult.Unknown,
        carrierCode: null,
        submittedMs: null,
        answeredMs: null,
        reportMs: null,
      })),
    );
    for (const row of rows) tally.add(tallyMessageOf(row, batch.batchId), SUBMITTED, UNKNOWN);
    await tally.write(tx, writer.writer, new Date());
    await closeReceipts(tx, batch.batchId);
    return { count: rows.length, taskIds: tally.taskIds };
  });
}
