/**
 * What applications sent by API of late and in the past days, and the alarms of pumping that are not over. Messages are
 * reached by their batches, so that a customer's tasks cost nothing here, and at most `messagesAtMost` of them are read.
 */

import { type ThresholdEvent, UseState } from '@pahatid/contract';
import {
  type CodeUse,
  codeGraceMinutes,
  consecutiveGap,
  leastWatched,
  type PumpingCount,
  type PumpingRule,
  PumpingSignal,
  pumpingPastDays,
  pumpingQuietMinutes,
  pumpingWindowMinutes,
  repeatedFrom,
  usualCodesOf,
  usualOf,
} from '@pahatid/domain';
import { messageIdFloor, uuidV7 } from '../ids.ts';
import { smsType } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';

/** Newest messages of a window. */
const messagesAtMost = 20_000;
/** Ranges that are looked at: those with the most messages. */
const rangesAtMost = 200;
const minuteMs = 60_000;

interface Application {
  readonly customerId: string;
  readonly appId: string;
}

export interface WatchedApplication extends Application {
  readonly thresholdId: string;
}

/** Batches of the HTTP API: codes and notices, never marketing or those of tasks. */
const isOfApi = sql`b.task_id is null and b.lane in (${smsType.Verification}, ${smsType.Notification})`;

/**
 * An application's batches by API since then, `b`. Those of its customer are read before the rest is looked at: otherwise
 * the planner may prefer those of all customers that have no task.
 */
const ownBatches = ({ customerId, appId }: Application, sinceMs: number): Fragment<unknown> => sql`
  (with own as materialized (select batch_id, customer_id, app_id, task_id, lane, message_count from batch
     where customer_id = ${customerId} and batch_id >= ${String(messageIdFloor(sinceMs))}::bigint)
   select b.* from own b where ${isOfApi} and b.app_id = ${appId}) b`;

/**
 * Applications that sent enough in the window to be compared, and those with an alarm, each with the rule that is about
 * it: its own ones, even if those are disabled, otherwise those of all applications.
 */
export const listPumpingToWatch = async (db: Db, nowMs: number): Promise<WatchedApplication[]> => {
  const busy = await many(
    db,
    sql<Application & { messages: number }>`
      select b.customer_id as "customerId", b.app_id as "appId", sum(b.message_count)::int as messages from batch b
      where ${isOfApi} and b.batch_id >= ${String(messageIdFloor(nowMs - pumpingWindowMinutes * minuteMs))}::bigint
      group by b.customer_id, b.app_id`,
  );
  // In use or not: an application's own one takes the place of the general one in either case.
  const rules = await many(
    db,
    sql<PumpingRule & { thresholdId: string; customerId: string; appId: string | null; useState: number }>`
      select threshold_id as "thresholdId", customer_id as "customerId", app_id as "appId", min_volume as "minVolume", factor,
        use_state as "useState"
      from threshold where kind = 'pumping' and customer_id = any(${busy.map(({ customerId }) => customerId)}::uuid[])`,
  );
  const alarmed = await many(
    db,
    sql<WatchedApplication>`select threshold_id as "thresholdId", customer_id as "customerId", app_id as "appId"
      from pumping_alarm`,
  );
  const rulesOf = Map.groupBy(rules, ({ customerId }) => customerId);
  const watched = new Map(alarmed.map((each) => [`${each.thresholdId} ${each.appId}`, each]));
  for (const { customerId, appId, messages } of busy) {
    const of = rulesOf.get(customerId) ?? [];
    const own = of.filter((rule) => rule.appId === appId);
    const applied = own.length > 0 ? own : of.filter((rule) => rule.appId === null);
    for (const { thresholdId, ...rule } of applied)
      if (rule.useState === UseState.Enabled && messages >= leastWatched(rule))
        watched.set(`${thresholdId} ${appId}`, { thresholdId, customerId, appId });
  }
  return [...watched.values()];
};

interface CountRow {
  readonly signal: 'messages' | PumpingCount['signal'];
  readonly key: string;
  readonly value: number;
}

/** What an application sent by API in the window that ends now. A range is a million numbers: all digits but six. */
export const countPumping = (db: Db, of: Application, nowMs: number): Promise<CountRow[]> => {
  const sinceMs = nowMs - pumpingWindowMinutes * minuteMs;
  return many<CountRow>(
    db,
    sql`with sent as materialized (
          select m.msisdn, m.area_code from ${ownBatches(of, sinceMs)} cross join lateral (
            select msisdn, area_code from message where customer_id = b.customer_id and message_id >= b.batch_id
              and message_id < b.batch_id + b.message_count and message_id >= ${String(messageIdFloor(sinceMs))}::bigint
            offset 0) m
          order by b.batch_id desc limit ${messagesAtMost}),
        numbers as materialized (select msisdn, count(*) as messages from sent group by msisdn),
        gaps as (select msisdn, msisdn::numeric - lag(msisdn::numeric) over (order by msisdn::numeric) as gap from numbers),
        runs as (select msisdn, sum(case when gap <= ${consecutiveGap} then 0 else 1 end) over (order by msisdn::numeric) as run from gaps),
        longest as (select left(min(msisdn), -6) as key, count(*)::int as value from runs group by run order by 2 desc limit 1)
        select 'messages' as signal, '' as key, count(*)::int as value from sent
        union all
        (select ${PumpingSignal.prefix}, left(msisdn, -6), count(*)::int from sent group by 2 order by 3 desc limit ${rangesAtMost})
        union all select ${PumpingSignal.country}, area_code, count(*)::int from sent group by 2
        union all select ${PumpingSignal.repeats}, '', coalesce(sum(messages), 0)::int from numbers where messages >= ${repeatedFrom}
        union all select ${PumpingSignal.sequence}, key, value from longest`,
  );
};

/** Codes of a window that is old enough for them to have been entered, and those that were, as far as that is reported. */
export const countCodeUse = (db: Db, of: Application, nowMs: number): Promise<CodeUse> => {
  const untilMs = nowMs - codeGraceMinutes * minuteMs;
  const sinceMs = untilMs - pumpingWindowMinutes * minuteMs;
  return one<CodeUse>(
    db,
    sql`select coalesce(sum(s.sent), 0)::int as sent, coalesce(sum(s.used), 0)::int as used
        from (select b.message_count as sent, (select count(*) from message_conversion c
                where c.customer_id = b.customer_id and c.message_id >= b.batch_id
                  and c.message_id < b.batch_id + b.message_count) as used
              from ${ownBatches(of, sinceMs)} where b.lane = ${smsType.Verification}
                and b.batch_id < ${String(messageIdFloor(untilMs))}::bigint
              order by b.batch_id desc limit ${messagesAtMost}) s`,
  );
};

/** Stores that the code of a message was entered; returns false if the application sent no such code. */
export const noteConversion = async (
  db: Db,
  of: { customerId: string; appId: string; messageId: string },
): Promise<boolean> => {
  const isCode = await maybe(
    db,
    sql`select 1 from message where customer_id = ${of.customerId} and message_id = ${of.messageId}::bigint
          and app_id = ${of.appId} and sms_type = ${smsType.Verification}`,
  );
  if (isCode === null) return false;
  await run(
    db,
    sql`insert into message_conversion (customer_id, message_id, at)
        values (${of.customerId}, ${of.messageId}::bigint, clock_timestamp()) on conflict do nothing`,
  );
  return true;
};

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

type AlarmFacts = NonNullable<ThresholdEvent['pumping']>;

export interface PumpingAlarm {
  readonly facts: AlarmFacts;
  readonly isQuiet: boolean;
}

/** `isQuiet`: no sign for so long that it is over. */
export const findAlarm = (tx: Db, of: WatchedApplication, nowMs: number): Promise<PumpingAlarm | null> =>
  maybe<PumpingAlarm>(
    tx,
    sql`select facts, seen_at <= ${new Date(nowMs - pumpingQuietMinutes * minuteMs)} as "isQuiet" from pumping_alarm
        where customer_id = ${of.customerId} and threshold_id = ${of.thresholdId} and app_id = ${of.appId}`,
  );

/** `slowTo`: messages per minute from now on; null: it is not slowed. */
export const beginAlarm = async (
  tx: Db,
  of: WatchedApplication,
  { facts, slowTo, nowMs }: { facts: AlarmFacts; slowTo: number | null; nowMs: number },
): Promise<void> => {
  await run(
    tx,
    sql`insert into pumping_alarm (customer_id, threshold_id, app_id, alarm_id, since, seen_at, facts, slow_to)
        values (${of.customerId}, ${of.thresholdId}, ${of.appId}, ${uuidV7()}, ${new Date(nowMs)}, ${new Date(nowMs)},
          ${JSON.stringify(facts)}::jsonb, ${slowTo}::int)`,
  );
};

export const touchAlarm = async (tx: Db, of: WatchedApplication, nowMs: number): Promise<void> => {
  await run(
    tx,
    sql`update pumping_alarm set seen_at = ${new Date(nowMs)}
        where customer_id = ${of.customerId} and threshold_id = ${of.thresholdId} and app_id = ${of.appId}`,
  );
};

export const endAlarm = async (tx: Db, of: WatchedApplication): Promise<void> => {
  await run(
    tx,
    sql`delete from pumping_alarm
        where customer_id = ${of.customerId} and threshold_id = ${of.thresholdId} and app_id = ${of.appId}`,
  );
};

/** Ends all alarms of a rule: its bounds have changed, or it is disabled. */
export const forgetAlarms = async (tx: Db, customerId: string, thresholdId: string): Promise<void> => {
  await run(tx, sql`delete from pumping_alarm where customer_id = ${customerId} and threshold_id = ${thresholdId}`);
};

/** Lets applications send as before, and returns their IDs; their alarms go on, so that the same burst does not slow them again. */
export const resumeSlowed = async (tx: Db, customerId: string, thresholdId: string): Promise<string[]> => {
  const rows = await many<{ appId: string }>(
    tx,
    sql`update pumping_alarm set slow_to = null
        where customer_id = ${customerId} and threshold_id = ${thresholdId} and slow_to is not null
        returning app_id as "appId"`,
  );
  return rows.map(({ appId }) => appId);
};

export const sweepPumpingPast = (db: Db, ageMs: number): Promise<number> =>
  run(db, sql`delete from pumping_past where day < (now() - ${ageMs}::float8 * interval '1 millisecond')::date`);

export const sweepConversions = (db: Db, ageMs: number): Promise<number> =>
  run(db, sql`delete from message_conversion where at < now() - ${ageMs}::float8 * interval '1 millisecond'`);
