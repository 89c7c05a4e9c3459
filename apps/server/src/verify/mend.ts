/**
 * Mends what can be derived. Senders may be writing: counters are moved by what they differ by, on rows of a writer
 * number of our own; states are changed under guards; and a batch that is not as it should be is given to the same
 * recovery that takes over from dead senders. What is mended is found, mended and found again, so that what rests on
 * rows mended first is derived from them.
 */
import {
  chargeCustomers,
  countOnBatches,
  leaseWriter,
  moveRollups,
  moveTasks,
  moveTemplates,
  uuidV7,
  WRITER_RENEW_MS,
  type WriterLease,
  withTransaction,
  writeAudit,
} from '@pahatid/db';
import {
  closeBatch,
  closeDoubt,
  correctCharge,
  dropRoutes,
  giveToRecovery,
  lockRepairs,
  markSuperseded,
  mendBatchCost,
  mendBatchSize,
  mendMemberCount,
  mendReservation,
  mendTaskTotal,
  moveBalance,
  openDoubt,
  reopenReceipt,
  unlockRepairs,
} from '@pahatid/db/queries/verify/mends';
import type { Pool, PoolClient } from 'pg';
import { recoverLeases } from '../sending/recover-leases.ts';
import { ReceiptSweeper } from '../sending/sweep-receipts.ts';
import { type Difference, type Findings, type Mend, stageOf } from './difference.ts';
import { findDifferences, type VerifyOptions } from './find-differences.ts';

/** Differences mended in one transaction. */
const AT_ONCE = 100;
/** Held of each check while mending: what is more comes with the next round. */
const KEEP = 5_000;
/** Rounds that may leave as much as they found: a row mended may show what rests on it. */
const IDLE_ROUNDS = 4;
const CORRECTION = 'correction: charged otherwise than the messages of this batch say';

export interface Repaired {
  readonly findings: Findings;
  /** What was mended. */
  readonly mended: readonly Difference[];
}

/** Another repair is under way. */
export class RepairBusyError extends Error {
  override readonly name = 'RepairBusyError';
}

export const repairDifferences = async (pool: Pool, options: VerifyOptions): Promise<Repaired> => {
  const lock = await pool.connect();
  try {
    if (!(await lockRepairs(lock))) throw new RepairBusyError('another repair is under way');
    const writer = await leaseWriter(pool, uuidV7());
    const renewing = setInterval(() => void writer.renew().catch(() => {}), WRITER_RENEW_MS);
    try {
      return await mendAll(pool, writer, options);
    } finally {
      clearInterval(renewing);
      await writer.release();
      await unlockRepairs(lock);
    }
  } finally {
    lock.release();
  }
};

async function mendAll(pool: Pool, writer: WriterLease, options: VerifyOptions): Promise<Repaired> {
  const mended: Difference[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let idle = 0; ; ) {
    const findings = await findDifferences(pool, { ...options, keep: Math.max(KEEP, options.keep) });
    idle = findings.count < least ? 0 : idle + 1;
    least = Math.min(least, findings.count);
    if (idle > IDLE_ROUNDS) return { findings, mended };
    const mendable = findings.differences.filter((each) => each.mend !== undefined);
    const stage = Math.min(...mendable.map((each) => stageOf(each.mend!)));
    const now = mendable.filter((each) => stageOf(each.mend!) === stage);
    // What can't be mended stays, and must not hold up what rests on other rows.
    const before = mended.length;
    for (const part of chunks(now)) mended.push(...(await mendSome(pool, writer, part)));
    if (mended.length > before) {
      await settleRest(pool, writer);
      continue;
    }
    const later = mendable.filter((each) => stageOf(each.mend!) > stage);
    for (const part of chunks(later)) mended.push(...(await mendSome(pool, writer, part)));
    if (mended.length === before) return { findings, mended };
  }
}

function* chunks(differences: readonly Difference[]): Generator<Difference[]> {
  // The log of changes is a customer's own: one entry never speaks of two.
  for (const ofOne of Map.groupBy(differences, (each) => `${each.customerId}${each.check}`).values()) {
    for (let from = 0; from < ofOne.length; from += AT_ONCE) yield ofOne.slice(from, from + AT_ONCE);
  }
}

/** In one transaction, with what was found and what it is now in the audit log. Answers those that were mended. */
async function mendSome(pool: Pool, writer: WriterLease, differences: readonly Difference[]): Promise<Difference[]> {
  return await withTransaction(pool, async (tx) => {
    const done: Difference[] = [];
    for (const difference of differences) {
      if (await mend(tx, writer.writer, difference.mend!)) done.push(difference);
    }
    const [first] = done;
    if (first === undefined) return done;
    await writeAudit(tx, {
      customerId: first.customerId,
      userId: null,
      account: 'command line',
      ip: null,
      action: 'verify.repair',
      subjectType: first.check,
      subjectId: done.length === 1 ? placeOf(first) : `${done.length} places`,
      before: { kept: done.map((each) => [placeOf(each), each.what, each.kept]) },
      after: { derived: done.map((each) => [placeOf(each), each.what, each.derived]) },
    });
    return done;
  });
}

/** Where a difference is, in one word or two. */
export const placeOf = (difference: Difference): string => {
  const { taskId, templateId, batchId, messageId, auditId, minute, cell } = difference;
  if (auditId !== undefined) return `entry ${auditId}`;
  if (minute !== undefined) return `${minute} ${cell ?? ''}`.trim();
  if (messageId !== undefined) return `message ${messageId}`;
  if (batchId !== undefined) return `batch ${batchId}`;
  if (taskId) return `task ${taskId}`;
  if (templateId !== undefined) return `template ${templateId}`;
  return difference.customerId ?? '-';
};

async function mend(tx: PoolClient, writer: number, fix: Mend): Promise<boolean> {
  switch (fix.how) {
    case 'batchSize':
      return await mendBatchSize(tx, fix.batchId, fix.kept);
    case 'recover':
      return await giveToRecovery(tx, fix.batchId, fix.mark);
    case 'batchDone':
      return await closeBatch(tx, fix.batchId);
    case 'supersede':
      return await markSuperseded(tx, fix.customerId, fix.messageId, fix.superseded);
    case 'openDoubt':
      return await openDoubt(tx, fix.customerId, fix.messageId);
    case 'closeDoubt':
      return await closeDoubt(tx, fix.customerId, fix.messageId);
    case 'reopenReceipt':
      return await reopenReceipt(tx, fix.supplierId, fix.receiptId);
    case 'dropRoute':
      return await dropRoutes(tx, fix.customerId, fix.messageId);
    case 'taskTotal':
      return await mendTaskTotal(tx, fix.taskId, fix.prepared);
    case 'memberCount':
      return await mendMemberCount(tx, fix.groupId, fix.delta);
    case 'holdBatch':
      return await mendBatchCost(tx, fix.batchId, fix.kept, fix.cost);
    case 'hold':
      return await mendReservation(tx, fix.taskId, fix.held);
    default:
      await moveCounts(tx, writer, fix);
      return true;
  }
}

type CountMend = Extract<
  Mend,
  { how: 'batchCounts' | 'taskCounts' | 'templateCounts' | 'rollup' | 'charge' | 'balance' | 'holds' }
>;

async function moveCounts(tx: PoolClient, writer: number, fix: CountMend): Promise<void> {
  switch (fix.how) {
    case 'batchCounts':
      await countOnBatches(tx, new Map([[fix.batchId, fix]]));
      break;
    case 'taskCounts':
      await moveTasks(tx, writer, new Map([[fix.taskId, fix]]));
      break;
    case 'templateCounts':
      await moveTemplates(tx, writer, [fix]);
      break;
    case 'rollup':
      await moveRollups(tx, writer, new Map([[fix.key, fix.delta]]));
      break;
    case 'charge':
      await correctCharge(tx, fix, CORRECTION);
      await moveBalance(tx, writer, fix.customerId, -fix.cost);
      break;
    case 'balance':
      await moveBalance(tx, writer, fix.customerId, fix.delta);
      break;
    case 'holds':
      await chargeCustomers(tx, writer, [], new Date(), new Map([[fix.customerId, fix.delta]]));
      break;
  }
}

/** What the senders would do within seconds, done at once: batches given to the recovery, receipts to the sweeper. */
async function settleRest(pool: Pool, writer: WriterLease): Promise<void> {
  while ((await recoverLeases(pool, writer)).length > 0);
  const sweeper = new ReceiptSweeper(pool, writer);
  for (let swept = await sweeper.sweep(); swept.matched + swept.resolved > 0; ) swept = await sweeper.sweep();
}
