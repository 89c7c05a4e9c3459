/** Ends a task: all its work is done and counted, so the reserved amount is released. */
import { YesNo } from '@pahatid/contract/enums';
import { sql, withTransaction } from '@pahatid/db';
import { releaseReservation } from '@pahatid/db/queries/reservations';
import { endStopped, lockCompleted, lockStopped } from '@pahatid/db/queries/task-running';
import type { PoolClient } from 'pg';
import type { NotifyTaskEnded } from '../../notices/notify-task-ended.ts';
import { ItemTurns } from '../../process/item-turns.ts';
import type { TaskJobContext } from '../../sending/job-context.ts';
import { transitionBySystem } from './system-transition.ts';

const tasksAtOnce = 20;

interface EndingTask {
  taskId: string;
  customerId: string;
}

/** Each task in a separate transaction: one that can't be ended waits, and the others end. True when any ended. */
export async function finishTasks(
  context: TaskJobContext,
  notifyEnd?: NotifyTaskEnded,
  turns = new ItemTurns({ job: 'finish', log: context.log }),
): Promise<boolean> {
  const completed = await endAll(context, turns, lockCompleted, async (tx, { taskId, customerId }) => {
    await transitionBySystem(tx, {
      taskId,
      customerId,
      action: 'complete',
      set: sql`ended_at = clock_timestamp(), paused = ${YesNo.No}, status_reason = null`,
    });
    await releaseReservation(tx, taskId);
    await notifyEnd?.(tx, taskId);
  });
  const stopped = await endAll(context, turns, lockStopped, async (tx, { taskId }) => {
    await endStopped(tx, taskId, context.offsetMs);
    await releaseReservation(tx, taskId);
    await notifyEnd?.(tx, taskId);
  });
  return completed + stopped > 0;
}

/** Ends tasks until none is left or enough have their turn; returns how many ended. */
async function endAll(
  context: TaskJobContext,
  turns: ItemTurns,
  lockNext: (tx: PoolClient, except: readonly string[]) => Promise<EndingTask | null>,
  end: (tx: PoolClient, task: EndingTask) => Promise<void>,
): Promise<number> {
  let ended = 0;
  for (let turn = 0; turn < tasksAtOnce; turn++) {
    let task: EndingTask | null = null;
    try {
      await withTransaction(context.pool, async (tx) => {
        task = null;
        task = await lockNext(tx, turns.waiting);
        if (task !== null) await end(tx, task);
      });
    } catch (error) {
      const failed = task as EndingTask | null;
      if (failed === null) throw error;
      turns.fail(failed.taskId, error);
      continue;
    }
    const done = task as EndingTask | null;
    if (done === null) break;
    turns.succeed(done.taskId);
    context.notifyTask(done.taskId);
    ended += 1;
  }
  return ended;
}
