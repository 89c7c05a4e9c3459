/** Alarms of pumping that are not over, and the applications that they slow. */

import type { ThresholdEvent } from '@pahatid/contract';
import { pumpingQuietMinutes } from '@pahatid/domain';
import { uuidV7 } from '../ids.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';
import type { WatchedApplication } from './pumping.ts';

type AlarmFacts = NonNullable<ThresholdEvent['pumping']>;

export interface PumpingAlarm {
  readonly facts: AlarmFacts;
  readonly isQuiet: boolean;
}

/** `isQuiet`: no sign for so long that it is over. */
export const findAlarm = (tx: Db, of: WatchedApplication, nowMs: number): Promise<PumpingAlarm | null> =>
  maybe<PumpingAlarm>(
    tx,
    sql`select facts, seen_at <= ${new Date(nowMs - pumpingQuietMinutes * 60_000)} as "isQuiet" from pumping_alarm
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
