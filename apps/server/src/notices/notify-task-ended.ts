import type { TaskStatus } from '@pahatid/contract';
import { readTaskEnd } from '@pahatid/db/queries/notices';
import type { PoolClient } from 'pg';
import { type NotifyDeps, notify } from './notify.ts';

/**
 * Notifies of each end of a task, with its counts: the user that created it or, if that user was deleted, all users
 * that may send.
 */
export async function notifyTaskEnded(tx: PoolClient, taskId: string, deps: NotifyDeps): Promise<void> {
  const task = await readTaskEnd(tx, taskId);
  if (task === null) return;
  const { customerId, createdBy, endedAt, ...facts } = task;
  const notice = {
    kind: 'taskEnded',
    customerId,
    params: { ...facts, taskStatus: facts.taskStatus as TaskStatus },
    // Once per end: a retry ends as well, and a failed task may be fixed and fail again.
    onceKey: `task:${taskId}:${endedAt?.getTime() ?? 0}`,
  } as const;
  if (createdBy !== null) await notify(tx, { ...notice, userIds: [createdBy] }, deps);
  else await notify(tx, notice, deps);
}

/** Passed to jobs that end tasks; without it no notice is sent. */
export type NotifyTaskEnded = (tx: PoolClient, taskId: string) => Promise<void>;
