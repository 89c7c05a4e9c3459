/**
 * The ledger folded by day (UTC): sums of each day, charges of each of its hours, and snapshots of what all entries come to by its end. A day is folded
 * when no entry can be dated on it any more, and then read from there; days after a customer's last snapshot are read
 * from the ledger itself.
 *
 * No entry is late: its instant is at most an hour before that of the database (`datedAt`), whatever the clock of the
 * program, and a transaction lasts less than two.
 */
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';
import { moveKeptSince } from './kept-since.ts';

const SETTLED_HOURS = 3;

/** A weight per batch, so that a sum distinguishes two swapped charges from two correct ones. */
export const WEIGHTS = 65_521n;

export const toWeight = (batchId: bigint): bigint => batchId % WEIGHTS;

/** The instant of a new entry. */
export const datedAt = (at: Date): Fragment<Date> => sql<Date>`greatest(${at}::timestamptz, now() - interval '1 hour')`;

/** Corrections of charges by the program count as charges; those entered by users have no batch. */
export const isCharge = sql`(kind = 'charge' or (kind = 'adjustment' and batch_id is not null))`;

/** What was folded up to an instant, the beginning of a day. */
export interface Folded {
  /** `2026-03-31`; the ledger has the rest, from the beginning of this day on. */
  next: string;
  amount: number;
  entries: number;
  loose: number;
}

const NOTHING: Folded = { next: '2000-01-01', amount: 0, entries: 0, loose: 0 };

/** The last snapshot of a customer that ends before the day of an instant; null: the last of all. */
export const findFolded = async (db: Db, customerId: string, before: Date | null): Promise<Folded> =>
  (await maybe<Folded>(
    db,
    sql`select (day + 1)::text as next, amount::float8 as amount, entries::float8 as entries, loose::float8 as loose
        from ledger_snapshot where customer_id = ${customerId}
          and ${before === null ? sql`true` : sql`day < (${before}::timestamptz at time zone 'UTC')::date`}
        order by day desc limit 1`,
  )) ?? NOTHING;

/** Beginning of the day after those that may be folded, as a date. */
export const findLedgerFoldEnd = async (db: Db, offsetMs: number): Promise<string> => {
  const { day } = await one<{ day: string }>(
    db,
    sql`select ((${dbNow(offsetMs)} - ${SETTLED_HOURS}::int * interval '1 hour') at time zone 'UTC')::date::text as day`,
  );
  return day;
};

export const startOf = (day: string): Fragment => sql`(${day}::date::timestamp at time zone 'UTC')`;

/** Customers with entries before a day that are not folded, after a customer in the order of ids. */
export const listUnfoldedLedgers = async (
  db: Db,
  end: string,
  after: string | null,
  limit: number,
): Promise<string[]> => {
  const rows = await many<{ id: string }>(
    db,
    sql`select distinct b.customer_id as id from balance b
        where ${after === null ? sql`true` : sql`b.customer_id > ${after}`}
          and exists (select from ledger l where l.customer_id = b.customer_id and l.at < ${startOf(end)}
            and l.at >= coalesce((select (max(s.day) + 1)::timestamp at time zone 'UTC' from ledger_snapshot s
              where s.customer_id = b.customer_id), '-infinity'))
        order by 1 limit ${limit}`,
  );
  return rows.map(({ id }) => id);
};

/** One fold of a customer at a time; to the end of the transaction. */
const lockLedger = (tx: Db, customerId: string) =>
  run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`ledger ${customerId}`}, 0))`);

const day = sql`(at at time zone 'UTC')::date`;
const sums = sql`
  ${day} as day, case when ${isCharge} then 'charge' else kind end as kind, coalesce(app_id, '') as app_id,
  coalesce(task_id, '00000000-0000-0000-0000-000000000000') as task_id,
  coalesce(((batch_id >> 18) / 86400000)::int, -1) as batch_day, sum(amount) as amount,
  coalesce(sum(amount::numeric * (batch_id % ${String(WEIGHTS)}::bigint)), 0) as weighted, sum(segments) as segments, count(*) as entries`;

const insertDays = (tx: Db, customerId: string, from: string, to: string) =>
  run(
    tx,
    sql`insert into ledger_day (customer_id, day, kind, app_id, task_id, batch_day, amount, weighted, segments, entries)
        select ${customerId}::uuid, ${sums} from ledger
        where customer_id = ${customerId} and at >= ${startOf(from)} and at < ${startOf(to)} group by 2, 3, 4, 5, 6`,
  );

const hour = sql`date_bin('1 hour', at, timestamptz '2000-01-01 00:00:00+00')`;
const hourDay = sql`(hour at time zone 'UTC')::date`;
const hourSums = sql`${hour} as hour, coalesce(sum(amount) filter (where ${isCharge}), 0) as amount,
  coalesce(sum(segments) filter (where ${isCharge}), 0) as segments`;

const insertHours = (tx: Db, customerId: string, from: string, to: string) =>
  run(
    tx,
    sql`insert into ledger_hour (customer_id, hour, amount, segments)
        select ${customerId}::uuid, ${hourSums} from ledger
        where customer_id = ${customerId} and at >= ${startOf(from)} and at < ${startOf(to)} group by 2`,
  );

/**
 * Folded days of a customer from `from` up to `to` that have no hours, because a release before folded them. Each is looked
 * up by key: as joins by ranges they would read all hours for each day (decision 044).
 */
export const withoutHours = (customerId: string, from: string, to: string): Fragment =>
  sql`select s.day from ledger_snapshot s where s.customer_id = ${customerId} and s.day >= ${from}::date and s.day < ${to}::date
    and (select 1 from ledger_hour h where h.customer_id = ${customerId}
      and h.hour >= s.day::timestamp at time zone 'UTC' and h.hour < (s.day + 1)::timestamp at time zone 'UTC' limit 1) is null
    and (select 1 from ledger_day d where d.customer_id = ${customerId} and d.day = s.day limit 1) is not null`;

/** Days that get their hours later, in one fold. */
const DAYS_AT_ONCE = 31;

const insertMissingHours = async (tx: Db, customerId: string, to: string): Promise<void> => {
  const days = await many<{ day: string; after: string }>(
    tx,
    sql`select day::text as day, (day + 1)::text as after from (${withoutHours(customerId, NOTHING.next, to)}) d
        order by day desc limit ${DAYS_AT_ONCE}`,
  );
  for (const { day: from, after } of days) await insertHours(tx, customerId, from, after);
};

/** Snapshots of the days from `from` up to `to`, from the last one before them and the sums of their days. */
const insertSnapshots = async (tx: Db, customerId: string, from: string, to: string): Promise<void> => {
  await run(
    tx,
    sql`with last as (
          select amount, entries, loose from ledger_snapshot where customer_id = ${customerId} and day < ${from}::date
          order by day desc limit 1
        ), d as (
          select day, sum(amount) as amount, sum(entries) as entries,
            coalesce(sum(entries) filter (where kind = 'charge' and batch_day = -1), 0) as loose
          from ledger_day where customer_id = ${customerId} and day >= ${from}::date and day < ${to}::date group by day
        )
        insert into ledger_snapshot (customer_id, day, amount, entries, loose)
        select ${customerId}::uuid, day, coalesce((select amount from last), 0) + sum(amount) over w,
          coalesce((select entries from last), 0) + sum(entries) over w, coalesce((select loose from last), 0) + sum(loose) over w
        from d window w as (order by day)`,
  );
};

/**
 * Folds a customer's next days that end by `end`, of some `limit` entries and at least one day, in a transaction of the
 * caller's. Returns whether there was anything.
 */
export const foldLedger = async (tx: Db, customerId: string, end: string, limit: number): Promise<boolean> => {
  await lockLedger(tx, customerId);
  const { next } = await findFolded(tx, customerId, null);
  const due = sql`from ledger where customer_id = ${customerId} and at >= ${startOf(next)} and at < ${startOf(end)} order by at`;
  const { first, to } = await one<{ first: string | null; to: string }>(
    tx,
    sql`select (select ${day}::text ${due} limit 1) as first,
          coalesce((select greatest(${day}, (select ${day} + 1 ${due} limit 1))::text ${due} offset ${limit} limit 1), ${end}) as to`,
  );
  if (first === null) return false;
  await insertDays(tx, customerId, first, to);
  await insertHours(tx, customerId, first, to);
  await insertSnapshots(tx, customerId, first, to);
  await insertMissingHours(tx, customerId, first);
  return true;
};

/** Folds a day again, and makes the snapshots from it on. */
export const refoldLedger = async (tx: Db, customerId: string, from: string): Promise<void> => {
  await lockLedger(tx, customerId);
  const { next } = await findFolded(tx, customerId, null);
  if (from >= next) return;
  await run(tx, sql`delete from ledger_day where customer_id = ${customerId} and day = ${from}::date`);
  const { to } = await one<{ to: string }>(tx, sql`select (${from}::date + 1)::text as to`);
  await insertDays(tx, customerId, from, to);
  await run(
    tx,
    sql`delete from ledger_hour where customer_id = ${customerId} and hour >= ${startOf(from)} and hour < ${startOf(to)}`,
  );
  await insertHours(tx, customerId, from, to);
  await run(tx, sql`delete from ledger_snapshot where customer_id = ${customerId} and day >= ${from}::date`);
  await insertSnapshots(tx, customerId, from, next);
};

export interface LedgerFault {
  /** `2026-03-31` */
  day: string;
  /** 1/10,000 PHP. */
  kept: number;
  derived: number;
}

/** Folded days from `since` on whose sums, hours or snapshots are not those of their entries. */
export const listLedgerFaults = async (db: Db, customerId: string, since: string): Promise<LedgerFault[]> => {
  const { next } = await findFolded(db, customerId, null);
  return await many<LedgerFault>(
    db,
    sql`with d as (
          select day, kind, app_id, task_id, batch_day, amount, weighted, segments, entries from ledger_day
          where customer_id = ${customerId} and day >= ${since}::date and day < ${next}::date
        ), l as (
          select ${sums} from ledger
          where customer_id = ${customerId} and at >= ${startOf(since)} and at < ${startOf(next)} group by 1, 2, 3, 4, 5
        ), last as (
          select amount, entries from ledger_snapshot where customer_id = ${customerId} and day < ${since}::date order by day desc limit 1
        ), running as (
          select day, coalesce((select amount from last), 0) + sum(amount) over w as amount,
            coalesce((select entries from last), 0) + sum(entries) over w as entries
          from (select day, sum(amount) as amount, sum(entries) as entries from d group by day) r window w as (order by day)
        ), h as (
          select hour, amount, segments from ledger_hour
          where customer_id = ${customerId} and hour >= ${startOf(since)} and hour < ${startOf(next)}
        ), lh as (
          select ${hourSums} from ledger
          where customer_id = ${customerId} and at >= ${startOf(since)} and at < ${startOf(next)} group by 1
        ), wrong as (
          (select day from (select * from d except all select * from l) a)
          union (select day from (select * from l except all select * from d) b)
          union (select coalesce(r.day, s.day) from running r full join (
              select * from ledger_snapshot where customer_id = ${customerId} and day >= ${since}::date) s using (day)
            where (r.amount, r.entries) is distinct from (s.amount, s.entries))
          -- a day without any hours is read from its entries
          union (select ${hourDay} from (select * from h except all select * from lh) a)
          union (select ${hourDay} from (select * from lh except all select * from h) b
            where ${hourDay} in (select ${hourDay} from h))
        )
        select day::text as day, coalesce((select sum(amount) from d where d.day = w.day), 0)::float8 as kept,
          coalesce((select sum(amount) from l where l.day = w.day), 0)::float8 as derived
        from wrong w order by day`,
  );
};

/** Customers with folded entries before a day. */
export const listOldLedgers = async (db: Db, before: string, limit: number): Promise<string[]> => {
  const rows = await many<{ id: string }>(
    db,
    sql`select distinct b.customer_id as id from balance b
        where exists (select from ledger l where l.customer_id = b.customer_id and l.at < ${startOf(before)}
            and l.at < (select (max(s.day) + 1)::timestamp at time zone 'UTC' from ledger_snapshot s where s.customer_id = b.customer_id))
        order by 1 limit ${limit}`,
  );
  return rows.map(({ id }) => id);
};

/**
 * Deletes at most `limit` of a customer's folded entries before a day, oldest first, and the sums of their days; the
 * snapshots stay. Returns how many.
 */
export const deleteOldLedger = async (tx: Db, customerId: string, before: string, limit: number): Promise<number> => {
  await lockLedger(tx, customerId);
  await moveKeptSince(tx, 'ledger', new Date(`${before}T00:00:00Z`));
  const { next } = await findFolded(tx, customerId, null);
  const end = before < next ? before : next;
  await run(tx, sql`delete from ledger_day where customer_id = ${customerId} and day < ${end}::date`);
  await run(tx, sql`delete from ledger_hour where customer_id = ${customerId} and hour < ${startOf(end)}`);
  return await run(
    tx,
    sql`delete from ledger where customer_id = ${customerId} and entry_id in (
          select entry_id from ledger where customer_id = ${customerId} and at < ${startOf(end)} order by at limit ${limit})`,
  );
};
