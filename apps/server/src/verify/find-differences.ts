/**
 * Compares every count with the rows it was counted from. One snapshot per customer: no compared data is shared by two,
 * and a provider's whole database is not held in one transaction. Within a customer the messages are read once, some
 * thousand batches at a time, so memory does not grow with their number. Routes and receipts are stored by supplier
 * account; they have a separate snapshot for each month.
 */
import { messageIdFloor, messageIdMs } from '@pahatid/db';
import { listHourFaults, listTotalFaults } from '@pahatid/db/queries/hour-folding';
import { HOUR_MS } from '@pahatid/db/queries/report-figures';
import { type BatchFacts, type MessageSums, readBatches, readStrays } from '@pahatid/db/queries/verify/batches';
import {
  idsOfDay,
  readCells,
  readChargesByDay,
  readChargesOfBatches,
  readMoney,
  readOpenDoubts,
  readTemplateFaults,
} from '@pahatid/db/queries/verify/counters';
import { findFirstMessage, readRouteBuckets, readRouteFaults } from '@pahatid/db/queries/verify/receipts';
import {
  endOfIds,
  findSlice,
  type IdRange,
  listVerifiedCustomers,
  readRecordsBefore,
  withSnapshot,
} from '@pahatid/db/queries/verify/snapshot';
import { readFileCounts, readGroupCounts, readRetryFaults, readTasks } from '@pahatid/db/queries/verify/tasks';
import type { Pool, PoolClient } from 'pg';
import { checkAudit } from './check-audit.ts';
import { checkBatch } from './check-batches.ts';
import { DerivedCells } from './check-cells.ts';
import { checkHours } from './check-hours.ts';
import { checkCharges, DerivedDays, sumCosts } from './check-money.ts';
import { checkReceipts } from './check-receipts.ts';
import { checkRetries, checkTask, DerivedTasks } from './check-tasks.ts';
import { checkTemplates } from './check-templates.ts';
import { Findings } from './difference.ts';

export interface VerifyOptions {
  /** null: all. */
  readonly customerId: string | null;
  /** Messages accepted earlier are not checked: Unix milliseconds, the beginning of a minute. */
  readonly sinceMs: number;
  /** Differences stored per check; all are counted. */
  readonly keep: number;
  /** Batches read at a time. */
  readonly batches?: number;
  readonly onProgress?: (line: string) => void;
}

const BATCHES = 2_000;
const ROUTE_AGE_MS = 40 * 86_400_000;

export const findDifferences = async (pool: Pool, options: VerifyOptions): Promise<Findings> => {
  const findings = new Findings(options.keep);
  const all = options.customerId === null ? await listVerifiedCustomers(pool) : [];
  const customers = options.customerId === null ? all.map((each) => each.customerId) : [options.customerId];
  for (const { customerId, isKnown } of all) {
    if (isKnown) continue;
    findings.add({
      check: 'balance',
      customerId,
      what: 'customer',
      kept: 'has counts or money',
      derived: 'does not exist',
    });
  }
  for (const [index, customerId] of customers.entries()) {
    const where = `customer ${index + 1} of ${customers.length}`;
    await withSnapshot(pool, (tx) => new CustomerCheck(tx, findings, customerId, options, where).run());
    findings.looked.customers += 1;
  }
  if (options.customerId === null) {
    const totals = await withSnapshot(pool, (tx) => listTotalFaults(tx, firstHourSince(options.sinceMs)));
    checkHours(findings, null, totals);
  }
  await checkWays(pool, findings, options);
  options.onProgress?.('audit log');
  await withSnapshot(pool, (tx) => checkAudit(tx, findings, options.customerId));
  return findings;
};

/** Whole hours only: of an earlier one, minutes are not looked at. */
const firstHourSince = (sinceMs: number): Date => new Date(Math.ceil(sinceMs / HOUR_MS) * HOUR_MS);

/** From acceptance to the deadline of the receipt, with all that a task may be paused in between. */
const LONGEST_HELD_MS = 90 * 86_400_000;

/** One customer, in one snapshot. */
class CustomerCheck {
  private readonly tx: PoolClient;
  private readonly findings: Findings;
  private readonly customerId: string;
  private readonly options: VerifyOptions;
  private readonly where: string;
  /** Older messages are not looked at, or deleted. */
  private sinceMs: number;
  private readonly tasks = new DerivedTasks();
  private readonly days = new DerivedDays();

  constructor(tx: PoolClient, findings: Findings, customerId: string, options: VerifyOptions, where: string) {
    this.tx = tx;
    this.findings = findings;
    this.customerId = customerId;
    this.options = options;
    this.sinceMs = options.sinceMs;
    this.where = where;
  }

  async run(): Promise<void> {
    this.sinceMs = Math.max(this.sinceMs, await readRecordsBefore(this.tx, this.customerId));
    for await (const range of this.slices({ low: this.floor, high: endOfIds })) await this.checkSlice(range);
    await this.checkTasks();
    checkTemplates(this.findings, this.customerId, await readTemplateFaults(this.tx, this.customerId, this.sinceMs));
    const hours = await listHourFaults(this.tx, this.customerId, firstHourSince(this.sinceMs));
    checkHours(this.findings, this.customerId, hours);
    await this.checkMoney();
  }

  private get floor(): bigint {
    return messageIdFloor(this.sinceMs);
  }

  private async *slices({ low, high }: IdRange): AsyncGenerator<IdRange> {
    for (let next = low; next < high; ) {
      const range = await findSlice(this.tx, this.customerId, { low: next, high }, this.options.batches ?? BATCHES);
      yield range;
      next = range.high;
    }
  }

  private async checkSlice(range: IdRange): Promise<void> {
    const { tx, findings, customerId } = this;
    const batches = await readBatches(tx, customerId, range);
    const strays = await readStrays(tx, customerId, range);
    const sums = [...batches.flatMap((each) => each.sums), ...strays];
    for (const { batch, sums: own } of batches) {
      checkBatch(findings, { customerId, batch, sums: own });
      this.tasks.addBatch(batch);
    }
    for (const { firstId, taskId, rows } of strays) {
      const at = { check: 'batchRange', customerId, taskId, messageId: firstId } as const;
      // They may be the end of the previous batch, whose count is too small.
      const before = batches.findLast(({ batch }) => batch.batchId <= firstId)?.batch;
      const fix = before && { batchId: before.batchId, kept: before.messageCount };
      findings.add({
        ...at,
        what: 'messages in no batch',
        kept: String(rows),
        derived: '0',
        ...(fix === undefined ? {} : { fix: { ...fix, how: 'batchSize' } }),
      });
    }
    const cells = new DerivedCells(customerId);
    for (const sum of sums) {
      cells.add(sum);
      this.tasks.add(sum);
      findings.looked.messages += sum.rows;
    }
    cells.compare(findings, await readCells(tx, customerId, range));
    this.days.add(sums);
    await this.checkDoubts(
      range,
      sums,
      batches.map(({ batch }) => batch),
    );
    findings.looked.batches += batches.length;
    this.options.onProgress?.(`${this.where}: ${findings.looked.messages.toLocaleString('en-US')} messages`);
  }

  private async checkDoubts(
    range: IdRange,
    sums: readonly MessageSums[],
    batches: readonly BatchFacts[],
  ): Promise<void> {
    const { findings, customerId } = this;
    const kept = new Set(await readOpenDoubts(this.tx, customerId, range));
    const derived = new Set(sums.flatMap((sum) => sum.sendingIds));
    const taskOf = (messageId: bigint): string | null =>
      batches.findLast((batch) => batch.batchId <= messageId)?.taskId ?? null;
    for (const messageId of derived) {
      if (kept.has(messageId)) continue;
      const fix = { how: 'openDoubt', customerId, messageId } as const;
      const words = { what: 'being sent', kept: 'not in doubt', derived: 'in doubt' };
      findings.add({ check: 'inDoubt', customerId, taskId: taskOf(messageId), messageId, ...words, fix });
    }
    for (const messageId of kept) {
      if (derived.has(messageId)) continue;
      const fix = { how: 'closeDoubt', customerId, messageId } as const;
      const words = { what: 'not being sent', kept: 'in doubt', derived: 'resolved' };
      findings.add({ check: 'inDoubt', customerId, taskId: taskOf(messageId), messageId, ...words, fix });
    }
  }

  private async checkTasks(): Promise<void> {
    const { tx, findings, customerId } = this;
    const facts = await readTasks(tx, customerId, this.floor);
    for (const task of facts) {
      if (task.isOlder) continue;
      checkTask(findings, customerId, task, this.tasks.find(task.taskId));
      if (!this.tasks.hasRetryFault(task.taskId)) continue;
      checkRetries(findings, customerId, task.taskId, await readRetryFaults(tx, customerId, task.taskId));
    }
    findings.looked.tasks += facts.length;
    for (const { fileId, kept, derived } of await readFileCounts(tx, customerId)) {
      findings.compare({ check: 'file', customerId, what: `valid rows of file ${fileId}` }, kept, derived);
    }
    for (const { groupId, kept, derived } of await readGroupCounts(tx, customerId)) {
      const fix = { how: 'memberCount', groupId, delta: derived - kept } as const;
      findings.compare({ check: 'group', customerId, what: `members of group ${groupId}`, fix }, kept, derived);
    }
  }

  private async checkChargesOf(range: IdRange): Promise<void> {
    const { tx, findings, customerId } = this;
    const batches = await readBatches(tx, customerId, range);
    const strays = await readStrays(tx, customerId, range);
    const derived = sumCosts([...batches.flatMap((each) => each.sums), ...strays]);
    const kept = await readChargesOfBatches(tx, customerId, range);
    // Messages without a batch were charged with an unknown one: charges are not repaired then.
    checkCharges(findings, { customerId, kept, derived, isRepairable: strays.length === 0 });
  }

  private async checkMoney(): Promise<void> {
    const { tx, findings, customerId } = this;
    for (const day of this.days.findOther(await readChargesByDay(tx, customerId, this.floor))) {
      for await (const range of this.slices(idsOfDay(day, this.floor))) await this.checkChargesOf(range);
    }
    const { balance, held, ledger, entries, charges, parked, parkedCost } = await readMoney(tx, customerId);
    findings.looked.ledgerEntries += entries;
    findings.compare({ check: 'charge', customerId, what: 'charges that name no batch' }, charges, 0);
    const balanceFix = { how: 'balance', customerId, delta: ledger - balance } as const;
    findings.compare({ check: 'balance', customerId, what: 'balance', fix: balanceFix }, balance, ledger);
    const parkedFix = { how: 'parkedCost', customerId, delta: parked - parkedCost } as const;
    findings.compare(
      { check: 'reservation', customerId, what: 'reserved for parked batches', fix: parkedFix },
      parkedCost,
      parked,
    );
    // What waits for a receipt may be older than a look at the last days; accepted earlier than this, nothing waits.
    if (this.options.sinceMs > Date.now() - LONGEST_HELD_MS) return;
    const { awaited } = this.tasks;
    const holdsFix = { how: 'holds', customerId, delta: awaited - held } as const;
    findings.compare(
      { check: 'reservation', customerId, what: 'reserved until receipts', fix: holdsFix },
      held,
      awaited,
    );
  }
}

/** Routes month by month, as both tables are cut, then the receipts that waited. */
async function checkWays(pool: Pool, findings: Findings, options: VerifyOptions): Promise<void> {
  const { customerId, sinceMs, onProgress } = options;
  const first = await findFirstMessage(pool);
  // Carriers give up after days and their ids wrap: older routes are no longer used and may be deleted.
  const fromMs = Math.max(sinceMs, Date.now() - ROUTE_AGE_MS, first === null ? Date.now() : messageIdMs(first));
  for (const range of monthsFrom(fromMs)) {
    onProgress?.(`ways back of ${new Date(messageIdMs(range.low)).toISOString().slice(0, 7)}`);
    await withSnapshot(pool, async (tx) => {
      const { buckets, routes } = await readRouteBuckets(tx, customerId, range);
      findings.looked.routes += routes;
      for (let from = 0; from < buckets.length; from += 500) {
        for (const fault of await readRouteFaults(tx, buckets.slice(from, from + 500), range)) {
          const { messageId, parts, routed } = fault;
          const at = { check: 'route', customerId: fault.customerId, messageId } as const;
          if (parts === null) {
            const fix = { how: 'dropRoute', customerId: fault.customerId, messageId } as const;
            findings.add({ ...at, what: 'message', kept: `${routed} ways back`, derived: 'does not exist', fix });
          } else findings.compare({ ...at, what: 'parts with a way back' }, routed, parts);
        }
      }
    });
  }
  onProgress?.('receipts that waited');
  await withSnapshot(pool, (tx) => checkReceipts(tx, findings, customerId, sinceMs));
}

function* monthsFrom(fromMs: number): Generator<IdRange> {
  const start = new Date(fromMs);
  let low = messageIdFloor(Math.floor(fromMs / 60_000) * 60_000);
  // Ids may lie a little ahead of the clock: the last stretch has no end.
  const last = Date.now() + 86_400_000;
  for (let month = start.getUTCMonth() + 1; ; month++) {
    const nextMs = Date.UTC(start.getUTCFullYear(), month, 1);
    const high = nextMs > last ? endOfIds : messageIdFloor(nextMs);
    yield { low, high };
    if (nextMs > last) return;
    low = high;
  }
}
