/**
 * Calls of one size, accepted under the locks on their customers' funds without any customer waiting for another's.
 *
 *     shared group ──row free──▶ committed together
 *          │ row locked several times, or the customer has limits
 *          ▼
 *     queue of this customer ──row free──▶ committed
 *          │ row locked
 *          ▼
 *     waits for the row, a few customers at a time; the others look again every few milliseconds
 *
 * The shared group and the first attempt of a customer's queue skip locked rows, so they wait for no other transaction.
 * Only the last step waits, for no row but this customer's. The number of such transactions is bounded, so that
 * connections remain for the shared group.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Backlog } from './backlog.ts';
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts';
import type { CallOutcome, SendCall } from './send-call.ts';
import type { CallerLock, Postponed } from './write-group.ts';

export interface CallLaneOptions {
  readonly commit: (calls: readonly SendCall[], lock: CallerLock) => Promise<readonly (CallOutcome | Postponed)[]>;
  readonly isOfItems: (error: unknown) => boolean;
  readonly refuse: () => Error;
  readonly mostAtOnce: number;
  readonly mostWaiting: number;
  /** Longest wait for a group to begin. */
  readonly longestWaitMs: number;
  /** Transactions of customers' own queues at the same time, and how many of them more may wait for a lock. */
  readonly alone: number;
  readonly lockWaiters: number;
}

/**
 * A row that another group holds is free again after its commit, a few milliseconds later. So a call tries some shared
 * groups before it needs a transaction of its customer's own.
 */
const SHARED_ATTEMPTS = 3;
/** A customer with limits goes to its own queue directly for this long, and is then looked at again. */
const LIMITED_FOR_MS = 5_000;
const MOST_REMEMBERED = 5_000;
/** Longest wait of a customer's group for the lock on its row, over all attempts. */
const LONGEST_LOCK_WAIT_MS = 15_000;
/** Pause of a customer's queue before it looks again whether its row is free. */
const LOOK_AGAIN_MS = 20;

interface OwnQueue {
  readonly group: GroupCommit<SendCall, CallOutcome>;
  /** Calls that have not been answered. */
  calls: number;
}

export class CallLane {
  private readonly options: CallLaneOptions;
  private readonly common: Omit<GroupCommitOptions<SendCall, CallOutcome>, 'commit'>;
  private readonly shared: GroupCommit<SendCall, CallOutcome | Postponed>;
  private readonly backlog: Backlog;
  /** By customer. */
  private readonly own = new Map<string, OwnQueue>();
  /** Customers found to have limits, and until when that is taken for granted. */
  private readonly limited = new Map<string, number>();
  private readonly alone: Slots;
  private readonly lockWaiters: Slots;
  private underWay = 0;

  constructor(options: CallLaneOptions) {
    const { mostAtOnce, mostWaiting, longestWaitMs, isOfItems, refuse, alone, lockWaiters } = options;
    this.options = options;
    this.backlog = new Backlog(mostWaiting);
    this.alone = new Slots(alone);
    this.lockWaiters = new Slots(lockWaiters);
    this.common = {
      isOfItems,
      refuse,
      weigh: (call) => call.messages.length,
      ownerOf: (call) => call.customerId,
      mayWaitMs: (call) => call.mayWaitMs ?? 0,
      mostAtOnce,
      longestWaitMs,
      backlog: this.backlog,
    };
    this.shared = new GroupCommit({ ...this.common, commit: (calls) => options.commit(calls, 'shared') });
  }

  /** Whether so many messages of a customer would be admitted now. */
  hasRoom(customerId: string, messages: number): boolean {
    return this.backlog.hasRoom(customerId, messages);
  }

  async submit(call: SendCall): Promise<CallOutcome> {
    this.underWay += 1;
    try {
      return (await this.submitShared(call)) ?? (await this.submitAlone(call));
    } finally {
      this.underWay -= 1;
    }
  }

  /** Resolves when all calls have been answered. */
  async idle(): Promise<void> {
    while (this.underWay > 0) await sleep(5);
  }

  /** Null: for the customer's own queue. */
  private async submitShared(call: SendCall): Promise<CallOutcome | null> {
    const { customerId } = call;
    // A customer whose queue is in use stays there, so that its calls don't try the same lock twice.
    for (let attempt = 1; attempt <= SHARED_ATTEMPTS && !this.isAlone(customerId); attempt += 1) {
      const outcome = await this.shared.submit(call);
      if (outcome === 'limited') this.rememberLimited(customerId);
      else if (outcome !== 'locked') return outcome;
    }
    return null;
  }

  private rememberLimited(customerId: string): void {
    if (this.limited.size >= MOST_REMEMBERED) this.limited.clear();
    this.limited.set(customerId, performance.now() + LIMITED_FOR_MS);
  }

  private isAlone(customerId: string): boolean {
    if (this.own.has(customerId)) return true;
    const untilMs = this.limited.get(customerId);
    if (untilMs === undefined) return false;
    if (performance.now() < untilMs) return true;
    this.limited.delete(customerId);
    return false;
  }

  private async submitAlone(call: SendCall): Promise<CallOutcome> {
    const { customerId } = call;
    const queue = this.own.get(customerId) ?? {
      group: new GroupCommit({ ...this.common, commit: (calls) => this.commitAlone(calls) }),
      calls: 0,
    };
    this.own.set(customerId, queue);
    queue.calls += 1;
    try {
      return await queue.group.submit(call);
    } finally {
      queue.calls -= 1;
      if (queue.calls === 0) this.own.delete(customerId);
    }
  }

  /** Calls of one customer. */
  private async commitAlone(calls: readonly SendCall[]): Promise<CallOutcome[]> {
    const { commit, refuse } = this.options;
    const deadline = performance.now() + LONGEST_LOCK_WAIT_MS;
    for (;;) {
      const outcomes = await this.alone.run(() => commit(calls, 'free'));
      if (isDecided(outcomes)) return outcomes;
      if (performance.now() > deadline) throw refuse();
      if (this.lockWaiters.isFree) {
        const waited = await this.lockWaiters.run(() => commit(calls, 'wait'));
        if (isDecided(waited)) return waited;
      } else await sleep(LOOK_AGAIN_MS * (0.5 + Math.random()));
    }
  }
}

/** All calls of one customer are decided together, or none is. */
const isDecided = (outcomes: readonly (CallOutcome | Postponed)[]): outcomes is CallOutcome[] =>
  outcomes.every((outcome) => typeof outcome !== 'string');

/** So many at a time, in the order they came. */
class Slots {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  get isFree(): boolean {
    return this.free > 0;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
