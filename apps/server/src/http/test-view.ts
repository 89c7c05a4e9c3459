/**
 * How people of a customer look at what was sent with its test keys (decision 146): by `test=1` in the query. The data are
 * then those of the test customer. Who the caller is, names and the audit log stay the customer's own.
 */
import type { RouteKey } from '@pahatid/contract';
import { inScope, type Scope } from '@pahatid/db';
import { listTestApplications } from '@pahatid/db/queries/test-mode';
import { toTestCustomer } from '@pahatid/domain';
import type { FastifyRequest } from 'fastify';
import type { Call, Caller, CallingApplication } from './call.ts';
import type { ApiDeps } from './deps.ts';
import { fieldProblem } from './problem.ts';
import { readIn } from './read-in.ts';

export const toTestAppId =
  (application: CallingApplication | null) =>
  (appId: string): string =>
    application?.isTest === true && appId === application.live.appId ? application.appId : appId;

/** The id by which the users of an application of test mode know it: that of the live one. */
export const toLiveAppId =
  (application: CallingApplication | null) =>
  (appId: string): string =>
    application?.isTest === true && appId === application.appId ? application.live.appId : appId;

interface View<Query> extends Pick<Call<RouteKey>, 'inDataScope' | 'inReadScope' | 'toShownAppId'> {
  readonly scope: Scope;
  readonly query: Query;
}

/** Returns what changes in the call; null: it asks for no test data. Software sees those with a test key alone. */
export async function findTestView<Query extends object>(
  { user, query }: { user: Pick<Caller, 'userId' | 'customerId'> | null; query: Query | undefined },
  request: FastifyRequest,
  deps: Pick<ApiDeps, 'config' | 'pools' | 'replicas'>,
): Promise<View<Query> | null> {
  const { pools } = deps;
  const { test, appId } = (query ?? {}) as { test?: '1'; appId?: string };
  if (query === undefined || test === undefined) return null;
  if (user === null || user.userId === null || user.customerId === null) throw fieldProblem('test', 'NOT_AN_OPTION');
  const scope = { customerId: toTestCustomer(user.customerId) };
  const applications = await listTestApplications(pools.control, user.customerId);
  const live = new Map(applications.map((each) => [each.appId, each.liveAppId]));
  const own = applications.find((each) => each.liveAppId === appId)?.appId;
  return {
    scope,
    // One without a test key has sent nothing: its own id finds nothing here.
    query: { ...query, ...(own !== undefined && { appId: own }) },
    inDataScope: (work) => inScope(pools.data, scope, work),
    inReadScope: readIn(() => scope, request, deps),
    toShownAppId: (stored) => live.get(stored) ?? stored,
  };
}
