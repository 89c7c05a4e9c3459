/** Cleans up messages after timeouts and dead processes; running senders do the latter as well. */
import { readDbMs } from '@pahatid/db/queries/task-running';
import { recoveredBatches } from '../metrics/sending-metrics.ts';
import type { TaskJobContext } from './job-context.ts';
import { expireReceipts } from './receipts/expire-receipts.ts';
import { settleRestored } from './restore/settle-restored.ts';
import { endOutdated } from './settle/end-outdated.ts';
import { recoverLeases } from './submit/recover-leases.ts';
import type { ParkedWaker } from './submit/wake-parked.ts';

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

/** Makes batches ready that were parked and may be sent now. */
export async function wakeParked(context: TaskJobContext, waker: ParkedWaker): Promise<boolean> {
  const woken = await waker.step();
  if (woken > 0) context.notifySenders();
  return woken > 0;
}

/** Ends messages whose time was over before a sender had them. */
export async function endOutdatedJob(context: TaskJobContext): Promise<boolean> {
  const { batches, messages, taskIds } = await endOutdated(context.pool, context.writer);
  if (batches > 0) context.log.warn({ batches, messages }, 'messages not sent in time, ended by jobs');
  for (const taskId of taskIds) context.notifyTask(taskId);
  return batches > 0;
}

/** Carries out what was decided about a lane after a restore of the database. */
export async function settleRestoredJob(context: TaskJobContext): Promise<boolean> {
  const { released, taskIds, isMore } = await settleRestored(context.pool, context.writer);
  for (const taskId of taskIds) context.notifyTask(taskId);
  if (released > 0) context.notifySenders();
  return isMore;
}

/** Sets messages whose receipt is overdue to unknown. */
export async function expireReceiptsJob(context: TaskJobContext): Promise<boolean> {
  const nowMs = await readDbMs(context.pool, context.offsetMs);
  const { taskIds, more } = await expireReceipts(context.pool, context.writer, nowMs);
  for (const taskId of taskIds) context.notifyTask(taskId);
  return more;
}
