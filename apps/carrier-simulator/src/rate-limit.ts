/** A carrier's limit: a bucket of tokens that fills at `tps` and holds one second of them. */
export class RateLimit {
  private tokens = Number.POSITIVE_INFINITY;
  private filledAt = performance.now();

  take(tps: number): boolean {
    if (tps <= 0) return true;
    const now = performance.now();
    this.tokens = Math.min(tps, this.tokens + ((now - this.filledAt) * tps) / 1_000);
    this.filledAt = now;
    if (this.tokens < 1) return false;
    this.tokens--;
    return true;
  }
}

const SLICE_MS = 100;
const SLICES = 10;

/** The most events there were within any second, in slices of 100 ms. */
export class PeakRate {
  peak = 0;
  private readonly slices = new Uint32Array(SLICES);
  private slice = 0;
  private sum = 0;

  add(): void {
    const now = Math.floor(performance.now() / SLICE_MS);
    const passed = Math.min(SLICES, now - this.slice);
    for (let i = 1; i <= passed; i++) {
      const at = (this.slice + i) % SLICES;
      this.sum -= this.slices[at]!;
      this.slices[at] = 0;
    }
    this.slice = now;
    this.slices[now % SLICES]!++;
    this.sum++;
    if (this.sum > this.peak) this.peak = this.sum;
  }

  clear(): void {
    this.slices.fill(0);
    this.sum = 0;
    this.peak = 0;
  }
}
