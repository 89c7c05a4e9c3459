/** Estimates and results of a task: computed on read, never stored. */
import { sendStatus, taskStatus, yesNo } from '../literals.ts';
import { type Db, many, maybe, sql } from '../sql.ts';
import { archivedIn } from './message-archive.ts';
import { openBatches } from './open-batches.ts';
import type { CheckFacts } from './task-checking.ts';
import { shownSendStatus } from './task-details.ts';

/** Numbers of a file's blocks, in order, with the rows in each. */
export const listBlocks = async (
  db: Db,
  file: { fileId: string; generation: number },
): Promise<{ seq: number; rowCount: number }[]> =>
  many(
    db,
    sql<{ seq: number; rowCount: number }>`select seq, row_count as "rowCount" from file_block
      where file_id = ${file.fileId} and generation = ${file.generation} order by seq`,
  );

/** Some blocks of a file, in order. */
export const readSomeBlocks = async (
  db: Db,
  file: { fileId: string; generation: number },
  seqs: readonly number[],
): Promise<{ seq: number; bytes: Buffer }[]> =>
  many(
    db,
    sql<{ seq: number; bytes: Buffer }>`select seq, bytes from file_block
      where file_id = ${file.fileId} and generation = ${file.generation} and seq = any(${seqs}::int[]) order by seq`,
  );

export interface SupplierLimitRow {
  supplierId: string;
  tps: number;
  /** Tasks, and customers whose software sends, with batches waiting or in progress there. */
  others: number;
}

/** Limits of accounts and their current users; `taskId` is excluded. Reads across customers. */
export const listSupplierLimits = async (
  db: Db,
  supplierIds: readonly string[],
  taskId: string | null,
): Promise<SupplierLimitRow[]> =>
  many(
    db,
    sql<SupplierLimitRow>`select s.supplier_id as "supplierId", s.tps,
        count(distinct coalesce(o.task_id, o.customer_id))::int as others
      from supplier s
      left join (
        select b.supplier_id, b.task_id, b.customer_id from ${openBatches} b left join task t on t.task_id = b.task_id
        where (b.not_before is null
          or b.not_before <= clock_timestamp())
          and (b.task_id is null or (t.task_status = ${taskStatus.Sending} and t.paused = ${yesNo.No}
            and not t.demo_hold and t.task_id is distinct from ${taskId}::uuid))
      ) o on o.supplier_id = s.supplier_id
      where s.supplier_id = any(${supplierIds}::uuid[]) group by s.supplier_id`,
  );

export interface MeasuredTaskRow {
  taskName: string;
  startedAt: Date;
  /** Handed over in each minute in which any was, in order. */
  minutes: number[];
  /** From the first message to the last. */
  spanS: number;
}

/** The customer's latest task of at least `atLeast` recipients that was sent in the last seven days. */
export const findMeasuredTask = async (db: Db, customerId: string, atLeast: number): Promise<MeasuredTaskRow | null> =>
  maybe(
    db,
    sql<MeasuredTaskRow>`select t.task_name as "taskName", t.started_at as "startedAt", m.minutes, m.span_s as "spanS"
      from (
        select task_id, task_name, started_at from task
        where customer_id = ${customerId}
          and task_status in (${taskStatus.Sending}, ${taskStatus.Completed}, ${taskStatus.Terminated})
          and not demo_hold and total_count >= ${atLeast}
          and started_at > now() - interval '7 days' order by created_at desc limit 1) t
      cross join lateral (
        select array_agg(n order by minute) as minutes, extract(epoch from max(last) - min(first))::float8 as span_s from (
          select date_bin('1 minute', first_sent_at, timestamptz '2025-01-01') as minute, sum(intent_mark - cardinality(not_taken))::int as n,
            min(first_sent_at) as first, max(done_at) as last
          from batch where task_id = t.task_id and first_sent_at is not null and round = 0 group by 1) each) m
      where m.minutes is not null`,
  );

export interface CheckedTaskRow {
  checkFacts: CheckFacts | null;
  totalCount: number;
  droppedCount: number;
  optedOutCount: number;
  noConsentCount: number;
  leftOutCount: number;
  /** The frozen text. */
  content: string | null;
  estimatedSegments: number;
  estimatedCost: number;
}

/** Null: the check has not passed. */
export const findCheckFacts = async (db: Db, customerId: string, taskId: string): Promise<CheckedTaskRow | null> =>
  maybe(
    db,
    sql<CheckedTaskRow>`select check_facts as "checkFacts", total_count as "totalCount",
        dropped_count as "droppedCount", opted_out_count as "optedOutCount",
        no_consent_count as "noConsentCount", left_out_count as "leftOutCount", content,
        estimated_segments::float8 as "estimatedSegments", estimated_cost::float8 as "estimatedCost"
      from task where task_id = ${taskId} and customer_id = ${customerId} and estimated_segments is not null`,
  );

export interface OutcomeRow {
  carrier: string | null;
  sendStatus: number;
  clientStatus: number;
  dealResult: string | null;
  unconfirmed: boolean;
  count: number;
}

/**
 * Counts the latest message of each recipient by carrier and outcome: one pass over all messages of the task, by the
 * key ranges of its batches.
 */
export const countOutcomes = async (db: Db, customerId: string, taskId: string): Promise<OutcomeRow[]> =>
  many(
    db,
    sql<OutcomeRow>`with b as materialized (
        select batch_id, message_count, state, intent_mark, not_taken from batch
        where task_id = ${taskId} and customer_id = ${customerId}),
      d as materialized (
        select d.message_id from b join in_doubt d on d.customer_id = ${customerId} and d.message_id >= b.batch_id
          and d.message_id < b.batch_id + b.message_count and d.resolved_at is null)
      select o.carrier, o.send_status as "sendStatus", o.client_status as "clientStatus",
        o.deal_result as "dealResult", o.unconfirmed, sum(o.n)::int as count
      from b cross join lateral (
        select m.carrier, ${shownSendStatus} as send_status, m.client_status, m.deal_result,
          m.send_status = ${sendStatus.Sending} and m.message_id in (select message_id from d) as unconfirmed, count(*) as n
        from message m
        where m.customer_id = ${customerId} and m.message_id >= b.batch_id and m.message_id < b.batch_id + b.message_count
          and not m.superseded
        group by 1, 2, 3, 4, 5) o
      group by 1, 2, 3, 4, 5
      union all
      select m.carrier, m.send_status, m.client_status, m.deal_result, false, count(*)::int
      from (select min(batch_id) as low, max(batch_id + message_count) as high from b) r
      cross join lateral (${archivedIn(sql`${customerId}::uuid`, sql`r.low`, sql`r.high`)}) m
      where m.task_id = ${taskId} and not m.superseded group by 1, 2, 3, 4`,
  );
