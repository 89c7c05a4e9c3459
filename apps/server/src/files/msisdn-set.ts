import { randomInt } from 'node:crypto';

/**
 * The numbers seen so far in one file: open addressing over a typed array, 8 bytes per slot, at most half full, so two
 * million numbers take 32 MiB. An MSISDN has up to 15 digits (E.164), which a double holds exactly; 0 marks a free
 * slot.
 */
export class MsisdnSet {
  private places: Float64Array;
  private count = 0;
  /** Unknown to the author, who could otherwise choose numbers that all hash to the same slot. */
  private readonly seed = randomInt(2 ** 31);

  constructor(capacity = 1 << 12) {
    this.places = new Float64Array(2 ** Math.ceil(Math.log2(Math.max(16, capacity))));
  }

  get size(): number {
    return this.count;
  }

  /** True if the number was not there before. */
  add(msisdn: string): boolean {
    const value = Number(msisdn);
    if (!Number.isSafeInteger(value) || value <= 0) throw new RangeError('not an MSISDN');
    const at = this.find(this.places, value);
    if (this.places[at] === value) return false;
    this.places[at] = value;
    this.count += 1;
    if (this.count * 2 > this.places.length) this.grow();
    return true;
  }

  private find(places: Float64Array, value: number): number {
    const mask = places.length - 1;
    // Neighbouring numbers are common in a list, so both halves are mixed (constants of MurmurHash3's finaliser).
    let hash = Math.imul((value | 0) ^ this.seed ^ Math.imul((value / 0x1_0000_0000) | 0, 0x9e3779b1), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    let at = (hash ^ (hash >>> 16)) & mask;
    while (places[at] !== 0 && places[at] !== value) at = (at + 1) & mask;
    return at;
  }

  private grow(): void {
    const larger = new Float64Array(this.places.length * 2);
    for (const value of this.places) if (value !== 0) larger[this.find(larger, value)] = value;
    this.places = larger;
  }
}
