import { type RouteRuleItem, type RoutingWarning, UseState } from '@pahatid/contract';
import { loadRouting, uuidV7 } from '@pahatid/db';
import { notify, ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import {
  countRoutes,
  findRouteView,
  insertRoute,
  keyOfRoute,
  listRouteViews,
  type RouteFields,
  type RouteView,
  removeRoute,
  switchRoute,
  updateRoute,
} from '@pahatid/db/queries/routing-admin';
import { findSupplierView, listDownSuppliers } from '@pahatid/db/queries/supplier-admin';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { onConflict } from '../../http/conflicts.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { noticesOfRouting } from '../../sending/route/routing-notices.ts';
import { warnOfGaps } from '../../sending/route/routing-warnings.ts';
import { presentRoute, presentSettings, routeColumns } from './present-route.ts';

const SORT = 'routes';
const TAKEN = { route_name_live: 'ROUTE_NAME_TAKEN' } as const;

const found = <T>(row: T | null): T => {
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
};

const checkSupplier = async (tx: PoolClient, supplierId: string | undefined): Promise<void> => {
  if (supplierId === undefined || (await findSupplierView(tx, supplierId)) !== null) return;
  throw new ProblemError('SUPPLIER_NOT_FOUND', { supplierId }, [{ field: 'supplierId', code: 'SUPPLIER_NOT_FOUND' }]);
};

type Changed = RouteRuleItem & { warnings: RoutingWarning[] };

export function registerRoutes(app: FastifyInstance, deps: ApiDeps): void {
  /** Runs a change with its deletions, and notifies senders and accepting processes. */
  const changing = async (
    inScope: <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>,
    work: (tx: PoolClient) => Promise<RouteView>,
  ): Promise<Changed> => {
    const changed = await onConflict(TAKEN, () =>
      inScope(async (tx) => {
        const before = await loadRouting(tx);
        const row = await work(tx);
        return { ...presentRoute(row), warnings: warnOfGaps(before, await loadRouting(tx)) };
      }),
    );
    await notify(deps.pools.control, ROUTING_CHANNEL, '').catch((err: unknown) =>
      deps.log.warn({ err }, 'notification of changed carrier routes failed, routing reloads later'),
    );
    return changed;
  };

  serveList(app, 'GET /routes', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, '-priority');
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const filter = {
          search: query.search,
          supplierId: query.supplierId,
          carrier: query.carrier,
          useState: query.useState === undefined ? undefined : (Number(query.useState) as UseState),
          after: decodeCursor(cursor, name, ['number', 'text', 'uuid']),
          isReversed,
          limit: limit + 1,
        };
        const { rows, nextCursor } = toPage(await listRouteViews(tx, filter), limit, name, keyOfRoute);
        return { items: rows.map(presentRoute), nextCursor, total: await countRoutes(tx, filter) };
      });
    return { fileName: 'routes', columns: routeColumns, readPage };
  });

  serve(app, 'POST /routes', ({ body, inScope, audit }) =>
    changing(inScope, async (tx) => {
      await checkSupplier(tx, body.supplierId);
      const routeId = uuidV7();
      await insertRoute(tx, routeId, body);
      const row = found(await findRouteView(tx, routeId));
      await audit(tx, { action: 'add', subjectType: 'route', subjectId: routeId, after: presentSettings(row) });
      return row;
    }),
  );

  serve(app, 'GET /routes/notices', ({ inScope }) =>
    inScope(async (tx) => {
      const [ofRouting, down] = [noticesOfRouting(await loadRouting(tx)), await listDownSuppliers(tx)];
      const ofSuppliers = down.map((row) => ({
        code: 'SUPPLIER_DOWN' as const,
        ...row,
        since: row.since?.toISOString() ?? null,
      }));
      return { items: [...ofSuppliers, ...ofRouting] };
    }),
  );

  serve(app, 'GET /routes/:routeId', ({ params, inScope }) =>
    inScope(async (tx) => presentRoute(found(await findRouteView(tx, params.routeId)))),
  );

  serve(app, 'PATCH /routes/:routeId', ({ params, body, inScope, audit }) =>
    changing(inScope, async (tx) => {
      const { version, ...change } = body;
      const before = found(await findRouteView(tx, params.routeId));
      await checkSupplier(tx, change.supplierId);
      const isEdited = await updateRoute(tx, params.routeId, version, change as Partial<RouteFields>);
      if (!isEdited) throw new ProblemError('CONFLICT');
      const after = found(await findRouteView(tx, params.routeId));
      await audit(tx, {
        action: 'edit',
        subjectType: 'route',
        subjectId: params.routeId,
        before: presentSettings(before),
        after: presentSettings(after),
      });
      return after;
    }),
  );

  for (const [action, useState] of [
    ['enable', UseState.Enabled],
    ['disable', UseState.Disabled],
  ] as const)
    serve(app, `POST /routes/:routeId/${action}`, ({ params, inScope, audit }) =>
      changing(inScope, async (tx) => {
        found(await findRouteView(tx, params.routeId));
        if (!(await switchRoute(tx, params.routeId, useState))) throw new ProblemError('CONFLICT');
        await audit(tx, { action, subjectType: 'route', subjectId: params.routeId, after: { useState } });
        return found(await findRouteView(tx, params.routeId));
      }),
    );

  serve(app, 'DELETE /routes/:routeId', ({ params, inScope, audit }) =>
    changing(inScope, async (tx) => {
      const row = found(await findRouteView(tx, params.routeId));
      if (!(await removeRoute(tx, params.routeId))) throw new ProblemError('NOT_FOUND');
      await audit(tx, {
        action: 'delete',
        subjectType: 'route',
        subjectId: params.routeId,
        before: presentSettings(row),
      });
      return row;
    }),
  );
}
