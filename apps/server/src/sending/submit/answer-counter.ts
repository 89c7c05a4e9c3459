/** Counts how one account answers, between two saves. */
import type { AnswerCounts } from '@pahatid/db/queries/supplier-breakers';
import type { SubmitClass } from '@pahatid/domain';

const none = (): AnswerCounts => ({
  submitted: 0,
  accepted: 0,
  refused: 0,
  errors: 0,
  throttled: 0,
  timeouts: 0,
  answerMs: 0,
});

/** A full queue is that of one phone, unless the profile says otherwise: then its class is `throttled`. */
const columns = {
  accepted: 'accepted',
  permanent: 'refused',
  queueFull: 'refused',
  temporary: 'errors',
  bindFatal: 'errors',
  throttled: 'throttled',
} as const satisfies Record<SubmitClass, keyof AnswerCounts>;

export class AnswerCounter {
  private counts = none();

  submit(): void {
    this.counts.submitted += 1;
  }

  answer(kind: SubmitClass, ms: number): void {
    this.counts[columns[kind]] += 1;
    this.counts.answerMs += ms;
  }

  timeOut(): void {
    this.counts.timeouts += 1;
  }

  /** What came since the last time; null: nothing. */
  take(): AnswerCounts | null {
    const taken = this.counts;
    if (Object.values(taken).every((count: number) => count === 0)) return null;
    this.counts = none();
    return taken;
  }

  /** It could not be saved. */
  giveBack(counts: AnswerCounts): void {
    this.counts.submitted += counts.submitted;
    this.counts.accepted += counts.accepted;
    this.counts.refused += counts.refused;
    this.counts.errors += counts.errors;
    this.counts.throttled += counts.throttled;
    this.counts.timeouts += counts.timeouts;
    this.counts.answerMs += counts.answerMs;
  }
}
