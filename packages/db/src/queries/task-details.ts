/**
 * The messages of one task, read by the key ranges of its batches: `message` has no index by task, and both updates of
 * a row stay HOT because of that. A filter that few rows pass scans a bounded number of them and reports where it
 * stopped.
 */

import { SendStatus } from '@pahatid/contract/enums';
import { BatchState } from '@pahatid/domain';
import { type PageOrder, pageBy } from '../keyset.ts';
import { batchState } from '../literals.ts';
import { type Db, type Fragment, many, one, sql } from '../sql.ts';
import { logMinute, logSums } from './batch-folding.ts';
import type { RejectRow } from './files.ts';
import { archivedIn, isAnyArchived } from './message-archive.ts';
import { endsWith } from './shown-messages.ts';
import { batchHasStatus } from './status-counts.ts';

export interface SendDetailRow {
  messageId: string;
  msisdn: string;
  /** 1 if the message is below its batch's intent mark and has no response: it may be on the wire. */
  sendStatus: number;
  clientStatus: number;
  dealResult: string | null;
  carrierCode: string | null;
  submittedAt: Date | null;
  reportAt: Date | null;
  pkgTotal: number;
  unconfirmed: boolean;
}

/**
 * Send status shown to users. A row below its batch's intent mark is in progress until its response is stored, unless
 * the carrier reported that it did not accept it.
 */
export const shownSendStatus = sql.raw(
  `case when m.send_status = ${SendStatus.Waiting} and b.state <> ${BatchState.Done}
    and m.message_id - b.batch_id < b.intent_mark
          and not (m.message_id - b.batch_id)::smallint = any(b.not_taken) then ${SendStatus.Sending} else m.send_status end`,
);

/** Result shown to users; `dealResultOf` in domain returns the same for one row. */
const shownDealResult = sql`coalesce(m.deal_result, case when d.message_id is not null then 'UNCONFIRMED'
  else case ${shownSendStatus} when 0 then 'WAITING' when 1 then 'HANDED_OVER' when 2 then 'REFUSED_BY_CARRIER'
    else 'ACCEPTED' end end)`;

/** Batches read for one page, of those that may contain a match: at most 1,000 messages each. */
const batchesAPage = 20;

export interface SendDetailFilter {
  customerId: string;
  taskId: string;
  /** Digits that the number begins with. */
  msisdnPrefix?: string | undefined;
  msisdnSuffix?: string | undefined;
  sendStatus?: readonly number[] | undefined;
  clientStatus?: readonly number[] | undefined;
  /** Codes as they are shown. */
  dealResult?: readonly string[] | undefined;
  /** Rows after this message. */
  after: string | null;
  limit: number;
}

/** Returns rows in the order of their IDs, and the next position; null: no more rows. */
export const listSendDetails = async (
  db: Db,
  filter: SendDetailFilter,
): Promise<{ rows: SendDetailRow[]; next: string | null }> => {
  const after = filter.after ?? '-1';
  const batches = await many(
    db,
    sql<{ batchId: string; lastId: string }>`select batch_id as "batchId", batch_id + message_count - 1 as "lastId"
      from batch b
      where customer_id = ${filter.customerId} and task_id = ${filter.taskId} and batch_id > ${after}::bigint - 1000
        and batch_id + message_count - 1 > ${after}::bigint and ${batchHasStatus(filter)}
      order by batch_id limit ${batchesAPage + 1}`,
  );
  const looked = batches.slice(0, batchesAPage);
  const first = looked[0];
  const last = looked.at(-1);
  if (first === undefined || last === undefined) return { rows: [], next: null };
  const range = { first: first.batchId, last: last.batchId, lastId: last.lastId, after };
  const low = BigInt(after) < BigInt(first.batchId) ? first.batchId : String(BigInt(after) + 1n);
  const found = await readDetails(db, filter, range, sql`message`);
  // Rows are read first: what is archived in between is found twice.
  const archived = (await isAnyArchived(db, filter.customerId, low, last.lastId))
    ? await readDetails(db, filter, range, sql`archived`)
    : [];
  const rows = newestLast([...found, ...archived]).slice(0, filter.limit + 1);
  const page = rows.slice(0, filter.limit);
  if (rows.length > filter.limit) return { rows: page, next: page.at(-1)?.messageId ?? null };
  return { rows: page, next: batches.length > batchesAPage ? last.lastId : null };
};

const newestLast = (rows: readonly SendDetailRow[]): SendDetailRow[] =>
  [...new Map(rows.map((row) => [row.messageId, row])).values()].sort((a, b) =>
    BigInt(a.messageId) < BigInt(b.messageId) ? -1 : 1,
  );

/** `source`: `message`, or `archived`, which is made of the blocks of the range. */
const readDetails = (
  db: Db,
  filter: SendDetailFilter,
  { first, last, lastId, after }: { first: string; last: string; lastId: string; after: string },
  source: Fragment,
): Promise<SendDetailRow[]> => {
  const customerId = sql`${filter.customerId}::uuid`;
  return many(
    db,
    sql<SendDetailRow>`with archived as materialized (
        ${archivedIn(customerId, sql`greatest(${first}::bigint, ${after}::bigint + 1)`, sql`(${lastId}::bigint + 1)`)}),
      b as materialized (
        select b.* from batch b where b.customer_id = ${customerId} and b.task_id = ${filter.taskId}
          and b.batch_id between ${first}::bigint and ${last}::bigint and ${batchHasStatus(filter)}),
      d as materialized (
        select message_id from in_doubt where customer_id = ${customerId} and resolved_at is null
          and message_id between ${first}::bigint and ${lastId}::bigint)
      select m.message_id::text as "messageId", m.msisdn, ${shownSendStatus} as "sendStatus",
        m.client_status as "clientStatus", m.deal_result as "dealResult", m.carrier_code as "carrierCode",
        m.submitted_at as "submittedAt", m.report_at as "reportAt", m.pkg_total as "pkgTotal",
        d.message_id is not null as unconfirmed
      from b join ${source} m on m.customer_id = ${customerId} and m.message_id >= b.batch_id
        and m.message_id < b.batch_id + b.message_count
      left join d on d.message_id = m.message_id
      where m.customer_id = ${customerId} and m.message_id > ${after}::bigint
        and m.message_id between ${first}::bigint and ${lastId}::bigint
        and not m.superseded and ${conditions(filter)}
      order by m.message_id limit ${filter.limit + 1}`,
  );
};

const conditions = (filter: SendDetailFilter): Fragment<unknown> => {
  const all: Fragment<unknown>[] = [sql`true`];
  if (filter.msisdnPrefix !== undefined) all.push(sql`starts_with(m.msisdn, ${filter.msisdnPrefix})`);
  if (filter.msisdnSuffix !== undefined) all.push(endsWith(sql`m.msisdn`, filter.msisdnSuffix));
  if (filter.sendStatus) all.push(sql`${shownSendStatus} = any(${filter.sendStatus}::smallint[])`);
  if (filter.clientStatus) all.push(sql`m.client_status = any(${filter.clientStatus}::smallint[])`);
  if (filter.dealResult) all.push(sql`${shownDealResult} = any(${filter.dealResult}::text[])`);
  return sql.join(all, sql` and `);
};

export interface SendLogRow {
  minute: Date;
  minuteKey: string;
  totalCount: number;
  successCount: number;
  failedCount: number;
}

/**
 * Messages handed over per minute, newest first: batches by the minute of their first message. Messages past the mark
 * of a completed batch were never handed over (the task was terminated), so they count neither here nor as failed. Batches
 * whose messages have gone are minutes of the task.
 */
export const listSendLog = async (
  db: Db,
  filter: { customerId: string; taskId: string; limit: number } & PageOrder,
): Promise<SendLogRow[]> => {
  const { past, orderBy } = pageBy([[sql`l.minute`, 'timestamptz']], filter);
  return many(
    db,
    sql<SendLogRow>`select l.*, l.minute::text as "minuteKey" from (
        select minute, sum("totalCount")::int as "totalCount", sum("successCount")::int as "successCount",
          sum("failedCount")::int as "failedCount"
        from (
          select ${logMinute} as minute, ${logSums} from batch
          where customer_id = ${filter.customerId} and task_id = ${filter.taskId} and first_sent_at is not null group by 1
          union all
          select minute, total_count, success_count, failed_count from task_minute
          where customer_id = ${filter.customerId} and task_id = ${filter.taskId} and minute > 'epoch') each
        group by 1) l
      where ${past} order by ${orderBy} limit ${filter.limit}`,
  );
};

/** Rows of the file that this task's template rejects; each stored piece corresponds to a block of the file. */
export const readTaskRejects = async (
  db: Db,
  task: { taskId: string; customerId: string },
  afterSeq: number,
): Promise<{ seq: number; rows: RejectRow[] }[]> =>
  many(
    db,
    sql<{ seq: number; rows: RejectRow[] }>`select seq, rows from task_reject
      where task_id = ${task.taskId} and customer_id = ${task.customerId} and seq > ${afterSeq} order by seq limit 20`,
  );

/** What the detail screen adds to a task's row. */
export interface TaskFacts {
  content: string | null;
  file: {
    totalRows: number;
    validCount: number;
    duplicateCount: number;
    rejectedCount: number;
    optedOutCount: number;
  } | null;
}

export const findTaskFacts = async (db: Db, customerId: string, taskId: string): Promise<TaskFacts | null> => {
  const rows = await many(
    db,
    sql<TaskFacts>`select coalesce(t.content, v.content) as content,
        case when f.file_id is not null then jsonb_build_object('totalRows', f.total_rows, 'validCount', f.valid_count,
          'duplicateCount', f.duplicate_count, 'rejectedCount', f.rejected_count, 'optedOutCount', f.opted_out_count) end as file
      from task t
      left join template tpl on tpl.template_id = t.template_id
      left join template_version v on v.template_id = tpl.template_id and v.version = tpl.serving_version
      left join file f on f.file_id = t.file_id
      where t.task_id = ${taskId} and t.customer_id = ${customerId}`,
  );
  return rows[0] ?? null;
};

/**
 * Messages written to a socket without a response yet: below the intent marks of the batches that a sender holds now,
 * less those with an outcome, those the carrier returned, and those in doubt.
 */
export const countInFlight = async (db: Db, customerId: string, taskId: string): Promise<number> => {
  const { count } = await one(
    db,
    sql<{
      count: number;
    }>`select coalesce(sum(greatest(0, b.intent_mark - cardinality(b.not_taken) - b.success_count - b.failed_count
          - (select count(*) from in_doubt d where d.customer_id = b.customer_id and d.message_id >= b.batch_id
               and d.message_id < b.batch_id + b.message_count and d.resolved_at is null))), 0)::int as count
      from batch b where b.task_id = ${taskId} and b.customer_id = ${customerId} and b.state = ${batchState.Claimed}`,
  );
  return count;
};
