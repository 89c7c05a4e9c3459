/** Limits that customers set on themselves, and what has been used of them. */

import type { FrequencyLimit, FrequencyLookback, PastMessage, VolumeLimit, VolumePeriod } from '@pahatid/domain';
import { messageIdFloor, messageIdMs } from '../ids.ts';
import { sendStatus, useState } from '../literals.ts';
import { type Db, type Fragment, many, maybe, prepared, run, sql } from '../sql.ts';

export interface CustomerLimits {
  readonly frequency: FrequencyLimit[];
  readonly volume: VolumeLimit[];
}

/** Conditions on `threshold`: it decides about messages when they are accepted. */
const isLimiting = (): Fragment<unknown> => sql`kind in ('frequency', 'volume')`;

/** Whether a customer's messages may be refused for limits: its own, or one of an application that is slowed. */
export const isLimitedCustomer = (customerId: Fragment<unknown>): Fragment<unknown> =>
  sql`(exists (select 1 from threshold t where t.customer_id = ${customerId} and t.use_state = ${useState.Enabled} and ${isLimiting()})
       or exists (select 1 from pumping_alarm p where p.customer_id = ${customerId} and p.slow_to is not null))`;

interface ThresholdRow {
  customerId: string;
  thresholdId: string;
  kind: 'frequency' | 'volume';
  appId: string | null;
  areaCode: string | null;
  carrier: string | null;
  smsType: 1 | 2 | 3 | null;
  sameContentPer30s: number | null;
  perMinute: number | null;
  perHour: number | null;
  perDay: number | null;
  exempt: string[];
  period: VolumePeriod | null;
  unit: 'messages' | 'segments' | 'cost' | null;
  limitAt: string | null;
  nowMs: string;
}

/**
 * Enabled limits by customer, for customers that have any, and the database's instant. An application that is slowed has
 * a volume per minute, which is not of tasks.
 */
export const loadLimits = async (
  db: Db,
  customerIds: readonly string[],
): Promise<{ limits: Map<string, CustomerLimits>; nowMs: number }> => {
  const rows = await many<ThresholdRow>(
    db,
    prepared(sql`select customer_id as "customerId", threshold_id as "thresholdId", kind, app_id as "appId", area_code as "areaCode",
          carrier, sms_type as "smsType", same_content_per_30s as "sameContentPer30s", per_minute as "perMinute",
          per_hour as "perHour", per_day as "perDay", exempt, period, unit, limit_at as "limitAt",
          floor(extract(epoch from clock_timestamp()) * 1000)::bigint as "nowMs"
        from threshold where customer_id = any(${customerIds}::uuid[]) and use_state = ${useState.Enabled}
          and ${isLimiting()}
        union all
        select customer_id, alarm_id, 'volume', app_id, null, null, null, null, null, null, null, '{}', 'minute', 'messages', slow_to,
          floor(extract(epoch from clock_timestamp()) * 1000)::bigint
        from pumping_alarm where customer_id = any(${customerIds}::uuid[]) and slow_to is not null
        order by "thresholdId"`),
  );
  const limits = new Map<string, CustomerLimits>();
  for (const { customerId, kind, period, unit, limitAt, ...row } of rows) {
    const of = limits.get(customerId) ?? { frequency: [], volume: [] };
    limits.set(customerId, of);
    if (kind === 'frequency') of.frequency.push(row);
    // An alert-only limit is counted like the others, and is never full.
    else if (period !== null && unit !== null)
      of.volume.push({
        ...row,
        period,
        unit,
        apiOnly: period === 'minute',
        limitAt: limitAt === null ? Number.POSITIVE_INFINITY : Number(limitAt),
      });
  }
  return { limits, nowMs: Number(rows[0]?.nowMs ?? 0) };
};

/** Whether the customer has limits in use that may be about a task's messages of this application and type. */
export const hasLimits = async (
  db: Db,
  { customerId, appId, smsType }: { customerId: string; appId: string; smsType: number },
): Promise<boolean> =>
  (await maybe(
    db,
    sql`select 1 from threshold where customer_id = ${customerId} and use_state = ${useState.Enabled} and ${isLimiting()}
          and (app_id is null or app_id = ${appId}) and (sms_type is null or sms_type = ${smsType}) limit 1`,
  )) !== null;

/** A message that was sent before, with its id. */
export interface SentMessage extends PastMessage {
  readonly messageId: string;
  readonly msisdn: string;
}

/**
 * What limits of one scope count of these phones, those that were never sent left out: the newest messages of the scope
 * since `sinceMs`, and of each text the newest since `sameTextSinceMs`. A message may come twice.
 */
export const loadPastMessages = async (
  db: Db,
  customerId: string,
  msisdns: readonly string[],
  { appId, areaCode, carrier, smsType, newest, newestOfText }: FrequencyLookback,
  { sinceMs, sameTextSinceMs }: { sinceMs: number; sameTextSinceMs: number },
): Promise<SentMessage[]> => {
  const sent = (fromMs: number, columns: Fragment<unknown>) => sql`
    select m.msisdn, m.message_id as "messageId", m.app_id as "appId", m.area_code as "areaCode", m.carrier,
      m.sms_type as "smsType", m.content ${columns}
    from message m where m.customer_id = ${customerId} and m.msisdn = i.msisdn
      and m.message_id >= ${String(messageIdFloor(fromMs))}::bigint and m.send_status <> ${sendStatus.Failed}
      and (${appId}::text is null or m.app_id = ${appId}) and (${areaCode}::text is null or m.area_code = ${areaCode})
      and (${carrier}::text is null or m.carrier = ${carrier}) and (${smsType}::int is null or m.sms_type = ${smsType})`;
  const rows: Omit<SentMessage, 'atMs'>[] = [];
  if (newest > 0)
    rows.push(
      ...(await many<Omit<SentMessage, 'atMs'>>(
        db,
        sql`select p.* from unnest(${msisdns}::text[]) as i(msisdn) cross join lateral (
              ${sent(sinceMs, sql``)} order by m.message_id desc limit ${newest}) p`,
      )),
    );
  if (newestOfText > 0)
    rows.push(
      ...(await many<Omit<SentMessage, 'atMs'>>(
        db,
        sql`select p.msisdn, p."messageId", p."appId", p."areaCode", p.carrier, p."smsType", p.content
            from unnest(${msisdns}::text[]) as i(msisdn) cross join lateral (
              ${sent(sameTextSinceMs, sql`, row_number() over (partition by m.content order by m.message_id desc) as place`)}) p
            where p.place <= ${newestOfText}`,
      )),
    );
  return rows.map((row) => ({ ...row, atMs: messageIdMs(row.messageId) }));
};

/** One limit's period. */
export interface VolumeKey {
  readonly customerId: string;
  readonly thresholdId: string;
  readonly periodStartMs: number;
}

/** Usage of these limits in the periods that have not ended, including future ones. */
export const loadVolumes = async (
  db: Db,
  since: readonly VolumeKey[],
): Promise<(Omit<VolumeKey, 'customerId'> & { used: number })[]> => {
  if (since.length === 0) return [];
  const rows = await many<{ thresholdId: string; periodStart: Date; used: string }>(
    db,
    prepared(sql`select v.threshold_id as "thresholdId", v.period_start as "periodStart", v.used from volume_count v
        join unnest(${since.map((key) => key.customerId)}::uuid[], ${since.map((key) => key.thresholdId)}::uuid[],
          ${since.map((key) => new Date(key.periodStartMs))}::timestamptz[]) as i(customer_id, threshold_id, period_start)
          on v.customer_id = i.customer_id and v.threshold_id = i.threshold_id and v.period_start >= i.period_start`),
  );
  return rows.map((row) => ({
    thresholdId: row.thresholdId,
    periodStartMs: row.periodStart.getTime(),
    used: Number(row.used),
  }));
};

export const addVolumes = async (db: Db, moves: readonly (VolumeKey & { amount: number })[]): Promise<void> => {
  const rows = [...moves].sort((a, b) =>
    a.thresholdId === b.thresholdId ? a.periodStartMs - b.periodStartMs : a.thresholdId < b.thresholdId ? -1 : 1,
  );
  const columns = (of: typeof rows) => sql`${of.map((row) => row.customerId)}::uuid[],
    ${of.map((row) => row.thresholdId)}::uuid[], ${of.map((row) => new Date(row.periodStartMs))}::timestamptz[],
    ${of.map((row) => row.amount)}::bigint[]`;
  const taken = rows.filter(({ amount }) => amount > 0);
  if (taken.length > 0)
    await run(
      db,
      prepared(sql`insert into volume_count as v (customer_id, threshold_id, period_start, used) select * from unnest(${columns(taken)})
          on conflict (customer_id, threshold_id, period_start) do update set used = v.used + excluded.used`),
    );
  // A rule younger than the returned messages never counted them.
  const given = rows.filter(({ amount }) => amount < 0);
  if (given.length > 0)
    await run(
      db,
      sql`update volume_count v set used = greatest(0, v.used + t.amount)
          from unnest(${columns(given)}) as t(customer_id, threshold_id, period_start, amount)
          where v.customer_id = t.customer_id and v.threshold_id = t.threshold_id and v.period_start = t.period_start`,
    );
};

/** Messages that limits refused, or put off to a later period, in this hour of the database's clock. */
export const addRefusals = async (
  db: Db,
  moves: readonly { customerId: string; thresholdId: string; refused: number }[],
): Promise<void> => {
  if (moves.length === 0) return;
  const rows = [...moves].sort((a, b) => (a.thresholdId < b.thresholdId ? -1 : 1));
  await run(
    db,
    sql`insert into threshold_refusal as r (customer_id, threshold_id, hour, refused)
        select customer_id, threshold_id, ${sql.raw("date_trunc('hour', clock_timestamp())")}, refused
        from unnest(${rows.map((row) => row.customerId)}::uuid[], ${rows.map((row) => row.thresholdId)}::uuid[],
          ${rows.map((row) => row.refused)}::bigint[]) as t(customer_id, threshold_id, refused)
        on conflict (customer_id, threshold_id, hour) do update set refused = r.refused + excluded.refused`,
  );
};

/** Counts of periods that are long over. */
export const sweepVolumes = async (db: Db, ageMs: number): Promise<number> =>
  (await run(
    db,
    sql`delete from volume_count where period_start < now() - ${ageMs}::float8 * interval '1 millisecond'`,
  )) +
  (await run(db, sql`delete from threshold_refusal where hour < now() - ${ageMs}::float8 * interval '1 millisecond'`)) +
  (await run(db, sql`delete from threshold_event where at < now() - ${ageMs}::float8 * interval '1 millisecond'`));
