/**
 * Requests of one member of staff that another approves. A request ends once: every end is one UPDATE of a pending row,
 * in one transaction with its effect, so that of two concurrent users one is refused.
 */
import type { Approval, LedgerRequest, LimitsRequest, PriceRequest } from '@pahatid/contract';
import {
  type ApprovalRow,
  countApprovals,
  decideApproval,
  findApproval,
  listApprovals,
  readApprovalLimits,
  updateApprovalLimits,
} from '@pahatid/db/queries/approvals';
import { notify, ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import { endTopUp, findApprovedTopUp } from '@pahatid/db/queries/top-ups';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { applyLedger } from '../../approvals/apply-ledger.ts';
import { applyPrice, priceConflicts } from '../../approvals/apply-price.ts';
import { approvers, requestApproval } from '../../approvals/request-approval.ts';
import type { SignedInUser } from '../../http/call.ts';
import { onConflict } from '../../http/conflicts.ts';
import { type CsvColumn, column } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { notifyTopUpDecided } from '../../notices/notify-top-up-decided.ts';

const SORT = 'approvals';

export function registerApprovals(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /approvals', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, '-requestTime');
    return {
      fileName: 'approvals',
      columns,
      readPage: (cursor, limit) =>
        inScope(async (tx) => {
          const filter = { state: query.state, now: deps.now() };
          const page = { after: decodeCursor(cursor, name, ['uuid']), isDescending: !isReversed, limit: limit + 1 };
          const found = await listApprovals(tx, { ...filter, ...page });
          const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.approvalId]);
          return { items: rows.map(present), nextCursor, total: await countApprovals(tx, filter) };
        }),
    };
  });

  serve(app, 'POST /approvals/:approvalId/approve', async ({ params, user, inScope, audit }) => {
    const row = await onConflict(priceConflicts, () =>
      inScope(async (tx) => {
        const asked = await mustDecide(tx, params.approvalId, user);
        await end(tx, asked, { state: 'approved', user, reason: null });
        const { customerId, ...changed } = await apply(tx, asked);
        await audit(tx, {
          action: 'approve',
          subjectType: 'approval',
          subjectId: asked.approvalId,
          customerId,
          ...changed,
        });
        return asked;
      }),
    );
    if (row.kind === 'price')
      await notify(deps.pools.control, ROUTING_CHANNEL, '').catch((err: unknown) =>
        deps.log.warn({ err }, 'notification of an approved price failed, routing reloads later'),
      );
    return undefined;
  });

  serve(app, 'POST /approvals/:approvalId/reject', async ({ params, body, user, inScope, audit }) => {
    await inScope(async (tx) => {
      const asked = await mustDecide(tx, params.approvalId, user);
      await end(tx, asked, { state: 'rejected', user, reason: body.reason });
      await audit(tx, {
        action: 'reject',
        subjectType: 'approval',
        subjectId: asked.approvalId,
        after: { reason: body.reason },
      });
    });
    return undefined;
  });

  serve(app, 'POST /approvals/:approvalId/withdraw', async ({ params, user, inScope, audit }) => {
    await inScope(async (tx) => {
      const asked = await mustFind(tx, params.approvalId);
      if (asked.userId !== user.userId) throw new ProblemError('FORBIDDEN');
      await end(tx, asked, { state: 'withdrawn', user, reason: null });
      await audit(tx, { action: 'withdraw', subjectType: 'approval', subjectId: asked.approvalId });
    });
    return undefined;
  });

  serve(app, 'GET /approval-limits', ({ inScope }) => inScope(readApprovalLimits));

  serve(app, 'PATCH /approval-limits', ({ body, user, inScope, audit }) =>
    inScope(async (tx) => {
      const { version, ...before } = await readApprovalLimits(tx);
      if (version !== body.version) throw new ProblemError('CONFLICT');
      // A single user must not raise the limit that restricts that user.
      if (body.ledger > before.ledger || body.price > before.price) {
        const asked = { kind: 'limits', customerId: null, request: { ...body, before } } as const;
        return requestApproval(tx, { user, audit }, deps, asked);
      }
      if (!(await updateApprovalLimits(tx, body))) throw new ProblemError('CONFLICT');
      const { ledger, price } = body;
      await audit(tx, {
        action: 'edit',
        subjectType: 'approvalLimit',
        subjectId: '*',
        before,
        after: { ledger, price },
      });
      return readApprovalLimits(tx);
    }),
  );

  const mustFind = async (tx: PoolClient, approvalId: string): Promise<ApprovalRow> => {
    const row = await findApproval(tx, approvalId, deps.now());
    if (row === null) throw new ProblemError('NOT_FOUND');
    return row;
  };

  const mustDecide = async (tx: PoolClient, approvalId: string, user: SignedInUser): Promise<ApprovalRow> => {
    const row = await mustFind(tx, approvalId);
    if (!approvers[row.kind].includes(user.role)) throw new ProblemError('FORBIDDEN');
    if (row.userId === user.userId) throw new ProblemError('APPROVAL_OWN');
    return row;
  };

  const end = async (
    tx: PoolClient,
    { approvalId }: ApprovalRow,
    {
      state,
      user,
      reason,
    }: { state: 'approved' | 'rejected' | 'withdrawn'; user: SignedInUser; reason: string | null },
  ): Promise<void> => {
    const decision = { approvalId, state, userId: user.userId, reason, now: deps.now() };
    if (!(await decideApproval(tx, decision))) throw new ProblemError('APPROVAL_ENDED');
  };

  /** Of a customer's request: it must not have ended meanwhile. */
  const endTopUpOf = async (
    tx: PoolClient,
    { approvalId, ...end }: { approvalId: string; entered: number; userId: string },
  ): Promise<void> => {
    const topUpId = await findApprovedTopUp(tx, approvalId);
    if (topUpId === null) return;
    if (!(await endTopUp(tx, topUpId, { ...end, state: 'approved', reason: null, now: deps.now() })))
      throw new ProblemError('CONFLICT');
    await notifyTopUpDecided(tx, topUpId, deps.config);
  };

  /** Performs the request; returns its audit log entry. A customer's log names no member of staff. */
  const apply = async (
    tx: PoolClient,
    { approvalId, kind, request, customerId, userId, account }: ApprovalRow,
  ): Promise<{ customerId: string | null; before?: object | null; after?: object | null }> => {
    if (kind === 'ledger' && customerId !== null) {
      const asked = request as LedgerRequest;
      const { entryId, before, balance } = await applyLedger(tx, {
        customerId,
        userId,
        now: deps.now(),
        request: asked,
      });
      await endTopUpOf(tx, { approvalId, entered: asked.amount, userId });
      return { customerId, before: { balance: before }, after: { balance, entryId, ...asked } };
    }
    if (kind === 'price') {
      const { before = null, after = null } = await applyPrice(tx, request as PriceRequest, account);
      return { customerId: null, before, after };
    }
    const { before, ...limits } = request as LimitsRequest;
    if (!(await updateApprovalLimits(tx, limits))) throw new ProblemError('CONFLICT');
    return { customerId: null, before, after: { ledger: limits.ledger, price: limits.price } };
  };
}

const present = ({ userId, account, requestTime, expireTime, decideTime, ...row }: ApprovalRow): Approval =>
  ({
    ...row,
    requestedBy: { userId, account },
    requestTime: requestTime.toISOString(),
    expireTime: expireTime.toISOString(),
    decideTime: decideTime?.toISOString() ?? null,
  }) as Approval;

const columns: readonly CsvColumn<Approval>[] = [
  column('申请时间', 'Requested', (row) => row.requestTime),
  column('申请人', 'Requested by', (row) => row.requestedBy.account),
  column('类型', 'Kind', (row) => row.kind),
  column('申请内容', 'Request', (row) => JSON.stringify(row.request)),
  column('状态', 'Status', (row) => row.state),
  column('到期时间', 'Expires', (row) => row.expireTime),
  column('决定时间', 'Decided', (row) => row.decideTime),
];
