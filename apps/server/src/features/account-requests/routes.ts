/** Requests for an account: taken from visitors, read and declined by staff. `features/customers` accepts them. */
import { decideAccountRequest, findAccountRequest, listAccountRequests } from '@pahatid/db/queries/account-requests';
import type { FastifyInstance } from 'fastify';
import { type CsvColumn, column } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { type RowOf, serveList } from '../../http/serve-list.ts';
import { sendMail } from '../../mail/send-mail.ts';
import type { TicketRules } from './limits.ts';
import { presentAccountRequest } from './present-request.ts';
import { rejectedMail } from './request-mails.ts';
import { registerTaking } from './take-request.ts';

const SORT = 'accountRequests';

export function registerAccountRequests(app: FastifyInstance, deps: ApiDeps, rules?: TicketRules): void {
  registerTaking(app, deps, rules);

  serveList(app, 'GET /account-requests', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, '-requestTime');
    const { state, search } = query;
    return {
      fileName: 'account-requests',
      columns: requestColumns,
      readPage: async (cursor, limit) => {
        const page = { after: decodeCursor(cursor, name, ['uuid']), isDescending: !isReversed, limit: limit + 1 };
        const found = await inScope((tx) => listAccountRequests(tx, { state, search, ...page }));
        const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.accountRequestId]);
        return { items: rows.map(presentAccountRequest), nextCursor };
      },
    };
  });

  serve(app, 'GET /account-requests/:accountRequestId', async ({ params, inScope }) => {
    const row = await inScope((tx) => findAccountRequest(tx, params.accountRequestId));
    if (row === null) throw new ProblemError('NOT_FOUND');
    return presentAccountRequest(row);
  });

  serve(app, 'POST /account-requests/:accountRequestId/reject', async ({ params, body, user, inScope, audit }) => {
    await inScope(async (tx) => {
      const id = params.accountRequestId;
      const { reason } = body;
      const before = await findAccountRequest(tx, id);
      if (before === null) throw new ProblemError('NOT_FOUND');
      const decision = { state: 'rejected', reason, userId: user.userId, now: deps.now() } as const;
      if (!(await decideAccountRequest(tx, id, decision))) throw new ProblemError('CONFLICT');
      // An unconfirmed address may be a stranger's: it gets no mail.
      if (before.state === 'pending')
        await sendMail(tx, {
          to: before.email,
          ...rejectedMail[before.locale](reason, `${deps.config.publicUrl}/contact`),
        });
      await audit(tx, { action: 'reject', subjectType: 'accountRequest', subjectId: id, after: { reason } });
    });
    return undefined;
  });
}

const requestColumns: readonly CsvColumn<RowOf<'GET /account-requests'>>[] = [
  column('申请时间', 'Requested', (row) => row.requestTime),
  column('状态', 'Status', (row) => row.state),
  column('公司', 'Company', (row) => row.company),
  column('姓名', 'Name', (row) => row.name),
  column('邮箱', 'Email', (row) => row.email),
  column('电话', 'Phone', (row) => row.phone),
  column('发送内容', 'Uses', (row) => row.uses.join(' ')),
  column('每月数量', 'Monthly volume', (row) => row.monthlyVolume),
  column('发送方式', 'Channels', (row) => row.channels.join(' ')),
  column('发送方名称', 'Sender ID', (row) => row.senderId),
  column('首条日期', 'First message', (row) => row.firstMessageDay),
  column('留言', 'Message', (row) => row.message),
  column('处理时间', 'Decided', (row) => row.decideTime),
  column('原因', 'Reason', (row) => row.reason),
];
