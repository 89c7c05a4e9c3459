/**
 * Repairs what can be derived. Senders may be writing: counters are changed by their difference, on rows of a separate
 * writer number; states are changed under guards; and an inconsistent batch is passed to the same recovery that takes
 * over from dead senders. Find and repair run repeatedly, so that values that depend on repaired rows are derived from
 * them.
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
import { wakeBatch } from '@pahatid/db/queries/batch-parking';
import { refoldHour, refoldTotal } from '@pahatid/db/queries/hour-folding';
import { refoldLedger } from '@pahatid/db/queries/ledger-folding';
import {
  closeBatch,
  closeDoubt,
  correctCharge,
  dropRoutes,
  giveToRecovery,
  lockRepairs,
  markSuperseded,
  moveBalance,
  moveParkedCost,
  openDoubt,
  reopenReceipt,
  repairBatchCost,
  repairBatchSize,
  repairMemberCount,
  repairReservation,
  repairTaskTotal,
  unlockRepairs,
} from '@pahatid/db/queries/verify/repairs';
import type { Pool, PoolClient } from 'pg';
import { ReceiptSweeper } from '../sending/receipts/sweep-receipts.ts';
import { recoverLeases } from '../sending/submit/recover-leases.ts';
import { type Difference, type Findings, type Fix, getStage } from './difference.ts';
import { findDifferences, type VerifyOptions } from './find-differences.ts';

/** Differences repaired per transaction. */
const AT_ONCE = 100;
/** Findings stored per check during a repair: the rest follows in the next round. */
const KEEP = 5_000;
/** Rounds allowed without progress: a repaired row may reveal dependent differences. */
const IDLE_ROUNDS = 4;
const CORRECTION = 'correction: charged otherwise than the messages of this batch say';

export interface Repaired {
  readonly findings: Findings;
  /** Repaired differences. */
  readonly repaired: readonly Difference[];
}

/** Another repair is running. */
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
      return await repairAll(pool, writer, options);
    } finally {
      clearInterval(renewing);
      await writer.release();
      await unlockRepairs(lock);
    }
  } finally {
    lock.release();
  }
};

/** A difference with a way to repair it. */
type RepairableDifference = Difference & { readonly fix: Fix };

const isRepairable = (difference: Difference): difference is RepairableDifference => difference.fix !== undefined;

async function repairAll(pool: Pool, writer: WriterLease, options: VerifyOptions): Promise<Repaired> {
  const repaired: Difference[] = [];
  let least = Number.POSITIVE_INFINITY;
  let all = options.all ?? false;
  for (let idle = 0; ; ) {
    const findings = await findDifferences(pool, { ...options, all, keep: Math.max(KEEP, options.keep) });
    // What was changed since is not sealed.
    all = false;
    idle = findings.count < least ? 0 : idle + 1;
    least = Math.min(least, findings.count);
    if (idle > IDLE_ROUNDS) return { findings, repaired };
    const repairable = findings.differences.filter(isRepairable);
    const stage = Math.min(...repairable.map((each) => getStage(each.fix)));
    const now = repairable.filter((each) => getStage(each.fix) === stage);
    // Differences that can't be repaired stay, and must not delay those of other rows.
    const before = repaired.length;
    for (const part of chunks(now)) repaired.push(...(await repairSome(pool, writer, part)));
    if (repaired.length > before) {
      await settleRest(pool, writer);
      continue;
    }
    const later = repairable.filter((each) => getStage(each.fix) > stage);
    for (const part of chunks(later)) repaired.push(...(await repairSome(pool, writer, part)));
    if (repaired.length === before) return { findings, repaired };
  }
}

function* chunks(differences: readonly RepairableDifference[]): Generator<RepairableDifference[]> {
  // The log of changes is a customer's own: one entry never speaks of two.
  for (const ofOne of Map.groupBy(differences, (each) => `${each.customerId}${each.check}`).values()) {
    for (let from = 0; from < ofOne.length; from += AT_ONCE) yield ofOne.slice(from, from + AT_ONCE);
  }
}

/** Repairs in one transaction, with the old and new values in the audit log. Returns the repaired differences. */
async function repairSome(
  pool: Pool,
  writer: WriterLease,
  differences: readonly RepairableDifference[],
): Promise<Difference[]> {
  return await withTransaction(pool, async (tx) => {
    const done: Difference[] = [];
    for (const difference of differences) {
      if (await applyFix(tx, writer.writer, difference.fix)) done.push(difference);
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
      subjectId: done.length === 1 ? describePlace(first) : `${done.length} places`,
      before: { kept: done.map((each) => [describePlace(each), each.what, each.kept]) },
      after: { derived: done.map((each) => [describePlace(each), each.what, each.derived]) },
    });
    return done;
  });
}

/** Returns the place of a difference, in one or two words. */
export const describePlace = (difference: Difference): string => {
  const { taskId, templateId, batchId, messageId, auditId, minute, cell } = difference;
  if (auditId !== undefined) return `entry ${auditId}`;
  if (minute !== undefined) return `${minute} ${cell ?? ''}`.trim();
  if (messageId !== undefined) return `message ${messageId}`;
  if (batchId !== undefined) return `batch ${batchId}`;
  if (taskId) return `task ${taskId}`;
  if (templateId !== undefined) return `template ${templateId}`;
  return difference.customerId ?? '-';
};

async function applyFix(tx: PoolClient, writer: number, fix: Fix): Promise<boolean> {
  switch (fix.how) {
    case 'batchSize':
      return await repairBatchSize(tx, fix.batchId, fix.kept);
    case 'recover':
      await wakeBatch(tx, fix.batchId);
      return await giveToRecovery(tx, fix.batchId, fix.mark);
    case 'batchDone':
      await wakeBatch(tx, fix.batchId);
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
      return await repairTaskTotal(tx, fix.taskId, fix.prepared);
    case 'memberCount':
      return await repairMemberCount(tx, fix.groupId, fix.delta);
    case 'holdBatch':
      await wakeBatch(tx, fix.batchId);
      return await repairBatchCost(tx, fix.batchId, fix.kept, fix.cost);
    case 'hourCounts':
      await (fix.customerId === null ? refoldTotal(tx, fix.hour) : refoldHour(tx, fix.customerId, fix.hour));
      return true;
    case 'ledgerDay':
      await refoldLedger(tx, fix.customerId, fix.day);
      return true;
    case 'hold':
      return await repairReservation(tx, fix.taskId, fix.held);
    default:
      await moveCounts(tx, writer, fix);
      return true;
  }
}

type CountRepair = Extract<
  Fix,
  { how: 'batchCounts' | 'taskCounts' | 'templateCounts' | 'rollup' | 'charge' | 'balance' | 'holds' | 'parkedCost' }
>;

async function moveCounts(tx: PoolClient, writer: number, fix: CountRepair): Promise<void> {
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
    case 'parkedCost':
      await moveParkedCost(tx, fix.customerId, fix.delta);
      break;
    case 'holds':
      await chargeCustomers(tx, writer, [], new Date(), new Map([[fix.customerId, fix.delta]]));
      break;
  }
}

/** Immediately does the senders' pending work: passes batches to the recovery, receipts to the sweeper. */
async function settleRest(pool: Pool, writer: WriterLease): Promise<void> {
  while ((await recoverLeases(pool, writer)).length > 0);
  const sweeper = new ReceiptSweeper(pool, writer);
  for (let swept = await sweeper.sweep(); swept.matched + swept.resolved > 0; ) swept = await sweeper.sweep();
}
