/**
 * Live progress. One connection of the process listens for notifications that a task changed; each open stream then
 * reads the tasks it may see, at most four times a second, and every five seconds even without a notification, because
 * notifications may be lost (a listener that is being replaced, a NOTIFY from a node without listeners).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Listening, listen } from '@pahatid/db';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { TASK_CHANNEL } from '../../sending/notifier.ts';

/** Minimum interval for each stream. */
const flushEveryMs = 250;
const rereadEveryMs = 5_000;

export interface TaskFeed {
  /**
   * Yields the ids of changed tasks (the empty set: read everything) as often as there is something new to read. The
   * first is yielded immediately.
   */
  follow(signal: AbortSignal): AsyncGenerator<ReadonlySet<string>>;
  stop(): Promise<void>;
}

export function makeTaskFeed(control: Pool, log: Logger): TaskFeed {
  const followers = new Set<(taskId: string) => void>();
  const ending = new AbortController();
  let listening: Listening | null = null;
  const onWord = (taskId: string): void => {
    for (const notifyListeners of followers) notifyListeners(taskId);
  };

  return {
    async *follow(signal) {
      // Listening begins with the first stream and ends with the process.
      listening ??= listen(control, TASK_CHANNEL, onWord, (error) =>
        log.warn({ err: error }, 'task notifications interrupted, reconnecting'),
      );
      const both = AbortSignal.any([signal, ending.signal]);
      const moved = new Set<string>();
      let wake: () => void = () => {};
      const notifyListeners = (taskId: string): void => {
        moved.add(taskId);
        wake();
      };
      const onAbort = (): void => wake();
      followers.add(notifyListeners);
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
        followers.delete(notifyListeners);
        both.removeEventListener('abort', onAbort);
      }
    },
    async stop() {
      ending.abort();
      await listening?.stop();
    },
  };
}
