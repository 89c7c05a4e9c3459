/**
 * Messages whose receipt never arrived: unknown after the deadline of their supplier account, and corrected by an even
 * later receipt. The deadline counts from the last submission of each message, not from its acceptance: a task may be
 * paused for days. A checked batch stores the instant before which no open message remains, and is checked again a
 * deadline after that instant.
 */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import {
  closeReceipts,
  deferReceipts,
  listOverdueSuppliers,
  lockOverdueBatch,
  lockSubmittedBefore,
  type OverdueBatch,
  type ReceiptDeadline,
  readFirstSubmitted,
  type WriterLease,
  writeOutcomes,
} from '@pahatid/db';
import { DealResult } from '@pahatid/domain';
import type { Pool, PoolClient } from 'pg';
import { toTallyMessage } from '../settle/tally.ts';
import { withTally } from '../settle/with-tally.ts';

const BATCHES_A_TURN = 100;

const SUBMITTED = { sendStatus: SendStatus.Successful, clientStatus: ClientStatus.Submitted } as const;
const UNKNOWN = { sendStatus: SendStatus.Successful, clientStatus: ClientStatus.Unknown } as const;

export interface ExpiredReceipts {
  readonly messages: number;
  readonly taskIds: readonly string[];
  /** More batches are overdue: call again. */
  readonly more: boolean;
}

/** Processes batches past the deadlines of their supplier accounts, at most a hundred. `nowMs`: by the database's clock. */
export const expireReceipts = async (pool: Pool, writer: WriterLease, nowMs: number): Promise<ExpiredReceipts> => {
  const now = new Date(nowMs);
  const taskIds = new Set<string>();
  let messages = 0;
  let turns = 0;
  for (const deadline of await listOverdueSuppliers(pool, now)) {
    for (;;) {
      if (turns++ === BATCHES_A_TURN) return { messages, taskIds: [...taskIds], more: true };
      const expired = await expireBatch(pool, writer, deadline, now);
      if (expired === null) break;
      messages += expired.count;
      for (const taskId of expired.taskIds) taskIds.add(taskId);
    }
  }
  return { messages, taskIds: [...taskIds], more: false };
};

async function expireBatch(pool: Pool, writer: WriterLease, deadline: ReceiptDeadline, now: Date) {
  const { before } = deadline;
  return await withTally(pool, async (tx, tally) => {
    const batch = await lockOverdueBatch(tx, deadline);
    if (batch === null) return null;
    const rows = await lockSubmittedBefore(tx, batch, SUBMITTED, before, batch.doneAt);
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
    for (const row of rows) tally.add(toTallyMessage(row, batch.batchId), SUBMITTED, UNKNOWN);
    await tally.write(tx, writer.writer, new Date());
    await closeOrDefer(tx, batch, before, now);
    return { count: rows.length, taskIds: tally.taskIds };
  });
}

/** Until a batch is done, and for a deadline after it, messages of it may still be submitted or answered. */
async function closeOrDefer(tx: PoolClient, batch: OverdueBatch, before: Date, now: Date): Promise<void> {
  const first = await readFirstSubmitted(tx, batch, SUBMITTED, batch.doneAt);
  const from = first ?? batch.doneAt ?? now;
  if (first === null && batch.isDone && from < before) await closeReceipts(tx, batch.batchId);
  else await deferReceipts(tx, batch.batchId, from < before ? before : from);
}
