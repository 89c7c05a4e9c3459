/** Terminated tasks: their batches that no sender holds end unsent. Those that one holds come back within seconds. */
import { listStopping } from '@pahatid/db/queries/task-running';
import type { TaskJobContext } from '../../sending/job-context.ts';
import { terminateTaskMessages } from '../../sending/settle/terminate-task.ts';

/** True when anything was ended. */
export async function endStoppedMessages(context: TaskJobContext): Promise<boolean> {
  let ended = 0;
  for (const taskId of await listStopping(context.pool)) {
    const { terminated } = await terminateTaskMessages(context.pool, context.writer, taskId);
    if (terminated > 0) context.notifyTask(taskId);
    ended += terminated;
  }
  return ended > 0;
}
