import { TaskStatus } from '@pahatid/contract';
import { getCustomerId } from '@pahatid/db';
import { setPaused, type TaskRow } from '@pahatid/db/queries/tasks';
import { pausedByStaff } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { ProblemError } from '../../http/problem.ts';
import { type Actor, mustFind, record, refused } from './act-on-task.ts';

/** Pause and resume leave the status alone. */
const pausable: readonly TaskStatus[] = [TaskStatus.Preparing, TaskStatus.Sending];

/** Pauses (1), or resumes (0); what the staff paused, the staff resume. */
export async function pauseTask(tx: PoolClient, actor: Actor, before: TaskRow, paused: 0 | 1): Promise<void> {
  const { taskId } = before;
  const action = paused === 1 ? 'pause' : 'resume';
  const byStaff = actor.user.customerId === null;
  const reason = paused === 0 ? null : byStaff ? pausedByStaff : 'PAUSED_BY_USER';
  const customerId = getCustomerId(actor.scope);
  const isHeld = before.paused === 1 && before.statusReason === pausedByStaff;
  if (paused === 0 && isHeld && !byStaff) throw new ProblemError('TASK_HELD_BY_STAFF');
  // Staff may take over a customer's pause, so that it persists.
  const takesOver = paused === 1 && byStaff && !isHeld;
  if (!(await setPaused(tx, { taskId, customerId, from: pausable, paused, reason, takesOver })))
    throw refused(await mustFind(tx, actor, taskId), action);
  const task = { taskId, customerId: before.customerId, from: before.taskStatus };
  await record(tx, actor, task, { action, taskStatus: null });
}
