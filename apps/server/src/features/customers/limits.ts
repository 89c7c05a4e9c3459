/** A customer's limits: on its traffic, and the pace and payment of its applications. */
import type { CustomerLimit } from '@pahatid/contract';
import { type Db, uuidV7 } from '@pahatid/db';
import { lockCustomerApplication, updateCustomerApplication } from '@pahatid/db/queries/customer-admin';
import { deleteCustomerLimit, insertCustomerLimit } from '@pahatid/db/queries/customer-limits';
import { notify, ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import { listCountryPrices } from '@pahatid/db/queries/routing';
import { reviewHeldTasks } from '@pahatid/db/queries/threshold-holding';
import { hasCountryPrice } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { mustFindCustomer } from './find-customer.ts';

const none = {
  sameContentPer30s: null,
  perMinute: null,
  perHour: null,
  perDay: null,
  period: null,
  unit: null,
  limitAt: null,
};

export function registerLimits(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'POST /customers/:customerId/limits', ({ params, body, inScope, audit }) => {
    const { customerId } = params;
    if (
      body.kind === 'frequency' &&
      [body.sameContentPer30s, body.perMinute, body.perHour, body.perDay].every((n) => n === null)
    )
      throw fieldProblem('perDay', 'REQUIRED');
    const limit: CustomerLimit = { ...none, ...body, thresholdId: uuidV7(), setBy: 'staff' };
    return inScope(async (tx) => {
      await mustFindCustomer(tx, customerId);
      if (body.appId !== null && (await lockCustomerApplication(tx, customerId, body.appId)) === null)
        throw new ProblemError('APP_NOT_FOUND', { appId: body.appId }, [{ field: 'appId', code: 'APP_NOT_FOUND' }]);
      await insertCustomerLimit(tx, customerId, limit);
      await audit(tx, { customerId, action: 'add', subjectType: 'limit', subjectId: limit.thresholdId, after: body });
      return limit;
    });
  });

  serve(app, 'DELETE /customers/:customerId/limits/:thresholdId', ({ params, inScope, audit }) => {
    const { customerId, thresholdId } = params;
    return inScope(async (tx) => {
      const before = await deleteCustomerLimit(tx, customerId, thresholdId);
      if (before === null) throw new ProblemError('NOT_FOUND');
      // Tasks held by it resume as far as the other limits allow.
      await reviewHeldTasks(tx, customerId);
      await audit(tx, { customerId, action: 'delete', subjectType: 'limit', subjectId: thresholdId, before });
      return undefined;
    });
  });

  serve(
    app,
    'PATCH /customers/:customerId/applications/:appId',
    async ({ params, body, inScope, audit, needProof }) => {
      const { customerId, appId } = params;
      const changed = await inScope(async (tx) => {
        await mustFindCustomer(tx, customerId);
        const before = await lockCustomerApplication(tx, customerId, appId);
        if (before === null) throw new ProblemError('NOT_FOUND');
        if (body.chargeType !== undefined && body.chargeType !== before.chargeType) needProof();
        const change = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
        if (body.countries) {
          change.countries = [...new Set(body.countries)];
          const opened = body.countries.filter((areaCode) => !before.countries.includes(areaCode));
          await assertPriced(tx, customerId, opened);
        }
        const after = await updateCustomerApplication(tx, customerId, { ...before, ...change });
        await audit(tx, { customerId, action: 'edit', subjectType: 'application', subjectId: appId, before, after });
        return after;
      });
      if (body.countries)
        await notify(deps.pools.control, ROUTING_CHANNEL, '').catch((err: unknown) =>
          deps.log.warn({ err }, 'notification of changed open countries failed, routing reloads later'),
        );
      return changed;
    },
  );
}

/** Throws for the first country that has no price for every message of the customer. */
async function assertPriced(tx: Db, customerId: string, areaCodes: readonly string[]): Promise<void> {
  const prices = await listCountryPrices(tx, areaCodes);
  const without = areaCodes.find((areaCode) => !hasCountryPrice(prices, areaCode, customerId));
  if (without === undefined) return;
  const params = { areaCode: without };
  throw new ProblemError('COUNTRY_WITHOUT_PRICE', params, [
    { field: 'countries', code: 'COUNTRY_WITHOUT_PRICE', params },
  ]);
}
