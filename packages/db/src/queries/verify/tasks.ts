/** Tasks with all their stored data in one row. */
import { type Db, many, sql } from '../../sql.ts';
import { archivedIn } from '../message-archive.ts';

export interface TaskFacts {
  taskId: string;
  status: number;
  isEnded: boolean;
  isPrepared: boolean;
  isFromFile: boolean;
  totalCount: number;
  preparedCount: number;
  droppedCount: number;
  optedOutCount: number;
  noConsentCount: number;
  leftOutCount: number;
  retryCount: number;
  /** For the file as it was when the task was checked; null if the file was read again since, or is deleted. */
  fileValidCount: number | null;
  /** Batches of the task lie before the range that is looked at. */
  isOlder: boolean;
  success: number;
  failed: number;
  delivered: number;
  undelivered: number;
  unknown: number;
  unconfirmed: number;
  chargedSegments: number;
  chargedCost: number;
  awaitedCost: number;
  /** null: nothing was ever held. */
  isHeld: boolean | null;
}

export const readTasks = async (db: Db, customerId: string, low: bigint): Promise<TaskFacts[]> =>
  await many(
    db,
    sql<TaskFacts>`
      select t.task_id as "taskId", t.task_status as status, t.ended_at is not null as "isEnded", t.prepared as "isPrepared",
        coalesce(t.audience_id, t.file_id) is not null and t.file_generation is not null as "isFromFile", t.total_count as "totalCount",
        t.prepared_count as "preparedCount", t.dropped_count as "droppedCount", t.opted_out_count as "optedOutCount",
        t.no_consent_count as "noConsentCount", t.left_out_count as "leftOutCount",
        t.retry_count as "retryCount",
        -- a task of an A/B test has a part of the file
        case when not exists (select from ab_variant v where v.task_id = t.task_id or v.child_id = t.task_id)
          then f.valid_count end as "fileValidCount",
        exists (select from batch b where b.task_id = t.task_id and b.batch_id < ${String(low)}::bigint)
          or exists (select from task_minute m where m.task_id = t.task_id) as "isOlder",
        coalesce(p.s, 0)::float8 as success, coalesce(p.f, 0)::float8 as failed, coalesce(p.d, 0)::float8 as delivered,
        coalesce(p.u, 0)::float8 as undelivered, coalesce(p.n, 0)::float8 as unknown, coalesce(p.q, 0)::float8 as unconfirmed,
        coalesce(p.g, 0)::float8 as "chargedSegments", coalesce(p.c, 0)::float8 as "chargedCost", coalesce(p.a, 0)::float8 as "awaitedCost",
        case when r.task_id is not null then r.released_at is null end as "isHeld"
      from task t
      left join file f on f.file_id = coalesce(t.audience_id, t.file_id) and f.generation = t.file_generation and f.file_status = 'success'
      left join reservation r on r.task_id = t.task_id
      left join lateral (
        select sum(success_count) as s, sum(failed_count) as f, sum(delivered_count) as d, sum(undelivered_count) as u,
          sum(unknown_count) as n, sum(unconfirmed_count) as q, sum(charged_segments) as g, sum(charged_cost) as c, sum(awaited_cost) as a
        from task_progress where task_id = t.task_id) p on true
      where t.customer_id = ${customerId} order by t.task_id`,
  );

/** A message marked as repeated that nothing repeats, or repeated and not marked, or one that repeats nothing. */
export interface RetryFault {
  messageId: bigint;
  kind: 'notMarked' | 'notRepeated' | 'original';
}

export const readRetryFaults = async (db: Db, customerId: string, taskId: string): Promise<RetryFault[]> => {
  const rows = await many(
    db,
    sql<{ messageId: string; kind: RetryFault['kind'] }>`
      with b as materialized (
        select batch_id, message_count from batch where task_id = ${taskId} and customer_id = ${customerId}),
      m as materialized (
        select m.message_id, m.retry_of, m.superseded from b join message m on m.customer_id = ${customerId}
          and m.message_id >= b.batch_id and m.message_id < b.batch_id + b.message_count
        union all
        select m.message_id, m.retry_of, m.superseded
        from (select min(batch_id) as low, max(batch_id + message_count) as high from b) r
        cross join lateral (${archivedIn(sql`${customerId}::uuid`, sql`r.low`, sql`r.high`)}) m where m.task_id = ${taskId})
      select coalesce(o.message_id, r.message_id) as "messageId",
        case when o.message_id is null then 'original' when o.superseded then 'notRepeated' else 'notMarked' end as kind
      from (select message_id, retry_of from m where retry_of is not null) r
      full join (select message_id, superseded from m) o on o.message_id = r.retry_of
      where o.message_id is null or (o.superseded and r.message_id is null) or (not o.superseded and r.message_id is not null)
      order by 1`,
  );
  return rows.map((row) => ({ messageId: BigInt(row.messageId), kind: row.kind }));
};

/** Files that were read: rows that they count as valid, and rows that their blocks hold. */
export const readFileCounts = async (
  db: Db,
  customerId: string,
): Promise<{ fileId: string; kept: number; derived: number }[]> =>
  await many(
    db,
    sql<{ fileId: string; kept: number; derived: number }>`
      select f.file_id as "fileId", f.valid_count as kept, coalesce(b.n, 0)::int as derived
      from file f left join lateral (
        select sum(row_count) as n from file_block where file_id = f.file_id and generation = f.generation) b on true
      where f.customer_id = ${customerId} and f.file_status = 'success' and f.valid_count <> coalesce(b.n, 0)`,
  );

/** Groups whose member count differs from their members. */
export const readGroupCounts = async (
  db: Db,
  customerId: string,
): Promise<{ groupId: string; kept: number; derived: number }[]> =>
  await many(
    db,
    sql<{ groupId: string; kept: number; derived: number }>`
      select g.group_id as "groupId", g.member_count as kept, coalesce(m.n, 0)::int as derived
      from message_group g left join (
        select group_id, count(*) as n from group_member where customer_id = ${customerId} group by group_id) m using (group_id)
      where g.customer_id = ${customerId} and g.member_count <> coalesce(m.n, 0) order by 1`,
  );
