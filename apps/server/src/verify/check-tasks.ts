/** Tasks: their counters, recipients, final states and held funds. */

import { TaskStatus } from '@pahatid/contract/enums';
import { noTaskDelta, type TaskDelta } from '@pahatid/db';
import type { BatchFacts, MessageSums } from '@pahatid/db/queries/verify/batches';
import type { RetryFault, TaskFacts } from '@pahatid/db/queries/verify/tasks';
import { BatchState } from '@pahatid/domain';
import type { Findings } from './difference.ts';

const counters = Object.keys(noTaskDelta()) as (keyof TaskDelta)[];

interface Derived {
  counts: TaskDelta;
  /** Messages that nothing repeats. */
  rows: number;
  /** Messages that repeat none. */
  first: number;
  waiting: number;
  openBatches: number;
  repeated: number;
  repeats: number;
  repeatedHash: bigint;
  repeatsHash: bigint;
}

const none = (): Derived => ({
  counts: noTaskDelta(),
  rows: 0,
  first: 0,
  waiting: 0,
  openBatches: 0,
  repeated: 0,
  repeats: 0,
  repeatedHash: 0n,
  repeatsHash: 0n,
});

const addTo = (sum: Derived, { counts, repeatedHash, repeatsHash, ...numbers }: Derived): void => {
  for (const counter of counters) sum.counts[counter] += counts[counter];
  for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) sum[name] += numbers[name];
  sum.repeatedHash ^= repeatedHash;
  sum.repeatsHash ^= repeatsHash;
};

/** The state of tasks derived from a customer's messages. */
export class DerivedTasks {
  private readonly tasks = new Map<string, Derived>();
  /** Of messages of no task as well, 1/10,000 PHP. */
  awaited = 0;

  addBatch({ taskId, state }: BatchFacts): void {
    if (taskId !== null && state < BatchState.Done) this.of(taskId).openBatches += 1;
  }

  add(sums: MessageSums): void {
    this.awaited += sums.awaited;
    if (sums.taskId === null) return;
    const task = this.of(sums.taskId);
    const { counts } = task;
    counts.chargedSegments += sums.chargedSegments;
    counts.chargedCost += sums.charged;
    counts.awaitedCost += sums.awaited;
    task.first += sums.rows - sums.repeats;
    task.repeats += sums.repeats;
    task.repeatsHash ^= sums.repeatsHash;
    if (sums.superseded) {
      // Its repeat counts in its place.
      task.repeated += sums.rows;
      task.repeatedHash ^= sums.ownHash;
      return;
    }
    task.rows += sums.rows;
    task.waiting += sums.waiting;
    counts.success += sums.success;
    counts.failed += sums.failed;
    counts.unconfirmed += sums.sending;
    counts.delivered += sums.delivered;
    counts.undelivered += sums.undelivered;
    counts.unknown += sums.unknown;
  }

  /** Adds those of other days. */
  merge(other: DerivedTasks): void {
    this.awaited += other.awaited;
    for (const [taskId, each] of other.tasks) addTo(this.of(taskId), each);
  }

  ids(): Iterable<string> {
    return this.tasks.keys();
  }

  toJson(): unknown {
    return [...this.tasks].map(([taskId, { repeatedHash, repeatsHash, ...task }]) => ({
      ...{ taskId, repeatedHash: String(repeatedHash), repeatsHash: String(repeatsHash) },
      ...task,
    }));
  }

  static fromJson(json: unknown, awaited: number): DerivedTasks {
    const derived = new DerivedTasks();
    derived.awaited = awaited;
    type Stored = Derived & { taskId: string; repeatedHash: string; repeatsHash: string };
    for (const { taskId, repeatedHash, repeatsHash, ...task } of json as Stored[])
      derived.tasks.set(taskId, { ...task, repeatedHash: BigInt(repeatedHash), repeatsHash: BigInt(repeatsHash) });
    return derived;
  }

  find(taskId: string): Derived {
    return this.tasks.get(taskId) ?? none();
  }

  private of(taskId: string): Derived {
    let task = this.tasks.get(taskId);
    if (task === undefined) {
      task = none();
      this.tasks.set(taskId, task);
    }
    return task;
  }

  /** Whether marks of repeated messages and what repeats them do not fit together. */
  hasRetryFault(taskId: string): boolean {
    const { repeated, repeats, repeatedHash, repeatsHash } = this.find(taskId);
    return repeated !== repeats || repeatedHash !== repeatsHash;
  }
}

const keptOf = (task: TaskFacts): TaskDelta => ({
  success: task.success,
  failed: task.failed,
  delivered: task.delivered,
  undelivered: task.undelivered,
  unknown: task.unknown,
  unconfirmed: task.unconfirmed,
  chargedSegments: task.chargedSegments,
  chargedCost: task.chargedCost,
  awaitedCost: task.awaitedCost,
});

const started: readonly number[] = [
  TaskStatus.Preparing,
  TaskStatus.Sending,
  TaskStatus.Completed,
  TaskStatus.Terminated,
];

export const checkTask = (findings: Findings, customerId: string, task: TaskFacts, derived: Derived): void => {
  const { taskId } = task;
  const kept = keptOf(task);
  for (const counter of counters) {
    const delta = { ...noTaskDelta(), [counter]: derived.counts[counter] - kept[counter] };
    const fix = { how: 'taskCounts', customerId, taskId, delta } as const;
    findings.compare(
      { check: 'taskCounts', customerId, taskId, what: counter, fix },
      kept[counter],
      derived.counts[counter],
    );
  }
  if (task.isFromFile && started.includes(task.status)) checkTotal(findings, customerId, task, derived);
  checkEnd(findings, customerId, task, derived);
};

function checkTotal(findings: Findings, customerId: string, task: TaskFacts, derived: Derived): void {
  const { taskId, isPrepared, totalCount, preparedCount, fileValidCount } = task;
  const at = { check: 'taskTotal', customerId, taskId } as const;
  const fix = { how: 'taskTotal', taskId, prepared: derived.first - preparedCount } as const;
  findings.compare({ ...at, what: 'prepared', fix }, preparedCount, derived.first);
  if (!isPrepared) {
    if (totalCount >= derived.rows) return;
    findings.add({ ...at, what: 'total', kept: String(totalCount), derived: `at least ${derived.rows}` });
    return;
  }
  findings.compare({ ...at, what: 'total', fix }, totalCount, derived.rows);
  if (fileValidCount === null) return;
  const ofFile = [task.droppedCount, task.optedOutCount, task.noConsentCount, task.leftOutCount].reduce(
    (sum, count) => sum + count,
    derived.first,
  );
  findings.compare(
    { ...at, what: 'recipients, dropped, opted out, without consent and left out of the file' },
    ofFile,
    fileValidCount,
  );
}

const holding: readonly number[] = [
  TaskStatus.Confirmed,
  TaskStatus.Preparing,
  TaskStatus.Sending,
  TaskStatus.PendingReview,
];

function checkEnd(findings: Findings, customerId: string, task: TaskFacts, derived: Derived): void {
  const { taskId, status, isEnded, isHeld } = task;
  const at = { check: 'taskEnd', customerId, taskId } as const;
  const isStopping = status === TaskStatus.Terminated && !isEnded;
  if (status === TaskStatus.Completed || (status === TaskStatus.Terminated && isEnded)) {
    findings.compare({ ...at, what: 'open batches' }, derived.openBatches, 0);
    findings.compare({ ...at, what: 'waiting messages' }, derived.waiting, 0);
  }
  const isDue = holding.includes(status);
  // While it stops, the money for messages in progress stays held; then it is returned in the same transaction.
  if (isHeld === null || isHeld === isDue || isStopping) return;
  const words = isHeld ? { kept: 'reserved', derived: 'released' } : { kept: 'released', derived: 'reserved' };
  findings.add({
    check: 'reservation',
    customerId,
    taskId,
    what: `status ${status}`,
    ...words,
    fix: { how: 'hold', taskId, held: isDue },
  });
}

const faults: Record<RetryFault['kind'], { what: string; kept: string; derived: string }> = {
  notMarked: { what: 'repeated', kept: 'not marked', derived: 'marked' },
  notRepeated: { what: 'repeated', kept: 'marked', derived: 'not marked' },
  original: { what: 'what it repeats', kept: 'named', derived: 'no message of the task' },
};

export const checkRetries = (
  findings: Findings,
  customerId: string,
  taskId: string,
  found: readonly RetryFault[],
): void => {
  for (const { messageId, kind } of found) {
    const fix = { how: 'supersede', customerId, messageId, superseded: kind === 'notMarked' } as const;
    const isRepairable = kind !== 'original';
    findings.add({ check: 'retry', customerId, taskId, messageId, ...faults[kind], ...(isRepairable ? { fix } : {}) });
  }
};
