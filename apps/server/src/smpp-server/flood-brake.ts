/**
 * How long an application that goes on beyond its rate is not read: each refusal costs the process some microseconds, and
 * a client that repeats immediately would take them from the others.
 */

/** Refusals of a second that are answered immediately; at least twice the rate. */
const LEAST_ANSWERED = 1_000;
const SECOND_MS = 1_000;

export class FloodBrake {
  private refused = 0;
  private sinceMs = Number.NEGATIVE_INFINITY;

  /** Counts one refusal and returns how long the session is to rest, milliseconds; 0: not at all. */
  note(nowMs: number, perSecond: number): number {
    if (nowMs - this.sinceMs >= SECOND_MS) {
      this.sinceMs = nowMs;
      this.refused = 0;
    }
    this.refused += 1;
    if (this.refused <= Math.max(LEAST_ANSWERED, 2 * perSecond)) return 0;
    return this.sinceMs + SECOND_MS - nowMs;
  }
}
