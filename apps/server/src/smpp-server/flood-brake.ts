/**
 * How long an application that goes on beyond its rate is not read: each refusal costs the process some microseconds, and
 * a client that repeats immediately would take them from the others.
 */
import { TokenBucket } from './token-bucket.ts';

/** Refusals in a burst, and in each second, that are answered immediately; at least twice the rate. */
const LEAST_ANSWERED = 1_000;
/** Short, so that what the client sent meanwhile is not all read together, before what others sent. */
const REST_MS = 10;

export class FloodBrake {
  private answered: TokenBucket | null = null;

  /** Counts one refusal and returns how long the session is to rest, milliseconds; 0: not at all. */
  note(nowMs: number, perSecond: number): number {
    const most = Math.max(LEAST_ANSWERED, 2 * perSecond);
    this.answered ??= new TokenBucket(most, nowMs);
    this.answered.setRate(most, nowMs);
    return this.answered.take(nowMs) ? 0 : REST_MS;
  }
}
