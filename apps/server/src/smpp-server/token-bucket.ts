/** A rate with one second of credit: a burst of a second's worth passes, and so does a steady stream at the rate. */
export class TokenBucket {
  private perSecond: number;
  private credit: number;
  private atMs: number;

  constructor(perSecond: number, nowMs: number) {
    this.perSecond = perSecond;
    this.credit = perSecond;
    this.atMs = nowMs;
  }

  setRate(perSecond: number, nowMs: number): void {
    if (perSecond === this.perSecond) return;
    this.refill(nowMs);
    this.perSecond = perSecond;
    this.credit = Math.min(this.credit, perSecond);
  }

  /** Takes so many, or returns false. More than a second's worth is taken from a full credit, and owed. */
  take(nowMs: number, count = 1): boolean {
    this.refill(nowMs);
    // What a timer's granularity takes from a steady stream must not refuse its last PDU of a second.
    if (this.credit + 1e-6 < Math.min(count, this.perSecond)) return false;
    this.credit -= count;
    return true;
  }

  private refill(nowMs: number): void {
    this.credit = Math.min(this.perSecond, this.credit + ((nowMs - this.atMs) * this.perSecond) / 1_000);
    this.atMs = nowMs;
  }
}
