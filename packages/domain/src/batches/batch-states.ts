/**
 * The life of a batch, the unit in which messages are claimed and sent.
 *
 *   0 Ready → 1 Claimed (under a lease) → 2 Done
 *   1 Claimed → 0 Ready when the lease ends or its owner hands it back
 *   0 Ready → 2 Done when its task is terminated before anyone claims it
 */
import type { ValueOf } from '@pahatid/contract';

export const BatchState = { Ready: 0, Claimed: 1, Done: 2 } as const;
export type BatchState = ValueOf<typeof BatchState>;

export type BatchAction = 'claim' | 'release' | 'finish' | 'drop';

const S = BatchState;

const batchTransitions: ReadonlyArray<{
  readonly action: BatchAction;
  readonly from: BatchState;
  readonly to: BatchState;
}> = [
  { action: 'claim', from: S.Ready, to: S.Claimed },
  { action: 'release', from: S.Claimed, to: S.Ready },
  { action: 'finish', from: S.Claimed, to: S.Done },
  { action: 'drop', from: S.Ready, to: S.Done },
];

export function canMoveBatch(from: BatchState, to: BatchState): boolean {
  return batchTransitions.some((transition) => transition.from === from && transition.to === to);
}
