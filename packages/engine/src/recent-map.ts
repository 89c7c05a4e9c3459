/**
 * A map that keeps the newest of its keys, at most `most` of them and at least the newest half of that. The oldest go
 * together, half at a time: to take them one by one from the front of a Map that is full costs a walk past all that were
 * taken before.
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

  /** What is old goes, what is young is old. */
  age(): void {
    this.old = this.young;
    this.young = new Map();
  }
}
