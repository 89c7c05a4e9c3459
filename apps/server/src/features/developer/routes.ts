import type { ApiKey } from '@pahatid/contract';
import { customerOf } from '@pahatid/db';
import { type KeyRow, listKeys } from '@pahatid/db/queries/applications';
import type { FastifyInstance } from 'fastify';
import { type CsvColumn, csvAnswer, eachRow } from '../../http/csv.ts';
import { decodeCursor, pageOf } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';

/** Rows read at a time for a csv. */
const exportPage = 200;

export function registerDeveloper(app: FastifyInstance, deps: ApiDeps): void {
  serve(app, 'GET /developer/keys', async ({ query, scope, inScope, wantsCsv }) => {
    const customerId = customerOf(scope);
    if (customerId === null) throw new ProblemError('NOT_FOUND');
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, 'keys', ['text', 'uuid']) as [string, string] | null;
      const rows = await inScope((tx) => listKeys(tx, { customerId, now: deps.now(), after, limit: limit + 1 }));
      const page = pageOf(rows, limit, 'keys', (row) => [row.appId, row.secretId]);
      return { items: page.rows.map(presentKey), nextCursor: page.nextCursor };
    };
    if (!wantsCsv) return readPage(query.cursor, query.limit);
    const rows = eachRow((cursor) => readPage(cursor, exportPage));
    return csvAnswer({ fileName: 'api-keys', columns: keyColumns, rows });
  });
}

const presentKey = (row: KeyRow): ApiKey => ({
  ...row,
  createTime: row.createTime.toISOString(),
  lastUsedTime: row.lastUsedTime?.toISOString() ?? null,
  expireTime: row.expireTime?.toISOString() ?? null,
});

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });

const keyColumns: readonly CsvColumn<ApiKey>[] = [
  { head: head('App ID', 'App ID'), value: (row) => row.appId },
  { head: head('应用名称', 'Application name'), value: (row) => row.appName },
  { head: head('末尾', 'Ends in'), value: (row) => row.hint },
  { head: head('生成时间', 'Made'), value: (row) => row.createTime },
  { head: head('最近使用', 'Last used'), value: (row) => row.lastUsedTime },
  { head: head('有效至', 'Works until'), value: (row) => row.expireTime },
];
