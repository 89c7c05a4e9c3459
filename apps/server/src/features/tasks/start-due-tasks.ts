/** Starts confirmed tasks whose time has come; those that may not run after all fail with the reason. */
import { YesNo } from '@pahatid/contract/enums';
import { sql, withTransaction } from '@pahatid/db';
import { releaseReservation } from '@pahatid/db/queries/reservations';
import { type DueTask, lockDisabledTasks, lockDueTasks } from '@pahatid/db/queries/task-running';
import type { PoolClient } from 'pg';
import type { NotifyTaskEnded } from '../../notices/notify-task-ended.ts';
import type { TaskJobContext } from '../../sending/job-context.ts';
import { startAbTest } from './start-ab-test.ts';
import { transitionBySystem } from './system-transition.ts';

/** True when any task moved. */
export async function startDueTasks(context: TaskJobContext, notifyEnd?: NotifyTaskEnded): Promise<boolean> {
  const moved = await withTransaction(context.pool, async (tx) => {
    const due = await lockDueTasks(tx, context.offsetMs);
    for (const task of due) await startOrFail(tx, task, context.offsetMs, notifyEnd);
    return due.map((task) => task.taskId);
  });
  for (const taskId of moved) context.notifyTask(taskId);
  return moved.length > 0;
}

async function startOrFail(
  tx: PoolClient,
  task: DueTask,
  offsetMs: number,
  notifyEnd?: NotifyTaskEnded,
): Promise<void> {
  const { taskId, customerId, obstacle } = task;
  if (obstacle === null && task.hasVariants) return startAbTest(tx, task, offsetMs);
  if (obstacle === null) {
    await transitionBySystem(tx, {
      taskId,
      customerId,
      action: 'prepare',
      set: sql`started_at = clock_timestamp(), next_block = 0, prepared_count = 0, prepared = false, opted_out_count = 0, no_consent_count = 0,
               left_out_count = 0,
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
  await notifyEnd?.(tx, taskId);
}

/** A disabled application stops its tasks permanently: messages not handed over by then are never sent. */
export async function stopDisabledTasks(context: TaskJobContext): Promise<boolean> {
  const stopped = await withTransaction(context.pool, async (tx) => {
    const tasks = await lockDisabledTasks(tx);
    for (const task of tasks)
      await transitionBySystem(tx, {
        taskId: task.taskId,
        customerId: task.customerId,
        action: 'terminate',
        reason: 'APP_DISABLED',
        set: sql`paused = ${YesNo.No}, status_reason = 'APP_DISABLED'`,
      });
    return tasks.map((task) => task.taskId);
  });
  for (const taskId of stopped) context.notifyTask(taskId);
  return stopped.length > 0;
}
