/**
 * Closes streams opened by a session soon after the session has ended: sign-out, revocation, a disabled user, or age.
 * One query for all streams of the process every three seconds while there are any.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findEndedSessions } from '@pahatid/db';
import type { ApiDeps } from './deps.ts';
import { sessionIdleMs } from './session-cookie.ts';

const checkEveryMs = 3_000;

export interface SessionWatch {
  /** Calls `end` when the session has ended; returns a function that stops watching. */
  watch(sessionHash: Buffer, end: () => void): () => void;
}

export function makeSessionWatch(deps: ApiDeps): SessionWatch {
  const watched = new Map<string, Set<() => void>>();
  let running = false;

  const check = async (): Promise<void> => {
    const now = deps.now();
    const hashes = [...watched.keys()].map((key) => Buffer.from(key, 'hex'));
    for (const hash of await findEndedSessions(deps.pools.control, hashes, now, sessionIdleMs))
      for (const end of watched.get(hash.toString('hex')) ?? []) end();
  };
  const loop = async (): Promise<void> => {
    running = true;
    try {
      while (watched.size > 0 && !deps.signal.aborted) {
        await sleep(checkEveryMs, undefined, { signal: deps.signal, ref: false });
        // An unreachable database says nothing about the session: the next round checks again.
        await check().catch((error: unknown) =>
          deps.log.warn({ err: error }, 'session check of open event streams failed, will retry'),
        );
      }
    } catch {
      // The wait was aborted: the process ends, and so do the streams.
    } finally {
      running = false;
    }
  };

  return {
    watch(sessionHash, end) {
      const key = sessionHash.toString('hex');
      const ends = watched.get(key) ?? new Set();
      watched.set(key, ends.add(end));
      if (!running) void loop();
      return () => {
        ends.delete(end);
        if (ends.size === 0) watched.delete(key);
      };
    },
  };
}
