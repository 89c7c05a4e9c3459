/** Buckets of this width: a timer per message would cost more than the message. */
const TICK_MS = 5;

/** Many things due later, run in buckets of 5 ms by one timer, which sleeps while there is nothing. */
export class TimerWheel {
  private readonly buckets = new Map<number, (() => void)[]>();
  private tick = 0;
  private timer: NodeJS.Timeout | undefined = undefined;
  private stopped = false;

  get isEmpty(): boolean {
    return this.buckets.size === 0;
  }

  after(delayMs: number, run: () => void): void {
    if (this.stopped) return;
    const now = currentTick();
    // While it slept the wheel did not turn.
    if (this.timer === undefined) this.tick = now;
    const due = Math.max(this.tick + 1, now + Math.ceil(delayMs / TICK_MS));
    const bucket = this.buckets.get(due);
    if (bucket === undefined) this.buckets.set(due, [run]);
    else bucket.push(run);
    this.timer ??= setTimeout(() => this.turn(), TICK_MS);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.buckets.clear();
  }

  private turn(): void {
    const now = currentTick();
    while (this.tick < now && this.buckets.size > 0) {
      this.tick++;
      const bucket = this.buckets.get(this.tick);
      if (bucket === undefined) continue;
      this.buckets.delete(this.tick);
      for (const run of bucket) run();
    }
    this.tick = now;
    this.timer = this.stopped || this.buckets.size === 0 ? undefined : setTimeout(() => this.turn(), TICK_MS);
  }
}

function currentTick(): number {
  return Math.floor(performance.now() / TICK_MS);
}
