/** Time and timers, passed in so that tests move them manually. */
export type Clock = {
  /** Monotonic milliseconds: response timers must not follow a clock that is set. */
  now(): number;
  setTimer(run: () => void, delayMs: number): Timer;
};

export type Timer = { cancel(): void };

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimer(run, delayMs) {
    const timer = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};
