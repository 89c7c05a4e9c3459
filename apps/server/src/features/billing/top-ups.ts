/** Top-ups that owners ask for, and what staff decide. */
import { mostPendingTopUps, Role, receiptLimitBytes, type TopUp } from '@pahatid/contract';
import { getCustomerId, uuidV7, withTransaction } from '@pahatid/db';
import { listStaff } from '@pahatid/db/queries/staff';
import {
  countPendingTopUps,
  endTopUp,
  findTopUp,
  findTopUpReceipt,
  insertTopUp,
  listTopUps,
  lockPendingTopUp,
  type TopUpRow,
} from '@pahatid/db/queries/top-ups';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { SignedInUser } from '../../http/call.ts';
import { type CsvColumn, column } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { readAttachment } from '../../http/read-attachment.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { notify } from '../../notices/notify.ts';
import { notifyTopUpDecided } from '../../notices/notify-top-up-decided.ts';
import { approveTopUp } from './approve-top-up.ts';

const SORT = 'topUps';
const RETRY_AFTER_S = 3_600;

export function registerTopUps(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /top-ups', async ({ query, scope, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, '-requestTime');
    const own = getCustomerId(scope);
    if (own !== null && query.customerId !== undefined && query.customerId !== own) throw new ProblemError('NOT_FOUND');
    const filter = { customerId: own ?? query.customerId ?? null, state: query.state };
    return {
      fileName: 'top-ups',
      columns: columnsFor(own === null),
      readPage: (cursor, limit) =>
        inScope(async (tx) => {
          const page = { after: decodeCursor(cursor, name, ['uuid']), isDescending: !isReversed, limit: limit + 1 };
          const { rows, nextCursor } = toPage(await listTopUps(tx, { ...filter, ...page }), limit, name, (row) => [
            row.topUpId,
          ]);
          return { items: rows.map((row) => presentTopUp(row, own === null)), nextCursor };
        }),
    };
  });

  serve(app, 'POST /top-ups', async ({ body, user, scope, inScope, audit }) => {
    const customerId = getCustomerId(scope);
    if (customerId === null) throw new ProblemError('FORBIDDEN');
    const { amount, reference } = body;
    const receipt = body.receipt === undefined ? null : readAttachment(body.receipt, 'receipt', receiptLimitBytes);
    const topUpId = uuidV7();
    const asked = await inScope(async (tx) => {
      if ((await countPendingTopUps(tx, customerId)) >= mostPendingTopUps)
        throw new ProblemError('RATE_LIMITED', { retryAfterS: RETRY_AFTER_S });
      await insertTopUp(tx, {
        ...{ topUpId, customerId, userId: user.userId, amount, reference, receipt },
        at: deps.now(),
      });
      const after = { amount, reference, receipt: receipt?.name ?? null };
      await audit(tx, { action: 'add', subjectType: 'topUp', subjectId: topUpId, after });
      return presentTopUp(await mustFind(tx, topUpId), false);
    });
    await notifyStaff(topUpId, user).catch((err: unknown) =>
      deps.log.warn({ err }, 'staff not notified of a requested top-up'),
    );
    return asked;
  });

  serve(app, 'GET /top-ups/:topUpId/receipt', async ({ params, inScope }) => {
    const receipt = await inScope((tx) => findTopUpReceipt(tx, params.topUpId));
    if (receipt === null) throw new ProblemError('NOT_FOUND');
    return receipt;
  });

  serve(app, 'POST /top-ups/:topUpId/withdraw', async ({ params, user, inScope, audit }) => {
    await inScope(async (tx) => {
      await end(tx, params.topUpId, { state: 'withdrawn', user, reason: null });
      await audit(tx, { action: 'withdraw', subjectType: 'topUp', subjectId: params.topUpId });
    });
    return undefined;
  });

  serve(app, 'POST /customers/:customerId/top-ups/:topUpId/approve', ({ params, body, user, inScope, audit }) =>
    inScope(async (tx) => {
      const { topUpId } = params;
      const { amount } = body;
      await mustFind(tx, topUpId, params.customerId);
      await approveTopUp(tx, { topUpId, amount, user, audit }, deps);
      return presentTopUp(await mustFind(tx, topUpId), true);
    }),
  );

  serve(app, 'POST /customers/:customerId/top-ups/:topUpId/reject', async ({ params, body, user, inScope, audit }) => {
    await inScope(async (tx) => {
      const { topUpId } = params;
      const { customerId } = await mustFind(tx, topUpId, params.customerId);
      await end(tx, topUpId, { state: 'rejected', user, reason: body.reason });
      const after = { reason: body.reason };
      await audit(tx, { customerId, action: 'reject', subjectType: 'topUp', subjectId: topUpId, after });
      await notifyTopUpDecided(tx, topUpId, deps.config);
    });
    return undefined;
  });

  /** Their notices are none of the customer's, whose transaction may not write them. */
  const notifyStaff = (topUpId: string, { account }: SignedInUser): Promise<void> =>
    withTransaction(deps.pools.control, async (tx) => {
      const staff = await listStaff(tx);
      await notify(
        tx,
        {
          kind: 'approvalPending',
          customerId: null,
          params: { approvalId: topUpId, of: 'topUp', account },
          userIds: staff.filter(({ role }) => role === Role.Admin).map(({ userId }) => userId),
          onceKey: `topUp:${topUpId}`,
        },
        deps.config,
      );
    });

  const end = async (
    tx: PoolClient,
    topUpId: string,
    { state, user, reason }: { state: 'rejected' | 'withdrawn'; user: SignedInUser; reason: string | null },
  ): Promise<void> => {
    await mustFind(tx, topUpId);
    if ((await lockPendingTopUp(tx, topUpId)) === null) throw new ProblemError('CONFLICT');
    await endTopUp(tx, topUpId, { state, entered: null, userId: user.userId, reason, now: deps.now() });
  };
}

async function mustFind(tx: PoolClient, topUpId: string, customerId?: string): Promise<TopUpRow> {
  const row = await findTopUp(tx, topUpId);
  if (row === null || (customerId !== undefined && row.customerId !== customerId)) throw new ProblemError('NOT_FOUND');
  return row;
}

/** Customers see no customer's name, and nothing of the staff. */
function presentTopUp({ operator, approvalId, requestTime, decideTime, ...row }: TopUpRow, isStaff: boolean): TopUp {
  return {
    ...row,
    requestTime: requestTime.toISOString(),
    decideTime: decideTime?.toISOString() ?? null,
    ...(isStaff && { operator, approvalId: row.state === 'pending' ? approvalId : null }),
  };
}

const columnsFor = (isStaff: boolean): readonly CsvColumn<TopUp>[] => [
  column('申请时间', 'Requested', (row) => row.requestTime),
  ...(isStaff ? [column<TopUp>('客户', 'Customer', (row) => row.operator)] : []),
  column('申请人', 'Requested by', (row) => row.requestedBy),
  column('金额', 'Amount', (row) => row.amount / 10_000),
  column('转账参考号', 'Reference', (row) => row.reference),
  column('凭证', 'Receipt', (row) => row.receiptName),
  column('状态', 'Status', (row) => row.state),
  column('入账金额', 'Entered', (row) => (row.entered === null ? null : row.entered / 10_000)),
  column('处理时间', 'Decided', (row) => row.decideTime),
  column('原因', 'Reason', (row) => row.reason),
];
