/**
 * For the few promises that are seconds: the bound grows with what the machine is short of, as a piece of work of known
 * size shows in the same run, or the load of the last minute. It never shrinks. The bound itself, on an idle machine, is for
 * `bench/`.
 */
import assert from 'node:assert/strict';
import os from 'node:os';

const STEPS = 60_000_000;
/** What that takes on an idle core of the machine that the bounds are meant for. */
const REFERENCE_MS = 85;

export interface Stopwatch {
  readonly elapsedMs: number;
  /** Fails when more than `boundMs` have passed since the start, times what the machine is slower. */
  assertWithin(boundMs: number, what?: string): void;
  /** The same of a time that something else measured since the start. */
  assertSpan(spanMs: number, boundMs: number, what?: string): void;
}

export function startStopwatch(): Stopwatch {
  const before = slowness();
  const startedAt = performance.now();
  const assertSpan = (spanMs: number, boundMs: number, what = 'it'): void => {
    if (spanMs <= boundMs) return;
    const factor = Math.max(before, slowness());
    const allowedMs = Math.round(boundMs * factor);
    const said = `${what} took ${Math.round(spanMs)} ms; ${allowedMs} ms at most, ${factor.toFixed(1)} times the bound`;
    assert.ok(spanMs <= allowedMs, said);
  };
  return {
    get elapsedMs() {
      return performance.now() - startedAt;
    },
    assertSpan,
    assertWithin: (boundMs, what) => assertSpan(performance.now() - startedAt, boundMs, what),
  };
}

/** How many times longer than on the idle machine work takes now; 1 at least. */
export function slowdown(): number {
  const startedAt = performance.now();
  let state = 1;
  for (let step = 0; step < STEPS; step++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  // What is used can't be left out by the compiler.
  assert.ok(Number.isInteger(state));
  return Math.max(1, (performance.now() - startedAt) / REFERENCE_MS);
}

/** How many times slower than an idle machine this one is now, or was in the last minute: what waits for a core is slow as well. */
export const slowness = (): number => Math.max(slowdown(), os.loadavg()[0]! / os.availableParallelism());
