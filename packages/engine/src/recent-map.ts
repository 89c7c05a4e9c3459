/**
 * A map that keeps its newest keys, at most `most` of them and at least the newest half of that. The oldest are removed
 * together, half at a time: removing them one by one from the front of a full Map requires a walk past all previously
 * removed ones.
 */
export class RecentMap<V> {
  private readonly most: number;
  private young = new Map<string, V>();
  private old = new Map<string, V>();

  constructor(most: number) {
    this.most = most;
  }

  get size(): number {
    return this.young.size + this.old.size;
  }

  get(key: string): V | undefined {
    return this.young.get(key) ?? this.old.get(key);
  }

  /** The key is the newest from here on. */
  set(key: string, value: V): void {
    this.delete(key);
    if (this.young.size >= Math.floor(this.most / 2)) this.age();
    this.young.set(key, value);
  }

  delete(key: string): void {
    if (!this.young.delete(key)) this.old.delete(key);
  }

  /** Drops the old half; the young half becomes the old one. */
  age(): void {
    this.old = this.young;
    this.young = new Map();
  }
}
