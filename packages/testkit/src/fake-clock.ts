interface Timer {
  readonly id: number;
  readonly at: number;
  readonly run: () => void;
}

/**
 * A clock that is stopped until advanced. `now` is wall time, `monotonic` is the time base of timers; they move
 * together with `advance`, and separately with `jump` (a wall clock that is set).
 */
export class FakeClock {
  #wall: number;
  #monotonic = 0;
  #timers: Timer[] = [];
  #lastId = 0;

  constructor(start: Date | number = Date.UTC(2026, 0, 5, 1, 0, 0)) {
    this.#wall = Number(start);
  }

  /** Unix milliseconds. */
  readonly now = (): number => this.#wall;
  readonly date = (): Date => new Date(this.#wall);
  /** Milliseconds from an arbitrary instant, never going back. */
  readonly monotonic = (): number => this.#monotonic;

  readonly setTimeout = (run: () => void, delayMs: number): number => {
    this.#lastId += 1;
    this.#timers.push({ id: this.#lastId, at: this.#monotonic + Math.max(0, delayMs), run });
    return this.#lastId;
  };

  readonly clearTimeout = (id: number | undefined): void => {
    this.#timers = this.#timers.filter((timer) => timer.id !== id);
  };

  readonly sleep = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      this.setTimeout(resolve, delayMs);
    });

  /** Timers that wait. */
  get pending(): number {
    return this.#timers.length;
  }

  /**
   * Lets time pass: every timer that comes due runs at its own instant, in order, and what its promises lead to runs
   * before the next one.
   */
  async advance(byMs: number): Promise<void> {
    const end = this.#monotonic + byMs;
    await settle();
    for (let next = this.#nextBefore(end); next !== undefined; next = this.#nextBefore(end)) {
      this.clearTimeout(next.id);
      this.#moveTo(next.at);
      next.run();
      await settle();
    }
    this.#moveTo(end);
    await settle();
  }

  /** Sets the wall clock by so much, forward or back; timers do not notice. */
  jump(byMs: number): void {
    this.#wall += byMs;
  }

  #nextBefore(end: number): Timer | undefined {
    return this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at || a.id - b.id)[0];
  }

  #moveTo(monotonic: number): void {
    this.#wall += monotonic - this.#monotonic;
    this.#monotonic = monotonic;
  }
}

/** Until the promises that are settled now have led to what they lead to. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
