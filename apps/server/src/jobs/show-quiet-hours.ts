/** Says of marketing tasks why they stand still at night, and until when. The sender is the one that holds them. */
import { withTransaction } from '@pahatid/db';
import { markQuietHours, readDbMs } from '@pahatid/db/queries/task-running';
import { insertTaskEvent } from '@pahatid/db/queries/tasks';
import { manilaHour, quietHoursEnd } from '@pahatid/domain';
import type { TaskJobContext } from './context.ts';

export async function showQuietHours(context: TaskJobContext): Promise<boolean> {
  const nowMs = await readDbMs(context.pool, context.offsetMs);
  const marked = await withTransaction(context.pool, async (tx) => {
    const tasks = await markQuietHours(tx, manilaHour(nowMs));
    for (const task of tasks)
      await insertTaskEvent(tx, {
        taskId: task.task_id,
        customerId: task.customer_id,
        taskStatus: null,
        action: task.is_held ? 'quietHours' : 'quietHoursOver',
        userId: null,
        note: task.is_held ? new Date(quietHoursEnd(nowMs, task)).toISOString() : null,
      });
    return tasks;
  });
  for (const task of marked) context.notifyTask(task.task_id);
  return false;
}
