/** Transitions that the program itself brings about, with their place on the timeline and in the audit log. */
import { type Fragment, writeAudit } from '@pahatid/db';
import { insertTaskEvent, transitionTask } from '@pahatid/db/queries/tasks';
import { fromStatuses, type TaskAction, toStatus } from '@pahatid/domain';
import type { PoolClient } from 'pg';

export interface SystemTransition {
  readonly taskId: string;
  readonly customerId: string;
  readonly action: TaskAction;
  /** Catalogue-like code that the customer reads. */
  readonly reason?: string;
  readonly set?: Fragment<unknown>;
  readonly where?: Fragment<unknown>;
}

/** False when the task is in none of the statuses that the action may leave. */
export async function transitionBySystem(tx: PoolClient, change: SystemTransition): Promise<boolean> {
  const { taskId, customerId, action, reason } = change;
  const taskStatus = toStatus(action);
  const won = await transitionTask(tx, {
    taskId,
    customerId,
    from: fromStatuses(action),
    to: taskStatus,
    ...(change.set ? { set: change.set } : {}),
    ...(change.where ? { where: change.where } : {}),
  });
  if (!won) return false;
  await insertTaskEvent(tx, { taskId, customerId, taskStatus, action, userId: null, note: reason ?? null });
  await writeAudit(tx, {
    customerId,
    userId: null,
    account: null,
    ip: null,
    action,
    subjectType: 'task',
    subjectId: taskId,
    before: null,
    after: { taskStatus, ...(reason === undefined ? {} : { reason }) },
  });
  return true;
}
