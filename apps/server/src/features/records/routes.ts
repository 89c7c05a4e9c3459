import { getCustomerId, type Scope } from '@pahatid/db';
import { listCallbacksOfMessage } from '@pahatid/db/queries/callback-log';
import { sumRecords } from '@pahatid/db/queries/record-totals';
import { findRecord, listRecords, type RecordRow } from '@pahatid/db/queries/records';
import { isTestCustomer } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { presentCallbackEvent } from '../../callbacks/present-callback.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { readPhoneFilter } from '../../http/phone-search.ts';
import { ProblemError } from '../../http/problem.ts';
import { readRecordQuery } from '../../http/record-query.ts';
import { serve } from '../../http/serve.ts';
import { serveList } from '../../http/serve-list.ts';
import { recordColumns } from './csv-columns.ts';
import { presentLife, presentRecord } from './present-record.ts';

/** Rows read at a time for a csv: keyset pages, so that no transaction stays open while a slow client reads. */
const exportPage = 2_000;

export function registerRecords(app: FastifyInstance, deps: ApiDeps): void {
  serveList(app, 'GET /records', async (call) => {
    const { query, scope, user, inReadScope, toShownAppId } = call;
    const phones = await readPhoneFilter(app.api, call, query.phoneAddress);
    const { filter, fromMs, toMs } = readRecordQuery(query, user, phones, deps.now());
    const readPage = async (cursor: string | undefined, limit: number) => {
      const before = decodeCursor(cursor, 'records', ['messageId'])?.[0] ?? null;
      const { rows, next, searchedTo } = await inReadScope((tx) =>
        listRecords(tx, readersOf(getCustomerId(scope)), filter, { fromMs, toMs, before, limit }),
      );
      return {
        items: rows.map((row) => presentRecord({ ...row, appId: toShownAppId(row.appId) }, user)),
        nextCursor: next === null ? null : encodeCursor('records', [next]),
        searchedTo: searchedTo?.toISOString() ?? null,
      };
    };
    return { fileName: 'records', columns: recordColumns(user.customerId === null), csvPage: exportPage, readPage };
  });

  serve(app, 'GET /records/totals', async (call) => {
    const { query, scope, user, inReadScope } = call;
    const phones = await readPhoneFilter(app.api, call, query.phoneAddress);
    const now = deps.now();
    const { filter, ...range } = readRecordQuery(query, user, phones, now);
    const customerId = getCustomerId(scope) ?? query.customerId ?? null;
    const totals = await inReadScope((tx) => sumRecords(tx, customerId, filter, { ...range, nowMs: now.getTime() }));
    return totals ?? { messages: null, chargedSegments: null, chargedCost: null };
  });

  serve(app, 'GET /records/:messageId', async ({ params, scope, user, inDataScope, toShownAppId }) => {
    const { row, own } = await inDataScope(async (tx) => {
      const found = await mustFind(tx, scope, params.messageId);
      const { customerId, messageId } = found;
      const isLent = isTestCustomer(customerId);
      return { row: found, own: isLent ? null : await listCallbacksOfMessage(tx, customerId, messageId) };
    });
    // Those of test mode went to the address of the live application, which its scope does not show.
    const callbacks = own ?? (await listCallbacksOfMessage(deps.pools.control, row.customerId, row.messageId));
    return presentLife({ ...row, appId: toShownAppId(row.appId) }, callbacks.map(presentCallbackEvent), user);
  });

  serve(app, 'POST /records/:messageId/unmask', ({ params, scope, inScope, audit }) =>
    inScope(async (tx) => {
      const row = await mustFind(tx, scope, params.messageId);
      await audit(tx, {
        action: 'unmask',
        subjectType: 'record',
        subjectId: params.messageId,
        customerId: row.customerId,
      });
      return { phoneAddress: row.msisdn, fullMessage: row.content };
    }),
  );
}

/** Software reads the records of its application: blocks of the archive hold those of all of the customer's. */
async function mustFind(tx: PoolClient, scope: Scope, messageId: string): Promise<RecordRow> {
  const found = await findRecord(tx, readersOf(getCustomerId(scope)), messageId);
  const appId = 'appId' in scope ? scope.appId : undefined;
  if (found === null || (appId !== undefined && found.appId !== appId)) throw new ProblemError('NOT_FOUND');
  return found;
}

/** Staff read all customers' records, the provider's internal one's included. */
const readersOf = (customerId: string | null): string[] | null => (customerId === null ? null : [customerId]);
