/**
 * How many segments may be ready on top of full windows of an account: if each waited for a commit between a response and
 * the next submit, commits would set the speed of small windows. What was granted ahead is in doubt after a crash, so it
 * is no more than is written during two commits, and at most what the pace allows in `AHEAD_AT_MOST_MS`.
 */
const AHEAD_AT_MOST_MS = 100;
/** Shorter cycles of commits cost more than they spare: half of this is one cycle. */
const AHEAD_LEAST_MS = 60;
const COMMITS_AHEAD = 2;
/** Where nothing was written lately: a quarter of a second at the speed of one window and a slow carrier. */
const FIRST_LEAST = 16;
const FIRST_AT_MOST = 128;
/**
 * On all accounts together: results and receipts of more would not fit into one flush, and the commits, not what is
 * ready, are then what all wait for.
 */
export const MOST_AHEAD = 768;
const SAMPLE_MS = 100;
/** Of the rate, for each sample that is lower. */
const DECAY = 0.8;
const NEWEST_COMMIT = 0.2;

export class GrantAhead {
  /** Segments a second, lately. */
  private rate = 0;
  private commitMs = 0;
  private sampledAt = Number.NEGATIVE_INFINITY;
  private sampledSent = 0;

  /** `sent`: segments written since the account was added. */
  noteSent(sent: number, now: number): void {
    const sinceMs = now - this.sampledAt;
    if (sinceMs < SAMPLE_MS) return;
    this.rate = Math.max((1_000 * (sent - this.sampledSent)) / sinceMs, this.rate * DECAY);
    this.sampledAt = now;
    this.sampledSent = sent;
  }

  /** Segments written a second, lately. */
  get recentRate(): number {
    return this.rate;
  }

  /** How long a transaction took that stored results and intent. */
  noteCommit(tookMs: number): void {
    this.commitMs += NEWEST_COMMIT * (tookMs - this.commitMs);
  }

  /** `pace`: segments a second; `capacity`: of all windows together. */
  limit(pace: number, capacity: number): number {
    const aheadMs = Math.max(AHEAD_LEAST_MS, COMMITS_AHEAD * this.commitMs);
    const first = Math.min(FIRST_AT_MOST, Math.max(FIRST_LEAST, capacity));
    return Math.min(mostAhead(pace), Math.max(first, Math.ceil((this.rate * aheadMs) / 1_000)));
  }
}

/** Segments granted and not written: at most so many at this pace. */
export const mostAhead = (pace: number): number =>
  pace <= 0 ? 0 : Math.max(1, Math.ceil((pace * AHEAD_AT_MOST_MS) / 1_000));
