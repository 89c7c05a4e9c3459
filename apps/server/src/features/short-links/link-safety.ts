/** What staff do about harmful links: close a link or a domain for everybody, and read what visitors reported. */
import {
  blockDomain,
  listBlockedDomains,
  listLinkReports,
  removeLinkReport,
  setLinkBlocked,
  unblockDomain,
} from '@pahatid/db/queries/link-safety';
import { readLinkDomain } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { type CsvColumn, column } from '../../http/csv.ts';
import { decodeCursor, readOrder, toPage } from '../../http/cursor.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { type RowOf, serveList } from '../../http/serve-list.ts';

const DOMAINS = 'blocked-link-domains';
const REPORTS = 'link-reports';

/** `scheme`: of short links, with `://`. */
export function registerLinkSafety(app: FastifyInstance, scheme: string): void {
  serve(app, 'PUT /blocked-links/:linkId', ({ params: { linkId }, body: { reason }, inScope, audit }) =>
    inScope(async (tx) => {
      const blocked = await setLinkBlocked(tx, linkId, reason);
      if (blocked === null) throw new ProblemError('NOT_FOUND');
      const { customerId } = blocked;
      await audit(tx, { customerId, action: 'block', subjectType: 'shortLink', subjectId: linkId, after: { reason } });
      return undefined;
    }),
  );

  serve(app, 'DELETE /blocked-links/:linkId', ({ params: { linkId }, inScope, audit }) =>
    inScope(async (tx) => {
      const changed = await setLinkBlocked(tx, linkId, null);
      if (changed === null || changed.before === null) throw new ProblemError('NOT_FOUND');
      const { customerId, before } = changed;
      const entry = { customerId, action: 'unblock', subjectType: 'shortLink', subjectId: linkId };
      await audit(tx, { ...entry, before: { reason: before } });
      return undefined;
    }),
  );

  serveList(app, 'GET /blocked-link-domains', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder(DOMAINS, query.sort, 'domain');
    return {
      fileName: 'blocked-link-domains',
      columns: domainColumns,
      readPage: (cursor, limit) =>
        inScope(async (tx) => {
          const after = decodeCursor(cursor, name, ['text']);
          const found = await listBlockedDomains(tx, { after, isDescending: isReversed, limit: limit + 1 });
          const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.domain]);
          const items = rows.map(({ blockedAt, ...row }) => ({ ...row, blockTime: blockedAt.toISOString() }));
          return { items, nextCursor };
        }),
    };
  });

  serve(app, 'PUT /blocked-link-domains/:domain', ({ params, body: { reason }, user, inScope, audit }) => {
    const domain = readLinkDomain(params.domain);
    if (domain === null) throw new ProblemError('LINK_DOMAIN_INVALID');
    return inScope(async (tx) => {
      await blockDomain(tx, { domain, reason, blockedBy: user.userId });
      await audit(tx, { action: 'block', subjectType: 'linkDomain', subjectId: domain, after: { reason } });
      return undefined;
    });
  });

  serve(app, 'DELETE /blocked-link-domains/:domain', ({ params: { domain }, inScope, audit }) =>
    inScope(async (tx) => {
      const reason = await unblockDomain(tx, domain);
      if (reason === null) throw new ProblemError('NOT_FOUND');
      await audit(tx, { action: 'unblock', subjectType: 'linkDomain', subjectId: domain, before: { reason } });
      return undefined;
    }),
  );

  serveList(app, 'GET /link-reports', async ({ query, inScope }) => {
    const { name, isReversed } = readOrder(REPORTS, query.sort, '-time');
    return {
      fileName: 'link-reports',
      columns: reportColumns,
      readPage: (cursor, limit) =>
        inScope(async (tx) => {
          const page = { after: decodeCursor(cursor, name, ['uuid']), isDescending: !isReversed, limit: limit + 1 };
          const found = await listLinkReports(tx, { customerId: query.customerId ?? null, ...page });
          const { rows, nextCursor } = toPage(found, limit, name, (row) => [row.reportId]);
          const items = rows.map(({ customerName, createdAt, domain, code, ...row }) => ({
            ...row,
            operator: customerName,
            shortUrl: `${scheme}${domain}/s/${code}`,
            time: createdAt.toISOString(),
          }));
          return { items, nextCursor };
        }),
    };
  });

  serve(app, 'DELETE /link-reports/:reportId', ({ params: { reportId }, inScope, audit }) =>
    inScope(async (tx) => {
      if (!(await removeLinkReport(tx, reportId))) throw new ProblemError('NOT_FOUND');
      await audit(tx, { action: 'delete', subjectType: 'linkReport', subjectId: reportId });
      return undefined;
    }),
  );
}

const domainColumns: readonly CsvColumn<RowOf<'GET /blocked-link-domains'>>[] = [
  column('域名', 'Domain', (row) => row.domain),
  column('原因', 'Reason', (row) => row.reason),
  column('封禁时间', 'Blocked', (row) => row.blockTime),
  column('封禁人', 'Blocked by', (row) => row.blockedBy),
  column('短链接数', 'Short links', (row) => row.linkCount),
];

const reportColumns: readonly CsvColumn<RowOf<'GET /link-reports'>>[] = [
  column('时间', 'Time', (row) => row.time),
  column('客户', 'Customer', (row) => row.operator),
  column('短链接名称', 'Link name', (row) => row.linkName),
  column('短链接', 'Short link', (row) => row.shortUrl),
  column('目标地址', 'Target', (row) => row.targetUrl),
  column('留言', 'Message', (row) => row.message),
];
