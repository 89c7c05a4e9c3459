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
 * The embedded database, started again whenever it goes without our asking (it recovers by itself). `onReturned` is
 * called after each of these starts; `moved` is true when the database got another port.
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
      log.warn({ waitMs }, 'PostgreSQL ended, starting it again');
      await sleep(waitMs);
      if (stopping) return;
      try {
        const next = await startEmbedded({ dataDir });
        const moved = next.url !== embedded.url;
        embedded = next;
        restarts += 1;
        log.info({ pid: next.pid, port: next.port }, 'PostgreSQL runs again');
        onReturned(moved);
        void watch(next);
        return;
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL did not start');
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
