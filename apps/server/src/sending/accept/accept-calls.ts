/**
 * Accepts calls of customers' software: calls are validated one by one, accepted in groups, each group in one
 * transaction, and answered after its commit. Balance, limits and opt-outs are decided there, under the lock on the
 * customer's funds, so that two concurrent calls can't both take the last peso or the last message of a limit. No
 * customer waits for another's lock (`call-lane.ts`).
 */
import { BY_KEY_PIPELINED, CommitUnknownError, isPassing, withTransaction } from '@pahatid/db';
import type { Pool } from 'pg';
import { countAccepted } from '../../metrics/sending-metrics.ts';
import { getTraces } from '../../traces/message-traces.ts';
import type { AcceptDeps } from './accept.ts';
import { CallLane } from './call-lane.ts';
import { resolveCommitOutcome } from './commit-outcome.ts';
import { keyReused } from './decide-calls.ts';
import type { CallOutcome, SendCall } from './send-call.ts';
import { type CallerLock, CallersLockedError, type Postponed, type WrittenGroup, writeGroup } from './write-group.ts';

export class AcceptBusyError extends Error {
  override name = 'AcceptBusyError';
}

const tooBusy = (): AcceptBusyError => new AcceptBusyError('too much waits to be accepted');

/** Calls of more messages than this go in separate groups, so that a code does not wait behind a thousand. */
const SINGLE = 20;
// With the two shared groups at most ten transactions: an api process has at least 12 connections.
const QUICK = { mostAtOnce: 1_000, mostWaiting: 5_000, alone: 4, lockWaiters: 2 };
const BULK = { mostAtOnce: 2_000, mostWaiting: 20_000, alone: 1, lockWaiters: 1 };
const LONGEST_WAIT_MS = 5_000;
/** Runs of a group whose commit was lost and turned out not to have happened. */
const ATTEMPTS = 5;

export interface CallAcceptorOptions {
  readonly control: Pool;
  readonly accept: () => Promise<AcceptDeps>;
  /** After a commit that made batches. */
  readonly notifySenders: () => void;
  /** Longest wait for a group to begin. */
  readonly longestWaitMs?: number;
}

export class CallAcceptor {
  private readonly options: CallAcceptorOptions;
  private readonly quick: CallLane;
  private readonly bulk: CallLane;
  /** When calls came, Unix milliseconds; empty while traces are off. */
  private readonly cameMs = new WeakMap<SendCall, number>();
  /** Keyed calls in progress in this process. */
  private readonly underWay = new Map<string, { requestHash: Buffer; outcome: Promise<CallOutcome> }>();

  constructor(options: CallAcceptorOptions) {
    this.options = options;
    const common = {
      commit: (calls: readonly SendCall[], lock: CallerLock) => this.commit(calls, lock),
      isOfItems,
      longestWaitMs: options.longestWaitMs ?? LONGEST_WAIT_MS,
      refuse: tooBusy,
    };
    this.quick = new CallLane({ ...common, ...QUICK });
    this.bulk = new CallLane({ ...common, ...BULK });
  }

  /** Throws `AcceptBusyError` if a call of so many messages would be refused now: it need not be validated. */
  assertRoom(customerId: string, messages: number): void {
    if (!this.laneOf(messages).hasRoom(customerId, messages)) throw tooBusy();
  }

  private laneOf(messages: number): CallLane {
    return messages > SINGLE ? this.bulk : this.quick;
  }

  /** Rejects with `AcceptBusyError` if too much is waiting; then nothing of the call was or will be accepted. */
  async accept(call: SendCall): Promise<CallOutcome> {
    const lane = this.laneOf(call.messages.length);
    if (getTraces() !== null) this.cameMs.set(call, Date.now());
    if (call.key === null) return lane.submit(call);
    const { key, requestHash } = call.key;
    const name = `${call.customerId}${key}`;
    const same = this.underWay.get(name);
    if (same !== undefined) return same.requestHash.equals(requestHash) ? same.outcome : keyReused;
    const outcome = lane.submit(call);
    this.underWay.set(name, { requestHash, outcome });
    try {
      return await outcome;
    } finally {
      this.underWay.delete(name);
    }
  }

  /** Resolves when the last call has been answered. */
  async idle(): Promise<void> {
    await Promise.all([this.quick.idle(), this.bulk.idle()]);
  }

  private async commit(calls: readonly SendCall[], lock: CallerLock): Promise<(CallOutcome | Postponed)[]> {
    const deps = await this.options.accept();
    for (let attempt = 1; ; attempt++) {
      let group: WrittenGroup | null = null;
      try {
        await withTransaction(
          this.options.control,
          async (tx) => {
            group = null;
            group = await writeGroup(tx, deps, calls, lock);
          },
          BY_KEY_PIPELINED,
        );
      } catch (error) {
        if (error instanceof CallersLockedError) return calls.map(() => 'locked');
        if (!(error instanceof CommitUnknownError) || attempt >= ATTEMPTS) throw error;
        const { mark } = group as unknown as WrittenGroup;
        // Never done again before it is known that nothing of it happened.
        if ((await resolveCommitOutcome(this.options.control, mark)) === 'aborted') continue;
      }
      const { outcomes, mark, counts, traced } = group as unknown as WrittenGroup;
      if (mark !== null) this.options.notifySenders();
      for (const [smsType, count] of counts) countAccepted(smsType, count);
      for (const { call, messages } of traced)
        getTraces()?.accepted(messages, 'call', this.cameMs.get(call) ?? Date.now());
      return outcomes;
    }
  }
}

/** A row that can't be stored, or a bug of ours: others of the group may still be accepted. */
const isOfItems = (error: unknown): boolean => {
  if (isPassing(error) || error instanceof CommitUnknownError) return false;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return code === '' || /^2[23]/.test(code);
};
