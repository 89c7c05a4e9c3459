/**
 * What applications sent by API of late. Messages are reached by their batches, so that a customer's tasks cost nothing
 * here, and at most `messagesAtMost` of them are read.
 */

import { UseState } from '@pahatid/contract';
import {
  type CodeUse,
  codeGraceMinutes,
  consecutiveGap,
  leastWatched,
  type PumpingCount,
  type PumpingRule,
  PumpingSignal,
  pumpingWindowMinutes,
  repeatedFrom,
} from '@pahatid/domain';
import { messageIdFloor } from '../ids.ts';
import { smsType } from '../literals.ts';
import { type Db, type Fragment, many, one, sql } from '../sql.ts';

/** Newest messages of a window. */
const messagesAtMost = 20_000;
/** Ranges that are looked at: those with the most messages. */
const rangesAtMost = 200;
const minuteMs = 60_000;

export interface Application {
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

export interface CountRow {
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
            select msisdn, area_code from message where customer_id = ${of.customerId} and message_id >= b.batch_id
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
