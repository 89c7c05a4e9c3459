/**
 * One customer, on one snapshot: sealed days by their fingerprints, all others by their messages; then what is counted over
 * several days: tasks and money.
 */
import { messageIdFloor } from '@pahatid/db';
import { readKeptSince } from '@pahatid/db/queries/kept-since';
import { type Folded, findFolded, listLedgerFaults } from '@pahatid/db/queries/ledger-folding';
import { HOUR_MS } from '@pahatid/db/queries/report-figures';
import { readBatches } from '@pahatid/db/queries/verify/batches';
import { readChargesByDay, readChargesOfBatches, readMoney } from '@pahatid/db/queries/verify/counters';
import { ceilDay, idsOfDays, listFilled } from '@pahatid/db/queries/verify/days';
import { readFingerprints, readSeals } from '@pahatid/db/queries/verify/seals';
import { endOfIds, type IdRange, readRecordsBefore } from '@pahatid/db/queries/verify/snapshot';
import {
  readFileCounts,
  readGroupCounts,
  readRetryFaults,
  readTasks,
  type TaskFacts,
} from '@pahatid/db/queries/verify/tasks';
import type { PoolClient } from 'pg';
import { checkCharges, findOtherDays, sumCosts } from './check-money.ts';
import { checkRange, type RangeOptions, slicesOf } from './check-range.ts';
import { checkRetries, checkTask, DerivedTasks } from './check-tasks.ts';
import { DaySums } from './day-sums.ts';
import { Findings } from './difference.ts';

export interface CustomerOptions extends RangeOptions {
  /** Messages accepted earlier are not checked: Unix milliseconds, the beginning of a minute. */
  readonly sinceMs: number;
  /** Seals of these days alone are valid; null: all. */
  readonly trusted: ReadonlySet<number> | null;
  /** Folded days of the ledger are compared with their entries, too. */
  readonly all: boolean;
}

/** From acceptance to the deadline of the receipt, with all that a task may be paused in between. */
const LONGEST_HELD_MS = 90 * 86_400_000;

export class CustomerCheck {
  /** By day, of days that were compared with their messages. */
  readonly open = new Map<number, DaySums>();
  /** Sealed days that were compared after all, because a task of theirs differs. */
  readonly unsealed: number[] = [];
  private readonly sealed = new Map<number, DaySums>();
  private readonly tx: PoolClient;
  private readonly findings: Findings;
  private readonly customerId: string;
  private readonly options: CustomerOptions;
  private floor = 0n;

  constructor(tx: PoolClient, findings: Findings, customerId: string, options: CustomerOptions) {
    this.tx = tx;
    this.findings = findings;
    this.customerId = customerId;
    this.options = options;
  }

  /** Days that were not compared with their messages. */
  get skipped(): readonly number[] {
    return [...this.sealed.keys()];
  }

  async run(): Promise<void> {
    const recordsMs = Math.max(this.options.sinceMs, await readRecordsBefore(this.tx, this.customerId));
    // Where minutes are not kept, hours are compared, which must begin whole.
    const isByHour = recordsMs < (await readKeptSince(this.tx, 'report_minute'));
    const sinceMs = isByHour ? Math.ceil(recordsMs / HOUR_MS) * HOUR_MS : recordsMs;
    this.floor = messageIdFloor(sinceMs);
    for (const range of await this.listOpen(sinceMs)) await this.checkDays(range);
    const tasks = await readTasks(this.tx, this.customerId, this.floor);
    await this.unseal(tasks);
    await this.checkTasks(tasks);
    await this.checkMoney();
  }

  /** Stretches that are not sealed, and have anything. */
  private async listOpen(sinceMs: number): Promise<IdRange[]> {
    const { tx, customerId } = this;
    const first = ceilDay(sinceMs);
    const { low } = idsOfDays(first, first);
    const prints = await readFingerprints(tx, customerId, { low, high: endOfIds });
    const closed = new Map(prints.flatMap(({ day, text, isClosed }) => (isClosed ? [[day, text]] : [])));
    const { trusted } = this.options;
    for (const seal of await readSeals(tx, customerId, low))
      if (closed.get(seal.day) === seal.fingerprint && (trusted?.has(seal.day) ?? true))
        this.sealed.set(seal.day, DaySums.fromSeal(seal));
    const gaps: IdRange[] = [];
    let next = this.floor;
    for (const day of this.sealed.keys()) {
      const { low, high } = idsOfDays(day, day);
      if (next < low) gaps.push({ low: next, high: low });
      next = high;
    }
    gaps.push({ low: next, high: endOfIds });
    const known = prints.flatMap(({ day }) => (this.sealed.has(day) ? [] : [idsOfDays(day, day).low]));
    const isKnown = ({ low, high }: IdRange) => known.some((id) => id >= low && id < high);
    const filled = await listFilled(
      tx,
      customerId,
      gaps.filter((gap) => !isKnown(gap)),
    );
    return gaps.filter((gap) => isKnown(gap) || filled.includes(gap));
  }

  private async checkDays(range: IdRange): Promise<void> {
    const days = await checkRange(this.tx, this.findings, this.customerId, range, this.options);
    for (const [day, sums] of days) this.open.set(day, sums);
  }

  /** A repeat of an old message marks it, and changes nothing else of its day: then its task differs. */
  private async unseal(tasks: readonly TaskFacts[]): Promise<void> {
    const sums = this.sumTasks();
    const isOther = (task: TaskFacts): boolean => {
      const found = new Findings(0);
      checkTask(found, this.customerId, task, sums.find(task.taskId));
      return !task.isOlder && (found.count > 0 || sums.hasRetryFault(task.taskId));
    };
    const other = new Set(tasks.filter(isOther).map(({ taskId }) => taskId));
    if (other.size === 0) return;
    for (const [day, { tasks: derived }] of this.sealed) {
      if (![...derived.ids()].some((taskId) => other.has(taskId))) continue;
      this.sealed.delete(day);
      this.unsealed.push(day);
      await this.checkDays(idsOfDays(day, day));
    }
  }

  private sumTasks(): DerivedTasks {
    const sum = new DerivedTasks();
    for (const { tasks } of [...this.sealed.values(), ...this.open.values()]) sum.merge(tasks);
    return sum;
  }

  private async checkTasks(tasks: readonly TaskFacts[]): Promise<void> {
    const { tx, findings, customerId } = this;
    const derived = this.sumTasks();
    for (const task of tasks) {
      if (task.isOlder) continue;
      checkTask(findings, customerId, task, derived.find(task.taskId));
      if (!derived.hasRetryFault(task.taskId)) continue;
      checkRetries(findings, customerId, task.taskId, await readRetryFaults(tx, customerId, task.taskId));
    }
    findings.looked.tasks += tasks.length;
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
    const { batches, strays } = await readBatches(tx, customerId, range);
    const derived = sumCosts([...batches.flatMap((each) => each.sums), ...strays]);
    const kept = await readChargesOfBatches(tx, customerId, range);
    // Messages without a batch were charged with an unknown one: charges are not repaired then.
    checkCharges(findings, { customerId, kept, derived, isRepairable: strays.length === 0 });
  }

  /**
   * What is folded of the ledger, up to the first day that differs from its entries. Those are read if all days are, or if
   * the balance differs.
   */
  private async findFolded(): Promise<Folded> {
    const { tx, findings, customerId } = this;
    const folded = await findFolded(tx, customerId, null);
    const { balance, ledger } = await readMoney(tx, customerId, folded);
    if (!this.options.all && balance === ledger) return folded;
    const keptMs = await readKeptSince(tx, 'ledger');
    const faults = await listLedgerFaults(tx, customerId, new Date(keptMs).toISOString().slice(0, 10));
    for (const { day, kept, derived } of faults)
      findings.add({
        check: 'ledgerDay',
        customerId,
        what: `entries of ${day}`,
        kept: String(kept),
        derived: String(derived),
        fix: { how: 'ledgerDay', customerId, day },
      });
    const [first] = faults;
    return first === undefined ? folded : await findFolded(tx, customerId, new Date(`${first.day}T00:00:00Z`));
  }

  private async checkMoney(): Promise<void> {
    const { tx, findings, customerId, floor } = this;
    const folded = await this.findFolded();
    const days = [...this.sealed, ...this.open].map(([day, sums]) => sums.charges(day));
    for (const day of findOtherDays(await readChargesByDay(tx, customerId, floor, folded), days)) {
      const { low, high } = idsOfDays(day, day);
      const range = { low: low < floor ? floor : low, high };
      for await (const slice of slicesOf(tx, customerId, range, this.options.batches)) await this.checkChargesOf(slice);
    }
    const { balance, held, ledger, entries, charges, parked, parkedCost } = await readMoney(tx, customerId, folded);
    findings.looked.ledgerEntries += entries;
    findings.compare({ check: 'charge', customerId, what: 'charges that name no batch' }, charges, 0);
    const balanceFix = { how: 'balance', customerId, delta: ledger - balance } as const;
    findings.compare({ check: 'balance', customerId, what: 'balance', fix: balanceFix }, balance, ledger);
    const parkedFix = { how: 'parkedCost', customerId, delta: parked - parkedCost } as const;
    const reserved = { check: 'reservation', customerId } as const;
    findings.compare({ ...reserved, what: 'reserved for parked batches', fix: parkedFix }, parkedCost, parked);
    // What waits for a receipt may be older than a look at the last days; accepted earlier than this, nothing waits.
    if (this.options.sinceMs > Date.now() - LONGEST_HELD_MS) return;
    const { awaited } = this.sumTasks();
    const holdsFix = { how: 'holds', customerId, delta: awaited - held } as const;
    findings.compare({ ...reserved, what: 'reserved until receipts', fix: holdsFix }, held, awaited);
  }
}
