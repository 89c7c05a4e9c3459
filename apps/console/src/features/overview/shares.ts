import type { Overview, TaskProgress } from '@pahatid/contract';

type Figures = Overview['figures'];

/** A share of nothing is not zero: it is unknown. */
export const shareOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/** Rounded to one digit as the statistics do, so that both screens show the same value. */
export const toPercent = (share: number): number => Math.round(share * 1_000) / 10;

/** Of what was handed over and answered, what a carrier accepted: the `reqSuccessRate` of the statistics. */
export const acceptedShare = ({ accepted, refused }: Figures): number | null => shareOf(accepted, accepted + refused);

/** Requests that were not handed over, yet or ever, or that no carrier has answered. Counters of several writers may disagree for a moment. */
export const inFlight = ({ messages, accepted, refused }: Figures): number =>
  Math.max(0, messages - accepted - refused);

/** Of what carriers accepted, what phones have confirmed so far. */
export const deliveredShare = ({ accepted, delivered }: Figures): number | null => shareOf(delivered, accepted);

/** Accepted, and the phone has not answered yet. Counters of several writers may disagree for a moment. */
export const awaitingReceipt = ({ accepted, delivered, undelivered, unknown }: Figures): number =>
  Math.max(0, accepted - delivered - undelivered - unknown);

type Counted = Pick<
  TaskProgress,
  | 'totalCount'
  | 'successCount'
  | 'failedCount'
  | 'deliveredCount'
  | 'undeliveredCount'
  | 'unknownCount'
  | 'unconfirmedCount'
>;

/** Counts a running task's recipients by known state; together never more than all. */
export function countRecipients(task: Counted) {
  const settled = Math.min(task.totalCount, task.successCount + task.failedCount + task.unconfirmedCount);
  return {
    delivered: task.deliveredCount,
    awaiting: Math.max(0, task.successCount - task.deliveredCount - task.undeliveredCount - task.unknownCount),
    unknown: task.unknownCount,
    failed: task.failedCount + task.undeliveredCount,
    unconfirmed: task.unconfirmedCount,
    settled,
    left: task.totalCount - settled,
  };
}

/** Returns how long the rest takes at a rate: whole minutes, and seconds below one; null if nothing moves. */
export function timeLeft(
  left: number,
  perSecond: number,
): { unit: 'second' | 'minute' | 'hour'; count: number } | null {
  if (left <= 0 || perSecond <= 0) return null;
  const seconds = left / perSecond;
  if (seconds < 60) return { unit: 'second', count: Math.max(1, Math.ceil(seconds)) };
  if (seconds < 5_400) return { unit: 'minute', count: Math.round(seconds / 60) };
  return { unit: 'hour', count: Math.round(seconds / 3_600) };
}
