/**
 * How long an application that goes on beyond its rate is not read: each refusal costs the process some microseconds, and
 * a client that repeats immediately would take them from the others. What it still may submit is accepted a few at a time with what
 * others submit: a separate commit would be one that others wait for.
 */
import { TokenBucket } from './token-bucket.ts';

/** Refusals in a burst, and in each second, that are answered immediately; at least twice the rate. */
const LEAST_ANSWERED = 1_000;
/** Short, so that what the client sent meanwhile is not all read together, before what others sent. */
const REST_MS = 10;
/** Without any commit of others. */
const WAIT_MS = 100;
/** A flood is over when for this long no refusal came right after a rest. */
const FLOODS_FOR_MS = 1_000;
const RIGHT_AFTER_MS = 2 * REST_MS;

export class FloodBrake {
  private answered: TokenBucket | null = null;
  private floodsUntilMs = Number.NEGATIVE_INFINITY;
  private lastRefusalMs = Number.NEGATIVE_INFINITY;

  /** Counts one refusal and returns how long the session is to rest, milliseconds; 0: not at all. */
  note(nowMs: number, perSecond: number): number {
    const most = Math.max(LEAST_ANSWERED, 2 * perSecond);
    this.answered ??= new TokenBucket(most, nowMs);
    this.answered.setRate(most, nowMs);
    const goesOn = nowMs - this.lastRefusalMs <= RIGHT_AFTER_MS;
    this.lastRefusalMs = nowMs;
    const floods = nowMs < this.floodsUntilMs;
    if (!floods && this.answered.take(nowMs)) return 0;
    if (!floods || goesOn) this.floodsUntilMs = nowMs + FLOODS_FOR_MS;
    return REST_MS;
  }

  /** How long what it may submit waits for a commit that others begin, milliseconds; 0: not at all. */
  mayWaitMs(nowMs: number): number {
    return nowMs < this.floodsUntilMs ? WAIT_MS : 0;
  }
}
