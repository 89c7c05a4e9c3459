import type { Clock } from './clock.ts';

type Waiter = { condition: () => boolean; release: () => void };

/** Promises that wait for a condition of the session, each for a bounded time. */
export class Waiters {
  private readonly clock: Clock;
  private readonly waiting = new Set<Waiter>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Resolves when `condition` holds at a `check`, at the latest after `maxMs`. */
  until(condition: () => boolean, maxMs: number): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => {
      const waiter: Waiter = {
        condition,
        release: () => {
          this.waiting.delete(waiter);
          timer.cancel();
          resolve();
        },
      };
      const timer = this.clock.setTimer(waiter.release, maxMs);
      this.waiting.add(waiter);
    });
  }

  check(): void {
    if (this.waiting.size === 0) return;
    for (const waiter of this.waiting) if (waiter.condition()) waiter.release();
  }

  releaseAll(): void {
    for (const waiter of this.waiting) waiter.release();
  }
}
