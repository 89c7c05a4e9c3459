/**
 * Tasks at the limit of a volume: paused while all that is left of them waits for a later period, and resumed when that
 * begins, when a user resumes them, or when the limits change. What the current limits have room for is sent
 * immediately; the rest is held again.
 */
import { withTransaction } from '@pahatid/db';
import { wakeBatch } from '@pahatid/db/queries/batch-parking';
import { splitBatch } from '@pahatid/db/queries/batch-splitting';
import { lockCustomerFunds } from '@pahatid/db/queries/reservations';
import { insertTaskEvent } from '@pahatid/db/queries/tasks';
import {
  type HeldTask,
  holdLimitedTasks,
  listDueHeld,
  lockWaitingBatch,
  readBatchMessages,
  releaseBatch,
  releaseLimitedTasks,
  volumeLimited,
  type WaitingBatch,
} from '@pahatid/db/queries/threshold-holding';
import type { PoolClient } from 'pg';
import { LimitLedger } from '../../sending/accept/limit-ledger.ts';
import type { TaskJobContext } from '../../sending/job-context.ts';

export async function holdLimited(context: TaskJobContext): Promise<void> {
  for (const taskId of await listDueHeld(context.pool)) await bringForward(context, taskId);
  const { released, held } = await withTransaction(context.pool, async (tx) => ({
    released: await onRecord(tx, await releaseLimitedTasks(tx), 'resume'),
    held: await onRecord(tx, await holdLimitedTasks(tx), 'pause'),
  }));
  // One that was let go and held again in the same step has not moved.
  for (const { taskId } of [...released, ...held]) context.notifyTask(taskId);
  if (released.length > 0) context.notifySenders();
}

async function onRecord(tx: PoolClient, tasks: HeldTask[], action: 'pause' | 'resume'): Promise<HeldTask[]> {
  for (const { taskId, customerId } of tasks)
    await insertTaskEvent(tx, {
      taskId,
      customerId,
      taskStatus: null,
      action,
      userId: null,
      note: action === 'pause' ? volumeLimited : null,
    });
  return tasks;
}

/** Batch by batch, each in a separate transaction, until one has to remain waiting. */
async function bringForward({ pool }: TaskJobContext, taskId: string): Promise<void> {
  let after: bigint | null = null;
  for (;;) {
    const step: { batchId: bigint; isWhole: boolean } | null = await withTransaction(pool, (tx) =>
      bringOne(tx, taskId, after),
    );
    if (step === null || !step.isWhole) return;
    after = step.batchId;
  }
}

/** Null: none waits. `isWhole`: all of it is sent now. */
async function bringOne(
  tx: PoolClient,
  taskId: string,
  after: bigint | null,
): Promise<{ batchId: bigint; isWhole: boolean } | null> {
  const found = await lockWaitingBatch(tx, taskId, after);
  if (found === null) return null;
  await wakeBatch(tx, found.batchId);
  await lockCustomerFunds(tx, found.customerId);
  const { batchId } = found;
  const messages = await readBatchMessages(tx, found);
  const book = await LimitLedger.load(tx, messages);
  let fits = 0;
  while (fits < messages.length && book.bringForward(messages[fits]!, found.notBeforeMs)) fits += 1;
  if (fits === 0) return { batchId, isWhole: false };
  if (fits < messages.length) await split(tx, found, fits);
  await releaseBatch(tx, batchId);
  await book.write(tx);
  return { batchId, isWhole: fits === messages.length };
}

/** The first part keeps the id and is sent; the second waits as before. */
async function split(tx: PoolClient, batch: WaitingBatch, at: number): Promise<void> {
  const { supplierId, routeId, messageCount } = batch;
  const way = { supplierId, routeId };
  await splitBatch(
    tx,
    batch,
    [
      { from: 0, to: at, ...way },
      { from: at, to: messageCount, ...way },
    ],
    new Date(),
  );
}
