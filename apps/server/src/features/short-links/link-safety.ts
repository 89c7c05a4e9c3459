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
import { decodeCursor, toPage } from '../../http/cursor.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';

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

  serve(app, 'GET /blocked-link-domains', ({ query, inScope }) =>
    inScope(async (tx) => {
      const after = decodeCursor(query.cursor, DOMAINS, ['text'])?.[0] ?? null;
      const found = await listBlockedDomains(tx, { after, limit: query.limit + 1 });
      const { rows, nextCursor } = toPage(found, query.limit, DOMAINS, (row) => [row.domain]);
      const items = rows.map(({ blockedAt, ...row }) => ({ ...row, blockTime: blockedAt.toISOString() }));
      return { items, nextCursor };
    }),
  );

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

  serve(app, 'GET /link-reports', ({ query, inScope }) =>
    inScope(async (tx) => {
      const before = decodeCursor(query.cursor, REPORTS, ['uuid'])?.[0] ?? null;
      const found = await listLinkReports(tx, { customerId: query.customerId ?? null, before, limit: query.limit + 1 });
      const { rows, nextCursor } = toPage(found, query.limit, REPORTS, (row) => [row.reportId]);
      const items = rows.map(({ customerName, createdAt, domain, code, ...row }) => ({
        ...row,
        operator: customerName,
        shortUrl: `${scheme}${domain}/s/${code}`,
        time: createdAt.toISOString(),
      }));
      return { items, nextCursor };
    }),
  );

  serve(app, 'DELETE /link-reports/:reportId', ({ params: { reportId }, inScope, audit }) =>
    inScope(async (tx) => {
      if (!(await removeLinkReport(tx, reportId))) throw new ProblemError('NOT_FOUND');
      await audit(tx, { action: 'delete', subjectType: 'linkReport', subjectId: reportId });
      return undefined;
    }),
  );
}
