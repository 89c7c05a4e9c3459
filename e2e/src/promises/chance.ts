/** Chance that can be repeated: PAHATID_SEED=… takes the same turns again, as far as the machine does. */
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

export class Chance {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed >>> 0;
  }

  /** Returns a new one, whose seed is shown in the test report. */
  static of(t: TestContext): Chance {
    const chance = new Chance(Number(process.env['PAHATID_SEED'] ?? Date.now() % 1_000_000));
    t.diagnostic(`PAHATID_SEED=${chance.seed}`);
    return chance;
  }

  /** 0 up to 1; mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.next() * values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }

  shuffle<T>(values: readonly T[]): T[] {
    const all = [...values];
    for (let i = all.length - 1; i > 0; i--) {
      const j = Math.floor(this.next() * (i + 1));
      [all[i], all[j]] = [all[j] as T, all[i] as T];
    }
    return all;
  }

  /** Waits for a random time, so that every phase of the work is hit. */
  async pause(lowMs: number, highMs: number): Promise<void> {
    await sleep(this.between(lowMs, highMs));
  }
}
