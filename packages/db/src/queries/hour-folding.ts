/** Adds the minutes of ended hours to `report_hour`, and to `report_hour_total`. Readers: report-figures.ts. */
import { type Db, type Fragment, many, one, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';
import { moveKeptSince } from './kept-since.ts';
import { isReal } from './real-customers.ts';
import { FOLDED, figureKeys, figureSums, totalKeys } from './report-figures.ts';

/** Ended hours wait so long for the flushes of their last minutes. */
const SETTLED_MINUTES = 10;

/** Beginning of the hour that is not folded yet. */
export const findFoldEnd = async (db: Db, offsetMs: number): Promise<Date> => {
  const { end } = await one(
    db,
    sql<{
      end: Date;
    }>`select date_trunc('hour', ${dbNow(offsetMs)} - ${SETTLED_MINUTES}::int * interval '1 minute', 'UTC') as end`,
  );
  return end;
};

/** Customers with minutes before `end` that are not folded. */
export const listUnfolded = async (db: Db, end: Date): Promise<string[]> => {
  const rows = await many(
    db,
    sql<{ id: string }>`select distinct customer_id as id from report_minute where writer >= 0 and minute < ${end}`,
  );
  return rows.map(({ id }) => id);
};

const keys = sql.join(figureKeys.map(sql.ref));
const keysOfTotal = sql.join(totalKeys.map(sql.ref));
const names = sql.join(figureSums.map(sql.ref));
const sums = sql.join(figureSums.map((name) => sql`sum(${sql.ref(name)})`));
const addedTo = (table: string): Fragment =>
  sql.join(figureSums.map(sql.ref).map((name) => sql`${name} = ${sql.ref(table)}.${name} + excluded.${name}`));

/** Held by folds together, and alone by what makes totals again. */
const TOTALS_LOCK = sql`hashtextextended('report_hour_total', 0)`;

/** One fold of a customer at a time; to the end of the transaction. */
const lockFolding = (tx: Db, customerId: string) =>
  run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`report_hour ${customerId}`}, 0))`);

/**
 * Folds at most `limit` of a customer's minutes before `end`, in a transaction of the caller's. A minute that a flush
 * is changing is left for the next time. Returns how many were folded.
 */
export const foldHours = async (tx: Db, customerId: string, end: Date, limit: number): Promise<number> => {
  await lockFolding(tx, customerId);
  await run(tx, sql`select pg_advisory_xact_lock_shared(${TOTALS_LOCK})`);
  const { folded } = await one(
    tx,
    sql<{ folded: number }>`
      with due as (
        select minute, ${keys}, writer from report_minute
        where customer_id = ${customerId} and writer >= 0 and minute < ${end}
        order by minute limit ${limit} for update skip locked
      ), taken as (
        delete from report_minute r using due d
        where r.customer_id = ${customerId} and (r.minute, r.app_id, r.area_code, r.carrier, r.client_sid, r.sms_type,
          r.route_id, r.writer) = (d.minute, d.app_id, d.area_code, d.carrier, d.client_sid, d.sms_type, d.route_id, d.writer)
        returning r.*
      ), minutes as (
        insert into report_minute as m (customer_id, minute, ${keys}, writer, ${names})
        select customer_id, minute, ${keys}, ${FOLDED}::smallint, ${sums} from taken group by customer_id, minute, ${keys}
        on conflict (customer_id, minute, ${keys}, writer) do update set ${addedTo('m')}
      ), hours as (
        insert into report_hour as h (customer_id, hour, ${keys}, ${names})
        select customer_id, date_trunc('hour', minute, 'UTC'), ${keys}, ${sums} from taken group by 1, 2, ${keys}
        on conflict (customer_id, hour, ${keys}) do update set ${addedTo('h')}
      ), totals as (
        insert into report_hour_total as t (hour, ${keysOfTotal}, ${names})
        select date_trunc('hour', minute, 'UTC'), ${keysOfTotal}, ${sums} from taken
        where ${isReal(sql`customer_id`)} group by 1, ${keysOfTotal} order by 1, ${keysOfTotal}
        on conflict (hour, ${keysOfTotal}) do update set ${addedTo('t')}
      )
      select count(*)::int as folded from taken`,
  );
  return folded;
};

/**
 * Deletes some `limit` folded minutes older than an instant that begins an hour; `report_hour` has them. From then on reports
 * and verify take that time from hours. Returns how many were deleted.
 */
export const deleteOldMinutes = async (tx: Db, before: Date, limit: number): Promise<number> => {
  await moveKeptSince(tx, 'report_minute', before);
  const { last } = await one<{ last: Date | null }>(
    tx,
    sql`select max(minute) as last from (
          select minute from report_minute where writer = ${FOLDED} and minute < ${before} order by minute limit ${limit}) oldest`,
  );
  if (last === null) return 0;
  return await run(tx, sql`delete from report_minute where writer = ${FOLDED} and minute <= ${last}`);
};

/**
 * Deletes some `limit` hours older than an instant that begins an hour, with the same of all customers together. Returns how
 * many were deleted.
 */
export const deleteOldHours = async (tx: Db, before: Date, limit: number): Promise<number> => {
  await moveKeptSince(tx, 'report_hour', before);
  const { last } = await one<{ last: Date | null }>(
    tx,
    sql`select max(hour) as last from (
          select hour from report_hour where hour < ${before} order by hour limit ${limit}) oldest`,
  );
  const totals = await run(
    tx,
    sql`delete from report_hour_total where hour <= coalesce(${last}::timestamptz, ${before}::timestamptz - interval '1 hour')`,
  );
  return totals + (last === null ? 0 : await run(tx, sql`delete from report_hour where hour <= ${last}`));
};

export interface HourFault {
  hour: Date;
  /** Requests of all its rows. */
  kept: number;
  derived: number;
}

/** Hours from `since` up to `until` whose rows are not the sums of their folded minutes. */
export const listHourFaults = (db: Db, customerId: string, since: Date, until: Date): Promise<HourFault[]> =>
  many(
    db,
    sql<HourFault>`
      with h as (select hour, ${keys}, ${names} from report_hour where customer_id = ${customerId} and hour >= ${since} and hour < ${until}),
      m as (
        select date_trunc('hour', minute, 'UTC') as hour, ${keys}, ${sums} from report_minute
        where customer_id = ${customerId} and minute >= ${since} and minute < ${until} and writer = ${FOLDED} group by 1, ${keys}
      ), wrong as (
        (select hour from (select * from h except all select * from m) a)
        union (select hour from (select * from m except all select * from h) b)
      )
      select hour, coalesce((select sum(req_total) from report_hour r where r.customer_id = ${customerId} and r.hour = w.hour), 0)::float8 as kept,
        coalesce((select sum(req_total) from report_minute r where r.customer_id = ${customerId} and r.writer = ${FOLDED}
          and r.minute >= w.hour and r.minute < w.hour + interval '1 hour'), 0)::float8 as derived
      from wrong w order by 1`,
  );

/** Makes the rows of an hour again, of its folded minutes. */
export const refoldHour = async (tx: Db, customerId: string, hour: Date): Promise<void> => {
  await lockFolding(tx, customerId);
  await run(tx, sql`delete from report_hour where customer_id = ${customerId} and hour = ${hour}`);
  await run(
    tx,
    sql`insert into report_hour (customer_id, hour, ${keys}, ${names})
        select customer_id, ${hour}::timestamptz, ${keys}, ${sums} from report_minute
        where customer_id = ${customerId} and writer = ${FOLDED} and minute >= ${hour}
          and minute < ${hour}::timestamptz + interval '1 hour'
        group by customer_id, ${keys}`,
  );
  await refoldTotal(tx, hour);
};

/** Hours since `since` whose rows of all real customers are not the sums of the customers'. */
export const listTotalFaults = (db: Db, since: Date): Promise<HourFault[]> =>
  many(
    db,
    sql<HourFault>`
      with t as (select hour, ${keysOfTotal}, ${names} from report_hour_total where hour >= ${since}),
      c as (select hour, ${keysOfTotal}, ${sums} from report_hour
        where hour >= ${since} and ${isReal(sql`customer_id`)} group by hour, ${keysOfTotal}),
      wrong as (
        (select hour from (select * from t except all select * from c) a)
        union (select hour from (select * from c except all select * from t) b)
      )
      select hour, coalesce((select sum(req_total) from report_hour_total r where r.hour = w.hour), 0)::float8 as kept,
        coalesce((select sum(req_total) from report_hour r
          where r.hour = w.hour and ${isReal(sql`r.customer_id`)}), 0)::float8 as derived
      from wrong w order by 1`,
  );

/** Makes the rows of all customers of an hour again. */
export const refoldTotal = async (tx: Db, hour: Date): Promise<void> => {
  await run(tx, sql`select pg_advisory_xact_lock(${TOTALS_LOCK})`);
  await run(tx, sql`delete from report_hour_total where hour = ${hour}`);
  await run(
    tx,
    sql`insert into report_hour_total (hour, ${keysOfTotal}, ${names})
        select hour, ${keysOfTotal}, ${sums} from report_hour
        where hour = ${hour} and ${isReal(sql`customer_id`)} group by hour, ${keysOfTotal}`,
  );
};
