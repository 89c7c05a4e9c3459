import { setTimeout as sleep } from 'node:timers/promises';
import { slowness } from './stopwatch.ts';

/** Shorter waits show that something does not come: they are as long as they are meant to be. */
const PATIENT_MS = 10_000;

/** A look costs the machine as much as what is waited for: the longer it takes, the less often it is looked at. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 100;
const PART_OF_WAIT = 1 / 20;

export interface UntilOptions {
  readonly timeoutMs?: number;
  /** Between two looks; by default 20 ms at first, 100 ms from 2 s on. */
  readonly everyMs?: number;
  /** Reported on timeout. */
  readonly what?: string;
}

/**
 * Waits for a condition and returns its first truthy value. Throws on timeout (60 s; from 10 s on it grows with what the
 * machine is slower), with the error of the last check, if it threw. Never sleep for a fixed time: specify the condition.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  options: UntilOptions = {},
): Promise<Exclude<Awaited<T>, false | null | undefined | 0 | ''>> {
  const { timeoutMs = 60_000, everyMs, what = 'the condition' } = options;
  const startedAt = performance.now();
  let allowedMs = timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value as Exclude<Awaited<T>, false | null | undefined | 0 | ''>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > allowedMs) {
      const slowMs = timeoutMs < PATIENT_MS ? timeoutMs : timeoutMs * slowness();
      if (slowMs <= allowedMs) throw new Error(`${what} did not come in ${Math.round(allowedMs)} ms`, { cause });
      allowedMs = slowMs;
    }
    await sleep(everyMs ?? Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, waitedMs * PART_OF_WAIT)));
  }
}
