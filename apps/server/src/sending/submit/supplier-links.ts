/** The links of a sender, as the table of supplier accounts has them now. */
import { forgetBindStates, listSuppliers, type SupplierRow, saveBindStates } from '@pahatid/db';
import { saveAnswers } from '@pahatid/db/queries/supplier-breakers';
import type { SendingEngine } from '@pahatid/engine';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Secrets } from '../../secrets/secrets.ts';
import { BindLeases } from './bind-leases.ts';
import { MissingReceipts } from './missing-receipts.ts';
import { PaceShares } from './pace-shares.ts';
import { SupplierLink } from './supplier-link.ts';
import { startTestCarrier, type TestCarrier, type TestCarrierTimes } from './test-carrier.ts';

/** Well beyond the time after which the codes of an account without a bind take other routes. */
const JUST_LOST_MS = 5_000;

export interface SupplierLinksOptions {
  readonly control: Pool;
  readonly owner: string;
  readonly secrets: Pick<Secrets, 'open'>;
  readonly log: Logger;
  readonly engine: SendingEngine;
  /** How long a process that does not renew keeps its share of an account's pace. */
  readonly shareLeaseMs: number;
  /** The same of its binds. */
  readonly bindLeaseMs: number;
  /** Of the carrier of test mode; default: the usual ones. */
  readonly testTimes?: TestCarrierTimes | undefined;
}

export class SupplierLinks {
  private readonly options: SupplierLinksOptions;
  private readonly links = new Map<string, SupplierLink>();
  /** Those that run now; a disabled one keeps its link for when it is enabled again. */
  private readonly running = new Set<string>();
  private readonly missing = new Map<string, MissingReceipts>();
  private readonly shares: PaceShares;
  private readonly leases: BindLeases;
  /** Started once, however many ask for it. */
  private startingTestCarrier: Promise<TestCarrier> | null = null;
  private testCarrier: TestCarrier | null = null;
  private isStopping = false;

  constructor(options: SupplierLinksOptions) {
    this.options = options;
    const { control, owner, engine, shareLeaseMs, bindLeaseMs } = options;
    this.shares = new PaceShares({
      control,
      owner,
      leaseMs: shareLeaseMs,
      demandOf: (supplierId) => ({
        isBound: (this.links.get(supplierId)?.binds.length ?? 0) > 0,
        ...engine.loadOn(supplierId),
      }),
      onRaise: (supplierId) => this.links.get(supplierId)?.onRaise(),
    });
    this.leases = new BindLeases({
      control,
      owner,
      leaseMs: bindLeaseMs,
      bindsOf: (supplierId) => this.links.get(supplierId)?.slots,
    });
  }

  /** Starts, changes and stops links, and reports the state of the binds. */
  async reload(): Promise<void> {
    const { control, engine } = this.options;
    const rows = await listSuppliers(control);
    if (rows.some(({ isTest }) => isTest)) await this.needTestCarrier();
    if (this.isStopping) return;
    for (const row of rows) this.take(row);
    const wanted = new Set(rows.map((row) => row.supplierId));
    for (const supplierId of [...this.running].filter((id) => !wanted.has(id))) {
      this.running.delete(supplierId);
      engine.closeLink(supplierId);
      this.shares.untrack(supplierId);
      this.leases.untrack(supplierId);
      void this.links.get(supplierId)!.stop(60_000);
    }
    await this.leases.round();
    await this.saveStates();
  }

  /** Looks again at which binds of each account are this process's. */
  async shareBinds(): Promise<void> {
    await this.leases.round();
  }

  /** Asks the carriers that allow it for missing receipts. */
  async queryStates(): Promise<void> {
    if (this.isStopping) return;
    await Promise.all([...this.running].flatMap((supplierId) => this.missing.get(supplierId)?.step() ?? []));
  }

  /** Looks again at which part of each account's pace is this process's. */
  async sharePace(): Promise<void> {
    await this.shares.round();
  }

  /** Stores how the accounts answered since the last time. */
  async saveAnswers(): Promise<void> {
    const { control, owner } = this.options;
    const taken = [...this.links.values()].flatMap(({ supplierId, answers }) => {
      const counts = answers.take();
      return counts === null ? [] : { supplierId, ...counts };
    });
    try {
      await saveAnswers(control, owner, taken);
    } catch (error) {
      for (const { supplierId, ...counts } of taken) this.links.get(supplierId)?.answers.giveBack(counts);
      throw error;
    }
  }

  /** Returns whether an account has no bind since a moment ago: its codes may soon go another way. */
  async saveStates(): Promise<boolean> {
    const accounts = [...this.running].map((id) => this.links.get(id)!.bindStates);
    await saveBindStates(this.options.control, this.options.owner, accounts.flat());
    const since = Date.now() - JUST_LOST_MS;
    return accounts.some((binds) => {
      const lost = binds.map(({ lostMs }) => lostMs);
      return lost.length > 0 && lost.every((lostMs) => lostMs !== null) && lost.some((lostMs) => (lostMs ?? 0) > since);
    });
  }

  /** Waits for pending responses at most `graceMs`, unbinds. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    for (const supplierId of this.running) this.leases.untrack(supplierId);
    await Promise.all([...this.running].map((id) => this.links.get(id)!.stop(graceMs)));
    this.running.clear();
    await (await this.startingTestCarrier?.catch(() => null))?.stop();
    await this.shares.release();
    await this.leases.release();
    await forgetBindStates(this.options.control, this.options.owner);
  }

  private async needTestCarrier(): Promise<void> {
    if (this.isStopping) return;
    this.startingTestCarrier ??= startTestCarrier(this.options.testTimes).catch((error: unknown) => {
      this.startingTestCarrier = null;
      throw error;
    });
    this.testCarrier = await this.startingTestCarrier;
  }

  private take(known: SupplierRow): void {
    const { secrets, log, engine } = this.options;
    const { testCarrier } = this;
    // Its own of each process.
    const row = known.isTest && testCarrier !== null ? toTestAccount(known, testCarrier) : known;
    try {
      const password =
        known.isTest && testCarrier !== null
          ? testCarrier.password
          : secrets.open('carrier-password', row.passwordSealed);
      const link = this.links.get(row.supplierId);
      this.running.add(row.supplierId);
      this.shares.track(row.supplierId);
      this.leases.track(row.supplierId);
      if (link !== undefined) {
        link.configure(row, password);
        return;
      }
      const { supplierId } = row;
      const share = {
        limit: () => this.shares.limitOf(supplierId),
        isHeld: () => this.leases.isHeld(supplierId),
        onBinds: () => this.sharePaceSoon(),
        onClosed: () => this.shareBindsSoon(),
      };
      const made = new SupplierLink(row, password, share, log);
      this.links.set(row.supplierId, made);
      this.missing.set(
        supplierId,
        new MissingReceipts(this.options.control, made, log.child({ supplier: row.supplierAccount })),
      );
      engine.addLink(made);
    } catch (error) {
      // One account with an invalid profile must not stop the others from sending.
      if (!this.links.has(row.supplierId)) {
        this.running.delete(row.supplierId);
        this.shares.untrack(row.supplierId);
        this.leases.untrack(row.supplierId);
      }
      log.error({ supplier: row.supplierAccount, err: error }, 'supplier account unusable, skipped');
    }
  }

  private sharePaceSoon(): void {
    if (this.isStopping) return;
    this.shares.round().catch((err: unknown) => this.options.log.warn({ err }, 'pace sharing failed, will retry'));
  }

  private shareBindsSoon(): void {
    if (this.isStopping) return;
    this.leases.round().catch((err: unknown) => this.options.log.warn({ err }, 'bind sharing failed, will retry'));
  }
}

const toTestAccount = (row: SupplierRow, { port, systemId }: TestCarrier): SupplierRow => ({
  ...row,
  host: '127.0.0.1',
  port,
  systemId,
});
