/** What time and dead processes leave behind among the messages; senders do the first as well, where one is left. */
import { readDbMs } from '@pahatid/db/queries/task-running';
import { recoveredBatches } from '../metrics/sending-metrics.ts';
import { expireReceipts } from '../sending/expire-receipts.ts';
import { recoverLeases } from '../sending/recover-leases.ts';
import type { TaskJobContext } from './context.ts';

/** Batches of senders that died come back, what was on the wire being in doubt. */
export async function recoverBatches(context: TaskJobContext): Promise<boolean> {
  const recovered = await recoverLeases(context.pool, context.writer);
  for (const { batchId, taskId, inDoubt, resent } of recovered) {
    context.log.warn({ batchId: String(batchId), inDoubt, resent }, 'batch of a dead sender taken back');
    if (taskId !== null) context.notifyTask(taskId);
  }
  recoveredBatches.inc(recovered.length);
  if (recovered.length > 0) context.notifySenders();
  return recovered.length > 0;
}

/** Messages whose receipt is overdue become unknown. */
export async function expireReceiptsJob(context: TaskJobContext): Promise<boolean> {
  const nowMs = await readDbMs(context.pool, context.offsetMs);
  const { taskIds, more } = await expireReceipts(context.pool, context.writer, nowMs);
  for (const taskId of taskIds) context.notifyTask(taskId);
  return more;
}
