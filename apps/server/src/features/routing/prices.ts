import type { PriceRequest } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { notify, ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import { countPrices, findPriceView, listPriceViews, type PriceView } from '@pahatid/db/queries/routing-admin';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { applyPrice, isPriceBeyond, priceConflicts, priceInForce } from '../../approvals/apply-price.ts';
import { type Requester, requestApproval } from '../../approvals/request-approval.ts';
import { onConflict } from '../../http/conflicts.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { presentPrice, priceColumns } from './present-route.ts';

const SORT = 'prices';

const found = <T>(row: T | null): T => {
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
};

export function registerPrices(app: FastifyInstance, deps: ApiDeps): void {
  const notifyListeners = async (): Promise<void> => {
    await notify(deps.pools.control, ROUTING_CHANNEL, '').catch((err: unknown) =>
      deps.log.warn({ err }, 'notification of changed prices failed, routing reloads later'),
    );
  };

  serveList(app, 'GET /prices', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, 'priceId');
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const { customerId, carrier } = query;
        const filter = {
          customerId,
          carrier,
          after: decodeCursor(cursor, name, ['uuid']),
          isReversed,
          limit: limit + 1,
        };
        const { rows, nextCursor } = toPage(await listPriceViews(tx, filter), limit, name, (row) => [row.priceId]);
        return { items: rows.map(presentPrice), nextCursor, total: await countPrices(tx, filter) };
      });
    return { fileName: 'prices', columns: priceColumns, readPage };
  });

  serve(app, 'GET /prices/:priceId', ({ params, inScope }) =>
    inScope(async (tx) => presentPrice(found(await findPriceView(tx, params.priceId)))),
  );

  /** Makes the change and writes it down, or leaves it as a request for another member of staff. */
  const change = async (tx: PoolClient, { user, audit }: Requester, request: PriceRequest) => {
    if (await isPriceBeyond(tx, request))
      return requestApproval(tx, { user, audit }, deps, { kind: 'price', customerId: request.customerId, request });
    await audit(tx, await applyPrice(tx, request, user.account));
    return null;
  };

  serve(app, 'POST /prices', async ({ body, user, inScope, audit }) => {
    const id = uuidV7();
    const added = await onConflict(priceConflicts, () =>
      inScope(async (tx) => {
        const before = await priceInForce(tx, body);
        const request = { ...body, action: 'add', id, version: null, before, effectiveTime: null } as const;
        return (await change(tx, { user, audit }, request)) ?? presentPrice(found(await findPriceView(tx, id)));
      }),
    );
    await notifyListeners();
    return added;
  });

  serve(app, 'PATCH /prices/:priceId', async ({ params, body, user, inScope, audit }) => {
    const changed = await inScope(async (tx) => {
      const row = found(await findPriceView(tx, params.priceId));
      if (row.version !== body.version) throw new ProblemError('CONFLICT');
      const request = { ...requestOf(row, 'edit'), price: body.price };
      return (
        (await change(tx, { user, audit }, request)) ?? presentPrice(found(await findPriceView(tx, params.priceId)))
      );
    });
    await notifyListeners();
    return changed;
  });

  serve(app, 'DELETE /prices/:priceId', async ({ params, user, inScope, audit }) => {
    const pending = await inScope(async (tx) => {
      const row = found(await findPriceView(tx, params.priceId));
      return change(tx, { user, audit }, { ...requestOf(row, 'delete'), price: null });
    });
    await notifyListeners();
    return pending ?? undefined;
  });
}

const requestOf = (row: PriceView, action: 'edit' | 'delete') => ({
  action,
  id: row.priceId,
  version: row.version,
  areaCode: row.areaCode,
  carrier: row.carrier,
  smsType: row.smsType,
  customerId: row.customerId,
  before: row.price,
  effectiveTime: null,
});
