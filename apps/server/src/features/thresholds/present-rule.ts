/** Rules with their current state: definition, usage in the period, last measurement, messages held. */
import type { Threshold, ThresholdEvent } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import {
  type Holding,
  listHoldings,
  listLastEvents,
  listUserNames,
  type RuleEventRow,
  type RuleRow,
  sumRefusals,
} from '@pahatid/db/queries/threshold-rules';
import { loadVolumes } from '@pahatid/db/queries/thresholds';
import { judgeQuality, stageOfVolume, volumePeriodEnd, volumePeriodStart } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import type { Caller } from '../../http/call.ts';
import { phoneFor } from '../../http/phones.ts';

interface Standing {
  readonly nowMs: number;
  readonly used: ReadonlyMap<string, { now: number; isPutOff: boolean }>;
  readonly refusedThisHour: ReadonlyMap<string, number>;
  readonly refusedToday: ReadonlyMap<string, number>;
  readonly holdings: ReadonlyMap<string, Holding>;
  readonly events: ReadonlyMap<string, RuleEventRow>;
  readonly names: ReadonlyMap<string, string>;
}

/** Returns rules in order; of several customers if staff read across them. */
export async function presentRules(
  tx: PoolClient,
  rows: readonly RuleRow[],
  user: Caller,
  now: Date,
): Promise<Threshold[]> {
  const standings = new Map<string, Standing>();
  for (const [customerId, own] of Map.groupBy(rows, (row) => row.customerId))
    standings.set(customerId, await readStanding(tx, customerId, own, now));
  return rows.map((row) => ({
    ...presentRule(row, standings.get(row.customerId)!, user),
    ...(user.customerId === null && { operator: row.customerName }),
  }));
}

async function readStanding(
  tx: PoolClient,
  customerId: string,
  rows: readonly RuleRow[],
  now: Date,
): Promise<Standing> {
  const nowMs = now.getTime();
  const ids = rows.map(({ thresholdId }) => thresholdId);
  const used = new Map<string, { now: number; isPutOff: boolean }>();
  const starts = new Map(
    rows.flatMap(({ thresholdId, period }) =>
      period === null ? [] : [[thresholdId, volumePeriodStart(nowMs, period)]],
    ),
  );
  const keys = [...starts].map(([thresholdId, periodStartMs]) => ({ customerId, thresholdId, periodStartMs }));
  for (const { thresholdId, periodStartMs, used: amount } of await loadVolumes(tx, keys)) {
    const known = used.get(thresholdId) ?? { now: 0, isPutOff: false };
    const isNow = periodStartMs === starts.get(thresholdId);
    used.set(thresholdId, { now: isNow ? amount : known.now, isPutOff: known.isPutOff || (!isNow && amount > 0) });
  }
  const refusedThisHour = await sumRefusals(tx, customerId, ids, new Date(volumePeriodStart(nowMs, 'hour')));
  const refusedToday = await sumRefusals(tx, customerId, ids, new Date(volumePeriodStart(nowMs, 'day')));
  const events = await listLastEvents(tx, customerId, ids);
  return {
    nowMs,
    used,
    refusedThisHour,
    refusedToday,
    holdings: new Map((await listHoldings(tx, customerId)).map((each) => [each.thresholdId, each])),
    events: new Map(events.map((event) => [event.thresholdId, event])),
    names: await readUserNames(tx, events),
  };
}

export const readUserNames = (tx: PoolClient, events: readonly RuleEventRow[]): Promise<Map<string, string>> =>
  listUserNames(
    tx,
    events.flatMap(({ userId }) => (userId === null ? [] : [userId])),
  );

export const presentEvent = (row: RuleEventRow, names: ReadonlyMap<string, string>): ThresholdEvent => ({
  eventId: row.eventId,
  time: row.at.toISOString(),
  event: row.kind,
  value: row.value,
  bound: row.bound,
  amount: row.amount,
  notified: row.notified,
  userName: row.userId === null ? null : (names.get(row.userId) ?? null),
  pumping: row.facts,
});

function presentRule(row: RuleRow, standing: Standing, user: Caller): Threshold {
  const event = standing.events.get(row.thresholdId);
  const phone = (digits: string): string => phoneFor(user, digits);
  return {
    thresholdId: row.thresholdId,
    kind: row.kind,
    setBy: row.setBy,
    useState: row.useState,
    appId: row.appId,
    areaCode: row.areaCode,
    carrier: row.carrier,
    smsType: row.smsType,
    period: row.period,
    unit: row.unit,
    alertAt: row.alertAt,
    limitAt: row.limitAt,
    metric: row.metric,
    bound: row.bound,
    windowMinutes: row.windowMinutes,
    minVolume: row.minVolume,
    graceSeconds: row.graceSeconds,
    act: row.act,
    factor: row.factor,
    slowTo: row.slowTo,
    sameContentPer30s: row.sameContentPer30s,
    perMinute: row.perMinute,
    perHour: row.perHour,
    perDay: row.perDay,
    exempt: row.exempt.map(phone),
    emails: row.emails,
    mobileNumbers: row.msisdns.map(phone),
    webhooks: row.webhooks,
    silenceMinutes: row.silenceMinutes,
    version: row.version,
    createTime: row.createdAt.toISOString(),
    updateTime: row.updatedAt.toISOString(),
    state: stateOf(row, standing),
    lastEvent: event === undefined ? null : presentEvent(event, standing.names),
  };
}

function stateOf(row: RuleRow, standing: Standing): Threshold['state'] {
  const { thresholdId } = row;
  const holding = standing.holdings.get(thresholdId);
  const held = {
    pausedTasks: holding?.pausedTasks ?? 0,
    pausedApplication: holding?.pausedApplication ?? false,
    slowedApplication: holding?.slowedApplication ?? false,
  };
  const nothing = { value: null, volume: null, periodEnd: null, ...held };
  if (row.useState === UseState.Disabled) return { ...nothing, stage: 'idle' };
  if (row.kind === 'frequency') {
    const value = standing.refusedToday.get(thresholdId) ?? 0;
    return { ...nothing, value, stage: value > 0 ? 'limit' : 'ok' };
  }
  if (row.kind === 'pumping') {
    const value = holding?.alarms ?? 0;
    return { ...nothing, value, stage: value > 0 ? 'alert' : 'ok' };
  }
  if (row.kind === 'quality') {
    const { lastValue: value, lastVolume: volume, metric, bound, minVolume } = row;
    if (value === null || volume === null || metric === null || bound === null || minVolume === null)
      return { ...nothing, stage: 'idle' };
    const verdict = judgeQuality({ metric, bound, minVolume }, { value, volume });
    return { ...nothing, value, volume, stage: verdict === 'tooFew' ? 'idle' : verdict === 'outside' ? 'alert' : 'ok' };
  }
  const used = standing.used.get(thresholdId);
  const value = used?.now ?? 0;
  const isRefusing = used?.isPutOff === true || standing.refusedThisHour.has(thresholdId);
  const periodEnd = row.period === null ? null : new Date(volumePeriodEnd(standing.nowMs, row.period)).toISOString();
  return { ...nothing, value, periodEnd, stage: stageOfVolume(row, value, isRefusing) };
}
