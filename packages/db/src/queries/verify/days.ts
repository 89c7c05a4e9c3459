/** Days of UTC by number: 0 is 2025-01-01, where message ids begin. */
import { messageIdEpochMs, messageIdMs } from '../../ids.ts';
import { type Db, type Fragment, many, sql } from '../../sql.ts';
import type { IdRange } from './snapshot.ts';

export const dayMs = 86_400_000;
/** Ids of one day. */
const DAY_IDS = BigInt(dayMs) << 18n;

export const toDay = (id: bigint): number => Number(id / DAY_IDS);

/** Ids of the days from `first` up to `last`, which belongs to them. */
export const idsOfDays = (first: number, last: number): IdRange => ({
  low: BigInt(first) * DAY_IDS,
  high: BigInt(last + 1) * DAY_IDS,
});

/** Day in which a message was accepted. */
export const messageDay = (column: string): Fragment => sql`((${sql.ref(column)} >> 18) / 86400000)::int`;

/** Day of an instant or a date. */
export const dayOfDate = (value: Fragment): Fragment =>
  sql`floor(extract(epoch from ${value} - timestamptz '2025-01-01 00:00:00+00') / 86400)::int`;

/** Beginning of the day of an id. */
export const startOfDay = (id: bigint): Date => new Date(Math.floor(messageIdMs(id) / dayMs) * dayMs);

/** Those of the ranges in which a customer has messages or statistics. */
export const listFilled = async (db: Db, customerId: string, ranges: readonly IdRange[]): Promise<IdRange[]> => {
  const ends = sql`unnest(${ranges.map(({ low }) => String(low))}::bigint[],
    ${ranges.map(({ high }) => String(high))}::bigint[], ${ranges.map(({ low }) => new Date(messageIdMs(low)))}::timestamptz[],
    ${ranges.map(({ high }) => new Date(messageIdMs(high)))}::timestamptz[]) with ordinality as r(low, high, since, until, n)`;
  // Two statements: messages may be on another node than the rest.
  const sent = await many(
    db,
    sql<{ n: number }>`select r.n::int as n from ${ends}
        where exists (select from message m where m.customer_id = ${customerId} and m.message_id >= r.low and m.message_id < r.high)`,
  );
  const counted = await many(
    db,
    sql<{ n: number }>`select r.n::int as n from ${ends}
        where exists (select from message_archive m where m.customer_id = ${customerId} and m.first_id >= r.low and m.first_id < r.high)
          or exists (select from report_minute m where m.customer_id = ${customerId} and m.minute >= r.since and m.minute < r.until)`,
  );
  const filled = new Set([...sent, ...counted].map(({ n }) => n - 1));
  return ranges.filter((_, place) => filled.has(place));
};

/** The first day that begins at this time or later. */
export const ceilDay = (unixMs: number): number => Math.ceil((unixMs - messageIdEpochMs) / dayMs);

/** `2026-01-31` */
export const dateOfDay = (day: number): string => new Date(messageIdEpochMs + day * dayMs).toISOString().slice(0, 10);
