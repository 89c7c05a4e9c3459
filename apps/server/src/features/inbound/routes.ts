import type { InboundText } from '@pahatid/contract';
import { getCustomerId } from '@pahatid/db';
import { findInbound, type InboundRow, listInbound } from '@pahatid/db/queries/inbound';
import { listStatisticsNames } from '@pahatid/db/queries/statistics';
import type { FastifyInstance } from 'fastify';
import type { Call } from '../../http/call.ts';
import type { CsvColumn } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import { readPhoneFilter } from '../../http/phone-search.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { presentInbound, presentInboundDetail } from './present-inbound.ts';
import { registerUnownedReplies } from './unowned-routes.ts';

/** Rows read at a time for a csv. */
const exportPage = 1_000;

export function registerInbound(app: FastifyInstance): void {
  registerUnownedReplies(app);

  serveList(app, 'GET /inbound', async (call) => {
    const { query, scope, user, inDataScope } = call;
    const customerId = getCustomerId(scope);
    const filter = {
      customerId,
      ...(await readPhoneFilter(app.api, call, query.mobileNumber)),
      destination: query.destination === '' ? undefined : query.destination,
      appId: query.appId,
      taskId: query.taskId,
      isOptOut: query.optOut === undefined ? undefined : query.optOut === 1,
      fromMs: query.from === undefined ? undefined : Date.parse(query.from),
      toMs: query.to === undefined ? undefined : Date.parse(query.to),
    };
    const { name, isReversed } = readOrder('inbound', query.sort, '-time');
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, name, ['uuid']);
      const rows = await inDataScope((tx) => listInbound(tx, { ...filter, after, isReversed, limit: limit + 1 }));
      const page = toPage(rows, limit, name, (row) => [row.inboundId]);
      const names = await readNames(call, page.rows);
      return { items: page.rows.map((row) => presentInbound(row, user, names)), nextCursor: page.nextCursor };
    };
    return { fileName: 'replies', columns: inboundColumns, csvPage: exportPage, readPage };
  });

  serve(app, 'GET /inbound/:inboundId', async (call) => {
    const { params, scope, user, inDataScope } = call;
    const row = await inDataScope((tx) => findInbound(tx, getCustomerId(scope), params.inboundId));
    if (row === null) throw new ProblemError('NOT_FOUND');
    return presentInboundDetail(row, user, await readNames(call, [row]));
  });
}

/** Names of the rows' customers; null for a customer's own users. */
async function readNames(
  { user, inScope }: Pick<Call<'GET /inbound'>, 'user' | 'inScope'>,
  rows: readonly InboundRow[],
): Promise<Record<string, string> | null> {
  if (user.customerId !== null) return null;
  const customerIds = [...new Set(rows.map((row) => row.customerId))];
  return inScope((tx) => listStatisticsNames(tx, { appIds: [], customerIds, routeIds: [] }));
}

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });

const inboundColumns: readonly CsvColumn<InboundText>[] = [
  { head: head('时间', 'Time'), value: (row) => row.time },
  { head: head('手机号码', 'Phone number'), value: (row) => row.mobileNumber },
  { head: head('回复至', 'Sent to'), value: (row) => row.destination },
  { head: head('内容', 'Text'), value: (row) => row.content },
  { head: head('是否退订', 'Opt-out'), value: (row) => row.optOut },
  { head: head('任务', 'Task'), value: (row) => row.taskName },
  { head: head('App ID', 'App ID'), value: (row) => row.appId },
  { head: head('短信 ID', 'Message ID'), value: (row) => row.messageId },
];
