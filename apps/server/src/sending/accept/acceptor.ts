/** What this process needs to accept a message: a leased writer number, taken at the first use, and the routes. */
import { type Listening, leaseWriter, uuidV7, WRITER_RENEW_MS, type WriterLease } from '@pahatid/db';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { RoutingCache } from '../route/routing-table.ts';
import type { AcceptDeps } from './accept.ts';

export interface Acceptor {
  /** With routes and prices as they are now. */
  deps(): Promise<AcceptDeps>;
  /** Returns routes and prices as last notified, or at most a few seconds old. */
  quick(): Promise<AcceptDeps>;
  /** The writer number of this process. */
  writer(): Promise<WriterLease>;
  /** Gives the number back. */
  stop(): Promise<void>;
}

export function makeAcceptor(control: Pool, log: Logger): Acceptor {
  const routing = new RoutingCache(control);
  let following: Listening | null = null;
  const owner = uuidV7();
  let leasing: Promise<WriterLease> | null = null;
  let timer: NodeJS.Timeout | null = null;

  const lease = (): Promise<WriterLease> => {
    leasing ??= leaseWriter(control, owner)
      .then((held) => {
        timer = setInterval(() => {
          held
            .renew()
            .catch((error: unknown) => log.warn({ err: error }, 'writer lease of the API not renewed, will retry'));
        }, WRITER_RENEW_MS);
        timer.unref();
        return held;
      })
      .catch((error: unknown) => {
        leasing = null;
        throw error;
      });
    return leasing;
  };

  return {
    async deps() {
      const { ids } = await lease();
      return { ids, routing: await routing.refresh() };
    },
    async quick() {
      const { ids } = await lease();
      following ??= routing.follow((error) =>
        log.warn({ err: error }, 'route notifications of the API interrupted, reconnecting'),
      );
      return { ids, routing: await routing.current() };
    },
    writer: lease,
    async stop() {
      if (timer !== null) clearInterval(timer);
      await following?.stop();
      const held = await leasing?.catch(() => null);
      await held?.release();
    },
  };
}
