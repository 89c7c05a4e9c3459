import { uuidV7 } from '@pahatid/db';
import { notify, ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import { notePriceChange } from '@pahatid/db/queries/price-changes';
import {
  countPrices,
  findPriceView,
  insertPrice,
  listPriceViews,
  removePrice,
  updatePrice,
} from '@pahatid/db/queries/routing-admin';
import type { FastifyInstance } from 'fastify';
import { onConflict } from '../../http/conflicts.ts';
import { csvAnswer, eachRow } from '../../http/csv.ts';
import { decodeCursor, pageOf } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { presentPrice, priceColumns } from './present-route.ts';

const SORT = 'prices';
const PROBLEMS = { price_unique: 'PRICE_TAKEN', price_customer_id_fkey: 'CUSTOMER_NOT_FOUND' } as const;

const found = <T>(row: T | null): T => {
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
};

export function registerPrices(app: FastifyInstance, deps: ApiDeps): void {
  const tell = async (): Promise<void> => {
    await notify(deps.pools.control, ROUTING_CHANNEL, '').catch((err: unknown) =>
      deps.log.warn({ err }, 'a change of prices was not told'),
    );
  };

  serve(app, 'GET /prices', async ({ query, wantsCsv, inScope }) => {
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const { customerId, carrier } = query;
        const filter = { customerId, carrier, after: decodeCursor(cursor, SORT, ['uuid']), limit: limit + 1 };
        const { rows, nextCursor } = pageOf(await listPriceViews(tx, filter), limit, SORT, (row) => [row.priceId]);
        return { items: rows.map(presentPrice), nextCursor, total: await countPrices(tx, filter) };
      });
    if (!wantsCsv) return readPage(query.cursor, query.limit);
    const rows = eachRow((cursor) => readPage(cursor, 200));
    return csvAnswer({ fileName: 'prices', columns: priceColumns, rows });
  });

  serve(app, 'GET /prices/:priceId', ({ params, inScope }) =>
    inScope(async (tx) => presentPrice(found(await findPriceView(tx, params.priceId)))),
  );

  serve(app, 'POST /prices', async ({ body, user, inScope, audit }) => {
    const priceId = uuidV7();
    const added = await onConflict(PROBLEMS, () =>
      inScope(async (tx) => {
        await insertPrice(tx, { ...body, priceId });
        await notePriceChange(tx, body, body.price, user.account);
        await audit(tx, { action: 'add', subjectType: 'price', subjectId: priceId, after: body });
        return presentPrice(found(await findPriceView(tx, priceId)));
      }),
    );
    await tell();
    return added;
  });

  serve(app, 'PATCH /prices/:priceId', async ({ params, body, user, inScope, audit }) => {
    const changed = await inScope(async (tx) => {
      const before = found(await findPriceView(tx, params.priceId));
      if (!(await updatePrice(tx, params.priceId, body.version, body.price))) throw new ProblemError('CONFLICT');
      await notePriceChange(tx, before, body.price, user.account);
      await audit(tx, {
        action: 'edit',
        subjectType: 'price',
        subjectId: params.priceId,
        before: { price: before.price },
        after: { price: body.price },
      });
      return presentPrice(found(await findPriceView(tx, params.priceId)));
    });
    await tell();
    return changed;
  });

  serve(app, 'DELETE /prices/:priceId', async ({ params, user, inScope, audit }) => {
    await inScope(async (tx) => {
      const before = found(await findPriceView(tx, params.priceId));
      if (!(await removePrice(tx, params.priceId))) throw new ProblemError('NOT_FOUND');
      await notePriceChange(tx, before, null, user.account);
      await audit(tx, { action: 'delete', subjectType: 'price', subjectId: params.priceId, before });
    });
    await tell();
    return undefined;
  });
}
