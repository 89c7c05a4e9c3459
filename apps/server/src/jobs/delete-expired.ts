/**
 * Deletes what is kept long enough: records, texts and uploads of each customer, a bounded number at a time, so that
 * senders never wait for it and the database keeps up with what it leaves behind.
 */
import { withTransaction } from '@pahatid/db';
import { deleteOldUnownedReplies } from '@pahatid/db/queries/inbound';
import {
  addMissingRetention,
  type DueRetention,
  deleteOldMessages,
  deleteOldTexts,
  emptyOldFile,
  endRetention,
  lockDueRetention,
} from '@pahatid/db/queries/retention';
import { retentionHorizonMs } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import type { JobContext } from './context.ts';

/** Rows in one transaction; with one transaction a second that is 18 million an hour. */
export const rowsAtOnce = 5_000;
/** Texts of no customer are kept as long as records are by default. */
const unownedDays = 180;
/** How soon a customer with nothing left to delete is looked at again. */
const idleMs = 3_600_000;

export interface Deleted {
  readonly customerId: string;
  readonly messages: number;
  readonly texts: number;
  readonly fileId: string | null;
}

/** One step for the customer that is due the longest; null where none is. */
export async function deleteExpired(
  { pool, log, offsetMs }: JobContext,
  { rows = rowsAtOnce }: { rows?: number } = {},
): Promise<Deleted | null> {
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
  if (deleted.messages + deleted.texts > 0 || deleted.fileId !== null) log.info(deleted, 'kept long enough');
  return deleted;
}

async function deleteFor(tx: PoolClient, due: DueRetention, rows: number): Promise<Deleted> {
  const { customer_id: customerId, record_days: recordDays, upload_days: uploadDays, now } = due;
  const before = (days: number): Date => new Date(retentionHorizonMs(now.getTime(), days));
  const messages = await deleteOldMessages(tx, customerId, before(recordDays), rows, now);
  const texts = await deleteOldTexts(tx, customerId, before(recordDays), rows);
  const fileId = await emptyOldFile(tx, customerId, before(uploadDays), uploadDays);
  // Another customer may have its turn before this one goes on.
  const isIdle = messages === 0 && texts === 0 && fileId === null;
  await endRetention(tx, customerId, new Date(now.getTime() + (isIdle ? idleMs : 0)));
  return { customerId, messages, texts, fileId };
}
