/** Failed binds in this process, by address and by system_id: after a few in a minute further binds are refused. */

/** Failures within a window after which binds are refused. */
const MOST_FAILURES = 5;
const WINDOW_MS = 60_000;
/** Keys in memory; the oldest is forgotten first. */
const MOST_KEYS = 20_000;

export class FailedBinds {
  private readonly failures = new Map<string, { count: number; endsAtMs: number }>();
  private readonly nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
  }

  isBlocked(key: string): boolean {
    const found = this.failures.get(key);
    return found !== undefined && this.nowMs() < found.endsAtMs && found.count >= MOST_FAILURES;
  }

  note(key: string): void {
    const now = this.nowMs();
    const found = this.failures.get(key);
    if (found !== undefined && now < found.endsAtMs) {
      found.count += 1;
      return;
    }
    this.failures.delete(key);
    this.failures.set(key, { count: 1, endsAtMs: now + WINDOW_MS });
    if (this.failures.size > MOST_KEYS) this.failures.delete(this.failures.keys().next().value ?? '');
  }

  /** A bind that succeeds clears its system_id, and leaves its address: others may guess from there. */
  clear(key: string): void {
    this.failures.delete(key);
  }
}
