import type { TaskStatus } from '@pahatid/contract';
import { readTaskEnd } from '@pahatid/db/queries/notices';
import type { PoolClient } from 'pg';
import { type NotifyDeps, notify } from './notify.ts';

/** After each end of a task, with its counts: to who made it, or, where that one is gone, to whoever may send. */
export async function tellTaskEnded(tx: PoolClient, taskId: string, deps: NotifyDeps): Promise<void> {
  const task = await readTaskEnd(tx, taskId);
  if (task === null) return;
  const { customerId, createdBy, endedAt, ...facts } = task;
  const notice = {
    kind: 'taskEnded',
    customerId,
    params: { ...facts, taskStatus: facts.taskStatus as TaskStatus },
    // Once for each end: a retry ends as well, and one that failed may be mended and fail again.
    onceKey: `task:${taskId}:${endedAt?.getTime() ?? 0}`,
  } as const;
  if (createdBy !== null) await notify(tx, { ...notice, userIds: [createdBy] }, deps);
  else await notify(tx, notice, deps);
}

/** What jobs that end tasks are handed; without it nobody is told. */
export type TellTaskEnded = (tx: PoolClient, taskId: string) => Promise<void>;
