/** Stored figures about messages: rollups, open doubts, ledger and balance. */

import type pg from 'pg';
import { messageIdMs } from '../../ids.ts';
import { batchState } from '../../literals.ts';
import { type Db, type Fragment, many, one, sql } from '../../sql.ts';
import type { RollupDelta, RollupKey, TemplateDelta } from '../counters.ts';
import { type Folded, WEIGHTS } from '../ledger-folding.ts';
import { figureKeys, figureSums } from '../report-figures.ts';
import { idsOfDays, messageDay, startOfDay, toDay } from './days.ts';
import type { IdRange } from './snapshot.ts';

interface CellRow extends Omit<RollupKey, 'customerId' | 'minuteMs'>, RollupDelta {
  minute: Date;
}

const sums = sql.join(figureSums.map(sql.ref));
const keys = sql.join(figureKeys.map(sql.ref));

/** By hour with the minutes that are not folded yet. */
const cellsOf = (customerId: string, from: Date, to: Date, step: 'minute' | 'hour'): Fragment => {
  const minutes = sql`from report_minute where customer_id = ${customerId} and minute >= ${from} and minute < ${to}`;
  if (step === 'minute') return sql`select minute, ${keys}, ${sums} ${minutes}`;
  return sql`select hour as minute, ${keys}, ${sums} from report_hour
      where customer_id = ${customerId} and hour >= ${from} and hour < ${to}
    union all select date_trunc('hour', minute, 'UTC'), ${keys}, ${sums} ${minutes} and writer >= 0`;
};

/** Rollup cells of a stretch of time, summed over the writers; by hour where minutes are not kept any more. */
export const readCells = async (
  tx: pg.PoolClient,
  customerId: string,
  { low, high }: IdRange,
  step: 'minute' | 'hour',
): Promise<{ key: RollupKey; stored: RollupDelta }[]> => {
  const [from, to] = [new Date(messageIdMs(low)), new Date(messageIdMs(high))];
  const rows = await many(
    tx,
    sql<CellRow>`
      select minute, app_id as "appId", area_code as "areaCode", carrier, client_sid as "clientSid",
        sms_type as "smsType", route_id as "routeId", sum(req_total)::float8 as "reqTotal",
        sum(req_success)::float8 as "reqSuccess", sum(req_fail)::float8 as "reqFail",
        sum(req_blocked)::float8 as "reqBlocked", sum(receipt_success)::float8 as "receiptSuccess",
        sum(receipt_fail)::float8 as "receiptFail", sum(receipt_unknown)::float8 as "receiptUnknown",
        sum(segments)::float8 as segments, sum(charged)::float8 as charged
      from (${cellsOf(customerId, from, to, step)}) as cells group by 1, 2, 3, 4, 5, 6, 7`,
  );
  return rows.map(({ minute, appId, areaCode, carrier, clientSid, smsType, routeId, ...stored }) => ({
    key: { customerId, minuteMs: minute.getTime(), appId, areaCode, carrier, clientSid, smsType, routeId },
    stored,
  }));
};

export interface TemplateDayRow extends TemplateDelta {
  templateId: string;
  day: string;
}

/** Counters of a customer's templates in a range of whole UTC days, summed over the writers. */
export const readTemplateDays = (db: Db, customerId: string, { low, high }: IdRange): Promise<TemplateDayRow[]> =>
  many(
    db,
    sql<TemplateDayRow>`
      select template_id as "templateId", day::text as day, sum(success_count)::float8 as success, sum(delivered_count)::float8 as delivered,
        sum(undelivered_count)::float8 as undelivered, sum(unknown_count)::float8 as unknown
      from template_day where customer_id = ${customerId} and day >= ${startOfDay(low)}::date and day < ${startOfDay(high)}::date
      group by 1, 2`,
  );

/** Messages of the range stored as in doubt. */
export const readOpenDoubts = async (
  tx: pg.PoolClient,
  customerId: string,
  { low, high }: IdRange,
): Promise<bigint[]> => {
  const { rows } = await tx.query<{ messageId: string }>({
    name: 'verify_doubts',
    text: `select message_id as "messageId" from in_doubt
           where customer_id = $1 and message_id >= $2 and message_id < $3 and resolved_at is null`,
    values: [customerId, String(low), String(high)],
  });
  return rows.map(({ messageId }) => BigInt(messageId));
};

export interface DayOfCharges {
  day: number;
  /** 1/10,000 PHP, positive. */
  cost: bigint;
  weighted: bigint;
  segments: bigint;
}

/**
 * Charges by the day of their batches, from the batch `low` on. A correction (an adjustment that names a batch) belongs to
 * the charges of that batch. Folded days are read as such (`folded`), except the day in which `low` lies, if it does not begin it.
 */
export const readChargesByDay = async (
  db: Db,
  customerId: string,
  low: bigint,
  folded: Folded,
): Promise<DayOfCharges[]> => {
  const whole = toDay(low - 1n) + 1;
  const { low: wholeLow } = idsOfDays(whole, whole);
  const next = sql`(${folded.next}::date::timestamp at time zone 'UTC')`;
  const entries = sql`select ${messageDay('batch_id')} as day, amount, amount::numeric * (batch_id % ${String(WEIGHTS)}::bigint) as weighted, segments
      from ledger where customer_id = ${customerId} and kind in ('charge', 'adjustment')`;
  // A batch is charged after its acceptance; the clocks of two machines differ by less than a day.
  const parts = [
    sql`select batch_day as day, amount, weighted, segments from ledger_day where customer_id = ${customerId} and kind = 'charge'
      and batch_day >= ${whole} and day < ${folded.next}::date and day >= ${startOfDay(wholeLow)}::date - 1`,
    sql`${entries} and at >= ${next} and at >= ${startOfDay(wholeLow)}::timestamptz - interval '1 day' and batch_id >= ${String(wholeLow)}::bigint`,
  ];
  if (low !== wholeLow)
    parts.push(sql`${entries} and at >= ${startOfDay(low)}::timestamptz - interval '1 day' and batch_id >= ${String(low)}::bigint
      and batch_id < ${String(wholeLow)}::bigint`);
  const rows = await many(
    db,
    sql<Record<'day' | 'cost' | 'weighted' | 'segments', string>>`
      select day, -sum(amount) as cost, -sum(weighted) as weighted, sum(segments) as segments
      from (${sql.join(parts, sql` union all `)}) as charges group by 1`,
  );
  return rows.map((row) => ({
    day: Number(row.day),
    cost: BigInt(row.cost),
    weighted: BigInt(row.weighted),
    segments: BigInt(row.segments),
  }));
};

export const readChargesOfBatches = async (
  db: Db,
  customerId: string,
  { low, high }: IdRange,
): Promise<Map<bigint, { cost: number; segments: number }>> => {
  const rows = await many(
    db,
    sql<{ batchId: string; cost: string; segments: string }>`
      select batch_id as "batchId", -sum(amount) as cost, sum(segments) as segments
      from ledger where customer_id = ${customerId} and batch_id >= ${String(low)}::bigint and batch_id < ${String(high)}::bigint
        and kind in ('charge', 'adjustment')
      group by 1`,
  );
  return new Map(rows.map((row) => [BigInt(row.batchId), { cost: Number(row.cost), segments: Number(row.segments) }]));
};

/** 1/10,000 PHP, except for the counts of entries. */
export interface MoneySums {
  balance: number;
  held: number;
  ledger: number;
  entries: number;
  /** Of them, charges that name no batch. */
  charges: number;
  /** Of its parked batches of no task, and what is kept as their sum. */
  parked: number;
  parkedCost: number;
}

export const readMoney = async (db: Db, customerId: string, folded: Folded): Promise<MoneySums> => {
  const row = await one(
    db,
    sql<{
      balance: string;
      held: string;
      ledger: string;
      entries: string;
      loose: string;
      parked: string;
      parkedCost: string;
    }>`
      select (select coalesce(sum(amount), 0) from balance where customer_id = ${customerId}) as balance,
        (select coalesce(sum(held), 0) from balance where customer_id = ${customerId}) as held,
        (select coalesce(sum(cost), 0) from batch where customer_id = ${customerId} and task_id is null
          and state = ${batchState.Parked}) as parked,
        coalesce((select amount from parked_cost where customer_id = ${customerId}), 0) as "parkedCost",
        coalesce(sum(amount), 0) as ledger, count(*) as entries,
        count(*) filter (where kind = 'charge' and batch_id is null) as loose
      from ledger where customer_id = ${customerId} and at >= ${folded.next}::date::timestamp at time zone 'UTC'`,
  );
  return {
    balance: Number(row.balance),
    held: Number(row.held),
    ledger: folded.amount + Number(row.ledger),
    entries: folded.entries + Number(row.entries),
    charges: folded.loose + Number(row.loose),
    parked: Number(row.parked),
    parkedCost: Number(row.parkedCost),
  };
};
