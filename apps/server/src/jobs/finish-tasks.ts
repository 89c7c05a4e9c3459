/** The end of a task: everything it would do is done and counted, so what was held back of the balance is released. */
import { sql, withTransaction } from '@pahatid/db';
import { releaseReservation } from '@pahatid/db/queries/reservations';
import { endStopped, lockCompleted, lockStopped } from '@pahatid/db/queries/task-running';
import type { PoolClient } from 'pg';
import type { TellTaskEnded } from '../notices/tell-task-ended.ts';
import type { TaskJobContext } from './context.ts';
import { ItemTurns } from './item-turns.ts';
import { transitionBySystem } from './system-transition.ts';

const tasksAtOnce = 20;

interface EndingTask {
  task_id: string;
  customer_id: string;
}

/** Each task in a transaction of its own: one that can't be ended waits, and the others end. True when any ended. */
export async function finishTasks(
  context: TaskJobContext,
  tell?: TellTaskEnded,
  turns = new ItemTurns({ job: 'finish', log: context.log }),
): Promise<boolean> {
  const completed = await endAll(
    context,
    turns,
    lockCompleted,
    async (tx, { task_id: taskId, customer_id: customerId }) => {
      await transitionBySystem(tx, {
        taskId,
        customerId,
        action: 'complete',
        set: sql`ended_at = clock_timestamp(), paused = 0, status_reason = null`,
      });
      await releaseReservation(tx, taskId);
      await tell?.(tx, taskId);
    },
  );
  const stopped = await endAll(context, turns, lockStopped, async (tx, { task_id: taskId }) => {
    await endStopped(tx, taskId, context.offsetMs);
    await releaseReservation(tx, taskId);
    await tell?.(tx, taskId);
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
      turns.fail(failed.task_id, error);
      continue;
    }
    const done = task as EndingTask | null;
    if (done === null) break;
    turns.succeed(done.task_id);
    context.notifyTask(done.task_id);
    ended += 1;
  }
  return ended;
}
