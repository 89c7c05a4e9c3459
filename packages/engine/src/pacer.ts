/**
 * Pace of one supplier account in segments: GCRA without a burst (carriers count in any window of a second), whose rate
 * falls when the carrier throttles and rises again (AIMD).
 *
 * Timers fire late by a few milliseconds, so up to `LAG_MS` may be caught up; the interval is stretched by the same
 * amount, and the count in any second stays at or below the limit.
 */
const LAG_MS = 20;
const SECOND_MS = 1_000;
/** A share of throttled responses below this is noise, not a limit: messages go back, the rate stays. */
const NOISE = 0.1;
/** Share of what the carrier just took: the first estimate of what it will take. */
const SETTLE = 0.95;
/** So many full queues in a second in which nothing was taken are not those of single phones. */
const FULL_FOR_ALL = 10;
const CLIMB_PER_SECOND = 0.02;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 1_000;

/** One millisecond more than can be caught up, against rounding. */
const intervalAt = (rate: number): number => (SECOND_MS + LAG_MS + 1) / rate;

export class Pacer {
  private limit: number;
  private current: number;
  /** When the next segment is due. */
  private nextAt = Number.NEGATIVE_INFINITY;
  /** Of the last segment: by how much it moved `nextAt`. */
  private lastInterval = 0;
  private pausedUntil = Number.NEGATIVE_INFINITY;
  private lastCutAt = Number.NEGATIVE_INFINITY;
  private lastThrottleAt = Number.NEGATIVE_INFINITY;
  private lastClimbAt = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private readonly answers = new AnswerWindow();
  private readonly full = new AnswerWindow();
  private isAccountFull = false;

  constructor(limitPerSecond: number) {
    this.limit = limitPerSecond;
    this.current = limitPerSecond;
  }

  /** Segments a second now. */
  get rate(): number {
    return this.current;
  }

  setLimit(limitPerSecond: number): void {
    if (limitPerSecond === this.limit) return;
    const wasFull = this.current >= this.limit;
    this.limit = limitPerSecond;
    this.current = wasFull ? limitPerSecond : Math.min(this.current, limitPerSecond);
    this.shorten();
  }

  /** After a raise the next segment need not wait as long as the lower pace would have had it wait. */
  private shorten(): void {
    const interval = intervalAt(this.current);
    if (this.lastInterval <= interval) return;
    this.nextAt = Math.max(this.pausedUntil, this.nextAt - this.lastInterval + interval);
    this.lastInterval = interval;
  }

  /** Returns 0 if a segment may be sent now, else how long to wait; without its own limit nothing is sent. */
  waitMs(now: number): number {
    if (this.current <= 0) return Number.POSITIVE_INFINITY;
    if (now < this.pausedUntil) return this.pausedUntil - now;
    const early = this.nextAt - LAG_MS - now;
    // Compared with the interval, a remainder of rounding is nothing.
    return early > 1e-6 ? early : 0;
  }

  /** Records one sent segment. */
  take(now: number): void {
    this.climb(now);
    this.lastInterval = intervalAt(this.current);
    this.nextAt = Math.max(this.nextAt, now) + this.lastInterval;
  }

  accepted(now: number): void {
    this.answers.add(now, false);
    this.isAccountFull = false;
    this.pauseMs = FIRST_PAUSE_MS;
  }

  /** `sentAt`: when the throttled segment was sent; segments sent before the last cut are not new information. */
  throttled(now: number, sentAt: number): void {
    this.answers.add(now, true);
    this.lastThrottleAt = now;
    if (sentAt < this.lastCutAt || sentAt < this.pausedUntil - this.pauseMs) return;
    const { taken, refused } = this.answers.count(now);
    if (refused < NOISE * (taken + refused)) return;
    // A single one in its second shows nothing about the pace: the next waits, and the rate stays.
    if (taken + refused > 1) this.cut(now, taken);
    this.pausedUntil = now + this.pauseMs;
    this.nextAt = Math.max(this.nextAt, this.pausedUntil);
    this.pauseMs = Math.min(LONGEST_PAUSE_MS, this.pauseMs * 2);
  }

  /**
   * The queue of one phone is full: no matter of the pace. If the carrier takes nothing else, it is the queue of the
   * account, until it takes something again. True if it is.
   */
  queueFull(now: number, sentAt: number): boolean {
    this.full.add(now, true);
    const isForAll = this.full.count(now).refused >= FULL_FOR_ALL && this.answers.count(now).taken === 0;
    if (!isForAll && !this.isAccountFull) return false;
    this.isAccountFull = true;
    this.throttled(now, sentAt);
    return true;
  }

  private cut(now: number, taken: number): void {
    this.current = Math.min(this.limit, Math.max(1, this.current / 2, SETTLE * taken));
    this.lastCutAt = now;
    this.lastClimbAt = now;
  }

  private climb(now: number): void {
    if (this.current >= this.limit) return;
    const since = Math.max(this.lastClimbAt, this.lastThrottleAt);
    // Seconds in which nothing was sent count as well: an account throttled long ago begins at the full rate.
    const seconds = Math.floor((now - since) / SECOND_MS);
    if (seconds < 1) return;
    this.lastClimbAt = now;
    this.current = Math.min(this.limit, this.current + seconds * Math.max(1, this.limit * CLIMB_PER_SECOND));
  }
}

/** Responses of the last second, in slots of 100 ms. */
class AnswerWindow {
  private readonly taken = new Array<number>(10).fill(0);
  private readonly refused = new Array<number>(10).fill(0);
  private slot = 0;

  add(now: number, isRefused: boolean): void {
    this.turn(now);
    const index = this.slot % 10;
    const counts = isRefused ? this.refused : this.taken;
    counts[index] = (counts[index] ?? 0) + 1;
  }

  count(now: number): { taken: number; refused: number } {
    this.turn(now);
    const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
    return { taken: sum(this.taken), refused: sum(this.refused) };
  }

  private turn(now: number): void {
    const slot = Math.floor(now / 100);
    for (let next = Math.max(this.slot + 1, slot - 9); next <= slot; next++) {
      this.taken[next % 10] = 0;
      this.refused[next % 10] = 0;
    }
    this.slot = slot;
  }
}
