/**
 * Deletes expired data: records, texts and uploads of each customer, a bounded number at a time, so that senders are
 * not delayed and the database keeps up with the dead rows. Records that are kept as long as possible are dropped with
 * their week instead.
 */
import { recordDaysRange } from '@pahatid/contract';
import { withTransaction } from '@pahatid/db';
import { foldOldBatches } from '@pahatid/db/queries/batch-folding';
import { deleteWithdrawnConsents } from '@pahatid/db/queries/consents';
import { deleteOldUnownedReplies } from '@pahatid/db/queries/inbound';
import { deleteOldExtras } from '@pahatid/db/queries/message-extras';
import { HOUR_DAYS } from '@pahatid/db/queries/report-figures';
import {
  addMissingRetention,
  type DueRetention,
  deleteOldBlocks,
  deleteOldMessages,
  deleteOldTexts,
  deleteWithoutMessages,
  emptyOldFile,
  endRetention,
  lockDueRetention,
} from '@pahatid/db/queries/retention';
import { deleteOldVerificationHours, deleteOldVerifications } from '@pahatid/db/queries/verifications';
import { retentionHorizonMs } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import type { JobContext } from '../../sending/job-context.ts';

const dayMs = 86_400_000;
/** Rows in one transaction; with one transaction a second that is 18 million an hour. */
const rowsAtOnce = 5_000;
/** Texts without a customer are retained as long as records are by default. */
const unownedDays = 180;
/** Batches after their messages: those that are dropped with their week stay up to eight days longer. */
const batchDays = 10;
/** Batches of a task after its end. */
const endedDays = 40;
/** Evidence of a consent after it was withdrawn. */
const withdrawnDays = 1_095;
/** How soon a customer with nothing left to delete is looked at again. */
const idleMs = 3_600_000;

export interface DeletionResult {
  readonly customerId: string;
  readonly messages: number;
  readonly texts: number;
  readonly batches: number;
  readonly fileId: string | null;
}

/** Runs one step for the customer that is overdue the longest; null if none is due. */
export async function deleteExpired(
  { pool, log, offsetMs }: JobContext,
  { rows = rowsAtOnce }: { rows?: number } = {},
): Promise<DeletionResult | null> {
  const deleted = await withTransaction(pool, async (tx) => {
    const due = await lockDueRetention(tx, offsetMs);
    return due === null ? null : await deleteFor(tx, due, rows);
  });
  if (deleted === null) {
    await addMissingRetention(pool);
    const horizon = retentionHorizonMs(Date.now() + offsetMs, unownedDays);
    await deleteOldUnownedReplies(pool, new Date(horizon), rows);
    return null;
  }
  if (deleted.messages + deleted.texts + deleted.batches > 0 || deleted.fileId !== null)
    log.debug(deleted, 'expired data deleted');
  return deleted;
}

async function deleteFor(tx: PoolClient, due: DueRetention, rows: number): Promise<DeletionResult> {
  const { customerId, recordDays, uploadDays, recordsBefore, now } = due;
  const before = (days: number): Date => new Date(retentionHorizonMs(now.getTime(), days));
  const remove = recordDays >= recordDaysRange.most ? deleteWithoutMessages : deleteOldMessages;
  const messages =
    (await remove(tx, customerId, before(recordDays), rows, now)) +
    (await deleteOldBlocks(tx, customerId, before(recordDays), rows, now)) +
    (await deleteOldExtras(tx, customerId, before(recordDays), rows));
  const texts =
    (await deleteOldTexts(tx, customerId, before(recordDays), rows)) +
    (await deleteOldVerifications(tx, customerId, before(recordDays), rows)) +
    (await deleteWithdrawnConsents(tx, customerId, before(withdrawnDays), rows));
  await deleteOldVerificationHours(tx, customerId, before(HOUR_DAYS), rows);
  const batches = await foldOldBatches(tx, {
    customerId,
    before: new Date(recordsBefore.getTime() - batchDays * dayMs),
    endedBefore: new Date(now.getTime() - endedDays * dayMs),
    limit: rows,
  });
  const fileId = await emptyOldFile(tx, customerId, before(uploadDays), uploadDays);
  // Another customer may be processed before this one continues.
  const isIdle = messages === 0 && texts === 0 && batches === 0 && fileId === null;
  await endRetention(tx, customerId, new Date(now.getTime() + (isIdle ? idleMs : 0)));
  return { customerId, messages, texts, batches, fileId };
}
