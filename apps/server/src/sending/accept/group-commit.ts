/**
 * Group commit: many small callers, one transaction. Calls that arrive while a group is being committed form the next
 * one, so a single caller never waits for others, and a thousand concurrent ones cost a handful of commits. The queue
 * is bounded: if the database is slow, callers are refused immediately instead of held.
 *
 * Callers that wait for each answer before they call again come back a moment after their group. Without a pause they
 * would settle into two halves that wait for each other's commits, each of which costs as much as one of all. So after a
 * group the next one waits briefly for as many as were there before.
 *
 * An item that may wait does not begin a group until its time is over; a few at a time are committed in groups that others
 * begin.
 */
import type { Backlog } from './backlog.ts';

export interface GroupCommitOptions<In, Out> {
  /**
   * Commits a group and returns a result per item, in order. If it throws, nothing of the group was committed; a group
   * of several is then split in two and each half retried, so that an item that can't be committed fails separately.
   */
  readonly commit: (items: readonly In[]) => Promise<readonly Out[]>;
  /** Whether a failure is caused by the items, and not by the database as a whole. */
  readonly isOfItems: (error: unknown) => boolean;
  /** Messages in an item. */
  readonly weigh: (item: In) => number;
  /** Returns the owner charged for the slot: one owner never takes more than half of the backlog. */
  readonly ownerOf: (item: In) => string;
  /** How long the item waits for a group that another one begins, milliseconds; default: it begins one immediately. */
  readonly mayWaitMs?: (item: In) => number;
  /** Weight of a group. */
  readonly mostAtOnce: number;
  /** Bounds what waits here, and in other queues that have the same. */
  readonly backlog: Backlog;
  /** Longest wait for a group to begin. */
  readonly longestWaitMs: number;
  /** Error for a caller if the queue is full or its time is over. */
  readonly refuse: () => Error;
}

/** How long the next group waits for callers of the last one, as a part of what that took, and at most. */
const GATHER_SHARE = 0.25;
const GATHER_MOST_MS = 3;
/** Items that may wait in a group of others, which takes a little longer for each. */
const MOST_ALONG = 8;

interface Waiter<In, Out> {
  readonly item: In;
  readonly weight: number;
  readonly sinceMs: number;
  /** When it begins a group if none did before. */
  readonly beginsMs: number;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

const isUrgent = ({ sinceMs, beginsMs }: { readonly sinceMs: number; readonly beginsMs: number }): boolean =>
  beginsMs <= sinceMs;

export class GroupCommit<In, Out> {
  private readonly options: GroupCommitOptions<In, Out>;
  private waiters: Waiter<In, Out>[] = [];
  private running = false;
  private timer: NodeJS.Timeout | null = null;
  /** The next group begins when so many wait, or its time to gather is over. */
  private expected = 0;
  private onExpected: () => void = () => {};
  /** For the first of those that may wait. */
  private beginTimer: NodeJS.Timeout | null = null;

  constructor(options: GroupCommitOptions<In, Out>) {
    this.options = options;
  }

  submit(item: In): Promise<Out> {
    const { backlog, weigh, ownerOf, mayWaitMs, refuse } = this.options;
    const weight = weigh(item);
    if (!backlog.hasRoom(ownerOf(item), weight)) return Promise.reject(refuse());
    return new Promise((resolve, reject) => {
      const sinceMs = performance.now();
      const waitMs = mayWaitMs?.(item) ?? 0;
      this.waiters.push({ item, weight, sinceMs, beginsMs: sinceMs + waitMs, resolve, reject });
      this.count(item, weight);
      if (this.running) {
        if (this.waiters.length >= this.expected) this.onExpected();
      } else if (waitMs <= 0) this.begin();
      else this.beginLater();
      this.watch();
    });
  }

  /** Resolves when all work in progress and waiting has been answered. */
  async idle(): Promise<void> {
    while (this.running || this.waiters.length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  private count(item: In, weight: number): void {
    this.options.backlog.count(this.options.ownerOf(item), weight);
  }

  /** Items read in the same turn of the event loop are grouped. */
  private begin(): void {
    this.running = true;
    if (this.beginTimer !== null) clearTimeout(this.beginTimer);
    this.beginTimer = null;
    setImmediate(() => void this.run());
  }

  /** Begins once one of those that may wait has waited long enough. */
  private beginLater(): void {
    if (this.beginTimer !== null || this.waiters.length === 0) return;
    const inMs = Math.min(...this.waiters.map(({ beginsMs }) => beginsMs)) - performance.now();
    this.beginTimer = setTimeout(
      () => {
        this.beginTimer = null;
        if (this.isDue()) this.begin();
        else this.beginLater();
      },
      Math.max(1, inMs),
    );
  }

  private isDue(): boolean {
    const now = performance.now();
    return this.waiters.some(({ beginsMs }) => beginsMs <= now);
  }

  private async run(): Promise<void> {
    while (this.isDue()) {
      const beganMs = performance.now();
      const group = this.takeGroup();
      await this.settle(group);
      await this.gather(group.length, performance.now() - beganMs);
    }
    this.running = false;
    this.beginLater();
  }

  /** `last`: items of the group before, which took `tookMs`. */
  private async gather(last: number, tookMs: number): Promise<void> {
    const waitMs = Math.min(GATHER_MOST_MS, tookMs * GATHER_SHARE);
    // Without a call there is none to be joined; timers know no shorter wait than a millisecond.
    if (!this.isDue() || waitMs < 1) return;
    // A group that is full without them.
    if (this.waiters.reduce((sum, { weight }) => sum + weight, 0) >= this.options.mostAtOnce) return;
    this.expected = this.waiters.length + last;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.onExpected = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.expected = 0;
    this.onExpected = () => {};
  }

  private takeGroup(): Waiter<In, Out>[] {
    const now = performance.now();
    // Those whose time is over take all along that wait.
    let along = this.waiters.some(isUrgent) ? MOST_ALONG : Number.POSITIVE_INFINITY;
    let weight = 0;
    const group: Waiter<In, Out>[] = [];
    const later: Waiter<In, Out>[] = [];
    let isFull = false;
    for (const waiter of this.waiters) {
      isFull ||= group.length > 0 && weight + waiter.weight > this.options.mostAtOnce;
      if (isFull || (waiter.beginsMs > now && along-- <= 0)) later.push(waiter);
      else {
        weight += waiter.weight;
        group.push(waiter);
      }
    }
    this.waiters = later;
    for (const waiter of group) this.count(waiter.item, -waiter.weight);
    return group;
  }

  private async settle(group: readonly Waiter<In, Out>[]): Promise<void> {
    try {
      const outs = await this.options.commit(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(outs[index]!);
    } catch (error) {
      if (group.length === 1 || !this.options.isOfItems(error)) {
        for (const { reject } of group) reject(error);
        return;
      }
      const middle = Math.ceil(group.length / 2);
      await this.settle(group.slice(0, middle));
      await this.settle(group.slice(middle));
    }
  }

  /** Rejects items whose turn did not come in time; an item that was not begun was not committed. */
  private watch(): void {
    if (this.timer !== null || this.waiters.length === 0) return;
    const { longestWaitMs, refuse } = this.options;
    const inMs = this.waiters[0]!.sinceMs + longestWaitMs - performance.now();
    this.timer = setTimeout(
      () => {
        this.timer = null;
        const now = performance.now();
        const late = this.waiters.findIndex(({ sinceMs }) => now - sinceMs < longestWaitMs);
        for (const waiter of this.waiters.splice(0, late === -1 ? this.waiters.length : late)) {
          this.count(waiter.item, -waiter.weight);
          waiter.reject(refuse());
        }
        this.watch();
      },
      Math.max(1, inMs),
    );
    this.timer.unref();
  }
}
