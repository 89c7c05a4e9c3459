import { TaskStatus } from '@pahatid/contract/enums';
import { uuidV7, writeAudit } from '@pahatid/db';
import { startAbTest as divide } from '@pahatid/db/queries/ab-tests';
import { reserve } from '@pahatid/db/queries/reservations';
import type { DueTask } from '@pahatid/db/queries/task-running';
import { insertTaskEvent } from '@pahatid/db/queries/tasks';
import type { PoolClient } from 'pg';

const mostVariants = 4;

/**
 * Makes a task of each variant, which start like all that are confirmed; the rest stays confirmed until the decision. The
 * reserved amount is divided with the recipients. The caller holds the lock of the due task.
 */
export async function startAbTest(tx: PoolClient, task: DueTask, offsetMs: number): Promise<void> {
  const { taskId, customerId } = task;
  const ids = Array.from({ length: mostVariants }, () => uuidV7());
  const started = await divide(tx, { taskId, ids, offsetMs });
  if (started === null) return;
  await reserve(tx, { taskId, customerId, cost: started.restCost });
  await record(tx, task, taskId, null);
  for (const { taskId: childId, cost } of started.variants) {
    await reserve(tx, { taskId: childId, customerId, cost });
    await record(tx, task, childId, TaskStatus.Confirmed);
  }
}

async function record(tx: PoolClient, test: DueTask, taskId: string, taskStatus: TaskStatus | null): Promise<void> {
  const { customerId } = test;
  await insertTaskEvent(tx, { taskId, customerId, taskStatus, action: 'abStart', userId: null });
  await writeAudit(tx, {
    customerId,
    userId: null,
    account: null,
    ip: null,
    action: 'abStart',
    subjectType: 'task',
    subjectId: taskId,
    before: null,
    after: taskId === test.taskId ? {} : { taskStatus, abTest: test.taskId },
  });
}
