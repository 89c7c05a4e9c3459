/** Live SMPP connections of customers' software: listed, closed, and tried. */
import type { SoftwareBind } from '@pahatid/contract';
import { findApplication, getCustomerId } from '@pahatid/db';
import { listSmppBinds, listSmppRefusals, requestSmppBindEnd, type SmppBindRow } from '@pahatid/db/queries/smpp-binds';
import { statusName } from '@pahatid/smpp';
import type { FastifyInstance } from 'fastify';
import type { CsvColumn } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { testBind } from '../../sending/submit/test-bind.ts';
import { writeTrialTicket } from '../../smpp-server/trial-ticket.ts';

const SORT = 'smppBinds';
const TRIAL_MS = 5_000;

export const presentBind = (row: SmppBindRow): SoftwareBind => ({
  bindId: row.bindId,
  bindType: row.mode,
  clientIp: row.clientIp,
  clientPort: row.clientPort,
  isTls: row.isTls,
  since: row.boundAt.toISOString(),
  windowUsed: row.windowUsed,
  submitRate: row.submitRate,
  lastError: row.lastStatus === null ? null : statusName(row.lastStatus),
  lastErrorTime: row.lastStatusAt?.toISOString() ?? null,
});

type StaffBind = SoftwareBind & Pick<SmppBindRow, 'appId' | 'appName' | 'customerId' | 'customerName'>;

const presentForStaff = (row: SmppBindRow): StaffBind => {
  const { appId, appName, customerId, customerName } = row;
  return { ...presentBind(row), appId, appName, customerId, customerName };
};

const columns: readonly CsvColumn<StaffBind>[] = [
  { head: { 'en-US': 'Customer', 'zh-CN': '客户' }, value: (row) => row.customerName },
  { head: { 'en-US': 'Application', 'zh-CN': '应用' }, value: (row) => row.appName },
  { head: { 'en-US': 'Bind', 'zh-CN': '绑定类型' }, value: (row) => row.bindType },
  { head: { 'en-US': 'Client address', 'zh-CN': '客户端地址' }, value: (row) => `${row.clientIp} ${row.clientPort}` },
  { head: { 'en-US': 'Since', 'zh-CN': '开始时间' }, value: (row) => row.since },
  { head: { 'en-US': 'Unanswered', 'zh-CN': '未应答' }, value: (row) => row.windowUsed },
  { head: { 'en-US': 'Per second', 'zh-CN': '每秒' }, value: (row) => row.submitRate },
  { head: { 'en-US': 'Last error', 'zh-CN': '最近错误' }, value: (row) => row.lastError ?? '' },
];

export function registerBinds(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /smpp-binds', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder(SORT, query.sort, '-since');
    return {
      fileName: 'binds',
      columns,
      readPage: (cursor, limit) =>
        inScope(async (tx) => {
          const after = decodeCursor(cursor, name, ['uuid']);
          const rows = await listSmppBinds(tx, {
            customerId: query.customerId ?? null,
            appId: null,
            after,
            isDescending: !isReversed,
            limit: limit + 1,
          });
          const page = toPage(rows, limit, name, (row) => [row.bindId]);
          return { items: page.rows.map(presentForStaff), nextCursor: page.nextCursor };
        }),
    };
  });

  serve(app, 'DELETE /applications/:appId/binds/:bindId', ({ params, scope, inScope, audit }) =>
    inScope(async (tx) => {
      const row = await findApplication(tx, getCustomerId(scope), params.appId);
      if (row === null || !(await requestSmppBindEnd(tx, params))) throw new ProblemError('NOT_FOUND');
      await audit(tx, {
        action: 'terminate',
        subjectType: 'application',
        subjectId: row.appId,
        after: { bindId: params.bindId },
      });
      return undefined;
    }),
  );

  serve(
    app,
    'POST /applications/:appId/test-bind',
    async ({ params, body, scope, request, signal, inScope, audit }) => {
      const row = await inScope(async (tx) => {
        const found = await findApplication(tx, getCustomerId(scope), params.appId);
        if (found === null) throw new ProblemError('NOT_FOUND');
        await audit(tx, { action: 'testBind', subjectType: 'application', subjectId: found.appId });
        return found;
      });
      const clientIp = request.ip.replace(/^::ffff:(?=\d+\.)/i, '');
      const beganAt = Date.now();
      const result = await testBind({
        host: new URL(deps.config.publicUrl).hostname.replace(/^\[|\]$/g, ''),
        port: deps.config.smppPort,
        tls: false,
        mode: 'transceiver',
        systemId: row.account,
        password: body.password,
        ...writeTrialTicket(deps.secrets, { systemId: row.account, clientIp }, deps.now()),
        timeoutMs: TRIAL_MS,
        signal,
      });
      if (result.outcome !== 'refused') return { ...result, reason: null };
      const refusals = await inScope((tx) => listSmppRefusals(tx, row.appId, 5));
      const found = refusals.find((each) => each.clientIp === clientIp && each.lastAt.getTime() > beganAt - 60_000);
      return { ...result, reason: found?.reason ?? null };
    },
  );
}
