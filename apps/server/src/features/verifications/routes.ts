import { getCustomerId } from '@pahatid/db';
import { listStatisticsNames } from '@pahatid/db/queries/statistics';
import {
  endVerification,
  findVerification,
  moveVerificationHour,
  sumAllVerifications,
  sumVerifications,
  type VerificationFigures,
  type VerificationSums,
} from '@pahatid/db/queries/verifications';
import type { FastifyInstance } from 'fastify';
import type { CsvColumn } from '../../http/csv.ts';
import { type CursorPart, decodeCursor, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { type RowOf, serveList } from '../../http/serve-list.ts';
import { getMessageSending } from '../../messages/message-sending.ts';
import { checkCode, lockOpen } from './check-code.ts';
import { toMove } from './hash-code.ts';
import { presentVerification } from './present-verification.ts';
import { startVerification, type VerificationDeps } from './start-verification.ts';

const weekMs = 7 * 86_400_000;

export function registerVerifications(app: FastifyInstance, { secrets, now, ...deps }: ApiDeps): void {
  const all: VerificationDeps = { sending: getMessageSending(app, { secrets, now, ...deps }), secrets, now };

  serve(app, 'POST /verifications', (call) => startVerification(call, all));

  serve(
    app,
    'GET /verifications/:verificationId',
    async ({ application: { appId, customerId }, params, inDataScope }) => {
      const row = await inDataScope((tx) => findVerification(tx, { customerId, appId, ...params }));
      if (row === null) throw new ProblemError('NOT_FOUND');
      return presentVerification(row, now());
    },
  );

  serve(app, 'POST /verifications/:verificationId/check', (call) => checkCode(call, all));

  serve(app, 'POST /verifications/:verificationId/cancel', async ({ application, params, inDataScope }) => {
    const { appId, customerId } = application;
    const key = { customerId, appId, ...params };
    const { writer } = await all.sending.acceptor.writer();
    return await inDataScope(async (tx) => {
      const row = await lockOpen(tx, key, now());
      await endVerification(tx, key, 'cancelled', now());
      await moveVerificationHour(tx, { ...toMove(key, row, writer), cancelled: 1 });
      return presentVerification({ ...row, status: 'cancelled' }, now());
    });
  });

  serveList(app, 'GET /statistics/verifications', async ({ query, scope, inScope, inReadScope }) => {
    const to = query.to === undefined ? now() : new Date(query.to);
    const from = query.from === undefined ? new Date(to.getTime() - weekMs) : new Date(query.from);
    const of = { customerId: getCustomerId(scope) ?? query.customerId ?? null, appId: query.appId, from, to };
    const { by, sort } = query;
    const order = { isByCount: sort.endsWith('startedCount'), isDescending: sort.startsWith('-') };
    const name = `verifications:${by}:${sort}`;
    const parts: readonly CursorPart[] = order.isByCount ? ['number', 'text'] : ['text'];
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, name, parts);
      const { found, totals } = await inReadScope(async (tx) => ({
        found: await sumVerifications(tx, { ...of, by, ...order, after, limit: limit + 1 }),
        totals: await sumAllVerifications(tx, of),
      }));
      const { rows, nextCursor } = toPage(found, limit, name, ({ nameKey, started }) =>
        order.isByCount ? [String(started), nameKey] : [nameKey],
      );
      const appIds = rows.flatMap(({ appId }) => appId ?? []);
      const ids = { appIds, customerIds: [], routeIds: [] };
      const names = appIds.length === 0 ? {} : await inScope((tx) => listStatisticsNames(tx, ids));
      const items = rows.map((row) => presentFigures(row, names));
      return { items, nextCursor, totals: presentSums(totals) };
    };
    return { fileName: 'verifications', columns, readPage };
  });
}

type Row = RowOf<'GET /statistics/verifications'>;

const presentSums = ({ started, sent, approved, wrong, expired }: VerificationSums) => ({
  startedCount: started,
  sentCount: sent,
  approvedCount: approved,
  expiredCount: expired,
  wrongCount: wrong,
  conversionRate: started === 0 ? null : approved / started,
});

const presentFigures = (row: VerificationFigures, names: Readonly<Record<string, string>>): Row => ({
  areaCode: row.areaCode,
  prefix: row.prefix,
  appId: row.appId,
  appName: row.appId === null ? null : (names[row.appId] ?? null),
  ...presentSums(row),
});

const names = [
  'areaCode',
  'prefix',
  'appId',
  'appName',
  'startedCount',
  'sentCount',
  'approvedCount',
  'expiredCount',
  'wrongCount',
  'conversionRate',
] as const;

const columns: readonly CsvColumn<Row>[] = names.map((name) => ({
  head: { 'zh-CN': name, 'en-US': name },
  value: (row) => row[name],
}));
