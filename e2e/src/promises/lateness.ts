/**
 * How late this machine is by itself. A bound in real time is the product's; what a timer of ours and a look at the
 * carriers come late at the same time is the machine's, and is granted beyond it: next to nothing where it is idle.
 */
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierProcess } from './carrier-process.ts';

const EVERY_MS = 5;
/** What a timer and an answer take on an idle machine. */
const USUAL_MS = 5;

export class Lateness {
  /** Worst within each second that began so many seconds after 1970. */
  readonly #worst = new Map<number, number>();
  /** All of it, likewise. */
  readonly #lost = new Map<number, number>();

  /** Until the test is over. */
  static watch(t: TestContext, carriers: CarrierProcess): Lateness {
    const lateness = new Lateness();
    let isOver = false;
    const watch = async (): Promise<void> => {
      while (!isOver) {
        const [asked, askedMs] = [performance.now(), Date.now()];
        const since = (): number => performance.now() - asked;
        // The journal's times are of the carriers' turn to read.
        const [ofTimer, ofCarriers] = await Promise.all([
          sleep(EVERY_MS).then(() => since() - EVERY_MS),
          carriers.counters().then(since, since),
        ]);
        lateness.#note(askedMs, Math.max(1, ofTimer, ofCarriers));
      }
    };
    const watching = watch();
    t.after(async () => {
      isOver = true;
      await watching;
    });
    return lateness;
  }

  /** Ask before an audit, which stops us while it runs. The worst that was asked since an instant, Unix milliseconds, and until another; milliseconds. */
  worst(sinceMs = 0, untilMs = Number.POSITIVE_INFINITY): number {
    let worst = 0;
    for (const [second, ms] of this.#worst)
      if ((second + 1) * 1_000 > sinceMs && second * 1_000 <= untilMs) worst = Math.max(worst, ms);
    return Math.ceil(worst);
  }

  /** The share of the second from an instant, Unix milliseconds, that the machine was away; 0 to 1. */
  lostOf(fromMs: number): number {
    const second = Math.floor(fromMs / 1_000);
    const part = (fromMs % 1_000) / 1_000;
    const of = (each: number): number => Math.min(1, (this.#lost.get(each) ?? 0) / 1_000);
    return of(second) * (1 - part) + of(second + 1) * part;
  }

  #note(atMs: number, ms: number): void {
    const second = Math.floor(atMs / 1_000);
    this.#worst.set(second, Math.max(this.#worst.get(second) ?? 0, ms));
    this.#lost.set(second, (this.#lost.get(second) ?? 0) + Math.max(0, ms - USUAL_MS));
  }
}
