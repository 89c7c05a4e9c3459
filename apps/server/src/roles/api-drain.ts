import { Server } from 'node:net';
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

const LAST_REQUEST_MS = 1_000;

/**
 * Takes no more connections, and gives those there are a moment for a request that is on its way: its answer says that
 * the connection closes. Closed at once, a connection that seems idle would be reset under the client's next request.
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
