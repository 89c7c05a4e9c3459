import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A client that probed twice in this time is treated as a polling balancer and waited for. */
const WATCHED_MS = 30_000;
/** Of the 7 s that a role is given to stop. */
const NOTICE_MS = 3_000;

/**
 * Before the listener closes, balancers polling `/readyz` must see 503, so that no client is sent to a closed port.
 * Without a balancer there is nothing to wait for.
 */
export class DrainNotice {
  /** Times of the last two probes. */
  private probes: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  private readonly seen = new AbortController();

  readonly onProbe = (wasDraining: boolean): void => {
    this.probes = [this.probes[1], performance.now()];
    if (wasDraining) this.seen.abort();
  };

  /** Resolves when a probe has seen it, immediately if there is no balancer, and in three seconds at the latest. */
  async given(): Promise<void> {
    if (performance.now() - this.probes[0] > WATCHED_MS) return;
    await sleep(NOTICE_MS, undefined, { signal: this.seen.signal }).catch(() => undefined);
  }
}

const LAST_REQUEST_MS = 1_000;

/**
 * Accepts no more connections, and gives open ones a moment for a request in transit: its response announces the close.
 * If closed immediately, a seemingly idle connection would be reset during the client's next request.
 */
export async function emptyConnections(server: Server): Promise<void> {
  // Of the HTTP server's own `close` this is the part that stops listening.
  const empty = new Promise<void>((resolve) => {
    Server.prototype.close.call(server, () => resolve());
  });
  const late = new AbortController();
  await Promise.race([empty, sleep(LAST_REQUEST_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
}
