/**
 * Live progress. One connection of the process listens for the word that a task moved; each open stream then reads
 * the tasks it may see, at most four times a second, and every five seconds even without a word, because words may be
 * lost (a listener that is being replaced, a NOTIFY from a node that nobody hears).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { TASK_CHANNEL } from '../../sending/notifier.ts';

/** At most this often for each stream. */
const flushEveryMs = 250;
const rereadEveryMs = 5_000;
const reconnectMs = 1_000;

export interface TaskFeed {
  /**
   * Yields the ids of tasks that moved (the empty set: look at everything) as often as there is something new to read.
   * The first comes at once.
   */
  follow(signal: AbortSignal): AsyncGenerator<ReadonlySet<string>>;
  stop(): Promise<void>;
}

type Listener = (taskId: string) => void;

export function makeTaskFeed(control: Pool, log: Logger): TaskFeed {
  const listeners = new Set<Listener>();
  const ending = new AbortController();
  let client: PoolClient | null = null;
  let connecting: Promise<void> | null = null;

  /** Listening begins with the first stream and ends with the process. */
  const connect = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      let fresh: PoolClient | null = null;
      try {
        fresh = await control.connect();
        if (ending.signal.aborted) return fresh.release(true);
        const held = fresh;
        fresh.on('error', () => lose(held));
        fresh.on('end', () => lose(held));
        fresh.on('notification', ({ payload }) => {
          for (const listener of listeners) listener(payload ?? '');
        });
        await fresh.query(`listen ${TASK_CHANNEL}`);
        client = fresh;
        return;
      } catch (error) {
        fresh?.release(true);
        log.warn({ err: error }, 'not listening for tasks: trying again');
        await sleep(reconnectMs, undefined, { signal: ending.signal }).catch(() => undefined);
      }
    }
  };
  const lose = (lost: PoolClient): void => {
    if (client !== lost) return;
    client = null;
    lost.release(true);
    if (!ending.signal.aborted) connecting = connect();
  };

  return {
    async *follow(signal) {
      connecting ??= connect();
      const moved = new Set<string>();
      let wake: () => void = () => {};
      const listener: Listener = (taskId) => {
        moved.add(taskId);
        wake();
      };
      listeners.add(listener);
      const both = AbortSignal.any([signal, ending.signal]);
      const onAbort = (): void => wake();
      both.addEventListener('abort', onAbort);
      try {
        while (!both.aborted) {
          const ids = new Set(moved);
          moved.clear();
          yield ids;
          await sleep(flushEveryMs, undefined, { signal: both }).catch(() => undefined);
          if (moved.size > 0 || both.aborted) continue;
          let timer: NodeJS.Timeout | undefined;
          await new Promise<void>((resolve) => {
            wake = resolve;
            timer = setTimeout(resolve, rereadEveryMs);
          });
          clearTimeout(timer);
          wake = () => {};
        }
      } finally {
        listeners.delete(listener);
        both.removeEventListener('abort', onAbort);
      }
    },
    async stop() {
      ending.abort();
      await connecting;
      const held = client;
      client = null;
      held?.release(true);
    },
  };
}
