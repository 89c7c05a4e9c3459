/** Messages of one account with some parts taken: the others wait until it is time to write them again. */
import { isUntouched, type Outgoing } from './outgoing.ts';

export class Resting {
  private waiting: Outgoing[] = [];

  add(outgoing: Outgoing): void {
    this.waiting.push(outgoing);
  }

  /** Takes out those that are wanted. */
  takeOut(isWanted: (outgoing: Outgoing) => boolean): Outgoing[] {
    if (this.waiting.length === 0) return [];
    const out = this.waiting.filter(isWanted);
    if (out.length > 0) this.waiting = this.waiting.filter((each) => !isWanted(each));
    return out;
  }

  /** Returns those whose wait is over; if a batch is being released there is no time for one. */
  takeDue(now: number): Outgoing[] {
    return this.takeOut(
      (outgoing) =>
        outgoing.notBefore <= now || outgoing.batch.closing || (outgoing.batch.lost && !isUntouched(outgoing)),
    );
  }

  /** Milliseconds until the next may go; null when none waits. */
  waitMs(now: number): number | null {
    if (this.waiting.length === 0) return null;
    let next = Number.POSITIVE_INFINITY;
    for (const { notBefore } of this.waiting) next = Math.min(next, notBefore);
    return next - now;
  }
}
