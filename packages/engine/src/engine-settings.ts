import { FLUSH_RESULTS } from './flush-policy.ts';

export interface EngineSettings {
  /**
   * A lease ends this long after it was last renewed. With the wait for the next look for leases that ran out (1 s) it is
   * well within the 10 s in which the work of the dead is to be taken over.
   */
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  /**
   * How often tasks paused or ended, customers suspended, quiet hours and recipients who refused are looked for: a refusal
   * is honoured from one second on.
   */
  readonly stopEveryMs: number;
  /** How often work is looked for where no wake-up call came. */
  readonly claimEveryMs: number;
  /** Wait before a message that was refused for a time is sent again; doubled each time. */
  readonly firstRetryMs: number;
  /** Results, receipts and texts that one flush takes at most. */
  readonly flushRows: number;
  /** Of what carriers wrote, in one flush; the last event may go beyond it, by less than a PDU. */
  readonly flushBytes: number;
}

export const defaultSettings: EngineSettings = {
  leaseMs: 7_000,
  renewEveryMs: 2_000,
  stopEveryMs: 500,
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
}
