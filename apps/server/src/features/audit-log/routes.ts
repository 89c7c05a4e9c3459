/** The audit log for users that may read it: staff all of it, a customer's owner its own. */
import { getCustomerId } from '@pahatid/db';
import {
  type AuditFilter,
  type AuditRow,
  findAudit,
  findAuditLinks,
  listAudit,
  listAuditWithStates,
} from '@pahatid/db/queries/audit-log';
import type { FastifyInstance } from 'fastify';
import { csvAnswer, eachRow } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { serveAuditFeed } from './feed.ts';
import { auditColumns, presentAudit, presentAuditDetail } from './present-audit.ts';

const SORT = 'auditLog';
/** Rows read at a time for a csv: keyset pages, so that no transaction stays open while a slow client reads. */
const csvPage = 1_000;
const keyOf = (row: AuditRow) => [row.auditId];

export function registerAuditLog(app: FastifyInstance, deps: ApiDeps): void {
  serveAuditFeed(app, deps);
  serve(app, 'GET /audit-log', async ({ query, scope, wantsCsv, inScope }) => {
    const own = getCustomerId(scope);
    const forStaff = own === null;
    if (!forStaff && query.customerId !== undefined)
      throw new ProblemError('VALIDATION_FAILED', undefined, [{ field: 'customerId', code: 'unrecognized_keys' }]);
    const customerId = own ?? query.customerId ?? null;
    const { actor, actorKind, action, subjectType, subjectId, from, to } = query;
    const filter: AuditFilter = { actor, actorKind, action, subjectType, subjectId, from, to };
    const { name, isReversed } = readOrder(SORT, query.sort, '-time');
    const toPageOrder = (cursor: string | undefined) => ({
      after: decodeCursor(cursor, name, ['messageId']),
      isDescending: !isReversed,
    });
    if (wantsCsv) {
      const readPage = async (cursor: string | undefined) => {
        const page = { ...toPageOrder(cursor), limit: csvPage + 1 };
        const found = await inScope((tx) => listAuditWithStates(tx, customerId, filter, page));
        const { rows, nextCursor } = toPage(found, csvPage, name, keyOf);
        const links = await findAuditLinks(
          deps.pools.control,
          rows.map((row) => row.auditId),
        );
        const items = rows.map((row) => presentAuditDetail(row, links.get(row.auditId) ?? null, forStaff));
        return { items, nextCursor };
      };
      return csvAnswer({ fileName: 'audit-log', columns: auditColumns(forStaff), rows: eachRow(readPage) });
    }
    const page = { ...toPageOrder(query.cursor), limit: query.limit + 1 };
    const found = await inScope((tx) => listAudit(tx, customerId, filter, page));
    const { rows, nextCursor } = toPage(found, query.limit, name, keyOf);
    return { items: rows.map((row) => presentAudit(row, forStaff)), nextCursor };
  });

  serve(app, 'GET /audit-log/:auditId', async ({ params, scope, inScope }) => {
    const own = getCustomerId(scope);
    const row = await inScope((tx) => findAudit(tx, own, params.auditId));
    if (row === null) throw new ProblemError('NOT_FOUND');
    const links = await findAuditLinks(deps.pools.control, [row.auditId]);
    return presentAuditDetail(row, links.get(row.auditId) ?? null, own === null);
  });
}
