/** Ends batches whose messages have gone: those of tasks are added to the minutes of their task (`task_minute`). */
import { messageIdFloor } from '../ids.ts';
import { batchState } from '../literals.ts';
import { type Db, type Fragment, one, sql } from '../sql.ts';

/** Sums of batches by the minute in which they were handed over, as a task's log shows them. */
export const logSums: Fragment = sql`
  sum(intent_mark - cardinality(not_taken))::int as "totalCount", sum(success_count)::int as "successCount",
  sum(greatest(failed_count - case when state = ${batchState.Done} then message_count - intent_mark
    else 0 end, 0))::int as "failedCount"`;

export const logMinute: Fragment<Date> = sql<Date>`date_bin('1 minute', first_sent_at, timestamptz '2025-01-01')`;

export interface BatchEnd {
  customerId: string;
  /** Batches accepted earlier are deleted; their messages are. */
  before: Date;
  /** Of tasks only those that ended earlier. */
  endedBefore: Date;
  limit: number;
}

/** Returns how many were deleted. A batch that is locked is left for the next time. */
export const foldOldBatches = async (tx: Db, { customerId, before, endedBefore, limit }: BatchEnd): Promise<number> => {
  const { count } = await one(
    tx,
    sql<{ count: number }>`
      with old as (
        select b.batch_id from batch b left join task t on t.task_id = b.task_id
        where b.customer_id = ${customerId} and b.batch_id < ${String(messageIdFloor(before.getTime()))}::bigint
          and b.state = ${batchState.Done} and b.receipts_closed and (b.task_id is null or t.ended_at < ${endedBefore})
        order by b.batch_id limit ${limit} for update of b skip locked
      ), gone as (
        delete from batch b using old o where b.batch_id = o.batch_id returning b.*
      ), folded as (
        insert into task_minute as m (customer_id, task_id, minute, total_count, success_count, failed_count, batch_count, message_count)
        select customer_id, task_id, minute, "totalCount", "successCount", "failedCount", batches, messages from (
          select customer_id, task_id, coalesce(${logMinute}, 'epoch') as minute, ${logSums}, count(*) as batches,
            sum(message_count) as messages
          from gone where task_id is not null group by 1, 2, 3) s
        order by task_id, minute
        on conflict (task_id, minute) do update set total_count = m.total_count + excluded.total_count,
          success_count = m.success_count + excluded.success_count, failed_count = m.failed_count + excluded.failed_count,
          batch_count = m.batch_count + excluded.batch_count, message_count = m.message_count + excluded.message_count
      )
      select count(*)::int as count from gone`,
  );
  return count;
};
