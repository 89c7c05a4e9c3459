/**
 * This process's share of each supplier account's pace, so that all processes together stay below the limit at every
 * instant:
 *
 *   lowering   here first, then in the table; others may take the freed part more than a second later
 *   raising    in the table first, under the account's lock and only by the unused part; here after the COMMIT
 *   silence    a share not renewed ends here 1.5 s before it ends in the table, also for a frozen process
 *
 * A stream paced at k a second without burst has at most k in any second, so the sum of the shares bounds the whole.
 */
import {
  lockSupplierShares,
  readSupplierShares,
  type ShareView,
  saveSupplierShares,
  together,
  withTransaction,
} from '@pahatid/db';
import type { Pool, PoolClient } from 'pg';
import { oneAtATime } from '../../process/one-at-a-time.ts';
import { splitPace } from './split-pace.ts';

export const SHARES_EVERY_MS = 500;
/** A process's share is free if the process has not renewed it for this long, by the database's clock. */
export const SHARE_LEASE_MS = 6_000;
/** Ends here this much before it ends in the table: more than the second for which both could be seen. */
const MARGIN_MS = 1_500;
/** Demand within this time is still counted: work comes in batches. */
const WANT_MEMORY_MS = 5_000;

/** How much a process has to send on an account. */
export interface PaceDemand {
  /** It has a bind to submit on. */
  readonly isBound: boolean;
  /** Messages that wait. */
  readonly queued: number;
  /** Segments written since it began. */
  readonly sent: number;
}

export interface PaceSharesOptions {
  readonly control: Pool;
  readonly owner: string;
  demandOf(supplierId: string): PaceDemand;
  /** More may be sent than before. */
  onRaise(supplierId: string): void;
  /** More than 2 s; default `SHARE_LEASE_MS`. */
  readonly leaseMs?: number;
  /** Monotonic milliseconds; another clock in tests. */
  readonly now?: () => number;
}

interface Held {
  limit: number;
  /** As stored in the table, if the last COMMIT is known. */
  wanted: number | null | undefined;
  untilMs: number;
  renewedMs: number;
  ending: boolean;
  lastSent: number;
  lastSampleMs: number;
  samples: { atMs: number; want: number }[];
}

export class PaceShares {
  private readonly options: PaceSharesOptions;
  private readonly now: () => number;
  private readonly leaseMs: number;
  private readonly held = new Map<string, Held>();
  private readonly rounds = oneAtATime(() => this.look());

  constructor(options: PaceSharesOptions) {
    this.options = options;
    this.now = options.now ?? (() => performance.now());
    this.leaseMs = options.leaseMs ?? SHARE_LEASE_MS;
  }

  /** Segments a second that may be written at this instant. */
  limitOf(supplierId: string): number {
    const held = this.held.get(supplierId);
    return held === undefined || this.now() >= held.untilMs ? 0 : held.limit;
  }

  /** From the next round on it has a share. */
  track(supplierId: string): void {
    const held = this.held.get(supplierId);
    if (held !== undefined) {
      held.ending = false;
      return;
    }
    const nowMs = this.now();
    this.held.set(supplierId, {
      limit: 0,
      wanted: undefined,
      untilMs: Number.NEGATIVE_INFINITY,
      renewedMs: Number.NEGATIVE_INFINITY,
      ending: false,
      lastSent: this.options.demandOf(supplierId).sent,
      lastSampleMs: nowMs,
      samples: [],
    });
  }

  /** Nothing more is written on this account; the next round gives its share back. */
  untrack(supplierId: string): void {
    const held = this.held.get(supplierId);
    if (held === undefined) return;
    held.limit = 0;
    held.ending = true;
  }

  /** Reads what all processes have and want, and changes this one's shares. One round at a time. */
  async round(): Promise<void> {
    await this.rounds.run();
  }

  /** Gives everything back. */
  async release(): Promise<void> {
    for (const supplierId of this.held.keys()) this.untrack(supplierId);
    await this.round();
  }

  private async look(): Promise<void> {
    const ids = [...this.held.keys()];
    if (ids.length === 0) return;
    const wants = new Map(ids.map((id) => [id, this.wantOf(id)]));
    const dueMs = this.now() - (this.leaseMs - MARGIN_MS) / 3;
    const due = ids.filter((id) => this.held.get(id)!.renewedMs <= dueMs);
    const moving = [...due, ...(await this.findChanges(ids.filter((id) => !due.includes(id)), wants))];
    if (moving.length === 0) return;
    const { saved, startedMs } = await this.move(moving, wants);
    for (const { supplierId, share } of saved) this.take(supplierId, share, wants.get(supplierId) ?? null, startedMs);
    for (const id of moving) if (this.held.get(id)?.ending === true) this.held.delete(id);
  }

  /** A read without a lock is enough for accounts of which nothing changes, and to lower shares immediately. */
  private async findChanges(ids: readonly string[], wants: ReadonlyMap<string, number | null>): Promise<string[]> {
    if (ids.length === 0) return [];
    const plan = this.plan(await readSupplierShares(this.options.control, ids), wants);
    this.lower(plan);
    return plan
      .filter(({ supplierId, share, current }) => share !== current || this.isNews(supplierId, wants))
      .map(({ supplierId }) => supplierId);
  }

  private async move(ids: readonly string[], wants: ReadonlyMap<string, number | null>) {
    const { control, owner } = this.options;
    const work = async (tx: PoolClient) => {
      // Before the table's own instant, so that the share expires here first.
      const startedMs = this.now();
      const [, views] = await together(tx, [() => lockSupplierShares(tx, ids), () => readSupplierShares(tx, ids)]);
      const plan = this.plan(views, wants);
      this.lower(plan);
      const saved = plan.map(({ supplierId, share }) => ({ supplierId, share, wanted: wants.get(supplierId) ?? null }));
      await saveSupplierShares(tx, owner, saved, this.leaseMs);
      return { saved, startedMs };
    };
    // Other processes wait for the lock: it is held for two round trips.
    return await withTransaction(control, work, { pipelined: true });
  }

  /** Returns this process's share of each account, as far as the others have made room. */
  private plan(views: readonly ShareView[], wants: ReadonlyMap<string, number | null>) {
    const { owner } = this.options;
    return views.map(({ supplierId, tps, slot, shares }) => {
      const others = shares.filter((row) => row.owner !== owner);
      const current = shares.find((row) => row.owner === owner)?.share ?? 0;
      const wanted = wants.get(supplierId) ?? null;
      const part = splitPace(tps, [...others, { owner, wanted }], slot).get(owner)!;
      const room = tps - others.reduce((sum, row) => sum + row.counted, 0);
      // After the limit itself was lowered, the others still have to lower theirs: each goes to its part, not to zero.
      return { supplierId, current, share: Math.min(part, Math.max(current, room, 0)) };
    });
  }

  private lower(plan: readonly { supplierId: string; current: number; share: number }[]): void {
    for (const { supplierId, current, share } of plan) {
      const held = this.held.get(supplierId);
      // A share missing from the table is not ours: it may have expired there while this process was frozen.
      if (held !== undefined) held.limit = Math.min(held.limit, share, current);
    }
  }

  /** The COMMIT is known to have happened. */
  private take(supplierId: string, share: number, wanted: number | null, startedMs: number): void {
    const held = this.held.get(supplierId);
    if (held === undefined) return;
    const before = this.limitOf(supplierId);
    held.wanted = wanted;
    held.renewedMs = startedMs;
    held.untilMs = startedMs + this.leaseMs - MARGIN_MS;
    held.limit = held.ending ? 0 : share;
    if (this.limitOf(supplierId) > before) this.options.onRaise(supplierId);
  }

  private isNews(supplierId: string, wants: ReadonlyMap<string, number | null>): boolean {
    return this.held.get(supplierId)?.wanted !== (wants.get(supplierId) ?? null);
  }

  /**
   * Returns the most it could recently have sent per second; rounded up to a power of two, so that it seldom changes.
   */
  private wantOf(supplierId: string): number | null {
    const held = this.held.get(supplierId)!;
    const { isBound, queued, sent } = this.options.demandOf(supplierId);
    if (!isBound || held.ending) return null;
    const nowMs = this.now();
    const seconds = Math.max(0.1, (nowMs - held.lastSampleMs) / 1_000);
    held.samples.push({ atMs: nowMs, want: queued + Math.ceil((sent - held.lastSent) / seconds) });
    held.lastSent = sent;
    held.lastSampleMs = nowMs;
    held.samples = held.samples.filter(({ atMs }) => atMs > nowMs - WANT_MEMORY_MS);
    const most = Math.max(...held.samples.map(({ want }) => want));
    return most === 0 ? 0 : 2 ** Math.ceil(Math.log2(Math.min(most, MOST_WANTED)));
  }
}

/** More than any account takes; a power of two that a column of four octets holds. */
const MOST_WANTED = 2 ** 20;
