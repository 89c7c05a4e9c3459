import { getCustomerId } from '@pahatid/db';
import { countRules, listRuleEvents, listRules } from '@pahatid/db/queries/threshold-rules';
import type { Call } from '../../http/call.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { eventColumns, thresholdColumns } from './csv-columns.ts';
import { mustFindRule } from './find-rule.ts';
import { presentEvent, presentRules, readUserNames } from './present-rule.ts';

const SORT = 'thresholds';
const EVENTS = 'thresholdEvents';

export async function listRulesFor(deps: ApiDeps, { query, scope, user, inScope }: Call<'GET /thresholds'>) {
  const customerId = getCustomerId(scope);
  const filter = {
    kind: query.kind,
    // Those of no application hold for software as well: its scope leaves out those of others.
    appId: 'appId' in scope ? undefined : query.appId,
    useState: query.useState === undefined ? undefined : (Number(query.useState) as 0 | 1),
  };
  const { name, isReversed } = readOrder(SORT, query.sort, '-createTime');
  const readPage = (cursor: string | undefined, limit: number) =>
    inScope(async (tx) => {
      const after = decodeCursor(cursor, name, ['uuid']);
      const found = await listRules(tx, customerId, { ...filter, after, isReversed, limit: limit + 1 });
      const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.thresholdId]);
      const items = await presentRules(tx, rows, user, deps.now());
      return { items, nextCursor, total: await countRules(tx, customerId, filter) };
    });
  return { fileName: 'thresholds', columns: thresholdColumns, readPage };
}

type EventsCall = Call<'GET /thresholds/:thresholdId/events'>;

export async function listEvents({ params, query, scope, inScope }: EventsCall) {
  const { name, isReversed } = readOrder(EVENTS, query.sort, '-time');
  const { thresholdId, customerId } = await inScope((tx) => mustFindRule(tx, getCustomerId(scope), params.thresholdId));
  return {
    fileName: 'threshold-events',
    columns: eventColumns,
    readPage: (cursor: string | undefined, limit: number) =>
      inScope(async (tx) => {
        const page = { after: decodeCursor(cursor, name, ['uuid']), isDescending: !isReversed, limit: limit + 1 };
        const found = await listRuleEvents(tx, { customerId, thresholdId }, page);
        const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.eventId]);
        const names = await readUserNames(tx, rows);
        return { items: rows.map((row) => presentEvent(row, names)), nextCursor };
      }),
  };
}
