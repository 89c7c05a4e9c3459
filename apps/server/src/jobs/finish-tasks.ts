/** The end of a task: everything it would do is done and counted, so what was held back of the balance is released. */
import { sql, withTransaction } from '@pahatid/db';
import { releaseReservation } from '@pahatid/db/queries/reservations';
import { endStopped, lockCompleted, lockStopped } from '@pahatid/db/queries/task-running';
import type { TellTaskEnded } from '../notices/tell-task-ended.ts';
import type { TaskJobContext } from './context.ts';
import { transitionBySystem } from './system-transition.ts';

/** True when any task ended. */
export async function finishTasks(context: TaskJobContext, tell?: TellTaskEnded): Promise<boolean> {
  const ended = await withTransaction(context.pool, async (tx) => {
    const completed = await lockCompleted(tx);
    for (const { task_id: taskId, customer_id: customerId } of completed) {
      await transitionBySystem(tx, {
        taskId,
        customerId,
        action: 'complete',
        set: sql`ended_at = clock_timestamp(), paused = 0, status_reason = null`,
      });
      await releaseReservation(tx, taskId);
    }
    const stopped = await lockStopped(tx);
    for (const { task_id: taskId } of stopped) {
      await endStopped(tx, taskId, context.offsetMs);
      await releaseReservation(tx, taskId);
    }
    const taskIds = [...completed, ...stopped].map((task) => task.task_id);
    for (const taskId of taskIds) await tell?.(tx, taskId);
    return taskIds;
  });
  for (const taskId of ended) context.notifyTask(taskId);
  return ended.length > 0;
}
