/**
 * The claimed batches of one lane on one account, granted in turns across customers: a huge task of one delays a small
 * one of another by no more than its fair share of the pace, however many batches each has. Turns are counted in
 * segments (deficit round robin): a customer that used more than its turn, for a multi-segment message, waits longer
 * for the next.
 */
import type { SmsType } from '@pahatid/contract';
import type { BatchProgress } from './batch-progress.ts';

/** Codes, notices, marketing: earlier lanes before later ones. */
export const LANES: readonly SmsType[] = [1, 2, 3];

export class LaneQueue {
  /** The first one's turn it is. `credit`: segments left of its turn, or taken in advance. */
  private readonly turns: { readonly customerId: string; batches: BatchProgress[]; credit: number }[] = [];

  get batches(): BatchProgress[] {
    return this.turns.flatMap(({ batches }) => batches);
  }

  /** Messages claimed and not granted. */
  get queued(): number {
    let sum = 0;
    for (const { batches } of this.turns) sum += sumQueued(batches);
    return sum;
  }

  queuedOf(customerId: string): number {
    return sumQueued(this.turns.find((each) => each.customerId === customerId)?.batches ?? []);
  }

  add(batch: BatchProgress): void {
    const { customerId } = batch.claimed;
    const known = this.turns.find((each) => each.customerId === customerId);
    if (known === undefined) this.turns.push({ customerId, batches: [batch], credit: 0 });
    else known.batches.push(batch);
  }

  remove(batch: BatchProgress): void {
    const index = this.turns.findIndex(({ customerId }) => customerId === batch.claimed.customerId);
    const turn = this.turns[index];
    if (turn === undefined) return;
    turn.batches = turn.batches.filter((each) => each !== batch);
    if (turn.batches.length === 0) this.turns.splice(index, 1);
  }

  /** Something could be granted if there were room. */
  hasWork(now: number): boolean {
    for (const { batches } of this.turns) for (const batch of batches) if (batch.peek(now) !== null) return true;
    return false;
  }

  /** Returns the batch whose turn it is; null if none has anything to grant. `run`: segments of a turn. */
  next(now: number, run: number): BatchProgress | null {
    const current = this.turns[0];
    if (current === undefined) return null;
    if (current.credit > 0) {
      const batch = firstWith(current.batches, now);
      if (batch !== null) return batch;
    }
    for (let idle = 0; idle < this.turns.length; ) {
      this.turns.push(this.turns.shift()!);
      const turn = this.turns[0]!;
      // Among the batches of a customer it is the next one's turn.
      turn.batches.push(turn.batches.shift()!);
      const batch = firstWith(turn.batches, now);
      if (batch === null) {
        // A turn that is not used is not saved up.
        turn.credit = Math.min(0, turn.credit);
        idle += 1;
        continue;
      }
      idle = 0;
      turn.credit = Math.min(0, turn.credit) + run;
      if (turn.credit > 0) return batch;
    }
    return null;
  }

  /** Those of which nothing was granted yet, and something may be. */
  freshBatches(now: number): BatchProgress[] {
    return this.batches.filter((batch) => batch.isFresh && batch.peek(now) !== null);
  }

  /** So many segments of this customer were granted. */
  took(customerId: string, parts: number): void {
    const turn = this.turns.find((each) => each.customerId === customerId);
    if (turn !== undefined) turn.credit -= parts;
  }
}

const sumQueued = (batches: readonly BatchProgress[]): number => {
  let sum = 0;
  for (const batch of batches) sum += batch.queued;
  return sum;
};

const firstWith = (batches: readonly BatchProgress[], now: number): BatchProgress | null => {
  for (const batch of batches) if (batch.peek(now) !== null) return batch;
  return null;
};
