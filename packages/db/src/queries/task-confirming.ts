/** Checks before money is held for a task: review policy, its cost, the cost of a retry. */
import { type Db, one, sql } from '../sql.ts';
import { archivedIn } from './message-archive.ts';
import { isRetryable, type RetryChoice } from './task-running.ts';

export interface ConfirmFacts {
  reviewPolicy: 'always' | 'never' | 'aboveCount' | 'firstTask' | 'marketing';
  reviewAbove: number | null;
  /** Whether any other task of the customer was ever confirmed. */
  hasSentBefore: boolean;
  /** The text that its check froze. */
  content: string | null;
}

export const findConfirmFacts = async (db: Db, customerId: string, taskId: string): Promise<ConfirmFacts> =>
  one(
    db,
    sql<ConfirmFacts>`select c.review_policy as "reviewPolicy", c.review_above as "reviewAbove",
        exists (select from task t where t.customer_id = c.customer_id and t.task_id <> ${taskId}
                  and (t.confirmed_at is not null or t.started_at is not null)) as "hasSentBefore",
        (select content from task t where t.customer_id = c.customer_id and t.task_id = ${taskId}) as content
      from customer c where c.customer_id = ${customerId}`,
  );

/**
 * Failed messages that a retry would send again, archived ones included, and their cost. Read by key ranges of the task's
 * batches: `message` has no index by task, and needs none.
 */
export const sumRetryable = async (
  db: Db,
  customerId: string,
  taskId: string,
  which: RetryChoice,
): Promise<{ count: number; cost: number }> =>
  one(
    db,
    sql<{
      count: number;
      cost: number;
    }>`with b as materialized (
        select batch_id, message_count from batch where task_id = ${taskId} and customer_id = ${customerId})
      select coalesce(sum(r.n), 0)::int as count, coalesce(sum(r.cost), 0)::float8 as cost from (
        select r.n, r.cost from b cross join lateral (
          select count(*) as n, sum(m.pkg_total::bigint * m.price) as cost from message m
          where m.customer_id = ${customerId} and m.message_id >= b.batch_id and m.message_id < b.batch_id + b.message_count
            and ${isRetryable(which)}) r
        union all
        select count(*), sum(m.pkg_total::bigint * m.price) from (
          select min(batch_id) as low, max(batch_id + message_count) as high from b) r
        cross join lateral (${archivedIn(sql`${customerId}::uuid`, sql`r.low`, sql`r.high`)}) m
        where m.task_id = ${taskId} and ${isRetryable(which)}) r`,
  );
