import { getCustomerId } from '@pahatid/db';
import { endKey, listNamedKeys } from '@pahatid/db/queries/keys';
import type { FastifyInstance } from 'fastify';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { makeKey } from './make-key.ts';
import { keyColumns, presentKey } from './present-key.ts';
import { showCallingKey } from './show-calling-key.ts';

export function registerKeys(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /keys', async ({ query, scope, inScope }) => {
    const customerId = getCustomerId(scope);
    // Over all customers staff look for one leaked key, and read no list.
    if (customerId === null && query.prefix === undefined) throw fieldProblem('customerId', 'REQUIRED');
    const { name, isReversed } = readOrder('namedKeys', query.sort, '-createTime');
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, name, ['uuid']);
      const filter = { customerId, appId: query.appId, prefix: query.prefix, after, isReversed, limit: limit + 1 };
      const rows = await inScope((tx) => listNamedKeys(tx, filter));
      const page = toPage(rows, limit, name, (row) => [row.keyId]);
      return { items: page.rows.map(presentKey), nextCursor: page.nextCursor };
    };
    return { fileName: 'keys', columns: keyColumns, readPage };
  });

  serve(app, 'GET /key', (call) => showCallingKey(call, deps));

  serve(app, 'POST /keys', (call) => makeKey(call, deps.now()));

  serve(app, 'DELETE /keys/:keyId', async ({ params, scope, inScope, audit }) => {
    await inScope(async (tx) => {
      const row = await endKey(tx, { keyId: params.keyId, customerId: getCustomerId(scope), at: deps.now() });
      if (row === null) throw new ProblemError('NOT_FOUND');
      const { customerId, keyId: subjectId } = row;
      await audit(tx, { action: 'delete', subjectType: 'key', subjectId, customerId, before: presentKey(row) });
    });
    return undefined;
  });
}
