import { getCustomerId } from '@pahatid/db';
import {
  endVerification,
  findVerification,
  sumVerifications,
  type VerificationFigures,
} from '@pahatid/db/queries/verifications';
import type { FastifyInstance } from 'fastify';
import type { CsvColumn } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { type RowOf, serveList } from '../../http/serve-list.ts';
import { getMessageSending } from '../../messages/message-sending.ts';
import { checkCode, lockOpen } from './check-code.ts';
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

  serve(app, 'POST /verifications/:verificationId/cancel', ({ application, params, inDataScope }) =>
    inDataScope(async (tx) => {
      const { appId, customerId } = application;
      const key = { customerId, appId, ...params };
      const row = await lockOpen(tx, key, now());
      await endVerification(tx, key, 'cancelled', now());
      return presentVerification({ ...row, status: 'cancelled' }, now());
    }),
  );

  serveList(app, 'GET /statistics/verifications', async ({ query, scope, inDataScope }) => {
    const to = query.to === undefined ? now() : new Date(query.to);
    const from = query.from === undefined ? new Date(to.getTime() - weekMs) : new Date(query.from);
    const of = { customerId: getCustomerId(scope) ?? query.customerId ?? null, appId: query.appId, from, to };
    const { name, isReversed } = readOrder('verifications', query.sort, 'areaCode');
    const readPage = async (cursor: string | undefined, limit: number) => {
      const page = { after: decodeCursor(cursor, name, ['text', 'text']), isDescending: isReversed, limit: limit + 1 };
      const found = await inDataScope((tx) => sumVerifications(tx, { ...of, ...page }));
      const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.areaCode, row.prefix]);
      return { items: rows.map(presentFigures), nextCursor };
    };
    return { fileName: 'verifications', columns, readPage };
  });
}

type Row = RowOf<'GET /statistics/verifications'>;

const presentFigures = ({ areaCode, prefix, started, sent, approved }: VerificationFigures): Row => ({
  areaCode,
  prefix,
  startedCount: started,
  sentCount: sent,
  approvedCount: approved,
  conversionRate: started === 0 ? null : approved / started,
});

const names = ['areaCode', 'prefix', 'startedCount', 'sentCount', 'approvedCount', 'conversionRate'] as const;

const columns: readonly CsvColumn<Row>[] = names.map((name) => ({
  head: { 'zh-CN': name, 'en-US': name },
  value: (row) => row[name],
}));
