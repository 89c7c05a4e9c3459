/**
 * From a file's blocks to batches, some 10,000 recipients a transaction, so that the batches of each supplier account
 * come near 1,000. The transaction that writes the messages moves `next_block` past their blocks: killed before its
 * commit it wrote nothing, killed after it the next one goes on behind it. Each recipient is written exactly once.
 *
 * A terminated task goes the same way to its end, its recipients written as never sent. A retry goes through the
 * batches of the rounds before instead, by `retry_cursor`.
 */
import { ClientStatus, SendStatus, SmsType, TaskStatus } from '@pahatid/contract/enums';
import { sql, withTransaction } from '@pahatid/db';
import { findOptedOut, readBlocks } from '@pahatid/db/queries/files';
import { releaseReservation } from '@pahatid/db/queries/reservations';
import { releaseTaskLease, type TaskLease } from '@pahatid/db/queries/task-checking';
import { readResendable } from '@pahatid/db/queries/task-resending';
import {
  advancePreparing,
  advanceRetry,
  claimPreparing,
  lockPreparing,
  type PreparingTask,
  readDroppedLines,
  readRetryable,
} from '@pahatid/db/queries/task-running';
import { compileTemplate, countSegments, DealResult, retryChoice } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { decodeBlock } from '../files/blocks.ts';
import { countAccepted } from '../metrics/sending-metrics.ts';
import type { TellTaskEnded } from '../notices/tell-task-ended.ts';
import { type AcceptDeps, type AcceptRequest, acceptMessages, LimitError, type Recipient } from '../sending/accept.ts';
import { RECEIPT_DEADLINE_MS } from '../sending/expire-receipts.ts';
import { NoRouteError } from '../sending/routing-table.ts';
import type { TaskJobContext } from './context.ts';
import { countryOf } from './country.ts';
import { inOrder } from './freeze-audience.ts';
import { giveUpDoubts } from './give-up-doubts.ts';
import { transitionBySystem } from './system-transition.ts';

/** A dead preparation goes on elsewhere after this; one transaction takes well under a second. */
const leaseMs = 8_000;
/** Batches that may wait for their sender before a task is prepared any further. */
export const maxBatchesAhead = 30;
const blocksAtOnce = 10;
const batchesAtOnce = 10;

const terminated = {
  sendStatus: SendStatus.Failed,
  clientStatus: ClientStatus.Blocked,
  dealResult: DealResult.Terminated,
};

export interface PrepareOptions {
  readonly blocksAtOnce?: number;
  readonly maxBatchesAhead?: number;
  readonly tell?: TellTaskEnded;
}

/** True when a step was made. */
export async function prepareNextTask(context: TaskJobContext, options: PrepareOptions = {}): Promise<boolean> {
  const { pool, owner, offsetMs, log } = context;
  const ahead = options.maxBatchesAhead ?? maxBatchesAhead;
  const lease = await claimPreparing(pool, { owner, leaseMs, offsetMs }, ahead);
  if (lease === null) return false;
  const accept = await context.accept();
  try {
    const accepted = await withTransaction(pool, (tx) =>
      step(tx, accept, lease, options.blocksAtOnce ?? blocksAtOnce, offsetMs),
    );
    if (accepted !== null) countAccepted(accepted.smsType, accepted.count);
  } catch (error) {
    if (!(error instanceof NoRouteError || error instanceof LimitError)) {
      await releaseTaskLease(pool, lease, offsetMs).catch(() => undefined);
      throw error;
    }
    // The lease is kept: the task is tried again when it has run out.
    log.warn({ taskId: lease.taskId, err: error }, 'a task under way can’t go on');
    await withTransaction(pool, (tx) =>
      error instanceof LimitError ? holdFor(tx, lease, 'VOLUME_LIMITED') : holdForRoute(tx, lease, options.tell),
    );
    context.notifyTask(lease.taskId);
    return true;
  }
  await releaseTaskLease(pool, lease, offsetMs);
  context.notifySenders();
  context.notifyTask(lease.taskId);
  return true;
}

/** How many messages it made; null when the task is not ours any more. */
async function step(
  tx: PoolClient,
  accept: AcceptDeps,
  lease: TaskLease,
  blocks: number,
  offsetMs: number,
): Promise<{ smsType: number; count: number } | null> {
  const task = await lockPreparing(tx, lease);
  // Taken over by another process, or ended, since the claim.
  if (task === null) return null;
  const count =
    task.retry_cursor === null
      ? await prepareBlocks(tx, accept, task, blocks)
      : await prepareRetry(tx, accept, task, task.retry_cursor, offsetMs);
  if (task.task_status === TaskStatus.Preparing) await transitionBySystem(tx, { ...lease, action: 'send' });
  return { smsType: task.sms_type, count };
}

const requestOf = (task: PreparingTask, recipients: Recipient[]): AcceptRequest => ({
  customerId: task.customer_id,
  appId: task.app_id,
  smsType: task.sms_type,
  clientSid: task.sender_id,
  chargeType: task.charge_type,
  taskId: task.task_id,
  round: task.retry_count,
  notBefore: null,
  prices: task.prices ?? {},
  recipients,
});

async function prepareBlocks(tx: PoolClient, accept: AcceptDeps, task: PreparingTask, count: number): Promise<number> {
  const file = { fileId: task.file_id, generation: task.file_generation };
  const blocks = await readBlocks(tx, file, task.next_block, count);
  const dropped = await readDroppedLines(tx, task.task_id, task.next_block, count);
  const template = compileTemplate(task.content);
  const mapping = task.is_audience ? inOrder(template.variableCount) : (task.mapping?.variables ?? []);
  const kept = blocks.flatMap(({ bytes }) => decodeBlock(bytes)).filter((row) => !dropped.has(row.line));
  // Whose number was erased since the check counts like one who opted out.
  const rows = kept.filter((row) => row.msisdn !== '');
  const optedOut = await findSuppressed(
    tx,
    task,
    rows.map((row) => row.msisdn),
  );
  const recipients: Recipient[] = [];
  for (const { msisdn, values } of rows) {
    if (optedOut.has(msisdn)) continue;
    // The check dropped every row that the template refuses; the others need not be judged a second time.
    const content = template.render(mapping.map((column) => (values[column] ?? '').trim()));
    recipients.push({ msisdn, areaCode: countryOf(msisdn), content, pkgTotal: countSegments(content).segments });
  }
  if (recipients.length > 0) {
    const outcome = task.task_status === TaskStatus.Terminated ? { outcome: terminated } : {};
    await acceptMessages(tx, accept, { ...requestOf(task, recipients), ...outcome });
  }
  await advancePreparing(tx, {
    taskId: task.task_id,
    nextBlock: task.next_block + blocks.length,
    recipients: recipients.length,
    optedOut: kept.length - recipients.length,
    isLast: blocks.length < count,
  });
  return recipients.length;
}

/** Suppression is enforced again here: someone may have opted out since the check. */
async function findSuppressed(tx: PoolClient, task: PreparingTask, msisdns: string[]): Promise<ReadonlySet<string>> {
  if (task.sms_type !== SmsType.Marketing || msisdns.length === 0) return new Set();
  return findOptedOut(tx, task.customer_id, msisdns);
}

async function prepareRetry(
  tx: PoolClient,
  accept: AcceptDeps,
  task: PreparingTask,
  cursor: string,
  offsetMs: number,
): Promise<number> {
  // Terminated before all were repeated: the others stay failed, or in doubt, as they are.
  const ended = task.task_status === TaskStatus.Terminated;
  const range = { taskId: task.task_id, customerId: task.customer_id, round: task.retry_count, cursor };
  const inDoubt = task.retry_what === 'unconfirmed';
  const next = ended
    ? null
    : inDoubt
      ? await readResendable(tx, range, batchesAtOnce, { longerThanMs: RECEIPT_DEADLINE_MS, offsetMs })
      : await readRetryable(tx, range, batchesAtOnce, retryChoice(task.retry_reasons));
  if (next === null) {
    await advanceRetry(tx, { taskId: task.task_id, cursor: null, isLast: true });
    return 0;
  }
  const optedOut = await findSuppressed(
    tx,
    task,
    next.rows.map((row) => row.msisdn),
  );
  const chosen = next.rows.filter((row) => !optedOut.has(row.msisdn));
  const ids = chosen.map((row) => BigInt(row.message_id));
  const open = inDoubt ? await giveUpDoubts(tx, accept.ids.writer, task.customer_id, ids) : new Set(ids);
  const recipients = chosen
    .filter((row) => open.has(BigInt(row.message_id)))
    .map((row) => ({
      msisdn: row.msisdn,
      areaCode: row.area_code,
      rangeHolder: row.range_holder,
      carrier: row.carrier,
      content: row.content,
      pkgTotal: row.pkg_total,
      retryOf: BigInt(row.message_id),
    }));
  if (recipients.length > 0) await acceptMessages(tx, accept, requestOf(task, recipients));
  await advanceRetry(tx, { taskId: task.task_id, cursor: next.cursor, isLast: false });
  return recipients.length;
}

/** Before anything was written the task fails; later it waits, saying why, until a route is there again. */
async function holdForRoute(tx: PoolClient, lease: TaskLease, tell?: TellTaskEnded): Promise<void> {
  const failed = await transitionBySystem(tx, {
    ...lease,
    action: 'fail',
    reason: 'NO_ROUTE',
    set: sql`status_reason = 'NO_ROUTE', ended_at = clock_timestamp()`,
    where: sql`t.task_status = 4 and t.retry_count = 0 and t.next_block = 0`,
  });
  if (!failed) return holdFor(tx, lease, 'NO_ROUTE');
  await releaseReservation(tx, lease.taskId);
  await tell?.(tx, lease.taskId);
}

/** It stays as it is and says why. */
async function holdFor(tx: PoolClient, lease: TaskLease, reason: 'NO_ROUTE' | 'VOLUME_LIMITED'): Promise<void> {
  await tx.query(`update task set status_reason = $3 where task_id = $1 and owner = $2`, [
    lease.taskId,
    lease.owner,
    reason,
  ]);
}
