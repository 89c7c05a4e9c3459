/**
 * Callbacks to customers' endpoints: read by all users of the customer, its software and the staff; sent again by owners and
 * software; addresses are changed by owners alone.
 */
import { getCustomerId } from '@pahatid/db';
import {
  type EndpointRow,
  findEndpoint,
  listAttempts,
  listEndpoints,
  rotateCallbackSecret,
  setEndpoint,
} from '@pahatid/db/queries/callback-endpoints';
import {
  type CallbackRow,
  findCallback,
  listCallbacks,
  replayCallbacks,
  retryCallback,
} from '@pahatid/db/queries/callback-log';
import { isTestCustomer } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { makeCallbackGuard } from '../../callbacks/guard.ts';
import { makePoster } from '../../callbacks/post.ts';
import { presentAttempt, presentBody, presentCallback, presentEndpoint } from '../../callbacks/present-callback.ts';
import { toSecretHint } from '../../callbacks/save-endpoints.ts';
import { makeCallbackSecret } from '../../callbacks/sign.ts';
import { writeBodies } from '../../callbacks/write-bodies.ts';
import type { Call } from '../../http/call.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { reauthenticate } from '../../http/reauthenticate.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { callbackColumns, endpointColumns } from './csv-columns.ts';
import { testEndpoint } from './test-endpoint.ts';

const ENDPOINTS = 'callbackEndpoints';
const EVENTS = 'callbacks';
const triesShown = 50;
/** After a rotation both secrets sign so long. */
const overlapMs = 24 * 3_600_000;

const found = <T>(row: T | null): T => {
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
};
const dateOf = (instant: string | undefined): Date | undefined =>
  instant === undefined ? undefined : new Date(instant);

export function registerCallbacks(app: FastifyInstance, deps: ApiDeps): void {
  const poster = makePoster(makeCallbackGuard(deps.config));
  app.addHook('onClose', async () => poster.close());

  serveList(app, 'GET /callback-endpoints', async ({ query, scope, user, inScope }) => {
    const { name, isReversed } = readOrder(ENDPOINTS, query.sort, '-endpointId');
    return {
      fileName: 'callback-endpoints',
      columns: endpointColumns,
      readPage: (cursor, limit) =>
        inScope(async (tx) => {
          const { kind, appId } = query;
          const page = { after: decodeCursor(cursor, name, ['uuid']), isDescending: !isReversed, limit: limit + 1 };
          const filter = { customerId: getCustomerId(scope), kind, appId };
          const listed = await listEndpoints(tx, filter, page);
          const { rows, nextCursor } = toPage(listed, limit, name, (row) => [row.endpointId]);
          const items = [];
          for (const row of rows) items.push(await presentEndpoint(tx, row, user, deps.now()));
          return { items, nextCursor };
        }),
    };
  });

  serve(app, 'GET /callback-endpoints/:endpointId', (call) =>
    call.inScope(async (tx) =>
      presentEndpoint(tx, found(await findEndpoint(tx, ownOf(call), call.params.endpointId)), call.user, deps.now()),
    ),
  );

  serve(app, 'PATCH /callback-endpoints/:endpointId', ({ params, body, scope, user, inScope, audit }) =>
    inScope(async (tx) => {
      const customerId = getCustomerId(scope);
      const mustFind = async (): Promise<EndpointRow> =>
        found(await findEndpoint(tx, { customerId }, params.endpointId));
      const before = await mustFind();
      const { endpointId } = before;
      if (body.events !== undefined && before.kind === 'alert') throw fieldProblem('events', 'NOT_AN_OPTION');
      const { batched = before.isBatched } = body;
      const events = body.events === undefined ? before.events : [...new Set(body.events)];
      await setEndpoint(tx, { endpointId, isBatched: batched, events });
      await audit(tx, {
        action: 'edit',
        subjectType: 'callbackEndpoint',
        subjectId: endpointId,
        before: { batched: before.isBatched, events: before.events },
        after: { batched, events },
      });
      return presentEndpoint(tx, await mustFind(), user, deps.now());
    }),
  );

  serve(app, 'POST /callback-endpoints/:endpointId/test', (call) => testEndpoint(call, deps, poster));

  serve(app, 'POST /callback-endpoints/:endpointId/secret', async ({ params, body, scope, user, inScope, audit }) => {
    const find = (tx: PoolClient) => findEndpoint(tx, { customerId: getCustomerId(scope) }, params.endpointId);
    // A caller without such an endpoint gets this error before the password is checked.
    found(await inScope(find));
    await reauthenticate(app.api, user, body.currentPassword);
    return inScope(async (tx) => {
      const { customerId, endpointId } = found(await find(tx));
      const secret = makeCallbackSecret();
      const expires = await rotateCallbackSecret(tx, {
        customerId,
        endpointId,
        now: deps.now(),
        overlapMs: body.endPrevious ? 0 : overlapMs,
        sealed: deps.secrets.seal('webhook-secret', secret),
        hint: toSecretHint(secret),
      });
      const previousExpireTime = expires?.toISOString() ?? null;
      await audit(tx, {
        action: 'rotateCallbackSecret',
        subjectType: 'callbackEndpoint',
        subjectId: endpointId,
        after: { previousExpireTime },
      });
      return { secret, previousExpireTime };
    });
  });

  serve(app, 'POST /callback-endpoints/:endpointId/replay', (call) =>
    call.inScope(async (tx) => {
      const { params, body, audit } = call;
      const { endpointId, customerId, state } = found(await findEndpoint(tx, ownOf(call), params.endpointId));
      if (state !== 'enabled') throw new ProblemError('CALLBACK_NOT_ENABLED');
      const { from, which } = body;
      const count = await replayCallbacks(tx, { endpointId, customerId, from: new Date(from), which });
      await audit(tx, {
        action: 'replay',
        subjectType: 'callbackEndpoint',
        subjectId: endpointId,
        after: { from, which, count },
      });
      return { count };
    }),
  );

  serveList(app, 'GET /callbacks', async (call) => {
    const { query, scope } = call;
    const { endpointId, type, state, messageId } = query;
    const appId = query.appId === undefined ? undefined : call.toShownAppId(query.appId);
    const { name, isReversed } = readOrder(EVENTS, query.sort, '-time');
    const filter = {
      customerId: getCustomerId(scope),
      endpointId,
      appId,
      type,
      state,
      messageId,
      from: dateOf(query.from),
      to: dateOf(query.to),
    };
    const readPage = (cursor: string | undefined, limit: number) =>
      inLog(call, async (tx) => {
        const page = { after: decodeCursor(cursor, name, ['uuid']), isDescending: !isReversed, limit: limit + 1 };
        const listed = await listCallbacks(tx, filter, page);
        const { rows, nextCursor } = toPage(listed, limit, name, (row) => [row.eventId]);
        return { items: rows.map(presentCallback), nextCursor };
      });
    return { fileName: 'callbacks', columns: callbackColumns, readPage };
  });

  serve(app, 'GET /callbacks/:eventId', (call) =>
    inLog(call, async (tx) => {
      const { params, user } = call;
      const row = found(await findCallback(tx, ownOf(call), params.eventId));
      const bodies = await writeBodies(tx, row, [row]);
      const tries = await listAttempts(tx, row.eventId, triesShown);
      return {
        ...presentCallback(row),
        body: presentBody(bodies.get(row.eventId)?.text ?? '', user),
        tries: tries.map((each) => presentAttempt(each, user)),
      };
    }),
  );

  serve(app, 'POST /callbacks/:eventId/retry', (call) =>
    inLog(call, async (tx) => {
      const { params, audit } = call;
      const mustFind = async (): Promise<CallbackRow> => found(await findCallback(tx, ownOf(call), params.eventId));
      const row = await mustFind();
      if (row.endpointState !== 'enabled') throw new ProblemError('CALLBACK_NOT_ENABLED');
      const { eventId } = row;
      await retryCallback(tx, row);
      await audit(tx, { action: 'resend', subjectType: 'callback', subjectId: eventId });
      return presentCallback(await mustFind());
    }),
  );
}

type LogCall = Pick<Call<'GET /callbacks'>, 'scope' | 'toShownAppId' | 'inScope' | 'withTransaction'>;

/** What a call finds by an id: of software what belongs to its application. */
const ownOf = ({ scope, toShownAppId }: LogCall): { customerId: string | null; appId?: string } => ({
  customerId: getCustomerId(scope),
  ...('appId' in scope && scope.appId !== undefined && { appId: toShownAppId(scope.appId) }),
});

/**
 * Events of test mode went to the address of the live application, which their scope does not show: they are read without
 * row level security, by their customer, who has no others.
 */
const inLog = <T>({ scope, inScope, withTransaction }: LogCall, work: (tx: PoolClient) => Promise<T>): Promise<T> =>
  isTestCustomer(getCustomerId(scope) ?? '') ? withTransaction(work) : inScope(work);
