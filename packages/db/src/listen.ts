/**
 * One listening connection, reopened whenever it is lost. Notifications sent while it is down are lost: listeners must
 * also poll from time to time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connectDirectly } from './connect.ts';

const RECONNECT_MS = 1_000;

export interface Listening {
  /** Resolves once the connection is given up. */
  stop(): Promise<void>;
}

/**
 * `pool`: of the control database; one of its connections is held, or a direct one where it connects through PgBouncer.
 * `onWord` must not throw; `onListening` is called each time it begins to listen.
 */
export function listen(
  pool: pg.Pool,
  channel: string,
  onWord: (payload: string) => void,
  onError: (error: unknown) => void = () => {},
  onListening: () => void = () => {},
): Listening {
  const ending = new AbortController();
  const keepListening = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        await listenOnce(pool, channel, { onWord, onListening }, ending.signal);
      } catch (error) {
        onError(error);
        await sleep(RECONNECT_MS, undefined, { signal: ending.signal }).catch(() => undefined);
      }
    }
  };
  const running = keepListening();
  return {
    async stop() {
      ending.abort();
      await running;
    },
  };
}

/** Until the signal is aborted; throws when the connection is lost. */
async function listenOnce(
  pool: pg.Pool,
  channel: string,
  { onWord, onListening }: { onWord: (payload: string) => void; onListening: () => void },
  signal: AbortSignal,
): Promise<void> {
  const { client, end } = await connectDirectly(pool);
  try {
    await new Promise<void>((resolve, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('the listening connection was closed')));
      client.on('notification', ({ payload }) => onWord(payload ?? ''));
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
      client.query(`listen ${channel}`).then(onListening, reject);
    });
  } finally {
    end();
  }
}
