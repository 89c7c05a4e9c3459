/**
 * Limits open event streams per session and customer, over all api processes: each holds a connection, a subscription
 * and a heartbeat indefinitely.
 */
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidV7 } from '@pahatid/db';
import { endStream, renewStreams, takeStream } from '@pahatid/db/queries/event-streams';
import type { SignedInUser } from './call.ts';
import type { ApiDeps } from './deps.ts';
import { ProblemError } from './problem.ts';

const perSession = 20;
const perCustomer = 200;
/** A process that died leaves its places for so long. */
const leaseMs = 60_000;
const renewEveryMs = 20_000;
const retryAfterS = 30;
const settleMs = 1_000;

export interface StreamPlaces {
  /** Throws RATE_LIMITED if there is no slot left; returns a function that releases the slot. */
  take(user: Pick<SignedInUser, 'sessionHash' | 'customerId'>): Promise<() => void>;
  /** Resolves when all places are free, for a process that ends; a reader that stalls is not waited for. */
  settle(): Promise<void>;
}

export function makeStreamPlaces(deps: ApiDeps): StreamPlaces {
  const { control } = deps.pools;
  const processId = uuidV7();
  let open = 0;
  let isRenewing = false;
  const endings = new Set<Promise<unknown>>();
  const changes = new EventEmitter();
  const leaseEnd = (): Date => new Date(deps.now().getTime() + leaseMs);

  const renew = async (): Promise<void> => {
    isRenewing = true;
    try {
      while (open > 0 && !deps.signal.aborted) {
        await sleep(renewEveryMs, undefined, { signal: deps.signal, ref: false });
        await renewStreams(control, processId, leaseEnd()).catch((error: unknown) =>
          deps.log.warn({ err: error }, 'leases of event streams not renewed, will retry'),
        );
      }
    } catch {
      // The wait was aborted: the process ends, and so do the streams.
    } finally {
      isRenewing = false;
    }
  };

  const giveBack = (streamId: string): void => {
    open -= 1;
    const ending = endStream(control, streamId)
      .catch((error: unknown) =>
        deps.log.warn({ err: error }, 'lease of an event stream not released, it expires by itself'),
      )
      .finally(() => {
        endings.delete(ending);
        changes.emit('freed');
      });
    endings.add(ending);
  };

  return {
    async take({ sessionHash, customerId }) {
      const streamId = uuidV7();
      const place = { streamId, processId, sessionHash, customerId, now: deps.now(), expiresAt: leaseEnd() };
      if (!(await takeStream(control, { ...place, perSession, perCustomer })))
        throw new ProblemError('RATE_LIMITED', { retryAfterS });
      open += 1;
      if (!isRenewing) void renew();
      return () => giveBack(streamId);
    },
    async settle() {
      const deadline = AbortSignal.timeout(settleMs);
      while ((open > 0 || endings.size > 0) && !deadline.aborted)
        await Promise.race([once(changes, 'freed'), once(deadline, 'abort')]);
    },
  };
}
