/** What a reviewer looks at besides the text: the customer before, and the file of a task. Run by staff. */
import { type Db, type Fragment, maybe, one, sql } from '../sql.ts';
import type { ReviewKind } from './reviews.ts';

export interface ReviewHistoryRow {
  since: Date;
  approvedCount: number;
  rejectedCount: number;
  lastRejectedTime: Date | null;
  isFirstTask: boolean;
}

/** Whose it is; null: there is no such thing. */
export const findReviewOwner = async (db: Db, kind: ReviewKind, id: string): Promise<string | null> => {
  const questions: Record<ReviewKind, Fragment<{ customerId: string }>> = {
    template: sql`select customer_id as "customerId" from template where template_id = ${id} and deleted_at is null`,
    sender: sql`select customer_id as "customerId" from sender where id = ${id}`,
    task: sql`select customer_id as "customerId" from task where task_id = ${id}`,
    link: sql`select customer_id as "customerId" from short_link where link_id = ${id} and deleted_at is null`,
  };
  return (await maybe(db, questions[kind]))?.customerId ?? null;
};

/** Decisions of reviewers on all that was the customer's; `id`: what is asked about is not its own history. */
export const findReviewHistory = (db: Db, customerId: string, id: string): Promise<ReviewHistoryRow> =>
  one<ReviewHistoryRow>(
    db,
    sql`select c.created_at as since, count(*) filter (where d.status = 1)::int as "approvedCount",
          count(*) filter (where d.status = 2)::int as "rejectedCount",
          max(d.at) filter (where d.status = 2) as "lastRejectedTime",
          not exists (select from task t where t.customer_id = c.customer_id and t.task_id <> ${id}
                        and (t.confirmed_at is not null or t.started_at is not null)) as "isFirstTask"
        from customer c left join lateral (
          select audit_status as status, audited_at as at from template_version
            where customer_id = c.customer_id and audit_status in (1, 2)
          union all
          select audit_status, audited_at from sender where customer_id = c.customer_id and audit_status in (1, 2)
          union all
          select audit_status, audited_at from short_link where customer_id = c.customer_id and audit_status in (1, 2)
          union all
          select case e.action when 'approve' then 1 else 2 end, e.at from task_event e
            where e.customer_id = c.customer_id and e.action in ('approve', 'reject')) d on true
        where c.customer_id = ${customerId} group by c.customer_id`,
  );

export interface ReviewFileRow {
  fileName: string;
  validCount: number;
  sample: string[][];
  reading: { phoneColumn?: number } | null;
  mapping: { variables: number[] } | null;
  content: string | null;
}

/** Of a task; null where it has no file, or not any more. */
export const findReviewFile = (db: Db, taskId: string): Promise<ReviewFileRow | null> =>
  maybe<ReviewFileRow>(
    db,
    sql`select f.file_name as "fileName", f.valid_count as "validCount", f.sample, f.reading, t.content,
          -- the values of a frozen audience stand behind the number, in the order of the variables
          case when t.audience_id is null then t.mapping
               else jsonb_build_object('variables', (select jsonb_agg(i) from generate_series(1, 99) as i)) end as mapping
        from task t join file f on f.file_id = coalesce(t.audience_id, t.file_id) where t.task_id = ${taskId}`,
  );
