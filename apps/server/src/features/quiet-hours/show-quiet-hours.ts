/** Shows for marketing tasks why they are held at night, and until when. The sender holds them. */
import { withTransaction } from '@pahatid/db';
import { markQuietHours, readDbMs } from '@pahatid/db/queries/task-running';
import { insertTaskEvent } from '@pahatid/db/queries/tasks';
import { manilaHour, quietHoursEnd } from '@pahatid/domain';
import type { TaskJobContext } from '../../sending/job-context.ts';

export async function showQuietHours(context: TaskJobContext): Promise<boolean> {
  const nowMs = await readDbMs(context.pool, context.offsetMs);
  const marked = await withTransaction(context.pool, async (tx) => {
    const tasks = await markQuietHours(tx, manilaHour(nowMs));
    for (const task of tasks)
      await insertTaskEvent(tx, {
        taskId: task.taskId,
        customerId: task.customerId,
        taskStatus: null,
        action: task.isHeld ? 'quietHours' : 'quietHoursOver',
        userId: null,
        note: task.isHeld ? new Date(quietHoursEnd(nowMs, task)).toISOString() : null,
      });
    return tasks;
  });
  for (const task of marked) context.notifyTask(task.taskId);
  return false;
}
