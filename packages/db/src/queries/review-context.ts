/** What a reviewer sees in addition to the text: the customer's history, and the file of a task. Run by staff. */
import { auditStatus } from '../literals.ts';
import { type Db, type Fragment, maybe, one, sql } from '../sql.ts';
import type { ReviewKind } from './reviews.ts';

export interface ReviewHistoryRow {
  since: Date;
  approvedCount: number;
  rejectedCount: number;
  lastRejectedTime: Date | null;
  isFirstTask: boolean;
}

/** Returns the owning customer; null: no such item. */
export const findReviewOwner = async (db: Db, kind: ReviewKind, id: string): Promise<string | null> => {
  const questions: Record<ReviewKind, Fragment<{ customerId: string }>> = {
    template: sql`select customer_id as "customerId" from template where template_id = ${id} and deleted_at is null`,
    sender: sql`select customer_id as "customerId" from sender where id = ${id}`,
    task: sql`select customer_id as "customerId" from task where task_id = ${id}`,
    link: sql`select customer_id as "customerId" from short_link where link_id = ${id} and deleted_at is null`,
  };
  return (await maybe(db, questions[kind]))?.customerId ?? null;
};

/** Reviewers' decisions on all of the customer's items; `id`: the item in question is excluded from the history. */
export const findReviewHistory = (db: Db, customerId: string, id: string): Promise<ReviewHistoryRow> =>
  one<ReviewHistoryRow>(
    db,
    sql`select c.created_at as since, count(*) filter (where d.status = ${auditStatus.Approved})::int as "approvedCount",
          count(*) filter (where d.status = ${auditStatus.Rejected})::int as "rejectedCount",
          max(d.at) filter (where d.status = ${auditStatus.Rejected}) as "lastRejectedTime",
          not exists (select from task t where t.customer_id = c.customer_id and t.task_id <> ${id}
                        and (t.confirmed_at is not null or t.started_at is not null)) as "isFirstTask"
        from customer c left join lateral (
          select audit_status as status, audited_at as at from template_version
            where customer_id = c.customer_id and audit_status in (${auditStatus.Approved}, ${auditStatus.Rejected})
          union all
          select audit_status, audited_at from sender where customer_id = c.customer_id
            and audit_status in (${auditStatus.Approved}, ${auditStatus.Rejected})
          union all
          select audit_status, audited_at from short_link where customer_id = c.customer_id
            and audit_status in (${auditStatus.Approved}, ${auditStatus.Rejected})
          union all
          select case e.action when 'approve' then ${auditStatus.Approved} else ${auditStatus.Rejected} end, e.at
            from task_event e
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

/** File of a task; null if it has no file, or no longer has one. */
export const findReviewFile = (db: Db, taskId: string): Promise<ReviewFileRow | null> =>
  maybe<ReviewFileRow>(
    db,
    sql`select f.file_name as "fileName", f.valid_count as "validCount", f.sample, f.reading, t.content,
          -- the values of a frozen audience stand behind the number, in the order of the variables
          case when t.audience_id is null then t.mapping
               else jsonb_build_object('variables', (select jsonb_agg(i) from generate_series(1, 99) as i)) end as mapping
        from task t join file f on f.file_id = coalesce(t.audience_id, t.file_id) where t.task_id = ${taskId}`,
  );
