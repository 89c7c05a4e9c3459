/**
 * Counts how often each of millions of numbers occurred, in two typed arrays: 24 octets a number instead of a Map's 100.
 */
export class NumberCounter {
  private keys = new Float64Array(1_024).fill(-1);
  private counts = new Uint32Array(1_024);
  private used = 0;

  /** How many different numbers there are. */
  get size(): number {
    return this.used;
  }

  /** Adds one occurrence of a number ≥ 0 and returns the new count. */
  add(key: number): number {
    if (this.used * 2 >= this.keys.length) this.grow();
    const at = this.find(key);
    if (this.keys[at] === -1) {
      this.keys[at] = key;
      this.used++;
    }
    return ++this.counts[at]!;
  }

  get(key: number): number {
    return this.counts[this.find(key)]!;
  }

  *entries(): Generator<[key: number, count: number]> {
    for (let at = 0; at < this.keys.length; at++) {
      if (this.keys[at] !== -1) yield [this.keys[at]!, this.counts[at]!];
    }
  }

  clear(): void {
    this.keys.fill(-1);
    this.counts.fill(0);
    this.used = 0;
  }

  private find(key: number): number {
    const mask = this.keys.length - 1;
    let at = slot(key) & mask;
    while (this.keys[at] !== -1 && this.keys[at] !== key) at = (at + 1) & mask;
    return at;
  }

  private grow(): void {
    const { keys, counts } = this;
    this.keys = new Float64Array(keys.length * 2).fill(-1);
    this.counts = new Uint32Array(keys.length * 2);
    for (let old = 0; old < keys.length; old++) {
      if (keys[old] === -1) continue;
      const at = this.find(keys[old]!);
      this.keys[at] = keys[old]!;
      this.counts[at] = counts[old]!;
    }
  }
}

function slot(key: number): number {
  const high = Math.floor(key / 4_294_967_296);
  const hash = Math.imul((key >>> 0) ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
  return (hash ^ (hash >>> 15)) >>> 0;
}
