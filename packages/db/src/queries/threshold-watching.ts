/**
 * Data that rules are checked against: rollups and counts that are updated anyway. Of the messages themselves only the
 * delay of receipts is read, from a bounded number of the newest.
 */

import type { QualityBucket, QualitySums } from '@pahatid/domain';
import { messageIdEpochMs, messageIdFloor } from '../ids.ts';
import { sendStatus, useState } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';
import { figuresOf } from './report-figures.ts';
import { type RuleRow, ruleColumns } from './threshold-rules.ts';

export interface RuleScope {
  customerId: string;
  appId: string | null;
  areaCode: string | null;
  carrier: string | null;
  smsType: number | null;
}

/** Conditions of a scope on columns that rollups and messages share. */
const within = ({ customerId, appId, areaCode, carrier, smsType }: RuleScope): Fragment<unknown> =>
  sql`customer_id = ${customerId} and (${appId}::text is null or app_id = ${appId})
      and (${areaCode}::text is null or area_code = ${areaCode}) and (${carrier}::text is null or carrier = ${carrier})
      and (${smsType}::int is null or sms_type = ${smsType})`;

/** Rules in use of a kind, a page at a time. */
export const listRulesToWatch = (
  db: Db,
  kind: 'volume' | 'frequency',
  after: string | null,
  limit: number,
): Promise<RuleRow[]> =>
  many<RuleRow>(
    db,
    sql`select ${ruleColumns} from threshold t where t.kind = ${kind} and t.use_state = ${useState.Enabled}
          and (${after}::uuid is null or t.threshold_id > ${after}::uuid) order by t.threshold_id limit ${limit}`,
  );

/** Rules whose last check is old enough: short windows more often than long ones. */
export const listQualityToWatch = (
  db: Db,
  offsetMs: number,
  limit: number,
  except: readonly string[] = [],
): Promise<RuleRow[]> =>
  many<RuleRow>(
    db,
    sql`select ${ruleColumns} from threshold t where t.kind = 'quality' and t.use_state = ${useState.Enabled}
      and t.threshold_id <> all(${except}::uuid[])
          and (t.checked_at is null
               or t.checked_at < ${dbNow(offsetMs)} - case when t.window_minutes <= 60 then interval '10 seconds' else interval '60 seconds' end)
        order by t.checked_at nulls first limit ${limit}`,
  );

/** Returns the current rule, locked; null if another process is checking it, or it is disabled or deleted. */
export const lockRuleToWatch = (tx: Db, thresholdId: string): Promise<RuleRow | null> =>
  maybe<RuleRow>(
    tx,
    sql`select ${ruleColumns} from threshold t where t.threshold_id = ${thresholdId} and t.use_state = ${useState.Enabled}
        for update skip locked`,
  );

export const findAppName = async (
  db: Db,
  { customerId, appId }: { customerId: string; appId: string },
): Promise<string | null> =>
  (
    await maybe<{ appName: string }>(
      db,
      sql`select app_name as "appName" from application where customer_id = ${customerId} and app_id = ${appId}`,
    )
  )?.appName ?? null;

/** Messages that each rule blocked in this hour of the database's clock. */
export const listRefusalsNow = async (
  db: Db,
  rules: readonly { customerId: string; thresholdId: string }[],
): Promise<Map<string, { refused: number; hour: Date }>> => {
  if (rules.length === 0) return new Map();
  const rows = await many<{ id: string; refused: number; hour: Date }>(
    db,
    sql`select r.threshold_id as id, r.refused::float8 as refused, r.hour from threshold_refusal r
        join unnest(${rules.map((rule) => rule.customerId)}::uuid[], ${rules.map((rule) => rule.thresholdId)}::uuid[])
          as i(customer_id, threshold_id) on r.customer_id = i.customer_id and r.threshold_id = i.threshold_id
        where r.hour = date_trunc('hour', ${dbNow()})`,
  );
  return new Map(rows.map(({ id, refused, hour }) => [id, { refused, hour }]));
};

export interface RuleMarks {
  alertedPeriod?: Date;
  limitedPeriod?: Date;
  firingSince?: Date | null;
  lastValue?: number | null;
  lastVolume?: number | null;
  checkedAt?: Date;
  notifiedAt?: Date;
}

const markColumns: Record<keyof RuleMarks, Fragment<unknown>> = {
  alertedPeriod: sql`alerted_period`,
  limitedPeriod: sql`limited_period`,
  firingSince: sql`firing_since`,
  lastValue: sql`last_value`,
  lastVolume: sql`last_volume`,
  checkedAt: sql`checked_at`,
  notifiedAt: sql`told_at`,
};

export const markRule = async (tx: Db, thresholdId: string, marks: RuleMarks): Promise<void> => {
  const sets = (Object.keys(marks) as (keyof RuleMarks)[]).map(
    (key) => sql`${markColumns[key]} = ${marks[key] ?? null}`,
  );
  await run(tx, sql`update threshold set ${sql.join(sets)} where threshold_id = ${thresholdId}`);
};

/** Of the minutes in [from, to). */
export const sumQuality = (db: Db, scope: RuleScope, from: Date, to: Date): Promise<QualitySums> =>
  one<QualitySums>(
    db,
    sql`select coalesce(sum(req_success), 0)::float8 as accepted, coalesce(sum(req_fail - req_blocked), 0)::float8 as refused,
          coalesce(sum(receipt_success), 0)::float8 as delivered, coalesce(sum(receipt_fail), 0)::float8 as undelivered,
          coalesce(sum(receipt_unknown), 0)::float8 as unknown
        from report_minute where ${within(scope)} and minute >= ${from} and minute < ${to}`,
  );

/** Sums of five minutes each, `at` counted in five minutes since 1970. */
export const listQualityBuckets = (db: Db, scope: RuleScope, from: Date): Promise<QualityBucket[]> =>
  many<QualityBucket>(
    db,
    sql`select floor(extract(epoch from minute) / 300)::int as at, sum(req_success)::float8 as accepted,
          sum(req_fail - req_blocked)::float8 as refused, sum(receipt_success)::float8 as delivered,
          sum(receipt_fail)::float8 as undelivered, sum(receipt_unknown)::float8 as unknown,
          0::float8 as "delaySum", 0::float8 as "delayCount"
        from report_minute where ${within(scope)} and minute >= ${from} group by 1`,
  );

/** Newest messages that carriers accepted in [from, to), and how long their receipts took; what has none yet is that old. */
const delays = (scope: RuleScope, from: Date, to: Date, limit: number): Fragment<unknown> => sql`
  select message_id, greatest(0, extract(epoch from coalesce(report_at, ${dbNow()}) - answered_at)) as delay
  from message where ${within(scope)} and message_id >= ${String(messageIdFloor(from.getTime()))}::bigint
    and message_id < ${String(messageIdFloor(to.getTime()))}::bigint and send_status = ${sendStatus.Successful}
      and answered_at is not null
  order by message_id desc limit ${limit}`;

export const measureDelay = (
  db: Db,
  scope: RuleScope,
  from: Date,
  to: Date,
  limit: number,
): Promise<{ value: number | null; volume: number }> =>
  one(
    db,
    sql`select round(avg(delay))::float8 as value, count(*)::int as volume from (${delays(scope, from, to, limit)}) d`,
  );

export const listDelayBuckets = (
  db: Db,
  scope: RuleScope,
  from: Date,
  to: Date,
  limit: number,
): Promise<QualityBucket[]> =>
  many<QualityBucket>(
    db,
    sql`select floor(((message_id >> 18) + ${messageIdEpochMs}::bigint) / 300000)::int as at, sum(delay)::float8 as "delaySum",
          count(*)::float8 as "delayCount", 0::float8 as accepted, 0::float8 as refused, 0::float8 as delivered,
          0::float8 as undelivered, 0::float8 as unknown
        from (${delays(scope, from, to, limit)}) d group by 1`,
  );

export interface VolumePoint {
  /** When the period began. */
  start: Date;
  messages: number;
  segments: number;
  cost: number;
}

/** What periods of the Manila calendar have taken, from the one that holds `from`. */
export const listVolumes = async (
  db: Db,
  scope: RuleScope,
  period: 'hour' | 'day' | 'month',
  from: Date,
): Promise<VolumePoint[]> => {
  const { start } = await one(
    db,
    sql<{
      start: Date;
    }>`select date_trunc(${period}, ${from}::timestamptz at time zone 'Asia/Manila') at time zone 'Asia/Manila' as start`,
  );
  return await many<VolumePoint>(
    db,
    sql`select date_trunc(${period}, minute at time zone 'Asia/Manila') at time zone 'Asia/Manila' as start,
          sum(req_total)::float8 as messages, sum(segments)::float8 as segments, sum(charged)::float8 as cost
        from ${figuresOf({ from: start, to: null }, 'hour')} where ${within(scope)} group by 1 order by 1`,
  );
};

export interface FrequencyCounts {
  messages: number;
  /** Messages past any of the numbers. */
  held: number;
  /** Days with one. */
  days: number;
  /** The most that any phone had on its strictest window. */
  peak: number;
  peakTime: Date | null;
}

/**
 * Of the newest messages, those that exceed the limit for their number. Messages that would have been blocked still
 * count for the next one: the result is an upper bound.
 */
export const countTooFrequent = (
  db: Db,
  scope: RuleScope,
  rule: {
    sameContentPer30s: number | null;
    perMinute: number | null;
    perHour: number | null;
    perDay: number | null;
    exempt: readonly string[];
  },
  from: Date,
  limit: number,
): Promise<FrequencyCounts> => {
  const over = (ms: number, by: Fragment<unknown>): Fragment<unknown> =>
    sql`count(*) over (partition by ${by} order by ms range between ${ms - 1}::bigint preceding and current row)`;
  const windows = [
    { most: rule.sameContentPer30s, count: over(30_000, sql`msisdn, mark`) },
    { most: rule.perMinute, count: over(60_000, sql`msisdn`) },
    { most: rule.perHour, count: over(3_600_000, sql`msisdn`) },
    { most: rule.perDay, count: over(86_400_000, sql`msisdn`) },
  ].filter(({ most }) => most !== null);
  // Of each message, how far the fullest of its windows is past its number; 0: just full.
  const excess = windows.map(({ most, count }) => sql`${count} - ${most}::int`);
  return one<FrequencyCounts>(
    db,
    sql`select count(*)::int as messages, count(*) filter (where past > 0)::int as held,
          count(distinct ms / 86400000) filter (where past > 0)::int as days, coalesce(max(full_of), 0)::int as peak,
          to_timestamp((array_agg(ms order by full_of desc, ms))[1] / 1000.0) as "peakTime"
        from (select ms, greatest(${sql.join(excess)}) as past, greatest(${sql.join(windows.map(({ count }) => count))}) as full_of
              from (select msisdn, hashtext(content) as mark, (message_id >> 18) + ${messageIdEpochMs}::bigint as ms
                    from message where ${within(scope)} and message_id >= ${String(messageIdFloor(from.getTime()))}::bigint
                      and send_status <> ${sendStatus.Failed} and msisdn <> all(${rule.exempt}::text[])
                    order by message_id desc limit ${limit}) m) c`,
  );
};

/**
 * Customers whose low-balance line has been crossed in either direction since the last check. `balance` is data, so it
 * is read separately.
 */
export const listBalanceLines = (db: Db): Promise<{ customerId: string; line: number; wasLow: boolean }[]> =>
  many(
    db,
    sql<{
      customerId: string;
      line: number;
      wasLow: boolean;
    }>`select customer_id as "customerId", low_balance::float8 as line,
        low_balance_told as "wasLow" from customer where not internal and use_state = ${useState.Enabled}
          and (low_balance > 0 or low_balance_told)`,
  );

/** Returns false if another process was faster. */
export const markLowBalance = async (tx: Db, customerId: string, isLow: boolean): Promise<boolean> =>
  (await run(
    tx,
    sql`update customer set low_balance_told = ${isLow} where customer_id = ${customerId} and low_balance_told <> ${isLow}`,
  )) === 1;
