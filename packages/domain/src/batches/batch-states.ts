/**
 * The life of a batch, the unit in which messages are claimed and sent.
 *
 *   0 Ready → 1 Claimed (under a lease) → 2 Done
 *   1 Claimed → 0 Ready when the lease ends or its owner hands it back
 *   0 Ready → -1 Parked when it may not be sent now, and back when it may
 *   0 Ready, -1 Parked → 2 Done when its task is terminated before anyone claims it
 *
 * Everything below Done is open. Parked comes before Ready, so that `state < Done` says so.
 */
import type { ValueOf } from '@pahatid/contract';

export const BatchState = { Parked: -1, Ready: 0, Claimed: 1, Done: 2 } as const;
export type BatchState = ValueOf<typeof BatchState>;

/** Why a batch is parked; of several reasons the first. The event that ends it makes the batch ready. */
export const ParkReason = {
  /** The customer is suspended. */
  Customer: 1,
  /** The application is disabled or paused. */
  Application: 2,
  /** The task is paused, or not being sent. */
  Task: 3,
  /** It must not be sent before an instant. */
  Time: 4,
  /** Marketing in the customer's quiet hours. */
  QuietHours: 5,
  /** No carrier that it could be sent to can be reached. */
  Supplier: 6,
  /** The database was restored: its messages may have been sent since. Ends by a person's decision alone. */
  Restore: 7,
} as const;
export type ParkReason = ValueOf<typeof ParkReason>;

export type BatchAction = 'claim' | 'release' | 'park' | 'wake' | 'finish' | 'drop';

const S = BatchState;

const batchTransitions: ReadonlyArray<{
  readonly action: BatchAction;
  readonly from: BatchState;
  readonly to: BatchState;
}> = [
  { action: 'claim', from: S.Ready, to: S.Claimed },
  { action: 'release', from: S.Claimed, to: S.Ready },
  { action: 'park', from: S.Ready, to: S.Parked },
  { action: 'wake', from: S.Parked, to: S.Ready },
  { action: 'finish', from: S.Claimed, to: S.Done },
  { action: 'drop', from: S.Ready, to: S.Done },
  { action: 'drop', from: S.Parked, to: S.Done },
];

export function canMoveBatch(from: BatchState, to: BatchState): boolean {
  return batchTransitions.some((transition) => transition.from === from && transition.to === to);
}
