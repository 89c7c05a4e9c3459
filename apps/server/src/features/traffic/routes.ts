/** Current state of the system, for staff. */
import type { Traffic } from '@pahatid/contract';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { serve } from '../../http/serve.ts';
import { makeReviewRules } from '../../review-rules/review-rules.ts';
import { readTraffic } from './read-traffic.ts';

export interface TrafficOptions {
  /** Period for which one result is shared by all callers: every open staff screen polls every few seconds. */
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
