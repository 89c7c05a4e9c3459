/**
 * On how many of the last 7 days a rule against pumping would have fired, from the busiest windows of each day. Of codes
 * that were not used, the past keeps too little for that.
 */
import type { ThresholdForecast } from '@pahatid/contract';
import { listPumpingPast, type PastDay } from '@pahatid/db/queries/pumping-past';
import { listVolumes, type RuleScope } from '@pahatid/db/queries/threshold-watching';
import { judgePumping, type PumpingRule, pumpingPastDays, usualOf } from '@pahatid/domain';
import type { PoolClient } from 'pg';

const days = 7;
const dayMs = 86_400_000;
/** Maximum number of windows read. */
const windowsAtMost = 100_000;
const none = { sent: 0, used: 0 };

export async function forecastPumping(
  tx: PoolClient,
  scope: RuleScope,
  rule: PumpingRule,
  now: Date,
): Promise<ThresholdForecast> {
  const nowMs = now.getTime();
  const past = await listPumpingPast(tx, scope, { nowMs, days: days + pumpingPastDays, limit: windowsAtMost });
  const volumes = await listVolumes(tx, scope, 'day', new Date(nowMs - days * dayMs));
  const fired = new Set<string>();
  let peak: PastDay | null = null;
  for (const of of Map.groupBy(past, ({ appId }) => appId).values())
    for (let ago = 1; ago <= days; ago += 1) {
      const day = manilaDay(nowMs - ago * dayMs);
      const judged = judgeDay(rule, of, day);
      if (judged) fired.add(day);
      for (const each of of)
        if (each.day === day && each.signal !== 'messages' && each.busiest > (peak?.busiest ?? 0)) peak = each;
    }
  return {
    periods: days,
    alerts: fired.size,
    limits: 0,
    peak: peak?.busiest ?? null,
    peakTime: peak === null ? null : new Date(`${peak.day}T00:00:00+08:00`).toISOString(),
    messages: volumes.reduce((sum, { messages }) => sum + messages, 0),
    partial: past.length >= windowsAtMost,
  };
}

const manilaDay = (unixMs: number): string => new Date(unixMs + 8 * 3_600_000).toISOString().slice(0, 10);

/** Whether an application's busiest windows of a day were unusual for the days before it. */
function judgeDay(rule: PumpingRule, of: readonly PastDay[], day: string): boolean {
  const from = manilaDay(Date.parse(day) - pumpingPastDays * dayMs);
  const before = of.filter((each) => each.day < day && each.day >= from);
  const usual = (signal: PastDay['signal'], key: string): number =>
    usualOf(before.filter((each) => each.signal === signal && each.key === key).map(({ busiest }) => busiest));
  const today = of.filter((each) => each.day === day);
  const counts = today.flatMap(({ signal, key, busiest: value }) =>
    signal === 'messages' ? [] : [{ signal, key, value, usual: usual(signal, key) }],
  );
  const window = {
    messages: today.find(({ signal }) => signal === 'messages')?.busiest ?? 0,
    usualMessages: usual('messages', ''),
    isKnown: before.filter(({ signal }) => signal === 'messages').length >= 2,
    counts,
    codes: none,
    usualCodes: none,
  };
  return judgePumping(rule, window) !== null;
}
