/**
 * Recipients of a task that are in doubt and for which no receipt arrived by the deadline of their supplier account: a
 * user may decide to send to them again. Read by the key ranges of the task's batches, as `message` and `in_doubt` have
 * no index by task.
 */
import { sendStatus } from '../literals.ts';
import { type Db, type Fragment, many, one, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';
import { receiptDeadline } from './receipt-deadline.ts';
import type { RetryRow } from './task-running.ts';

const isOverdue = (offsetMs?: number): Fragment<unknown> =>
  sql`d.resolved_at is null and d.since < ${dbNow(offsetMs)} - ${receiptDeadline}
    and m.send_status = ${sendStatus.Sending} and not m.superseded`;

/** Messages in doubt of some batches: fetched before they are joined with what is on the coordinator of Citus. */
const ofDoubts = (customerId: string, batches: Fragment<unknown>): Fragment<unknown> =>
  sql`select m.* from message m where m.customer_id = ${customerId} and m.message_id in (
        select d.message_id from (${batches}) b join in_doubt d on d.customer_id = ${customerId}
          and d.message_id >= b.batch_id and d.message_id < b.batch_id + b.message_count and d.resolved_at is null)`;

/** Doubts within one batch, with their messages. */
const doubtsOfBatch = (customerId: string): Fragment<unknown> =>
  sql`in_doubt d join m on m.customer_id = d.customer_id and m.message_id = d.message_id
        join supplier s on s.supplier_id = d.supplier_id
      where d.customer_id = ${customerId} and d.message_id >= b.batch_id and d.message_id < b.batch_id + b.message_count`;

/** How many there are, and what sending to them again would cost. */
export const sumResendable = async (
  db: Db,
  customerId: string,
  taskId: string,
): Promise<{ count: number; cost: number }> =>
  one(
    db,
    sql<{
      count: number;
      cost: number;
    }>`with m as materialized (${ofDoubts(customerId, sql`select batch_id, message_count from batch where task_id = ${taskId}`)})
      select coalesce(sum(r.n), 0)::int as count, coalesce(sum(r.cost), 0)::float8 as cost
      from batch b cross join lateral (
        select count(*) as n, sum(m.pkg_total::bigint * m.price) as cost
        from ${doubtsOfBatch(customerId)} and ${isOverdue()}) r
      where b.task_id = ${taskId} and b.customer_id = ${customerId}`,
  );

/**
 * Those in the next batches of earlier rounds, and the last of these batches; null when none is left. `offsetMs` moves
 * the database's clock in tests.
 */
export const readResendable = async (
  db: Db,
  task: { taskId: string; customerId: string; round: number; cursor: string },
  batches: number,
  offsetMs: number,
): Promise<{ rows: RetryRow[]; cursor: string } | null> => {
  const found = await many(
    db,
    sql<{
      batchId: string;
    }>`select batch_id as "batchId" from batch where task_id = ${task.taskId} and batch_id > ${task.cursor}::bigint
      and round < ${task.round} order by batch_id limit ${batches}`,
  );
  const last = found.at(-1);
  if (last === undefined) return null;
  const batchesRead = sql`select batch_id, message_count from batch
    where task_id = ${task.taskId} and batch_id = any(${found.map((row) => row.batchId)}::bigint[])`;
  const rows = await many(
    db,
    sql<RetryRow>`with m as materialized (${ofDoubts(task.customerId, batchesRead)})
      select r.* from batch b cross join lateral (
        select m.message_id::text as "messageId", m.msisdn, m.area_code as "areaCode", m.range_holder as "rangeHolder", m.carrier, m.content,
          m.pkg_total as "pkgTotal"
        from ${doubtsOfBatch(task.customerId)} and ${isOverdue(offsetMs)}) r
      where b.task_id = ${task.taskId} and b.batch_id = any(${found.map((row) => row.batchId)}::bigint[])
      order by r."messageId"::bigint`,
  );
  return { rows, cursor: last.batchId };
};
