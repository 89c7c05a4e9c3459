import { setTimeout as sleep } from 'node:timers/promises';

export interface UntilOptions {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
  /** Reported on timeout. */
  readonly what?: string;
}

/**
 * Waits for a condition and returns its first truthy value. Throws on timeout (60 s, which a slow machine may need),
 * with the error of the last check, if it threw. Never sleep for a fixed time: specify the condition.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  options: UntilOptions = {},
): Promise<Exclude<Awaited<T>, false | null | undefined | 0 | ''>> {
  const { timeoutMs = 60_000, everyMs = 20, what = 'the condition' } = options;
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value as Exclude<Awaited<T>, false | null | undefined | 0 | ''>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline) throw new Error(`${what} did not come in ${timeoutMs} ms`, { cause });
    await sleep(everyMs);
  }
}
