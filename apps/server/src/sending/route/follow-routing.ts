/** Applies supplier and route changes in a running sender immediately, and moves messages that can't be sent. */

import { setTimeout as sleep } from 'node:timers/promises';
import { listen, type WriterLease } from '@pahatid/db';
import { ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import type { HealthTimes } from '@pahatid/db/queries/supplier-health';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { oneAtATime } from '../../process/one-at-a-time.ts';
import { reportChanges } from '../../process/report-changes.ts';
import { Failover } from './failover.ts';

const STEP_EVERY_MS = 1_000;
/** While an account has just lost its binds: each step that codes wait for would add a second. */
const HURRIED_STEP_MS = 250;

export interface FollowRoutingOptions {
  readonly pools: { readonly control: Pool; readonly data: Pool };
  readonly writer: WriterLease;
  readonly log: Logger;
  readonly links: { reload(): Promise<void>; saveStates(): Promise<boolean>; saveAnswers(): Promise<void> };
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
  const reload = oneAtATime(() =>
    links.reload().catch((err) => log.warn({ err }, 'supplier refresh failed, will retry')),
  );
  const words = listen(
    pools.control,
    ROUTING_CHANNEL,
    () => void reload.run(),
    (err) => log.warn({ err }, 'routing notifications interrupted, reconnecting'),
  );

  const run = async (): Promise<void> => {
    const failures = reportChanges((err) => log.warn({ err }, 'failover step failed, will retry'));
    while (!ending.signal.aborted) {
      let hurries = false;
      try {
        // The check uses the states reported by senders: report first.
        hurries = await links.saveStates();
        await links.saveAnswers();
        if ((await failover.step()) > 0) onMoved();
        failures.worked();
      } catch (err) {
        failures.failed(err);
      }
      await sleep(hurries ? HURRIED_STEP_MS : STEP_EVERY_MS, undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  const running = run();

  return {
    async stop() {
      ending.abort();
      await Promise.all([running, words.stop()]);
      await reload.settled();
    },
  };
};
