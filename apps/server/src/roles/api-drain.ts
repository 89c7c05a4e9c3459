import { setTimeout as sleep } from 'node:timers/promises';

/** Who asked twice in this time is taken for a balancer that asks again, and is waited for. */
const WATCHED_MS = 30_000;
/** Of the 7 s that a role is given to stop. */
const NOTICE_MS = 3_000;

/**
 * Before the listener closes, whoever watches `/readyz` is to see that it says 503, so that nobody is sent to a closed
 * door. Where nobody watches there is nobody to wait for.
 */
export class DrainNotice {
  /** When the last two who asked did. */
  private probes: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  private readonly seen = new AbortController();

  readonly onProbe = (wasDraining: boolean): void => {
    this.probes = [this.probes[1], performance.now()];
    if (wasDraining) this.seen.abort();
  };

  /** Resolves when it has been seen, at once when nobody looks, and in three seconds at the latest. */
  async given(): Promise<void> {
    if (performance.now() - this.probes[0] > WATCHED_MS) return;
    await sleep(NOTICE_MS, undefined, { signal: this.seen.signal }).catch(() => undefined);
  }
}
