/**
 * The binds of each supplier account that this process may open. Carriers limit the binds of an account, so the senders
 * share them: each number from 1 to `bind_count` belongs to one sender at a time.
 *
 *   taking     in the table first, only free ones, and only if nothing has changed since it was read; opened here once
 *              the table has it
 *   leaving    closed here first, once its responses have arrived, then given back in the table
 *   silence    binds of a lease not renewed are closed here before it ends in the table
 *
 * A frozen process can close nothing: the carrier may see its connections until they time out there. It writes nothing
 * on them when it resumes.
 */
import {
  type BindLeaseRow,
  type BindLeaseView,
  deleteBindLeases,
  readBindLeases,
  saveBindLeases,
} from '@pahatid/db/queries/bind-leases';
import type { Pool } from 'pg';
import { oneAtATime } from '../../process/one-at-a-time.ts';
import { splitBinds } from './split-binds.ts';

export const BINDS_EVERY_MS = 500;
/** A process's binds are free if the process has not renewed them for this long, by the database's clock. */
export const BIND_LEASE_MS = 6_000;
/** Of a lease, from its renewal: then the next renewal is due. */
const RENEW_PART = 1 / 6;
/** In one round, while other processes change the same accounts; then it is the next round's. */
const ATTEMPTS = 5;
/** Then nothing more is written on its binds, and pending responses are awaited. */
const WRITE_PART = 0.7;
/** Then they are closed: early enough for the carrier to notice before another process binds. */
const CLOSE_PART = 0.85;

/** The binds of an account as its link has them. */
export interface LeasedBinds {
  /** Numbers with a connection that is open, being opened or being closed. */
  readonly openBindNos: readonly number[];
  /** False: no bind came about for long, and not because the carrier refuses the account; null: not known. */
  readonly isAble: boolean | null;
  isBound(bindNo: number): boolean;
  /** Opens these, and closes all others when their responses have arrived, after `graceMs` at the latest. */
  useBinds(bindNos: readonly number[], graceMs?: number): void;
  /** Closes these immediately. */
  dropBinds(bindNos: readonly number[]): void;
}

export interface BindLeasesOptions {
  readonly control: Pool;
  readonly owner: string;
  bindsOf(supplierId: string): LeasedBinds | undefined;
  /** Default `BIND_LEASE_MS`. */
  readonly leaseMs?: number;
  /** Monotonic milliseconds; another clock in tests. */
  readonly now?: () => number;
}

interface Held {
  /** Numbers that may be used. */
  usable: readonly number[];
  /** When the renewal was sent. */
  renewedMs: number;
  ending: boolean;
}

interface Plan {
  readonly supplierId: string;
  readonly version: number;
  /** Those of the usable ones that stay. */
  readonly kept: readonly number[];
  /** Free ones to be taken. */
  readonly more: readonly number[];
  /** In use here although another process has them: the table's clock was set forward. */
  readonly lost: readonly number[];
  readonly isUnable: boolean;
  /** As it is stored; null: not, or no longer in force. */
  readonly own: BindLeaseRow | null;
}

export class BindLeases {
  private readonly options: BindLeasesOptions;
  private readonly now: () => number;
  private readonly leaseMs: number;
  private readonly held = new Map<string, Held>();
  private readonly rounds = oneAtATime(() => this.look());
  private timer: NodeJS.Timeout | undefined;

  constructor(options: BindLeasesOptions) {
    this.options = options;
    this.now = options.now ?? (() => performance.now());
    this.leaseMs = options.leaseMs ?? BIND_LEASE_MS;
  }

  /** Whether anything may be written on the binds of an account at this instant. */
  isHeld(supplierId: string): boolean {
    const held = this.held.get(supplierId);
    return held !== undefined && this.now() < held.renewedMs + this.leaseMs * WRITE_PART;
  }

  /** From the next round on it gets binds. */
  track(supplierId: string): void {
    const held = this.held.get(supplierId);
    if (held !== undefined) held.ending = false;
    else this.held.set(supplierId, { usable: [], renewedMs: Number.NEGATIVE_INFINITY, ending: false });
  }

  /** The link closes its binds; the rounds after that give them back. */
  untrack(supplierId: string): void {
    const held = this.held.get(supplierId);
    if (held === undefined) return;
    held.usable = [];
    held.ending = true;
  }

  /** Reads who has which binds, and takes or leaves some. One round at a time. */
  async round(): Promise<void> {
    await this.rounds.run();
  }

  /** Gives everything back, after the links have closed their binds. */
  async release(): Promise<void> {
    const ids = [...this.held.keys()];
    for (const supplierId of ids) this.untrack(supplierId);
    clearTimeout(this.timer);
    await this.rounds.settled();
    this.held.clear();
    await deleteBindLeases(this.options.control, this.options.owner, ids);
  }

  /** Leaves binds whose lease was not renewed in time. */
  expire(): void {
    const nowMs = this.now();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const [supplierId, held] of this.held) {
      const binds = this.options.bindsOf(supplierId);
      const closeMs = held.renewedMs + this.leaseMs * CLOSE_PART;
      if (binds === undefined) continue;
      if (this.isHeld(supplierId)) {
        nextMs = Math.min(nextMs, held.renewedMs + this.leaseMs * WRITE_PART);
        continue;
      }
      if (held.usable.length > 0) {
        held.usable = [];
        binds.useBinds([], Math.max(0, closeMs - nowMs));
      }
      if (nowMs >= closeMs) binds.dropBinds(binds.openBindNos);
      else nextMs = Math.min(nextMs, closeMs);
    }
    clearTimeout(this.timer);
    if (nextMs === Number.POSITIVE_INFINITY) return;
    this.timer = setTimeout(() => this.expire(), Math.max(1, nextMs - nowMs)).unref();
  }

  private async look(): Promise<void> {
    let left = [...this.held.keys()];
    if (left.length > 0) this.expire();
    for (let attempt = 1; left.length > 0 && attempt <= ATTEMPTS; attempt++) left = await this.move(left);
  }

  /**
   * Renews leases that are due, and moves binds. Returns the accounts of which another process changed something
   * meanwhile.
   */
  private async move(ids: readonly string[]): Promise<string[]> {
    const { control, owner } = this.options;
    const plans = this.plan(await readBindLeases(control, ids));
    for (const plan of plans) this.leave(plan);
    const left = ids.filter((id) => this.isLeft(id));
    const moving = plans.filter(
      (plan) => !left.includes(plan.supplierId) && (this.isDue(plan.supplierId) || !this.isSettled(plan)),
    );
    // Before the table's own instant, so that the lease ends here first.
    const startedMs = this.now();
    const rows = moving.map((plan) => ({ ...plan, bindNos: this.numbersOf(plan) }));
    const saved = rows.length === 0 ? new Set<string>() : await saveBindLeases(control, owner, rows, this.leaseMs);
    if (left.length > 0) await deleteBindLeases(control, owner, left);
    for (const plan of moving) if (saved.has(plan.supplierId)) this.take(plan, startedMs);
    for (const id of left) if (this.isLeft(id)) this.held.delete(id);
    if (saved.size > 0) this.expire();
    return moving.flatMap(({ supplierId }) => (saved.has(supplierId) ? [] : [supplierId]));
  }

  private isDue(supplierId: string): boolean {
    const renewedMs = this.held.get(supplierId)?.renewedMs ?? Number.NEGATIVE_INFINITY;
    return renewedMs <= this.now() - this.leaseMs * RENEW_PART;
  }

  /** Returns which binds this process keeps, takes and leaves, as far as the others have left some. */
  private plan(views: readonly BindLeaseView[]): Plan[] {
    return views.flatMap(({ supplierId, version, bindCount, leases }) => {
      const held = this.held.get(supplierId);
      if (held === undefined) return [];
      const { owner } = this.options;
      const others = leases.filter((row) => row.owner !== owner);
      const own = leases.find((row) => row.owner === owner) ?? null;
      const isUnable = this.judgeUnable(supplierId, own);
      const taken = new Set(others.flatMap(({ bindNos }) => bindNos));
      const open = this.openOf(supplierId);
      const isValid = (bindNo: number): boolean => bindNo <= bindCount;
      const mine = held.usable.filter((bindNo) => isValid(bindNo) && !taken.has(bindNo));
      const holders = others.map((row) => ({ ...row, held: row.bindNos.filter(isValid).length }));
      const part = held.ending
        ? 0
        : (splitBinds(bindCount, [...holders, { owner, held: mine.length, isUnable }]).get(owner) ?? 0);
      const kept = this.byWorth(supplierId, mine).slice(0, part);
      const all = Array.from({ length: bindCount }, (_, index) => index + 1);
      const free = all.filter((bindNo) => !taken.has(bindNo) && !open.has(bindNo) && !mine.includes(bindNo));
      const more = free.slice(0, Math.max(0, part - mine.length));
      return { supplierId, version, kept, more, lost: [...open].filter((bindNo) => taken.has(bindNo)), isUnable, own };
    });
  }

  /** Those that are bound first: leaving them would cost the most. */
  private byWorth(supplierId: string, bindNos: readonly number[]): number[] {
    const binds = this.options.bindsOf(supplierId);
    const worth = (bindNo: number): number => (binds?.isBound(bindNo) === true ? 0 : 1);
    return [...bindNos].sort((a, b) => worth(a) - worth(b) || a - b);
  }

  private judgeUnable(supplierId: string, own: BindLeaseRow | null): boolean {
    const isAble = this.options.bindsOf(supplierId)?.isAble ?? null;
    return isAble === null ? (own?.isUnable ?? false) : !isAble;
  }

  private leave({ supplierId, kept, lost }: Plan): void {
    const held = this.held.get(supplierId);
    const binds = this.options.bindsOf(supplierId);
    if (held === undefined || binds === undefined) return;
    if (kept.length < held.usable.length) {
      held.usable = held.usable.filter((bindNo) => kept.includes(bindNo));
      binds.useBinds(held.usable);
    }
    if (lost.length > 0) binds.dropBinds(lost);
  }

  /** The table has it. */
  private take({ supplierId, more }: Plan, startedMs: number): void {
    const held = this.held.get(supplierId);
    if (held === undefined) return;
    held.renewedMs = startedMs;
    if (held.ending || more.length === 0 || !this.isHeld(supplierId)) return;
    held.usable = [...held.usable, ...more];
    this.options.bindsOf(supplierId)?.useBinds(held.usable);
  }

  private isSettled(plan: Plan): boolean {
    const { supplierId, more, lost, isUnable, own } = plan;
    if (own === null || more.length > 0 || lost.length > 0 || own.isUnable !== isUnable) return false;
    return !this.isLeft(supplierId) && this.numbersOf(plan).join() === [...own.bindNos].sort((a, b) => a - b).join();
  }

  /** What is stored: also what is being closed, and not what another process has. */
  private numbersOf({ supplierId, kept, more, lost }: Plan): number[] {
    const open = [...this.openOf(supplierId)].filter((bindNo) => !lost.includes(bindNo));
    return [...new Set([...kept, ...more, ...open])].sort((a, b) => a - b);
  }

  private isLeft(supplierId: string): boolean {
    return this.held.get(supplierId)?.ending === true && this.openOf(supplierId).size === 0;
  }

  private openOf(supplierId: string): Set<number> {
    const usable = this.held.get(supplierId)?.usable ?? [];
    return new Set([...usable, ...(this.options.bindsOf(supplierId)?.openBindNos ?? [])]);
  }
}
