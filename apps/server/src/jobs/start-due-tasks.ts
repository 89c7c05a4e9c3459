/** Confirmed tasks whose time has come begin; those that may not run after all fail with the reason. */
import { sql, withTransaction } from '@pahatid/db';
import { releaseReservation } from '@pahatid/db/queries/reservations';
import { type DueTask, lockDisabledTasks, lockDueTasks } from '@pahatid/db/queries/task-running';
import type { PoolClient } from 'pg';
import type { TellTaskEnded } from '../notices/tell-task-ended.ts';
import type { TaskJobContext } from './context.ts';
import { transitionBySystem } from './system-transition.ts';

/** True when any task moved. */
export async function startDueTasks(context: TaskJobContext, tell?: TellTaskEnded): Promise<boolean> {
  const moved = await withTransaction(context.pool, async (tx) => {
    const due = await lockDueTasks(tx, context.offsetMs);
    for (const task of due) await startOrFail(tx, task, tell);
    return due.map((task) => task.task_id);
  });
  for (const taskId of moved) context.notifyTask(taskId);
  return moved.length > 0;
}

async function startOrFail(tx: PoolClient, task: DueTask, tell?: TellTaskEnded): Promise<void> {
  const { task_id: taskId, customer_id: customerId, obstacle } = task;
  if (obstacle === null) {
    await transitionBySystem(tx, {
      taskId,
      customerId,
      action: 'prepare',
      set: sql`started_at = clock_timestamp(), next_block = 0, prepared_count = 0, prepared = false, opted_out_count = 0,
               owner = null, lease_until = null, status_reason = null`,
    });
    return;
  }
  await transitionBySystem(tx, {
    taskId,
    customerId,
    action: 'fail',
    reason: obstacle,
    set: sql`status_reason = ${obstacle}, ended_at = clock_timestamp()`,
  });
  await releaseReservation(tx, taskId);
  await tell?.(tx, taskId);
}

/** A disabled application stops its tasks for good: what is not handed over by then never is. */
export async function stopDisabledTasks(context: TaskJobContext): Promise<boolean> {
  const stopped = await withTransaction(context.pool, async (tx) => {
    const tasks = await lockDisabledTasks(tx);
    for (const task of tasks)
      await transitionBySystem(tx, {
        taskId: task.task_id,
        customerId: task.customer_id,
        action: 'terminate',
        reason: 'APP_DISABLED',
        set: sql`paused = 0, status_reason = 'APP_DISABLED'`,
      });
    return tasks.map((task) => task.task_id);
  });
  for (const taskId of stopped) context.notifyTask(taskId);
  return stopped.length > 0;
}
