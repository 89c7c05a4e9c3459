import { type Task, type TaskBreakdown, type TaskDetail, type TaskProgress, TaskStatus } from '@pahatid/contract';

/** What the two stages counted: the request to the carrier, and the receipt from the phone. */
export type Counted = Pick<
  TaskProgress,
  | 'taskStatus'
  | 'paused'
  | 'totalCount'
  | 'successCount'
  | 'failedCount'
  | 'deliveredCount'
  | 'undeliveredCount'
  | 'unknownCount'
  | 'unconfirmedCount'
>;

export interface TaskCounts {
  total: number;
  delivered: number;
  /** Accepted by the carrier, and the phone has not answered yet. */
  awaiting: number;
  /** The request was refused, by the carrier or by us. */
  refused: number;
  undelivered: number;
  /** No receipt within the validity period. */
  unknown: number;
  /** Handed over, with unknown result. */
  unconfirmed: number;
  /** Recipients whose request has a result. */
  settled: number;
  /** Recipients whose request has none yet. */
  remaining: number;
  /** Whether something is being handed over at this moment. */
  moving: boolean;
}

/** The counts of the contract, made disjoint. Counters of several writers may disagree for a moment; nothing falls below zero. */
export function countTask(task: Counted): TaskCounts {
  const { totalCount: total, successCount, failedCount, unconfirmedCount } = task;
  const receipts = task.deliveredCount + task.undeliveredCount + task.unknownCount;
  const settled = Math.min(total, successCount + failedCount + unconfirmedCount);
  const remaining = total - settled;
  return {
    total,
    delivered: task.deliveredCount,
    awaiting: Math.max(0, successCount - receipts),
    refused: failedCount,
    undelivered: task.undeliveredCount,
    unknown: task.unknownCount,
    unconfirmed: unconfirmedCount,
    settled,
    remaining,
    moving: task.taskStatus === TaskStatus.Sending && task.paused === 0 && remaining > 0,
  };
}

/** Statuses in which recipients are counted: before them there is nothing to show but how many there are. */
const running: readonly TaskStatus[] = [
  TaskStatus.Preparing,
  TaskStatus.Sending,
  TaskStatus.Completed,
  TaskStatus.Terminated,
];

export const hasRun = (status: TaskStatus): boolean => running.includes(status);

/** Sums of the list's columns, as each row shows them. */
export function sumTasks(
  tasks: readonly Pick<Task, 'taskStatus' | 'totalCount' | 'mobileFile' | 'successCount' | 'chargedCost'>[],
): { recipients: number; accepted: number; chargedCost: number } {
  const sum = (of: (task: (typeof tasks)[number]) => number) => tasks.reduce((total, task) => total + of(task), 0);
  return {
    recipients: sum((task) => task.totalCount || (task.mobileFile?.validCount ?? 0)),
    accepted: sum((task) => (hasRun(task.taskStatus) ? task.successCount : 0)),
    chargedCost: sum((task) => task.chargedCost),
  };
}

/** Statuses that change without a user action: their display must be kept up to date. */
const unsettled: readonly TaskStatus[] = [
  TaskStatus.Initialized,
  TaskStatus.Confirmed,
  TaskStatus.Preparing,
  TaskStatus.Sending,
  TaskStatus.PendingReview,
];

export const isMoving = (status: TaskStatus): boolean => unsettled.includes(status);

/** The server keeps a breakdown for 10 s: one that was read sooner after the end may be from before it. */
const settlingMs = 15_000;

/**
 * Whether a breakdown that was read at `readMs` must be read again: while the task moves, until it is certain to
 * include the end, and later whenever receipts have changed the counts. If messages are deleted by now, it cannot be
 * recomputed and is left as it is.
 */
export function isBreakdownDue(
  task: Counted & Pick<TaskDetail, 'endTime'>,
  breakdown: TaskBreakdown | undefined,
  readMs: number,
): boolean {
  if (isMoving(task.taskStatus)) return true;
  if (task.endTime !== null && readMs - Date.parse(task.endTime) < settlingMs) return true;
  const sum = (of: (one: TaskBreakdown['carriers'][number]) => number): number =>
    (breakdown?.carriers ?? []).reduce((total, one) => total + of(one), 0);
  if (sum((one) => one.recipients) !== task.totalCount) return false;
  return (
    sum((one) => one.acceptedCount) !== task.successCount ||
    sum((one) => one.failedCount) !== task.failedCount ||
    sum((one) => one.deliveredCount) !== task.deliveredCount ||
    sum((one) => one.undeliveredCount) !== task.undeliveredCount ||
    sum((one) => one.unknownCount) !== task.unknownCount
  );
}
