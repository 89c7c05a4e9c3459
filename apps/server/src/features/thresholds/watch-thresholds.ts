/**
 * Checks rules against counters: alerts and limits of volumes, limits of frequency that hold messages back, quality out
 * of bounds. An event is written while the rule's row is locked, so of several such processes one reports it, once.
 */
import { withTransaction } from '@pahatid/db';
import { readDbMs } from '@pahatid/db/queries/task-running';
import type { RuleRow } from '@pahatid/db/queries/threshold-rules';
import {
  listQualityToWatch,
  listRefusalsNow,
  listRulesToWatch,
  lockRuleToWatch,
  markRule,
  measureDelay,
  sumQuality,
} from '@pahatid/db/queries/threshold-watching';
import { loadVolumes } from '@pahatid/db/queries/thresholds';
import { judgeQuality, type Measured, measureRate, stageOfVolume, volumePeriodStart } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import type { NotifyDeps } from '../../notices/notify.ts';
import { ItemTurns } from '../../process/item-turns.ts';
import type { TaskJobContext } from '../../sending/job-context.ts';
import { fireRule } from './fire-rule.ts';
import { pauseScope } from './pause-scope.ts';

const rulesAtOnce = 500;
/** Maximum number of messages whose delay is read. */
const delaysAtMost = 2_000;

/** Watches each rule separately: one that fails waits, without affecting the others. */
export async function watchThresholds(
  context: TaskJobContext,
  deps: NotifyDeps,
  turns = new ItemTurns({ job: 'thresholds', log: context.log }),
): Promise<void> {
  await watchVolumes(context, deps, turns);
  await watchFrequencies(context, deps, turns);
  await watchQuality(context, deps, turns);
}

/** Rules in use, some at a time. */
async function* rulesOf(context: TaskJobContext, kind: 'volume' | 'frequency'): AsyncGenerator<RuleRow[]> {
  let after: string | null = null;
  for (;;) {
    const rules: RuleRow[] = await listRulesToWatch(context.pool, kind, after, rulesAtOnce);
    if (rules.length > 0) yield rules;
    if (rules.length < rulesAtOnce) return;
    after = rules.at(-1)!.thresholdId;
  }
}

async function watchVolumes(context: TaskJobContext, deps: NotifyDeps, turns: ItemTurns): Promise<void> {
  const nowMs = await readDbMs(context.pool, context.offsetMs);
  for await (const rules of rulesOf(context, 'volume')) {
    const startOf = (rule: RuleRow): number => volumePeriodStart(nowMs, rule.period!);
    const volumes = await loadVolumes(
      context.pool,
      rules.map((rule) => ({ ...rule, periodStartMs: startOf(rule) })),
    );
    const refusals = await listRefusalsNow(context.pool, rules);
    for (const rule of rules) {
      const of = volumes.filter(({ thresholdId }) => thresholdId === rule.thresholdId);
      const used = of.find(({ periodStartMs }) => periodStartMs === startOf(rule))?.used ?? 0;
      const isPutOff = of.some((each) => each.periodStartMs > startOf(rule) && each.used > 0);
      const isRefusing = isPutOff || (refusals.get(rule.thresholdId)?.refused ?? 0) > 0;
      const start = new Date(startOf(rule));
      if (stageOfVolume(rule, used, isRefusing) === 'ok' || isKnown(rule, start, used, isRefusing)) continue;
      const seen = { rule, used, isRefusing, start, now: new Date(nowMs) };
      await turns.run(rule.thresholdId, () => fireVolume(context, deps, seen));
    }
  }
}

/** In the history already. */
function isKnown(rule: RuleRow, start: Date, used: number, isRefusing: boolean): boolean {
  const mark = stageOfVolume(rule, used, isRefusing) === 'limit' ? rule.limitedPeriod : rule.alertedPeriod;
  return mark?.getTime() === start.getTime();
}

async function fireVolume(
  { pool }: TaskJobContext,
  deps: NotifyDeps,
  seen: { rule: RuleRow; used: number; isRefusing: boolean; start: Date; now: Date },
): Promise<void> {
  const { used, isRefusing, start, now } = seen;
  await withTransaction(pool, async (tx) => {
    // Its current state: another process may have reported it, or a user changed it.
    const rule = await lockRuleToWatch(tx, seen.rule.thresholdId);
    if (rule === null || isKnown(rule, start, used, isRefusing)) return;
    const stage = stageOfVolume(rule, used, isRefusing);
    if (stage === 'ok') return;
    // Reaching the limit includes the alert.
    await markRule(tx, rule.thresholdId, {
      alertedPeriod: start,
      ...(stage === 'limit' && { limitedPeriod: start }),
    });
    const bound = (stage === 'limit' ? rule.limitAt : rule.alertAt) ?? 0;
    await fireRule(tx, rule, { kind: stage, value: used, bound, amount: null, paused: 0 }, now, deps);
  });
}

async function watchFrequencies(context: TaskJobContext, deps: NotifyDeps, turns: ItemTurns): Promise<void> {
  const now = new Date(await readDbMs(context.pool, context.offsetMs));
  for await (const rules of rulesOf(context, 'frequency'))
    for (const [thresholdId, seen] of await listRefusalsNow(context.pool, rules))
      await turns.run(thresholdId, () => fireFrequency(context, deps, { thresholdId, ...seen, now }));
}

async function fireFrequency(
  { pool }: TaskJobContext,
  deps: NotifyDeps,
  { thresholdId, refused, hour, now }: { thresholdId: string; refused: number; hour: Date; now: Date },
): Promise<void> {
  await withTransaction(pool, async (tx) => {
    const rule = await lockRuleToWatch(tx, thresholdId);
    // Once in an hour.
    if (rule === null || rule.limitedPeriod?.getTime() === hour.getTime()) return;
    await markRule(tx, thresholdId, { limitedPeriod: hour });
    const bound = rule.sameContentPer30s ?? rule.perMinute ?? rule.perHour ?? rule.perDay ?? 0;
    await fireRule(tx, rule, { kind: 'refused', value: refused, bound, amount: null, paused: 0 }, now, deps);
  });
}

async function watchQuality(context: TaskJobContext, deps: NotifyDeps, turns: ItemTurns): Promise<void> {
  for (const { thresholdId } of await listQualityToWatch(context.pool, context.offsetMs, rulesAtOnce, turns.waiting))
    await turns.run(thresholdId, async () => {
      const paused = await withTransaction(context.pool, async (tx) => {
        const rule = await lockRuleToWatch(tx, thresholdId);
        return rule === null ? [] : await checkQuality(tx, rule, context.offsetMs, deps);
      });
      for (const taskId of paused) context.notifyTask(taskId);
    });
}

/** Returns the tasks that it paused. */
async function checkQuality(tx: PoolClient, rule: RuleRow, offsetMs: number, deps: NotifyDeps): Promise<string[]> {
  const nowMs = await readDbMs(tx, offsetMs);
  const now = new Date(nowMs);
  const measured = await measure(tx, rule, nowMs);
  const { metric, bound, minVolume } = rule;
  const verdict = judgeQuality({ metric: metric!, bound: bound!, minVolume: minVolume! }, measured);
  await markRule(tx, rule.thresholdId, {
    checkedAt: now,
    lastValue: measured?.value ?? null,
    lastVolume: measured?.volume ?? null,
  });
  // Too little data leaves the state unchanged: a quiet night does not begin or end an alert.
  if (verdict === 'tooFew' || measured === null || (verdict === 'outside') === (rule.firingSince !== null)) return [];
  const event = { value: measured.value, bound: bound!, amount: measured.volume };
  if (verdict === 'within') {
    await markRule(tx, rule.thresholdId, { firingSince: null });
    await fireRule(tx, rule, { ...event, kind: 'over', paused: 0 }, now, deps);
    return [];
  }
  await markRule(tx, rule.thresholdId, { firingSince: now });
  const paused = await pauseScope(tx, rule);
  await fireRule(
    tx,
    rule,
    { ...event, kind: rule.act === 'alert' ? 'alert' : 'pause', paused: paused.length },
    now,
    deps,
  );
  return paused;
}

async function measure(tx: PoolClient, rule: RuleRow, nowMs: number): Promise<Measured | null> {
  const toMs = nowMs - rule.graceSeconds! * 1000;
  const [from, to] = [new Date(toMs - rule.windowMinutes! * 60_000), new Date(toMs)];
  if (rule.metric !== 'delay') return measureRate(rule.metric!, await sumQuality(tx, rule, from, to));
  const { value, volume } = await measureDelay(tx, rule, from, to, delaysAtMost);
  return value === null ? null : { value, volume };
}
