/** One batch and its messages. */
import type { BatchFacts, MessageSums } from '@pahatid/db/queries/verify/batches';
import { BatchState } from '@pahatid/domain';
import type { Findings } from './difference.ts';

export interface BatchOfCustomer {
  readonly customerId: string;
  readonly batch: BatchFacts;
  readonly sums: readonly MessageSums[];
}

const add = (sums: readonly MessageSums[], of: (sum: MessageSums) => number): number =>
  sums.reduce((total, sum) => total + of(sum), 0);

export const checkBatch = (findings: Findings, { customerId, batch, sums }: BatchOfCustomer): void => {
  const { batchId, taskId, messageCount } = batch;
  const at = { customerId, taskId, batchId };
  const rows = add(sums, (sum) => sum.rows);
  // The expected size is unknown if messages are missing: it is looked up on repair.
  const repairSize = { how: 'batchSize', batchId, kept: messageCount } as const;
  findings.compare({ check: 'batchRange', ...at, what: 'messages', fix: repairSize }, messageCount, rows);
  findings.compare(
    { check: 'batchMessages', ...at, what: 'messages unlike their batch' },
    add(sums, (sum) => sum.foreign),
    0,
  );
  findings.compare(
    { check: 'messageState', ...at, what: 'impossible states' },
    add(sums, (sum) => sum.impossible),
    0,
  );
  const success = add(sums, (sum) => sum.success);
  const failed = add(sums, (sum) => sum.failed);
  const delta = { success: success - batch.successCount, failed: failed - batch.failedCount };
  const fix = { how: 'batchCounts', batchId, success: 0, failed: 0 } as const;
  findings.compare(
    { check: 'batchCounts', ...at, what: 'successful', fix: { ...fix, success: delta.success } },
    batch.successCount,
    success,
  );
  findings.compare(
    { check: 'batchCounts', ...at, what: 'failed', fix: { ...fix, failed: delta.failed } },
    batch.failedCount,
    failed,
  );
  // For a task's batches the task holds the money; finished ones hold none.
  if (taskId === null && batch.state !== BatchState.Done) {
    const cost = add(sums, (sum) => sum.cost);
    const hold = { how: 'holdBatch', batchId, kept: batch.cost, cost } as const;
    findings.compare({ check: 'reservation', ...at, what: 'reserved for the batch', fix: hold }, batch.cost, cost);
  }
  checkState(findings, { customerId, batch, sums });
  checkRound(findings, { customerId, batch, sums });
};

function checkState(findings: Findings, { customerId, batch, sums }: BatchOfCustomer): void {
  const { batchId, taskId, state, intentMark, messageCount } = batch;
  const at = { customerId, taskId, batchId };
  const waiting = add(sums, (sum) => sum.waiting);
  const lastHandedOver = Math.max(-1, ...sums.map((sum) => sum.lastHandedOver));
  const mark = Math.min(Math.max(intentMark, lastHandedOver + 1, 0), messageCount);
  // The recovery of dead senders' batches knows what to do with each message: it is given the batch.
  const recover = { how: 'recover', batchId, mark } as const;
  if (state === BatchState.Done)
    findings.compare({ check: 'batchState', ...at, what: 'done, and waiting', fix: recover }, waiting, 0);
  const isFree = state === BatchState.Ready || state === BatchState.Parked;
  if (isFree && !batch.isRestored && waiting === 0 && messageCount > 0) {
    const kept = { kept: 'ready', derived: 'done' };
    findings.add({ check: 'batchState', ...at, what: 'nothing waits', ...kept, fix: { how: 'batchDone', batchId } });
  }
  const isHeld = batch.isOwned && batch.isLeased;
  if ((state === BatchState.Claimed) !== isHeld || batch.isOwned !== batch.isLeased) {
    const kept = `${state === BatchState.Claimed ? 'claimed' : 'free'}, ${isHeld ? 'leased' : batch.isOwned || batch.isLeased ? 'half leased' : 'not leased'}`;
    findings.add({ check: 'batchState', ...at, what: 'lease', kept, derived: 'leased while claimed', fix: recover });
  }
  if (intentMark < 0 || intentMark > messageCount || lastHandedOver >= intentMark) {
    const kept = { kept: String(intentMark), derived: String(mark) };
    findings.add({
      check: 'batchIntent',
      ...at,
      what: 'intent mark',
      ...kept,
      ...(state === BatchState.Claimed ? {} : { fix: recover }),
    });
    return;
  }
  const outside = batch.notTaken.filter((position) => position < 0 || position >= intentMark);
  const left = sums.flatMap((sum) => sum.waitingBelowMark).sort((a, b) => a - b);
  const listed = [...batch.notTaken].sort((a, b) => a - b);
  if (outside.length === 0 && (!isFree || left.join() === listed.join())) return;
  findings.add({
    check: 'batchIntent',
    ...at,
    what: 'not taken',
    kept: show(listed),
    derived: isFree ? show(left) : `below ${intentMark}`,
    ...(state === BatchState.Claimed ? {} : { fix: recover }),
  });
}

const show = (positions: readonly number[]): string =>
  positions.length > 8 ? `${positions.slice(0, 8).join(' ')} … (${positions.length})` : positions.join(' ') || 'none';

function checkRound(findings: Findings, { customerId, batch, sums }: BatchOfCustomer): void {
  const { batchId, taskId, round } = batch;
  const repeats = add(sums, (sum) => sum.repeats);
  const expected = round === 0 ? 0 : add(sums, (sum) => sum.rows);
  findings.compare(
    { check: 'retry', customerId, taskId, batchId, what: `repeats in round ${round}` },
    repeats,
    expected,
  );
}
