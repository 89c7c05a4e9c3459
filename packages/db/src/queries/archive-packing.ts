/**
 * Blocks of the message archive, packed by PostgreSQL from rows of `message` and unpacked by `archived_messages`
 * (migration 0170). A block is compared with the rows it was made of before these are deleted.
 */
import { sendStatus, taskStatus } from '../literals.ts';
import { type Db, type Fragment, many, one, run, sql } from '../sql.ts';
import { messagesOfBlock } from './message-archive.ts';

/** Rows of a block: a page of records unpacks one, and what a column repeats is found within 4 KB. */
export const blockRows = 2_000;

/** Columns that have an array; all others are of the kind. */
const arrayColumns = sql.lit('{customer_id,message_id,msisdn,content,submitted_at,answered_at,report_at,retry_of}');

const accepted = sql`(timestamptz '2025-01-01 00:00:00+00' + (r.message_id >> 18) * interval '1 millisecond')`;
const microseconds = (since: Fragment, until: Fragment): Fragment =>
  sql`(extract(epoch from ${until} - ${since}) * 1000000)::bigint`;

const columns = sql.raw(
  'customer_id, first_id, last_id, row_count, kinds, numbers, offsets, kind, msisdns, contents, submitted, answered, reported, retries',
);

/** Returns the columns of one block as a statement. `rows`: at most `blockRows` rows of one customer and day. */
const packed = (customerId: string, rows: Fragment): Fragment => sql`
  with r as materialized (
    select r.*, jsonb_strip_nulls(to_jsonb(r) - ${arrayColumns}::text[]) as kind from (${rows}) r),
  k as materialized (select kind, row_number() over () as n from (select distinct kind from r) d),
  ends as (select min(message_id) as first_id, max(message_id) as last_id from r)
  select ${customerId}::uuid as customer_id, ends.first_id, ends.last_id, b.row_count,
    (select jsonb_agg(kind order by n) from k) as kinds, archive_filter(b.msisdns) as numbers,
    b.offsets, b.kind, b.msisdns, b.contents, b.submitted, b.answered, b.reported, b.retries
  from ends cross join (
    select count(*)::int as row_count, array_agg(message_id - first_id) as offsets, array_agg(n::smallint) as kind,
      -- any other number makes the comparison fail
      array_agg(case when msisdn ~ '^[0-9]{1,18}$' then msisdn::bigint when msisdn = '' then 0 else -1 end) as msisdns,
      array_agg(content) as contents,
      array_agg(${microseconds(accepted, sql`r.submitted_at`)}) as submitted,
      array_agg(${microseconds(sql`coalesce(r.submitted_at, ${accepted})`, sql`r.answered_at`)}) as answered,
      array_agg(${microseconds(sql`coalesce(r.answered_at, r.submitted_at, ${accepted})`, sql`r.report_at`)}) as reported,
      case when count(retry_of) > 0 then array_agg(retry_of) end as retries
    from (select r.*, k.n, ends.first_id from r join k using (kind) cross join ends order by r.message_id) r) b`;

export interface BlockKey {
  readonly customerId: string;
  readonly firstId: string;
}

const isBlock = ({ customerId, firstId }: BlockKey): Fragment =>
  sql`a.customer_id = ${customerId} and a.first_id = ${firstId}::bigint`;

const rowsOf = (block: BlockKey): Fragment =>
  sql`select m.* from message_archive a cross join lateral ${messagesOfBlock} m where ${isBlock(block)}`;

/** A task that sends, or repeats failed messages, may still change rows of its earlier batches. */
const isAtRest = sql`t.task_status in (${taskStatus.Completed}, ${taskStatus.Cancelled}, ${taskStatus.Failed})
  or (t.task_status = ${taskStatus.Terminated} and t.ended_at is not null)`;

/**
 * Locks the first messages of a customer in a range of IDs, and their tasks, which then can't begin to repeat them. Returns
 * the first and the last ID; null: there is none, or one of them may still change.
 */
const lockRows = async (
  tx: Db,
  customerId: string,
  { low, high }: { low: bigint; high: bigint },
  limit: number,
): Promise<{ first: string; last: string; count: number } | null> => {
  const rows = await many(
    tx,
    sql<{ id: string; taskId: string | null; isEnded: boolean }>`select message_id::text as id, task_id as "taskId",
        send_status in (${sendStatus.Failed}, ${sendStatus.Successful}) as "isEnded"
      from message where customer_id = ${customerId}
        and message_id >= ${String(low)}::bigint and message_id < ${String(high)}::bigint
      order by message_id limit ${limit} for update`,
  );
  const [first, last] = [rows[0]?.id, rows.at(-1)?.id];
  if (first === undefined || last === undefined || rows.some((row) => !row.isEnded)) return null;
  const taskIds = [...new Set(rows.flatMap(({ taskId }) => taskId ?? []))];
  const tasks = await many(
    tx,
    sql<{ isAtRest: boolean }>`select ${isAtRest} as "isAtRest" from task t where t.task_id = any(${taskIds}::uuid[])
      order by t.task_id for share`,
  );
  return tasks.every((task) => task.isAtRest) ? { first, last, count: rows.length } : null;
};

/**
 * Moves the first messages of a customer in a range of IDs of one day into a block, and returns their number; 0: there are
 * none that may be moved. Throws if the block differs from the rows; the transaction must then be rolled back.
 */
export const archiveBlock = async (
  tx: Db,
  customerId: string,
  range: { low: bigint; high: bigint },
  limit: number = blockRows,
): Promise<number> => {
  const locked = await lockRows(tx, customerId, range, limit);
  if (locked === null) return 0;
  const { first, last, count } = locked;
  const isMoved = sql`customer_id = ${customerId} and message_id between ${first}::bigint and ${last}::bigint`;
  const rows = sql`select * from message where ${isMoved}`;
  const block = { customerId, firstId: first };
  await run(tx, sql`insert into message_archive (${columns}) ${packed(customerId, rows)}`);
  const { different, packedCount } = await one(
    tx,
    sql<{ different: number; packedCount: number }>`select
        (select count(*)::int from (${rows} except all ${rowsOf(block)}) d) as different,
        (select row_count from message_archive a where ${isBlock(block)}) as "packedCount"`,
  );
  const deleted = await run(tx, sql`delete from message where ${isMoved}`);
  if (different > 0 || packedCount !== count || deleted !== count)
    throw new Error(`messages ${first} to ${last} of customer ${customerId} differ from their block`);
  return deleted;
};

/**
 * Empties the number and the text of the messages of a customer to a number, and makes new filters of their blocks;
 * returns their IDs. One block is unpacked at a time.
 */
export const eraseArchived = async (tx: Db, customerId: string, msisdn: string): Promise<string[]> => {
  const blocks = await many(
    tx,
    sql<{ firstId: string }>`select a.first_id::text as "firstId" from archive_hashes(${msisdn.slice(0, 12)}) h
      join message_archive a on a.customer_id = ${customerId} and archive_may_hold(a.numbers, h.h1, h.h2)
      where ${msisdn}::bigint = any(a.msisdns) order by a.first_id for update of a`,
  );
  const erased: string[] = [];
  for (const { firstId } of blocks) {
    const { ids } = await one(
      tx,
      sql<{ ids: string[] }>`
        with rows as materialized (
          select r.*, r.msisdn = ${msisdn}::bigint as is_erased
          from message_archive a cross join lateral unnest(a.offsets, a.msisdns, a.contents) with ordinality
            as r(id, msisdn, content, n)
          where ${isBlock({ customerId, firstId })}),
        e as (
          select array_agg(case when is_erased then 0 else msisdn end order by n) as msisdns,
            array_agg(case when is_erased then '' else content end order by n) as contents,
            array_agg(id) filter (where is_erased) as ids from rows)
        update message_archive a set msisdns = e.msisdns, contents = e.contents, numbers = archive_filter(e.msisdns)
        from e where ${isBlock({ customerId, firstId })}
        returning array(select (a.first_id + id)::text from unnest(e.ids) id) as ids`,
    );
    erased.push(...ids);
  }
  return erased;
};
