/** Previous prices, and future ones from a day on. */
import type { SmsType } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import {
  countPriceChanges,
  findPriceChange,
  listPriceChanges,
  type PriceChangeView,
  withdrawPriceChange,
} from '@pahatid/db/queries/price-changes';
import type { FastifyInstance } from 'fastify';
import { applyPrice, isPriceBeyond, priceConflicts, priceInForce } from '../../approvals/apply-price.ts';
import { requestApproval } from '../../approvals/request-approval.ts';
import { onConflict } from '../../http/conflicts.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { presentPriceChange, priceChangeColumns } from './present-route.ts';

const SORT = 'price-changes';
const YEAR_MS = 366 * 86_400_000;

const found = <T>(row: T | null): T => {
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
};

export function registerPriceChanges(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /price-changes', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, '-effectiveTime');
    const readPage = (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const filter = {
          planned: query.planned === undefined ? undefined : query.planned === '1',
          customerId: query.customerId,
          carrier: query.carrier,
          areaCode: query.areaCode,
          smsType: query.smsType === undefined ? undefined : (Number(query.smsType) as SmsType),
          after: decodeCursor(cursor, name, ['time', 'uuid']),
          isReversed,
          limit: limit + 1,
        };
        const keyOf = (row: PriceChangeView) => [row.timeKey, row.changeId];
        const { rows, nextCursor } = toPage(await listPriceChanges(tx, filter), limit, name, keyOf);
        return { items: rows.map(presentPriceChange), nextCursor, total: await countPriceChanges(tx, filter) };
      });
    return { fileName: 'price-changes', columns: priceChangeColumns, readPage };
  });

  serve(app, 'POST /price-changes', async ({ body, user, inScope, audit }) => {
    const effectiveTime = new Date(body.effectiveTime);
    const now = deps.now().getTime();
    if (effectiveTime.getTime() <= now) throw fieldProblem('effectiveTime', 'NOT_IN_FUTURE');
    if (effectiveTime.getTime() > now + 2 * YEAR_MS) throw fieldProblem('effectiveTime', 'INVALID');
    const changeId = uuidV7();
    return onConflict(priceConflicts, () =>
      inScope(async (tx) => {
        const before = await priceInForce(tx, body);
        const request = { ...body, action: 'plan', id: changeId, version: null, before } as const;
        if (await isPriceBeyond(tx, request)) {
          const asked = { kind: 'price', customerId: body.customerId, request, until: effectiveTime } as const;
          return requestApproval(tx, { user, audit }, deps, asked);
        }
        await audit(tx, await applyPrice(tx, request, user.account));
        return presentPriceChange(found(await findPriceChange(tx, changeId)));
      }),
    );
  });

  serve(app, 'DELETE /price-changes/:changeId', async ({ params, inScope, audit }) => {
    await inScope(async (tx) => {
      const row = found(await findPriceChange(tx, params.changeId));
      if (!(await withdrawPriceChange(tx, params.changeId))) throw new ProblemError('NOT_FOUND');
      const before = presentPriceChange(row);
      await audit(tx, { action: 'withdraw', subjectType: 'price', subjectId: params.changeId, before });
    });
    return undefined;
  });
}
