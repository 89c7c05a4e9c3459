/**
 * Sums of a span of the ledger. Whole folded days (UTC) are read from their totals, or by day of another zone from their
 * hours; entries are read of the days at both ends, and of those that are not folded (decision 154).
 */
import { type Db, type Fragment, many, one, sql } from '../sql.ts';
import type { Span } from './ledger.ts';
import { findFolded, isCharge, startOf, withoutHours } from './ledger-folding.ts';

const dayMs = 86_400_000;
const noTask = '00000000-0000-0000-0000-000000000000';

export interface ChargeSum {
  /** Day as `2026-03-31`, appId or taskId; null: of no task. */
  key: string | null;
  /** 1/10,000 PHP, positive. */
  charged: number;
  segments: number;
}

/** A span as the folded days in it, `[first, end)`, and the ranges of instants around them. */
interface Parts {
  first: string;
  end: string;
  ranges: readonly (readonly [Date, Date])[];
}

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const splitSpan = async (db: Db, { customerId, from, to }: Span): Promise<Parts> => {
  const { next } = await findFolded(db, customerId, null);
  const firstMs = Math.ceil(from.getTime() / dayMs) * dayMs;
  const endMs = Math.min(Math.floor(to.getTime() / dayMs) * dayMs, Date.parse(next));
  if (endMs <= firstMs) return { first: toDay(firstMs), end: toDay(firstMs), ranges: [[from, to]] };
  const around = [
    [from, new Date(firstMs)],
    [new Date(endMs), to],
  ] as const;
  return { first: toDay(firstMs), end: toDay(endMs), ranges: around.filter(([low, high]) => low < high) };
};

/** Entries in ranges of instants, as `l`: `low` and `high` of each are found by an index, whatever the statistics. */
const entriesIn = (customerId: string, ranges: Fragment, condition: Fragment): Fragment =>
  sql`(${ranges}) as r(low, high) cross join lateral (
    select at, kind, amount, segments, app_id, task_id, batch_id from ledger
    where customer_id = ${customerId} and at >= r.low and at < r.high and ${condition} offset 0) l`;

const toRanges = (ranges: Parts['ranges']): Fragment =>
  sql`select * from unnest(${ranges.map(([low]) => low)}::timestamptz[], ${ranges.map(([, high]) => high)}::timestamptz[])`;

/** Charges of a span; by day in their order, else the largest first. */
export const sumCharges = async (
  db: Db,
  span: Span,
  by: 'day' | 'application' | 'task',
  zone: string,
): Promise<ChargeSum[]> => {
  const parts = await splitSpan(db, span);
  if (by === 'day') return await sumByDay(db, span.customerId, parts, zone);
  const { customerId } = span;
  const [folded, entry] =
    by === 'application'
      ? [sql`nullif(app_id, '')`, sql`l.app_id`]
      : [sql`nullif(task_id, ${noTask}::uuid)::text`, sql`l.task_id::text`];
  return await many<ChargeSum>(
    db,
    sql`select key, (-sum(amount))::float8 as charged, sum(segments)::int as segments from (
          select ${folded} as key, amount, segments from ledger_day
          where customer_id = ${customerId} and day >= ${parts.first}::date and day < ${parts.end}::date and kind = 'charge'
          union all
          select ${entry}, l.amount, l.segments from ${entriesIn(customerId, toRanges(parts.ranges), isCharge)}) s
        group by 1 order by 2 desc, 1`,
  );
};

/** Hours in which a day of the zone begins, as in Kathmandu, and days without hours are read from their entries. */
const sumByDay = (db: Db, customerId: string, { first, end, ranges }: Parts, zone: string): Promise<ChargeSum[]> => {
  const local = (at: Fragment): Fragment => sql`(${at} at time zone ${zone}::text)::date`;
  const others = sql`${toRanges(ranges)}
    union all select hour, hour + interval '1 hour' from h where not is_whole
    union all select day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC'
    from (${withoutHours(customerId, first, end)}) d`;
  return many<ChargeSum>(
    db,
    sql`with h as materialized (
          select hour, amount, segments,
            ${local(sql`hour`)} = ${local(sql`(hour + interval '59 minutes 59 seconds')`)} as is_whole
          from ledger_hour where customer_id = ${customerId} and hour >= ${startOf(first)} and hour < ${startOf(end)})
        select to_char(day, 'YYYY-MM-DD') as key, (-sum(amount))::float8 as charged, sum(segments)::int as segments from (
          select ${local(sql`hour`)} as day, amount, segments from h where is_whole
          union all
          select ${local(sql`l.at`)}, l.amount, l.segments from ${entriesIn(customerId, others, isCharge)}) s
        group by 1 order by 1`,
  );
};

export interface SpanSums {
  /** 1/10,000 PHP, positive if it was spent. */
  charged: number;
  toppedUp: number;
  /** Entered by users, not a correction of charges. */
  adjusted: number;
  /** Charged. */
  segments: number;
}

/** What came and went in a span. */
export const sumSpan = async (db: Db, span: Span): Promise<SpanSums> => {
  const { first, end, ranges } = await splitSpan(db, span);
  const { customerId } = span;
  return await one<SpanSums>(
    db,
    sql`select coalesce(-sum(amount) filter (where kind = 'charge'), 0)::float8 as charged,
          coalesce(sum(amount) filter (where kind = 'topUp'), 0)::float8 as "toppedUp",
          coalesce(sum(amount) filter (where kind = 'adjustment'), 0)::float8 as adjusted,
          coalesce(sum(segments) filter (where kind = 'charge'), 0)::float8 as segments
        from (
          select kind, amount, segments from ledger_day
          where customer_id = ${customerId} and day >= ${first}::date and day < ${end}::date
          union all
          select case when ${isCharge} then 'charge' else l.kind end, l.amount, l.segments
          from ${entriesIn(customerId, toRanges(ranges), sql`true`)}) s`,
  );
};
