/**
 * Resumes what a rule has paused or slowed: its tasks and its applications, when a user asks or the rule is deleted.
 */
import type { Threshold } from '@pahatid/contract';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import { resumeSlowed } from '@pahatid/db/queries/pumping-alarms';
import { insertTaskEvent } from '@pahatid/db/queries/tasks';
import { resumeThresholdApplications, resumeThresholdTasks } from '@pahatid/db/queries/threshold-holding';
import { insertRuleEvent, type RuleRow } from '@pahatid/db/queries/threshold-rules';
import type { Pool, PoolClient } from 'pg';
import type { Call } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { TASK_CHANNEL } from '../../sending/notifier.ts';
import { mustBeCustomer, mustLockRule, presentOne } from './find-rule.ts';

type ResumeCall = Call<'POST /thresholds/:thresholdId/resume'>;

export async function resumeHeld(deps: ApiDeps, call: ResumeCall): Promise<Threshold> {
  const { params, scope, user, inScope, audit } = call;
  const customerId = mustBeCustomer(scope);
  const { rule, taskIds } = await inScope(async (tx) => {
    const row = await mustLockRule(tx, customerId, params.thresholdId);
    const resumed = await resumeAll(tx, row, user.userId);
    if (resumed.taskIds.length === 0 && resumed.appIds.length === 0) throw new ProblemError('THRESHOLD_HOLDS_NOTHING');
    await insertRuleEvent(tx, {
      customerId,
      thresholdId: row.thresholdId,
      kind: 'resume',
      value: null,
      bound: null,
      amount: resumed.taskIds.length,
      notified: false,
      userId: user.userId,
    });
    await audit(tx, {
      action: 'resume',
      subjectType: 'threshold',
      subjectId: row.thresholdId,
      after: { tasks: resumed.taskIds, appIds: resumed.appIds },
    });
    return { rule: await presentOne(tx, row, user, deps.now()), taskIds: resumed.taskIds };
  });
  await notifyResumed(deps.pools.control, taskIds);
  return rule;
}

/** `userId`: null if no user asked for it. */
export async function resumeAll(
  tx: PoolClient,
  { customerId, thresholdId }: RuleRow,
  userId: string | null,
): Promise<{ taskIds: string[]; appIds: string[] }> {
  const tasks = await resumeThresholdTasks(tx, customerId, thresholdId);
  for (const { taskId } of tasks)
    await insertTaskEvent(tx, { taskId, customerId, taskStatus: null, action: 'resume', userId, note: null });
  const appIds = await resumeThresholdApplications(tx, customerId, thresholdId);
  const slowed = await resumeSlowed(tx, customerId, thresholdId);
  return { taskIds: tasks.map(({ taskId }) => taskId), appIds: [...new Set([...appIds, ...slowed])] };
}

export async function notifyResumed(control: Pool, taskIds: readonly string[]): Promise<void> {
  for (const taskId of taskIds) await notify(control, TASK_CHANNEL, taskId);
  await notify(control, JOBS_CHANNEL, 'task');
}
