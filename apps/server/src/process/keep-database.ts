import { setTimeout as sleep } from 'node:timers/promises';
import { type Embedded, startEmbedded } from '@pahatid/db/embedded';
import type { Logger } from 'pino';

export interface KeptDatabase {
  readonly url: string;
  readonly pid: () => number;
  /** How often it was started again. */
  readonly restarts: () => number;
  stop(): Promise<void>;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5000;

/**
 * Runs the embedded database and restarts it whenever it exits unexpectedly (it recovers automatically). `onReturned`
 * is called after each restart; `moved` is true if the port changed.
 */
export async function keepDatabase(
  dataDir: string,
  log: Logger,
  onReturned: (moved: boolean) => void,
): Promise<KeptDatabase> {
  let embedded = await startEmbedded({ dataDir });
  let stopping = false;
  let restarts = 0;

  const watch = async (current: Embedded): Promise<void> => {
    await current.exited;
    for (let waitMs = FIRST_WAIT_MS; !stopping; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
      log.warn({ waitMs }, 'PostgreSQL ended, restarting');
      await sleep(waitMs);
      if (stopping) return;
      try {
        const next = await startEmbedded({ dataDir });
        const moved = next.url !== embedded.url;
        embedded = next;
        restarts += 1;
        log.info({ pid: next.pid, port: next.port }, 'PostgreSQL restarted');
        onReturned(moved);
        void watch(next);
        return;
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL failed to start, will retry');
      }
    }
  };
  void watch(embedded);

  return {
    get url() {
      return embedded.url;
    },
    pid: () => embedded.pid,
    restarts: () => restarts,
    async stop() {
      stopping = true;
      await embedded.stop();
    },
  };
}
