/** Log of API calls: read by all users of the customer and by staff; owners decide whether bodies are recorded. */
import { apiCallKeptDays } from '@pahatid/contract';
import { getCustomerId } from '@pahatid/db';
import { findApiCall, listApiCalls, readCallLog, setCallBodies } from '@pahatid/db/queries/api-calls';
import type { FastifyInstance } from 'fastify';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { findCalled } from './find-called.ts';
import { apiCallColumns, presentApiCall } from './present-api-call.ts';

const CALLS = 'apiCalls';
const keptMs = apiCallKeptDays * 86_400_000;

export function registerApiCalls(app: FastifyInstance, deps: ApiDeps): void {
  const keptFrom = (): Date => new Date(deps.now().getTime() - keptMs);

  serveList(app, 'GET /calls', async ({ query, scope, inDataScope }) => {
    const customerId = mustChoose(getCustomerId(scope));
    const filter = {
      customerId,
      keyId: query.keyId,
      statusClass: query.status,
      called: query.path === undefined ? undefined : findCalled(query.path),
      requestId: query.requestId,
      from: query.from === undefined ? undefined : new Date(query.from),
      to: query.to === undefined ? undefined : new Date(query.to),
    };
    const { name, isReversed } = readOrder(CALLS, query.sort, '-time');
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, name, ['uuid']);
      const page = { keptFrom: keptFrom(), after, isDescending: !isReversed, limit: limit + 1 };
      const listed = await inDataScope((tx) => listApiCalls(tx, filter, page));
      const { rows, nextCursor } = toPage(listed, limit, name, (row) => [row.callId]);
      return { items: rows.map(presentApiCall), nextCursor };
    };
    return { fileName: 'api-calls', columns: apiCallColumns, readPage };
  });

  serve(app, 'GET /calls/:callId', async ({ params, scope, inDataScope }) => {
    const of = { customerId: mustChoose(getCustomerId(scope)), callId: params.callId };
    const row = await inDataScope((tx) => findApiCall(tx, of));
    if (row === null) throw new ProblemError('NOT_FOUND');
    return { ...presentApiCall(row), requestBody: row.requestBody, responseBody: row.responseBody };
  });

  serve(app, 'GET /call-log', ({ scope, inScope }) => {
    const customerId = mustChoose(getCustomerId(scope));
    return inScope((tx) => readCallLog(tx, customerId, keptFrom()));
  });

  serve(app, 'PATCH /call-log', ({ user, body, withTransaction, audit }) => {
    const { customerId } = user;
    if (customerId === null) throw new ProblemError('FORBIDDEN');
    return withTransaction(async (tx) => {
      const before = await setCallBodies(tx, customerId, body.bodies);
      await audit(tx, {
        action: 'edit',
        subjectType: 'customer',
        subjectId: customerId,
        before: { callBodies: before },
        after: { callBodies: body.bodies },
      });
      return readCallLog(tx, customerId, keptFrom());
    });
  });
}

/** Staff read one customer at a time. */
function mustChoose(customerId: string | null): string {
  if (customerId === null) throw fieldProblem('customerId', 'REQUIRED');
  return customerId;
}
