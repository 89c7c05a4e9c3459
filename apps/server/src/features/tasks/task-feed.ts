/**
 * Live progress. One connection of the process listens for the word that a task moved; each open stream then reads
 * the tasks it may see, at most four times a second, and every five seconds even without a word, because words may be
 * lost (a listener that is being replaced, a NOTIFY from a node that nobody hears).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Listening, listen } from '@pahatid/db';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { TASK_CHANNEL } from '../../sending/notifier.ts';

/** At most this often for each stream. */
const flushEveryMs = 250;
const rereadEveryMs = 5_000;

export interface TaskFeed {
  /**
   * Yields the ids of tasks that moved (the empty set: look at everything) as often as there is something new to read.
   * The first comes at once.
   */
  follow(signal: AbortSignal): AsyncGenerator<ReadonlySet<string>>;
  stop(): Promise<void>;
}

export function makeTaskFeed(control: Pool, log: Logger): TaskFeed {
  const followers = new Set<(taskId: string) => void>();
  const ending = new AbortController();
  let listening: Listening | null = null;
  const onWord = (taskId: string): void => {
    for (const tell of followers) tell(taskId);
  };

  return {
    async *follow(signal) {
      // Listening begins with the first stream and ends with the process.
      listening ??= listen(control, TASK_CHANNEL, onWord, (error) =>
        log.warn({ err: error }, 'not listening for tasks'),
      );
      const both = AbortSignal.any([signal, ending.signal]);
      const moved = new Set<string>();
      let wake: () => void = () => {};
      const tell = (taskId: string): void => {
        moved.add(taskId);
        wake();
      };
      const onAbort = (): void => wake();
      followers.add(tell);
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
        followers.delete(tell);
        both.removeEventListener('abort', onAbort);
      }
    },
    async stop() {
      ending.abort();
      await listening?.stop();
    },
  };
}
