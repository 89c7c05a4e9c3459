/** Cleans up messages after timeouts and dead processes; running senders do the latter as well. */
import { readDbMs } from '@pahatid/db/queries/task-running';
import { recoveredBatches } from '../metrics/sending-metrics.ts';
import type { TaskJobContext } from './job-context.ts';
import { expireReceipts } from './receipts/expire-receipts.ts';
import { recoverLeases } from './submit/recover-leases.ts';

/** Recovers batches of dead senders; messages that were on the wire become in doubt. */
export async function recoverBatches(context: TaskJobContext): Promise<boolean> {
  const recovered = await recoverLeases(context.pool, context.writer);
  for (const { batchId, taskId, inDoubt, resent } of recovered) {
    context.log.warn(
      { batchId: String(batchId), inDoubt, resent },
      'batch recovered by jobs, lease of its sender expired',
    );
    if (taskId !== null) context.notifyTask(taskId);
  }
  recoveredBatches.inc(recovered.length);
  if (recovered.length > 0) context.notifySenders();
  return recovered.length > 0;
}

/** Sets messages whose receipt is overdue to unknown. */
export async function expireReceiptsJob(context: TaskJobContext): Promise<boolean> {
  const nowMs = await readDbMs(context.pool, context.offsetMs);
  const { taskIds, more } = await expireReceipts(context.pool, context.writer, nowMs);
  for (const taskId of taskIds) context.notifyTask(taskId);
  return more;
}
