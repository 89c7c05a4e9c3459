/**
 * Bounds what waits to be committed, over all queues that share it. An owner may have as much waiting as is still free
 * afterwards: alone it takes at most half, and however many owners stand still, there is room for one more.
 */
export class Backlog {
  private readonly mostWaiting: number;
  private readonly byOwner = new Map<string, number>();
  private total = 0;

  /** `mostWaiting`: weight of all that waits. */
  constructor(mostWaiting: number) {
    this.mostWaiting = mostWaiting;
  }

  /** Weight of all that waits. */
  get weight(): number {
    return this.total;
  }

  /** An item is admitted whatever its weight if nothing else waits: it must not be refused forever. */
  hasRoom(owner: string, weight: number): boolean {
    const owned = this.byOwner.get(owner) ?? 0;
    return this.total === 0 || owned + weight <= this.mostWaiting - this.total;
  }

  /** `weight`: negative for what no longer waits. */
  count(owner: string, weight: number): void {
    const owned = (this.byOwner.get(owner) ?? 0) + weight;
    if (owned === 0) this.byOwner.delete(owner);
    else this.byOwner.set(owner, owned);
    this.total += weight;
  }
}
