/** How many a second, from counters that are read from time to time. */

/** Readings closer together than this are unreliable: the previous one is used. */
const LEAST_SPAN_MS = 500;

interface Reading {
  count: number;
  atMs: number;
  rate: number;
}

export class BindRates {
  private readonly readings = new WeakMap<object, Reading>();

  /** The rate of `of` since its last reading, per second; 0 at the first. */
  read(of: object, count: number, nowMs = performance.now()): number {
    const last = this.readings.get(of);
    if (last !== undefined && nowMs - last.atMs < LEAST_SPAN_MS) return last.rate;
    const rate = last === undefined ? 0 : ((count - last.count) * 1_000) / (nowMs - last.atMs);
    this.readings.set(of, { count, atMs: nowMs, rate });
    return rate;
  }
}
