/** Time, passed in so that tests advance it manually. */
export interface Clock {
  /** Monotonic milliseconds: pace, leases and waiting must not follow a clock that is set. */
  now(): number;
  /** Unix milliseconds, for display to users. */
  wall(): number;
  setTimer(run: () => void, delayMs: number): Timer;
}

export interface Timer {
  cancel(): void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  setTimer(run, delayMs) {
    if (delayMs <= 0) {
      const immediate = setImmediate(run);
      return { cancel: () => clearImmediate(immediate) };
    }
    const timer = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};
