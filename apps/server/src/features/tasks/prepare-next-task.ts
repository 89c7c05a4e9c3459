/**
 * From a file's blocks to batches, some 10,000 recipients a transaction, so that the batches of each supplier account
 * are close to 1,000. The transaction that writes the messages moves `next_block` past their blocks: killed before its
 * commit it wrote nothing, killed after it the next one continues after them. Each recipient is written exactly once.
 *
 * Where limits apply the transaction holds the lock on the customer's funds, and the customer's codes wait for it; so
 * then it takes one block, at the price of smaller batches.
 *
 * A terminated task is completed by the same path, its recipients written as never sent. A retry processes the batches
 * of the previous rounds instead, by `retry_cursor`.
 */
import { ClientStatus, SendStatus, TaskStatus } from '@pahatid/contract/enums';
import { sql, withTransaction } from '@pahatid/db';
import { readBlocks } from '@pahatid/db/queries/files';
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
import { hasLimits } from '@pahatid/db/queries/thresholds';
import { compileTemplate, countSegments, DealResult, getCountry, retryChoice } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { type BlockRow, decodeBlock } from '../../files/blocks.ts';
import { countAccepted } from '../../metrics/sending-metrics.ts';
import type { NotifyTaskEnded } from '../../notices/notify-task-ended.ts';
import {
  type AcceptDeps,
  type AcceptRequest,
  acceptMessages,
  LimitError,
  type Recipient,
} from '../../sending/accept/accept.ts';
import type { TaskJobContext } from '../../sending/job-context.ts';
import { NoRouteError } from '../../sending/route/routing-table.ts';
import { giveUpDoubts } from '../../sending/settle/fail-unconfirmed.ts';
import { findSuppressed } from './find-suppressed.ts';
import { inOrder } from './freeze-audience.ts';
import { placeRecipient } from './place-recipient.ts';
import { transitionBySystem } from './system-transition.ts';

/** A dead preparation is taken over after this; one transaction takes well under a second. */
const leaseMs = 8_000;
/** Batches that may wait for their sender before a task is prepared any further. */
const maxBatchesAhead = 30;
const blocksAtOnce = 10;
/** Batches of the previous rounds that a retry takes instead. */
const batchesAtOnce = 10;

const terminated = {
  sendStatus: SendStatus.Failed,
  clientStatus: ClientStatus.Blocked,
  dealResult: DealResult.Terminated,
};

export interface PrepareOptions {
  readonly blocksAtOnce?: number;
  readonly maxBatchesAhead?: number;
  readonly notifyEnd?: NotifyTaskEnded;
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
    // The lease is not released: the task is retried when it has expired.
    log.warn({ taskId: lease.taskId, err: error }, 'task preparation blocked, task on hold');
    await withTransaction(pool, (tx) =>
      error instanceof LimitError ? holdFor(tx, lease, 'VOLUME_LIMITED') : holdForRoute(tx, lease, options.notifyEnd),
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
  const isLimited = await hasLimits(tx, task);
  const count =
    task.retryCursor === null
      ? await prepareBlocks(tx, accept, task, isLimited ? 1 : blocks)
      : await prepareRetry(tx, accept, task, task.retryCursor, { batches: isLimited ? 1 : batchesAtOnce, offsetMs });
  if (task.taskStatus === TaskStatus.Preparing) await transitionBySystem(tx, { ...lease, action: 'send' });
  return { smsType: task.smsType, count };
}

const requestOf = (task: PreparingTask, recipients: Recipient[]): AcceptRequest => ({
  customerId: task.customerId,
  appId: task.appId,
  smsType: task.smsType,
  clientSid: task.senderId,
  chargeType: task.chargeType,
  taskId: task.taskId,
  round: task.retryCount,
  notBefore: null,
  prices: task.prices ?? {},
  recipients,
});

async function prepareBlocks(tx: PoolClient, accept: AcceptDeps, task: PreparingTask, count: number): Promise<number> {
  const file = { fileId: task.fileId, generation: task.fileGeneration };
  const blocks = await readBlocks(tx, file, task.nextBlock, count);
  const { part } = task;
  const dropped = await readDroppedLines(tx, part?.checkedId ?? task.taskId, task.nextBlock, count);
  const template = compileTemplate(task.content);
  const mapping = task.isAudience ? inOrder(template.variableCount) : (task.mapping?.variables ?? []);
  const kept = blocks
    .flatMap(({ bytes }) => decodeBlock(bytes))
    .filter((row) => !dropped.has(row.line) && isOfPart(part, row.line));
  // A row whose number was erased since the check counts as opted out.
  const rows = kept.filter((row) => row.msisdn !== '');
  const { chosen, noConsent, leftOut } = await chooseRows(tx, accept, task, rows);
  const recipients: Recipient[] = [];
  for (const { msisdn, values } of chosen) {
    // The check dropped every row that the template refuses; the others need no second check.
    const content = template.render(mapping.map((column) => (values[column] ?? '').trim()));
    recipients.push({ msisdn, areaCode: getCountry(msisdn), content, pkgTotal: countSegments(content).segments });
  }
  if (recipients.length > 0) {
    const outcome = task.taskStatus === TaskStatus.Terminated ? { outcome: terminated } : {};
    await acceptMessages(tx, accept, { ...requestOf(task, recipients), ...outcome });
  }
  await advancePreparing(tx, {
    taskId: task.taskId,
    nextBlock: task.nextBlock + blocks.length,
    recipients: recipients.length,
    optedOut: kept.length - recipients.length - noConsent - leftOut,
    noConsent,
    leftOut,
    isLast: blocks.length < count,
  });
  return recipients.length;
}

const isOfPart = (part: PreparingTask['part'], line: number): boolean => {
  if (part === null) return true;
  const place = placeRecipient(part.seed, line);
  return place >= part.low && (part.high === null || place < part.high);
};
/** Rows that get the task. Enforced again here: someone may have opted out since the check. */
async function chooseRows(tx: PoolClient, accept: AcceptDeps, task: PreparingTask, rows: readonly BlockRow[]) {
  const suppressed = await findSuppressed(
    tx,
    task,
    rows.map((row) => row.msisdn),
  );
  let [noConsent, leftOut] = [0, 0];
  const chosen = rows.filter(({ msisdn }) => {
    if (suppressed.optedOut.has(msisdn)) return false;
    const isWithout = suppressed.noConsent.has(msisdn);
    const isLeftOut = !isWithout && isOfCarrier(accept, msisdn, task.leaveOutCarriers);
    if (isWithout) noConsent += 1;
    if (isLeftOut) leftOut += 1;
    return !isWithout && !isLeftOut;
  });
  return { chosen, noConsent, leftOut };
}

const isOfCarrier = ({ routing }: AcceptDeps, msisdn: string, carriers: readonly string[]): boolean =>
  carriers.length > 0 && carriers.includes(routing.rangeHolder(msisdn) ?? '');

async function prepareRetry(
  tx: PoolClient,
  accept: AcceptDeps,
  task: PreparingTask,
  cursor: string,
  { batches, offsetMs }: { batches: number; offsetMs: number },
): Promise<number> {
  // Terminated before all were repeated: the others stay failed, or unconfirmed, as they are.
  const ended = task.taskStatus === TaskStatus.Terminated;
  const range = { taskId: task.taskId, customerId: task.customerId, round: task.retryCount, cursor };
  const inDoubt = task.retryWhat === 'unconfirmed';
  const next = ended
    ? null
    : inDoubt
      ? await readResendable(tx, range, batches, offsetMs)
      : await readRetryable(tx, range, batches, retryChoice(task.retryReasons));
  if (next === null) {
    await advanceRetry(tx, { taskId: task.taskId, cursor: null, isLast: true });
    return 0;
  }
  const { optedOut, noConsent } = await findSuppressed(
    tx,
    task,
    next.rows.map((row) => row.msisdn),
  );
  const chosen = next.rows.filter((row) => !optedOut.has(row.msisdn) && !noConsent.has(row.msisdn));
  const ids = chosen.map((row) => BigInt(row.messageId));
  const open = inDoubt ? await giveUpDoubts(tx, accept.ids.writer, task.customerId, ids) : new Set(ids);
  const recipients = chosen
    .filter((row) => open.has(BigInt(row.messageId)))
    .map((row) => ({
      msisdn: row.msisdn,
      areaCode: row.areaCode,
      rangeHolder: row.rangeHolder,
      carrier: row.carrier,
      content: row.content,
      pkgTotal: row.pkgTotal,
      retryOf: BigInt(row.messageId),
    }));
  if (recipients.length > 0) await acceptMessages(tx, accept, requestOf(task, recipients));
  await advanceRetry(tx, { taskId: task.taskId, cursor: next.cursor, isLast: false });
  return recipients.length;
}

/** Before anything was written the task fails; later it waits, with a reason, until a route exists again. */
async function holdForRoute(tx: PoolClient, lease: TaskLease, notifyEnd?: NotifyTaskEnded): Promise<void> {
  const failed = await transitionBySystem(tx, {
    ...lease,
    action: 'fail',
    reason: 'NO_ROUTE',
    set: sql`status_reason = 'NO_ROUTE', ended_at = clock_timestamp()`,
    where: sql`t.task_status = ${TaskStatus.Preparing} and t.retry_count = 0 and t.next_block = 0`,
  });
  if (!failed) return holdFor(tx, lease, 'NO_ROUTE');
  await releaseReservation(tx, lease.taskId);
  await notifyEnd?.(tx, lease.taskId);
}

/** Leaves its status and sets the reason. */
async function holdFor(tx: PoolClient, lease: TaskLease, reason: 'NO_ROUTE' | 'VOLUME_LIMITED'): Promise<void> {
  await tx.query(`update task set status_reason = $3 where task_id = $1 and owner = $2`, [
    lease.taskId,
    lease.owner,
    reason,
  ]);
}
