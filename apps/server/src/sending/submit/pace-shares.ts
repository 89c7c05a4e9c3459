/**
 * This process's share of each supplier account's pace, so that all processes together stay below the limit at every
 * instant:
 *
 *   lowering   here first, then in the table; others may take the freed part more than a second later
 *   raising    in the table first, only by the unused part, and only if nothing has changed since it was read; here
 *              once the table has it
 *   silence    a share not renewed ends here 1.5 s before it ends in the table, also for a frozen process
 *
 * A stream paced at k a second without burst has at most k in any second, so the sum of the shares bounds the whole.
 */
import { readSupplierShares, type ShareView, saveSupplierShares } from '@pahatid/db';
import type { Pool } from 'pg';
import { oneAtATime } from '../../process/one-at-a-time.ts';
import { splitPace } from './split-pace.ts';

export const SHARES_EVERY_MS = 500;
/** A process's share is free if the process has not renewed it for this long, by the database's clock. */
export const SHARE_LEASE_MS = 6_000;
/** Ends here this much before it ends in the table: more than the second for which both could be seen. */
const MARGIN_MS = 1_500;
/** Demand within this time is still counted: work comes in batches. */
const WANT_MEMORY_MS = 5_000;
/** In one round, while other processes change the same accounts; then it is the next round's. */
const ATTEMPTS = 5;

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
  /** As stored in the table, if it is known. */
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
    const wants = new Map([...this.held.keys()].map((id) => [id, this.wantOf(id)]));
    let left = [...wants.keys()];
    for (let attempt = 1; left.length > 0 && attempt <= ATTEMPTS; attempt++) left = await this.move(left, wants);
  }

  /**
   * Renews shares that are due, and moves those that change. Returns the accounts of which another process changed
   * something meanwhile.
   */
  private async move(ids: readonly string[], wants: ReadonlyMap<string, number | null>): Promise<string[]> {
    const { control, owner } = this.options;
    const plan = this.plan(await readSupplierShares(control, ids), wants);
    this.lower(plan);
    const moving = plan.filter(
      ({ supplierId, share, current }) => share !== current || this.isNews(supplierId, wants) || this.isDue(supplierId),
    );
    if (moving.length === 0) return [];
    // Before the table's own instant, so that the share expires here first.
    const startedMs = this.now();
    const rows = moving.map((each) => ({ ...each, wanted: wants.get(each.supplierId) ?? null }));
    const saved = await saveSupplierShares(control, owner, rows, this.leaseMs);
    for (const { supplierId, share, wanted } of rows)
      if (saved.has(supplierId)) this.take(supplierId, share, wanted, startedMs);
    return ids.filter((id) => moving.some(({ supplierId }) => supplierId === id) && !saved.has(id));
  }

  private isDue(supplierId: string): boolean {
    const renewedMs = this.held.get(supplierId)?.renewedMs ?? Number.NEGATIVE_INFINITY;
    return this.now() - renewedMs >= (this.leaseMs - MARGIN_MS) / 3;
  }

  /** Returns this process's share of each account, as far as the others have made room. */
  private plan(views: readonly ShareView[], wants: ReadonlyMap<string, number | null>) {
    const { owner } = this.options;
    return views.map(({ supplierId, version, tps, slot, shares }) => {
      const others = shares.filter((row) => row.owner !== owner);
      const current = shares.find((row) => row.owner === owner)?.share ?? 0;
      const wanted = wants.get(supplierId) ?? null;
      const part = splitPace(tps, [...others, { owner, wanted }], slot).get(owner)!;
      const room = tps - others.reduce((sum, row) => sum + row.counted, 0);
      // After the limit itself was lowered, the others still have to lower theirs: each goes to its part, not to zero.
      return { supplierId, version, current, share: Math.min(part, Math.max(current, room, 0)) };
    });
  }

  private lower(plan: readonly { supplierId: string; current: number; share: number }[]): void {
    for (const { supplierId, current, share } of plan) {
      const held = this.held.get(supplierId);
      // A share missing from the table is not ours: it may have expired there while this process was frozen.
      if (held !== undefined) held.limit = Math.min(held.limit, share, current);
    }
  }

  /** The table has it. */
  private take(supplierId: string, share: number, wanted: number | null, startedMs: number): void {
    const held = this.held.get(supplierId);
    if (held === undefined) return;
    const before = this.limitOf(supplierId);
    held.wanted = wanted;
    held.renewedMs = startedMs;
    held.untilMs = startedMs + this.leaseMs - MARGIN_MS;
    held.limit = held.ending ? 0 : share;
    if (held.ending) this.held.delete(supplierId);
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
