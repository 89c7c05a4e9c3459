/**
 * Seals of days. A sealed day is not read again while its fingerprint is the same: counts and hashes of what is counted
 * about its messages, which every change of an outcome moves in the same transaction.
 */
import { batchState } from '../../literals.ts';
import { type Db, type Fragment, many, one, run, sql } from '../../sql.ts';
import { figureKeys, figureSums } from '../report-figures.ts';
import { dayOfDate, messageDay, startOfDay } from './days.ts';
import type { IdRange } from './snapshot.ts';

/** Stands for all customers: seals of receipt routes. */
const ALL = '00000000-0000-0000-0000-000000000000';

export interface Fingerprint {
  day: number;
  text: string;
  messages: number;
  /** Its batches are done and past the deadlines of their receipts, nothing is in doubt, and its hours are complete. */
  isClosed: boolean;
}

const hash = (row: Fragment): Fragment => sql`bit_xor(hashtextextended(${row}::text, 0))`;
const hourRow = sql`row(extract(epoch from hour)::bigint, ${sql.join([...figureKeys, ...figureSums].map(sql.ref))})`;

/** Days of a customer about which anything is counted, in order. */
export const readFingerprints = (db: Db, customerId: string, { low, high }: IdRange): Promise<Fingerprint[]> => {
  const ids = (column: string) => sql`customer_id = ${customerId} and ${sql.ref(column)} >= ${String(low)}::bigint
    and ${sql.ref(column)} < ${String(high)}::bigint`;
  const times = (column: string) => sql`customer_id = ${customerId} and ${sql.ref(column)} >= ${startOfDay(low)}
    and ${sql.ref(column)} < ${startOfDay(high)}`;
  return many(
    db,
    sql<Fingerprint>`
      with b as (
        select ${messageDay('batch_id')} as day, count(*) as n, sum(message_count) as messages,
          bool_and(state = ${batchState.Done} and receipts_closed) as closed,
          ${hash(sql`row(batch_id, task_id, app_id, lane, supplier_id, route_id, message_count, state, round, owner,
            lease_until is null, intent_mark, not_taken, success_count, failed_count, cost)`)} as h
        from batch where ${ids('batch_id')} group by 1
      ), h as (
        select ${dayOfDate(sql`hour`)} as day, count(*) as n, ${hash(hourRow)} as h
        from report_hour where ${times('hour')} group by 1
      ), m as (
        select ${dayOfDate(sql`minute`)} as day, count(*) as n from report_minute where ${times('minute')} and writer >= 0 group by 1
      ), t as (
        select ${dayOfDate(sql`day`)} as day, count(*) as n, ${hash(sql`row(template_id, s, d, u, n)`)} as h from (
          select template_id, day, sum(success_count) as s, sum(delivered_count) as d, sum(undelivered_count) as u, sum(unknown_count) as n
          from template_day where ${times('day')} group by 1, 2) c
        group by 1
      ), d as (
        select ${messageDay('message_id')} as day, count(*) as n from in_doubt where ${ids('message_id')} and resolved_at is null group by 1
      )
      select day, concat_ws(' ', 'batches', b.n, b.h, 'hours', h.n, h.h, 'templates', t.n, t.h) as text,
        coalesce(b.messages, 0)::int as messages, coalesce(b.closed, false) and m.n is null and d.n is null as "isClosed"
      from b full join h using (day) full join m using (day) full join t using (day) full join d using (day) order by 1`,
  );
};

export interface Seal {
  day: number;
  fingerprint: string;
  messages: number;
  checksum: bigint;
  /** 1/10,000 PHP, as all amounts. */
  cost: bigint;
  weighted: bigint;
  segments: bigint;
  awaited: number;
  tasks: unknown;
}

type SealRow = Omit<Seal, 'messages' | 'checksum' | 'cost' | 'weighted' | 'segments' | 'awaited'> &
  Record<'messages' | 'checksum' | 'cost' | 'weighted' | 'segments' | 'awaited', string>;

/** Seals of a customer's days that begin at `low` or later. */
export const readSeals = async (db: Db, customerId: string, low: bigint): Promise<Seal[]> => {
  const rows = await many(
    db,
    sql<SealRow>`select ${dayOfDate(sql`day`)} as day, fingerprint, messages, checksum, cost, weighted, segments, awaited, tasks
        from verify_seal where customer_id = ${customerId} and day >= ${startOfDay(low)} order by 1`,
  );
  return rows.map((row) => ({
    ...row,
    messages: Number(row.messages),
    checksum: BigInt(row.checksum),
    cost: BigInt(row.cost),
    weighted: BigInt(row.weighted),
    segments: BigInt(row.segments),
    awaited: Number(row.awaited),
  }));
};

/** Replaces those of the same days. */
export const saveSeals = async (db: Db, customerId: string, seals: readonly Seal[]): Promise<void> => {
  const rows = seals.map((seal) => ({
    ...seal,
    checksum: String(seal.checksum),
    cost: String(seal.cost),
    weighted: String(seal.weighted),
    segments: String(seal.segments),
  }));
  await run(
    db,
    sql`insert into verify_seal (customer_id, day, sealed_at, fingerprint, messages, checksum, cost, weighted, segments, awaited, tasks)
        select ${customerId}::uuid, date '2025-01-01' + s.day, ${new Date()}::timestamptz, s.fingerprint, s.messages, s.checksum, s.cost, s.weighted,
          s.segments, s.awaited, s.tasks
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s(day int, fingerprint text, messages bigint, checksum bigint,
          cost bigint, weighted numeric, segments bigint, awaited bigint, tasks jsonb)
        on conflict (customer_id, day) do update set sealed_at = excluded.sealed_at, fingerprint = excluded.fingerprint,
          messages = excluded.messages, checksum = excluded.checksum, cost = excluded.cost, weighted = excluded.weighted,
          segments = excluded.segments, awaited = excluded.awaited, tasks = excluded.tasks`,
  );
};

export const dropSeals = async (db: Db, customerId: string, days: readonly number[]): Promise<void> => {
  if (days.length === 0) return;
  await run(
    db,
    sql`delete from verify_seal where customer_id = ${customerId} and ${dayOfDate(sql`day`)} = any(${days}::int[])`,
  );
};

/** Seals of days before `low`, whose messages are deleted or too old to be compared. */
export const dropOldSeals = async (db: Db, customerId: string, low: bigint): Promise<void> => {
  await run(db, sql`delete from verify_seal where customer_id = ${customerId} and day < ${startOfDay(low)}::date`);
};

/** Days from `low` on whose routes were sealed after the last seal of any customer's same day. */
export const listSealedRoutes = async (db: Db, low: bigint): Promise<number[]> => {
  const rows = await many(
    db,
    sql<{ day: number }>`select ${dayOfDate(sql`day`)} as day from verify_seal where day >= ${startOfDay(low)}::date
        group by day having max(sealed_at) filter (where customer_id = ${ALL})
          > coalesce(max(sealed_at) filter (where customer_id <> ${ALL}), '-infinity') order by 1`,
  );
  return rows.map(({ day }) => day);
};

export const sealRoutes = async (db: Db, days: readonly number[]): Promise<void> => {
  const nothing = { fingerprint: '', messages: 0, checksum: 0n, cost: 0n, weighted: 0n, segments: 0n, awaited: 0 };
  await saveSeals(
    db,
    ALL,
    days.map((day) => ({ day, ...nothing, tasks: [] })),
  );
};

/** Whether seals can be stored: not on a standby. */
export const canSeal = async (db: Db): Promise<boolean> => {
  const { isStandby } = await one(db, sql<{ isStandby: boolean }>`select pg_is_in_recovery() as "isStandby"`);
  return !isStandby;
};
