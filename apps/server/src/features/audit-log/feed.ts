/**
 * The audit log as the operator's own programs (a SIEM) read it: one JSON object a line, oldest first. The id of the last
 * line is where the next call goes on, so that a program that was away misses nothing.
 */
import { readAuditFeed } from '@pahatid/db/queries/audit-log';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ApiDeps } from '../../http/deps.ts';
import { isSameToken, readBearer } from '../../http/operator-token.ts';
import { ProblemError } from '../../http/problem.ts';
import { presentAuditDetail } from './present-audit.ts';

const feedQuery = z.object({
  after: z
    .string()
    .regex(/^\d{1,18}$/)
    .default('0'),
  limit: z.coerce.number().int().min(1).max(5_000).default(1_000),
});

export function serveAuditFeed(app: FastifyInstance, { pools, config }: ApiDeps): void {
  app.get('/audit-feed', async (request, reply) => {
    const given = readBearer(request.headers);
    // Without a token there is no feed, and nothing says that there could be one.
    if (config.auditToken === null || given === undefined || !isSameToken(given, config.auditToken))
      throw new ProblemError('NOT_FOUND');
    const query = feedQuery.safeParse(request.query);
    if (!query.success) throw new ProblemError('BAD_REQUEST');
    const rows = await readAuditFeed(pools.control, query.data.after, query.data.limit);
    const lines = rows.map(({ seq, hash, ...row }) => {
      const link = seq === null || hash === null ? null : { seq, hash };
      return `${JSON.stringify(presentAuditDetail(row, link, true))}\n`;
    });
    return reply.header('cache-control', 'no-store').type('application/x-ndjson; charset=utf-8').send(lines.join(''));
  });
}
