import type { ApiKey } from '@pahatid/contract';
import { getCustomerId } from '@pahatid/db';
import { type KeyRow, listKeys } from '@pahatid/db/queries/applications';
import type { FastifyInstance } from 'fastify';
import type { CsvColumn } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem } from '../../http/problem.ts';
import { serveList } from '../../http/serve-list.ts';

export function registerDeveloper(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /developer/keys', async ({ query, scope, inScope }) => {
    const customerId = getCustomerId(scope);
    if (customerId === null) throw fieldProblem('customerId', 'REQUIRED');
    const { name, isReversed } = readOrder('keys', query.sort, 'appId');
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, name, ['text', 'uuid']) as [string, string] | null;
      const rows = await inScope((tx) =>
        listKeys(tx, { customerId, now: deps.now(), after, isReversed, limit: limit + 1 }),
      );
      const page = toPage(rows, limit, name, (row) => [row.appId, row.secretId]);
      return { items: page.rows.map(presentKey), nextCursor: page.nextCursor };
    };
    return { fileName: 'api-keys', columns: keyColumns, readPage };
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
  { head: head('生成时间', 'Created'), value: (row) => row.createTime },
  { head: head('最近使用', 'Last used'), value: (row) => row.lastUsedTime },
  { head: head('有效至', 'Valid until'), value: (row) => row.expireTime },
];
