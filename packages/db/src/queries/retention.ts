/**
 * Data retention. Messages are deleted oldest first, a bounded number per transaction; the same transaction moves
 * `records_before`, which shows how far back counts and messages can be compared. Batches go later (batch-folding.ts).
 */

import { messageIdFloor, messageIdMs } from '../ids.ts';
import { batchState, taskStatus } from '../literals.ts';
import { type Db, many, maybe, one, run, sql } from '../sql.ts';
import { blockRows } from './archive-packing.ts';
import { deleteOldConversations } from './conversations.ts';
import { dbNow } from './db-clock.ts';
import { deleteOldKeywordAnswers } from './keyword-answers.ts';
import { deleteClicksOfMessages, deleteOldClicks } from './link-clicks.ts';

export interface RetentionRow {
  recordDays: number;
  uploadDays: number;
  recordsBefore: Date | null;
}

/** Null if nothing is set: the defaults apply. */
export const findRetention = async (db: Db, customerId: string): Promise<RetentionRow | null> =>
  maybe(
    db,
    sql<RetentionRow>`select record_days as "recordDays", upload_days as "uploadDays",
        case when records_before > '2025-01-01 00:00:00+00' then records_before end as "recordsBefore"
      from retention where customer_id = ${customerId}`,
  );

/** Takes effect with the next look, a second later. */
export const setRetention = async (
  tx: Db,
  customerId: string,
  days: { recordDays: number; uploadDays: number },
  now: Date,
): Promise<void> => {
  await run(
    tx,
    sql`insert into retention (customer_id, record_days, upload_days, due_at)
        values (${customerId}, ${days.recordDays}, ${days.uploadDays}, ${now})
        on conflict (customer_id) do update set record_days = excluded.record_days, upload_days = excluded.upload_days,
          due_at = excluded.due_at`,
  );
};

/** Adds a row for customers that never changed the defaults, to record the progress of the deletion. */
export const addMissingRetention = async (db: Db): Promise<void> => {
  await run(
    db,
    sql`insert into retention (customer_id) select customer_id from customer c
        where not exists (select from retention r where r.customer_id = c.customer_id) on conflict do nothing`,
  );
};

export interface DueRetention {
  customerId: string;
  recordDays: number;
  uploadDays: number;
  recordsBefore: Date;
  now: Date;
}

/** The customer that has waited longest, locked; no two processes take the same. */
export const lockDueRetention = async (tx: Db, offsetMs: number): Promise<DueRetention | null> =>
  maybe(
    tx,
    sql<DueRetention>`select customer_id as "customerId", record_days as "recordDays", upload_days as "uploadDays",
        records_before as "recordsBefore", ${dbNow(offsetMs)} as now
      from retention where due_at <= ${dbNow(offsetMs)} order by due_at limit 1 for update skip locked`,
  );

export const endRetention = async (tx: Db, customerId: string, nextAt: Date): Promise<void> => {
  await run(tx, sql`update retention set due_at = ${nextAt} where customer_id = ${customerId}`);
};

const dayMs = 86_400_000;

/**
 * Deletes the oldest messages of one customer accepted before `before`, of one day and at most `limit`, with their
 * dependent rows. Messages that a sender may still hold are left until their batch is done. Returns the number deleted;
 * 0: none is left.
 */
export const deleteOldMessages = async (
  tx: Db,
  customerId: string,
  before: Date,
  limit: number,
  now: Date = new Date(),
): Promise<number> => {
  const high = String(messageIdFloor(before.getTime()));
  const open = await many(
    tx,
    sql<{ low: string; high: string }>`select batch_id::text as low, (batch_id + message_count)::text as high from batch
      where customer_id = ${customerId} and batch_id < ${high}::bigint and state < ${batchState.Done}
        order by batch_id limit 10000`,
  );
  const found = await many(
    tx,
    sql<{ id: string }>`select message_id::text as id from message m
      where customer_id = ${customerId} and message_id < ${high}::bigint
        and not exists (select from unnest(${open.map((each) => each.low)}::bigint[], ${open.map((each) => each.high)}::bigint[]) as o(low, high)
          where m.message_id >= o.low and m.message_id < o.high)
      order by message_id limit ${limit}`,
  );
  const first = found[0];
  const dayEnd = first === undefined ? before.getTime() : (Math.floor(messageIdMs(first.id) / dayMs) + 1) * dayMs;
  const until = new Date(Math.min(dayEnd, before.getTime()));
  await run(
    tx,
    sql`update retention set records_before = ${until} where customer_id = ${customerId} and records_before < ${until}`,
  );
  const floor = messageIdFloor(until.getTime());
  const ids = found.map((row) => row.id).filter((id) => BigInt(id) < floor);
  if (ids.length === 0) return 0;
  const chosen = sql`customer_id = ${customerId} and message_id = any(${ids}::bigint[])
    and message_id >= ${ids[0]}::bigint and message_id <= ${ids.at(-1)}::bigint`;
  await deleteClicksOfMessages(tx, customerId, ids, now);
  await run(tx, sql`delete from in_doubt where ${chosen}`);
  return await run(tx, sql`delete from message where ${chosen}`);
};

/**
 * As `deleteOldMessages`, but leaves the messages themselves: they are dropped with their week once it has expired for every
 * customer (partition-dropping.ts).
 */
export const deleteWithoutMessages = async (
  tx: Db,
  customerId: string,
  before: Date,
  limit: number,
  now: Date,
): Promise<number> => {
  const high = String(messageIdFloor(before.getTime()));
  const clicked = await many(
    tx,
    sql<{ id: string }>`select distinct message_id::text as id, message_id from link_code
      where customer_id = ${customerId} and message_id < ${high}::bigint order by message_id limit ${limit}`,
  );
  const ids = clicked.map((row) => row.id);
  if (ids.length > 0) await deleteClicksOfMessages(tx, customerId, ids, now);
  const doubts = await run(
    tx,
    sql`delete from in_doubt where customer_id = ${customerId} and message_id in (
          select message_id from in_doubt where customer_id = ${customerId} and message_id < ${high}::bigint
            order by message_id limit ${limit})`,
  );
  await run(
    tx,
    sql`update retention set records_before = ${before} where customer_id = ${customerId} and records_before < ${before}`,
  );
  return ids.length + doubts;
};

/**
 * Deletes the oldest blocks of a customer whose messages were all accepted before `before`, with their dependent rows, so
 * a message stays a day longer than its block's first one. Returns the number of messages.
 */
export const deleteOldBlocks = async (
  tx: Db,
  customerId: string,
  before: Date,
  limit: number,
  now: Date,
): Promise<number> => {
  const blocks = await many(
    tx,
    sql<{
      firstId: string;
      lastId: string;
      ids: string[];
    }>`select first_id::text as "firstId", last_id::text as "lastId",
        array(select (first_id + o)::text from unnest(offsets) o) as ids
      from message_archive where customer_id = ${customerId} and last_id < ${String(messageIdFloor(before.getTime()))}::bigint
      order by first_id limit ${Math.ceil(limit / blockRows)} for update`,
  );
  const last = blocks.at(-1);
  if (last === undefined) return 0;
  const ids = blocks.flatMap((block) => block.ids);
  const dayEnd = (Math.floor(messageIdMs(last.lastId) / dayMs) + 1) * dayMs;
  const until = new Date(Math.min(dayEnd, before.getTime()));
  await run(
    tx,
    sql`update retention set records_before = ${until} where customer_id = ${customerId} and records_before < ${until}`,
  );
  await deleteClicksOfMessages(tx, customerId, ids, now);
  await run(tx, sql`delete from in_doubt where customer_id = ${customerId} and message_id = any(${ids}::bigint[])`);
  await run(
    tx,
    sql`delete from message_archive where customer_id = ${customerId}
      and first_id = any(${blocks.map((block) => block.firstId)}::bigint[])`,
  );
  return ids.length;
};

/** Texts that phones sent, and clicks that no message takes with it. */
export const deleteOldTexts = async (tx: Db, customerId: string, before: Date, limit: number): Promise<number> => {
  const texts = await run(
    tx,
    sql`delete from inbound where customer_id = ${customerId} and inbound_id in (
          select inbound_id from inbound where customer_id = ${customerId} and received_at < ${before} limit ${limit})`,
  );
  await deleteOldConversations(tx, customerId, before, limit);
  await deleteOldKeywordAnswers(tx, customerId, before, limit);
  return texts + (await deleteOldClicks(tx, customerId, before, limit));
};

/**
 * Empties an expired upload that no task still reads: its bytes, rows and rejected rows. Its name and counts stay with
 * the tasks that were sent from it.
 */
export const emptyOldFile = async (tx: Db, customerId: string, before: Date, days: number): Promise<string | null> => {
  const row = await maybe(
    tx,
    sql<{ fileId: string }>`select f.file_id as "fileId" from file f
      where f.customer_id = ${customerId} and f.created_at < ${before} and f.file_status in ('success', 'fail')
        and f.error_code is distinct from 'FILE_EXPIRED'
        and not exists (select from task t where (t.file_id = f.file_id or t.audience_id = f.file_id)
          and (t.task_status in (${taskStatus.Initialized}, ${taskStatus.ValidationPassed}, ${taskStatus.Confirmed}, ${taskStatus.PendingReview}) or (t.task_status in (${taskStatus.Preparing}, ${taskStatus.Sending}, ${taskStatus.Terminated}) and not t.prepared)))
      order by f.created_at limit 1 for update skip locked`,
  );
  if (row === null) return null;
  const { fileId } = row;
  await run(tx, sql`delete from file_chunk where file_id = ${fileId}`);
  await run(tx, sql`delete from file_block where file_id = ${fileId}`);
  await run(tx, sql`delete from file_reject where file_id = ${fileId}`);
  await run(
    tx,
    sql`delete from task_reject r using task t where t.task_id = r.task_id and (t.file_id = ${fileId} or t.audience_id = ${fileId})`,
  );
  await run(
    tx,
    sql`update file set file_status = 'fail', error_code = 'FILE_EXPIRED', error_params = ${JSON.stringify({ days })},
          columns = '[]', sample = '[]', reading = null where file_id = ${fileId}`,
  );
  return fileId;
};

/** Deletes receipts that were matched, or never matched; carriers' IDs wrap, so they lead nowhere any more. */
export const sweepReceipts = async (db: Db, ageMs: number, limit: number): Promise<number> => {
  const old = await many(
    db,
    sql<{
      supplierId: string;
      receiptId: string;
    }>`select supplier_id as "supplierId", receipt_id as "receiptId" from receipt_inbox
      where received_at < now() - ${ageMs}::float8 * interval '1 millisecond' limit ${limit}`,
  );
  if (old.length === 0) return 0;
  return await run(
    db,
    sql`delete from receipt_inbox r
        using unnest(${old.map((row) => row.supplierId)}::uuid[], ${old.map((row) => row.receiptId)}::uuid[]) as i(supplier_id, receipt_id)
        where r.supplier_id = any(array[i.supplier_id]) and r.receipt_id = any(array[i.receipt_id])`,
  );
};

/** Entries of the audit log before an instant, at most `limit` of each of the first chains; in the database's own function. */
export const expireAudit = async (db: Db, before: Date, limit: number): Promise<number> => {
  const { count } = await one<{ count: number }>(db, sql`select expire_audit(${before}, ${limit}) as count`);
  return count;
};
