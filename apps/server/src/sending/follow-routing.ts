/** What a sender does about suppliers and routes while it runs: takes changes over at once, and moves what can't be sent. */
import { setTimeout as sleep } from 'node:timers/promises';
import { listen, type WriterLease } from '@pahatid/db';
import { ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import type { HealthTimes } from '@pahatid/db/queries/supplier-health';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { Failover } from './failover.ts';

const STEP_EVERY_MS = 1_000;

export interface FollowRoutingOptions {
  readonly pools: { readonly control: Pool; readonly data: Pool };
  readonly writer: WriterLease;
  readonly log: Logger;
  readonly links: { reload(): Promise<void>; saveStates(): Promise<void> };
  /** Batches are ready on other routes. */
  readonly onMoved: () => void;
  readonly times?: HealthTimes | undefined;
}

export interface RoutingFollower {
  stop(): Promise<void>;
}

export const followRouting = (options: FollowRoutingOptions): RoutingFollower => {
  const { pools, writer, log, links, onMoved, times } = options;
  const failover = new Failover({ pools, writer, log, ...(times && { times }) });
  const ending = new AbortController();
  const reload = repeatable(() => links.reload().catch((err) => log.warn({ err }, 'suppliers not read again')));
  const words = listen(pools.control, ROUTING_CHANNEL, reload, (err) => log.warn({ err }, 'not listening for changes'));

  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        // What is judged is what senders say: say it first.
        await links.saveStates();
        if ((await failover.step()) > 0) onMoved();
      } catch (err) {
        log.warn({ err, what: 'failover' }, 'tried again');
      }
      await sleep(STEP_EVERY_MS, undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  const running = run();

  return {
    async stop() {
      ending.abort();
      await Promise.all([running, words.stop()]);
    },
  };
};

/** Runs `work` when called, one at a time; called while it runs, once more after it. */
export const repeatable = (work: () => Promise<unknown>): (() => void) => {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      again = false;
      await work();
    } while (again);
    running = false;
  };
  return () => {
    if (running) again = true;
    else void run();
  };
};
