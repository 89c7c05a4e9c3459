/** How the house runs now, for the staff. */
import type { Traffic } from '@pahatid/contract';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { serve } from '../../http/serve.ts';
import { makeReviewRules } from '../../reviewing/review-rules.ts';
import { readTraffic } from './read-traffic.ts';

export interface TrafficOptions {
  /** One look serves all who ask within this time: every open screen of the staff asks every few seconds. */
  readonly freshForMs: number;
}

export const registerTraffic =
  ({ freshForMs }: TrafficOptions) =>
  (app: FastifyInstance, deps: ApiDeps): void => {
    const readRules = makeReviewRules(deps.pools.control);
    let known: { traffic: Promise<Traffic>; atMs: number } | null = null;

    serve(app, 'GET /traffic', async () => {
      const nowMs = performance.now();
      if (known !== null && nowMs - known.atMs < freshForMs) return await known.traffic;
      const entry = { traffic: readTraffic(deps, readRules), atMs: nowMs };
      known = entry;
      // A failure is not remembered: the next call asks again.
      entry.traffic.catch(() => {
        if (known === entry) known = null;
      });
      return await entry.traffic;
    });
  };
