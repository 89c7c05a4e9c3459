/**
 * Looks for signs of SMS pumping in what applications sent by API of late. An alarm begins and ends while the rule's row
 * is locked, so of several such processes one reports it, once; while it lasts, further signs only prolong it.
 */
import { withTransaction } from '@pahatid/db';
import { countCodeUse, countPumping, listPumpingToWatch, type WatchedApplication } from '@pahatid/db/queries/pumping';
import { beginAlarm, endAlarm, findAlarm, touchAlarm } from '@pahatid/db/queries/pumping-alarms';
import { notePumping, readPumpingPast } from '@pahatid/db/queries/pumping-past';
import { readDbMs } from '@pahatid/db/queries/task-running';
import type { RuleRow } from '@pahatid/db/queries/threshold-rules';
import { findAppName, lockRuleToWatch } from '@pahatid/db/queries/threshold-watching';
import { isWorthKeeping, judgePumping, type PumpingFinding } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import type { NotifyDeps } from '../../notices/notify.ts';
import { ItemTurns } from '../../process/item-turns.ts';
import type { TaskJobContext } from '../../sending/job-context.ts';
import { fireRule } from './fire-rule.ts';
import { pauseScope } from './pause-scope.ts';

export async function watchPumping(
  context: TaskJobContext,
  deps: NotifyDeps,
  turns = new ItemTurns({ job: 'pumping', log: context.log }),
): Promise<void> {
  const watched = await listPumpingToWatch(context.pool, await readDbMs(context.pool, context.offsetMs));
  for (const each of watched)
    await turns.run(`${each.thresholdId} ${each.appId}`, async () => {
      const paused = await withTransaction(context.pool, async (tx) => {
        const rule = await lockRuleToWatch(tx, each.thresholdId);
        return rule === null ? [] : await checkApplication(tx, rule, each, context.offsetMs, deps);
      });
      for (const taskId of paused) context.notifyTask(taskId);
    });
}

/** Returns the tasks that it paused. */
async function checkApplication(
  tx: PoolClient,
  rule: RuleRow,
  of: WatchedApplication,
  offsetMs: number,
  deps: NotifyDeps,
): Promise<string[]> {
  const nowMs = await readDbMs(tx, offsetMs);
  const bounds = { minVolume: rule.minVolume!, factor: rule.factor! };
  const rows = await countPumping(tx, of, nowMs);
  const codes = await countCodeUse(tx, of, nowMs);
  const past = await readPumpingPast(tx, of, nowMs);
  const messages = rows.find(({ signal }) => signal === 'messages')?.value ?? 0;
  const counts = rows.flatMap(({ signal, ...row }) =>
    signal === 'messages' ? [] : [{ ...row, signal, usual: past.usualOf(signal, row.key) }],
  );
  const { isKnown, usualMessages, codes: usualCodes } = past;
  const found = judgePumping(bounds, { messages, usualMessages, isKnown, counts, codes, usualCodes });
  const kept = rows.filter(({ signal, value }) =>
    signal === 'messages' ? value > 0 : isWorthKeeping(bounds, { signal, value }),
  );
  await notePumping(tx, of, kept, codes, nowMs);
  const alarm = await findAlarm(tx, of, nowMs);
  if (found !== null) {
    if (alarm === null) return beginPumping(tx, rule, of, found, { messages, nowMs, deps });
    await touchAlarm(tx, of, nowMs);
    return [];
  }
  if (alarm === null || !alarm.isQuiet) return [];
  await endAlarm(tx, of);
  const event = { kind: 'over', value: messages, bound: bounds.minVolume, amount: messages, paused: 0 } as const;
  await fireRule(tx, rule, { ...event, facts: alarm.facts }, new Date(nowMs), deps);
  return [];
}

const eventKinds = { alert: 'alert', slow: 'slow', pauseTasks: 'pause', pauseApplication: 'pause' } as const;

async function beginPumping(
  tx: PoolClient,
  rule: RuleRow,
  of: WatchedApplication,
  { value, bound, ...found }: PumpingFinding,
  { messages, nowMs, deps }: { messages: number; nowMs: number; deps: NotifyDeps },
): Promise<string[]> {
  const { appId } = of;
  const facts = { ...found, appId, appName: await findAppName(tx, of) };
  await beginAlarm(tx, of, { facts, slowTo: rule.act === 'slow' ? rule.slowTo : null, nowMs });
  const paused = await pauseScope(tx, { ...rule, appId });
  const kind = eventKinds[rule.act ?? 'alert'];
  const event = { kind, value, bound, amount: messages, paused: paused.length, facts };
  await fireRule(tx, rule, event, new Date(nowMs), deps);
  return paused;
}
