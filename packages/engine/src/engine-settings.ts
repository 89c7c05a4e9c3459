import { FLUSH_RESULTS } from './flush-policy.ts';

export interface EngineSettings {
  /**
   * A lease ends this long after its last renewal. With the wait for the next check for expired leases (1 s) it is well
   * within the 10 s in which the work of dead processes must be taken over.
   */
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  /**
   * How often paused or ended tasks, suspended customers, quiet hours and opted-out recipients are checked: an opt-out
   * takes effect after one second.
   */
  readonly stopEveryMs: number;
  /** Without a bind for this long, a sender hands the batches of an account back for others; codes immediately. */
  readonly unboundMs: number;
  /** How often work is polled for if no wake-up call arrived. */
  readonly claimEveryMs: number;
  /** Wait before a message that was refused for a time is sent again; doubled each time. */
  readonly firstRetryMs: number;
  /** Maximum results, receipts and texts per flush. */
  readonly flushRows: number;
  /** Of what carriers wrote, in one flush; the last event may go beyond it, by less than a PDU. */
  readonly flushBytes: number;
}

export const defaultSettings: EngineSettings = {
  leaseMs: 7_000,
  renewEveryMs: 2_000,
  stopEveryMs: 500,
  unboundMs: 10_000,
  claimEveryMs: 500,
  firstRetryMs: 1_000,
  flushRows: FLUSH_RESULTS,
  flushBytes: 4 * 1_024 * 1_024,
};

export interface EngineEvents {
  /** Counters of these tasks moved, by a flush that has committed. */
  onTasks?(taskIds: ReadonlySet<string>): void;
  /** A call to the store failed; it is tried again. */
  onError?(what: string, error: unknown): void;
  /** Batches that were not ours any more when we came to speak of them. */
  onLost?(batchIds: readonly bigint[]): void;
  /** So many messages are in doubt for the process that has their batch, and stay unsent: their time to be written ended. */
  onUnwritten?(messages: number): void;
}
