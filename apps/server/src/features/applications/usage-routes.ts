import type { ApplicationUsage } from '@pahatid/contract';
import { findApplication, getCustomerId, messageIdMs } from '@pahatid/db';
import {
  listApiRefusals,
  listCarrierStates,
  listFailedMessages,
  sumApplicationUsage,
} from '@pahatid/db/queries/application-usage';
import { DealResult } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';

const days = 7;
const dayMs = 86_400_000;

export function registerApplicationUsage(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'GET /applications/:appId/usage', async ({ params, scope, inScope }): Promise<ApplicationUsage> => {
    const from = new Date(deps.now().getTime() - days * dayMs);
    // Whether carriers are reached is no customer's row: it is read outside the scope.
    const carriers = await listCarrierStates(deps.pools.control);
    return inScope(async (tx) => {
      const row = await findApplication(tx, getCustomerId(scope), params.appId);
      if (row === null) throw new ProblemError('NOT_FOUND');
      const of = { customerId: row.customerId, appId: row.appId };
      const sums = await sumApplicationUsage(tx, of, from);
      const refusals = await listApiRefusals(tx, of, from);
      const failures = await listFailedMessages(tx, of, from);
      return {
        days,
        requestCount: sums.requested,
        acceptedCount: sums.accepted,
        refusedCount: sums.refused,
        blockedCount: sums.blocked,
        deliveredCount: sums.delivered,
        undeliveredCount: sums.undelivered,
        unknownCount: sums.unknown,
        segments: sums.segments,
        charged: sums.charged,
        lastTime: sums.lastMinute?.toISOString() ?? null,
        refusals: refusals.map((one) => ({
          code: one.code,
          count: one.count,
          lastTime: one.lastAt.toISOString(),
          lastIp: one.lastIp,
        })),
        failures: failures.map((one) => ({
          dealResult: one.dealResult ?? DealResult.RefusedByCarrier,
          count: one.count,
          lastTime: new Date(messageIdMs(one.lastId)).toISOString(),
        })),
        carriers: carriers.map(({ carrier, bound }) => ({ carrier, isConnected: bound > 0 })),
      };
    });
  });
}
