/** Pauses what a rule is about, each on record, in the transaction that locks the rule. */
import { writeAudit } from '@pahatid/db';
import { insertTaskEvent } from '@pahatid/db/queries/tasks';
import { pauseApplication, pauseThresholdTasks, thresholdPaused } from '@pahatid/db/queries/threshold-holding';
import type { RuleRow } from '@pahatid/db/queries/threshold-rules';
import type { PoolClient } from 'pg';

/** Returns the tasks that it paused; none if the rule only alerts. */
export async function pauseScope(
  tx: PoolClient,
  rule: Pick<RuleRow, 'customerId' | 'thresholdId' | 'appId' | 'smsType' | 'act'>,
): Promise<string[]> {
  if (rule.act !== 'pauseTasks' && rule.act !== 'pauseApplication') return [];
  const { customerId, thresholdId, appId } = rule;
  const onRecord = (subjectType: string, subjectId: string) =>
    writeAudit(tx, {
      customerId,
      userId: null,
      account: null,
      ip: null,
      action: 'pause',
      subjectType,
      subjectId,
      before: null,
      after: { thresholdId },
    });
  if (rule.act === 'pauseApplication' && appId !== null && (await pauseApplication(tx, customerId, appId, thresholdId)))
    await onRecord('application', appId);
  const tasks = await pauseThresholdTasks(tx, rule);
  for (const { taskId } of tasks) {
    await insertTaskEvent(tx, {
      taskId,
      customerId,
      taskStatus: null,
      action: 'pause',
      userId: null,
      note: thresholdPaused,
    });
    await onRecord('task', taskId);
  }
  return tasks.map(({ taskId }) => taskId);
}
