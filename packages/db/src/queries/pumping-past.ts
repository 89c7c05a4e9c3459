/** The busiest windows of applications on past days, which the present ones are compared with. */

import {
  type CodeUse,
  type PumpingCount,
  PumpingSignal,
  pumpingPastDays,
  usualCodesOf,
  usualOf,
} from '@pahatid/domain';
import { type Db, type Fragment, many, run, sql } from '../sql.ts';
import type { Application, CountRow } from './pumping.ts';

export interface PastDay {
  readonly appId: string;
  /** Of the Manila calendar, 2026-11-23. */
  readonly day: string;
  readonly signal: 'messages' | PumpingCount['signal'];
  readonly key: string;
  readonly busiest: number;
}

/** The busiest windows of the last `days` before today, of an application or of all; the newest first. */
export const listPumpingPast = (
  db: Db,
  { customerId, appId }: { customerId: string; appId: string | null },
  { nowMs, days, limit }: { nowMs: number; days: number; limit: number },
): Promise<PastDay[]> =>
  many<PastDay>(
    db,
    sql`select app_id as "appId", day::text as day, signal, key, busiest from pumping_past
        where customer_id = ${customerId} and (${appId}::text is null or app_id = ${appId})
          and day < ${manilaDay(nowMs)} and day >= ${manilaDay(nowMs)} - ${days}::int and signal <> ${PumpingSignal.conversion}
        order by day desc, app_id, signal, key limit ${limit}`,
  );

export interface PumpingPast {
  /** It sent on two of the past days at least. */
  readonly isKnown: boolean;
  readonly usualMessages: number;
  readonly usualOf: (signal: PumpingCount['signal'], key: string) => number;
  readonly codes: CodeUse;
}

/** Sequences are compared wherever they are: their range is shown, and not part of the key. */
const keyOf = (signal: string, key: string): string => (signal === PumpingSignal.sequence ? '' : key);

const manilaDay = (nowMs: number): Fragment<unknown> =>
  sql`(${new Date(nowMs)}::timestamptz at time zone 'Asia/Manila')::date`;

/** The days before today. */
export const readPumpingPast = async (
  db: Db,
  { customerId, appId }: Application,
  nowMs: number,
): Promise<PumpingPast> => {
  const rows = await many<{ signal: string; key: string; days: number[]; codes: CodeUse[] }>(
    db,
    sql`select signal, key, array_agg(busiest) as days, jsonb_agg(jsonb_build_object('sent', sent, 'used', used)) as codes
        from pumping_past where customer_id = ${customerId} and app_id = ${appId}
          and day < ${manilaDay(nowMs)} and day >= ${manilaDay(nowMs)} - ${pumpingPastDays}::int
        group by signal, key`,
  );
  const found = new Map(rows.map((row) => [`${row.signal} ${row.key}`, row]));
  const messages = found.get('messages ')?.days ?? [];
  return {
    isKnown: messages.length >= 2,
    usualMessages: usualOf(messages),
    usualOf: (signal, key) => usualOf(found.get(`${signal} ${keyOf(signal, key)}`)?.days ?? []),
    codes: usualCodesOf(found.get(`${PumpingSignal.conversion} `)?.codes ?? []),
  };
};

/** Adds a window to the present day: the busiest of each kind is kept. */
export const notePumping = async (
  tx: Db,
  { customerId, appId }: Application,
  counts: readonly CountRow[],
  codes: CodeUse,
  nowMs: number,
): Promise<void> => {
  const rows = counts
    .map(({ signal, key, value }) => ({ signal: signal as string, key: keyOf(signal, key), value, sent: 0, used: 0 }))
    .concat(codes.sent === 0 ? [] : [{ signal: PumpingSignal.conversion, key: '', value: 0, ...codes }])
    .sort((a, b) => (`${a.signal} ${a.key}` < `${b.signal} ${b.key}` ? -1 : 1));
  if (rows.length === 0) return;
  await run(
    tx,
    sql`insert into pumping_past as p (customer_id, app_id, day, signal, key, busiest, sent, used)
        select ${customerId}::uuid, ${appId}::text, ${manilaDay(nowMs)}, n.* from unnest(${rows.map(({ signal }) => signal)}::text[],
          ${rows.map(({ key }) => key)}::text[], ${rows.map(({ value }) => value)}::int[],
          ${rows.map(({ sent }) => sent)}::bigint[], ${rows.map(({ used }) => used)}::bigint[]) as n
        on conflict (customer_id, app_id, day, signal, key) do update
          set busiest = greatest(p.busiest, excluded.busiest), sent = p.sent + excluded.sent, used = p.used + excluded.used
          where excluded.busiest > p.busiest or excluded.sent > 0`,
  );
};

export const sweepPumpingPast = (db: Db, ageMs: number): Promise<number> =>
  run(db, sql`delete from pumping_past where day < (now() - ${ageMs}::float8 * interval '1 millisecond')::date`);
