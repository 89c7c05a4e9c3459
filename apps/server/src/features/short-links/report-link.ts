/**
 * `POST /s/{code}`: the report of a visitor on the page that replaces a blocked link. A plain form, because the page
 * works without scripts; nothing about the visitor is stored.
 */
import { type AttemptLimit, countAttempts } from '@pahatid/db';
import { insertLinkReport } from '@pahatid/db/queries/link-safety';
import type { LinkTarget } from '@pahatid/db/queries/short-links';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { networkKeys } from '../../http/network-keys.ts';

const hourMs = 3_600_000;
const mostBytes = 8_192;
const mostChars = 1_000;

/** As for enquiries: an address and a network have a share each of what all may write. */
const reportLimits = (ip: string, now: Date): AttemptLimit[] => {
  const { address, network } = networkKeys(ip);
  return [
    { what: 'linkReport.address', key: address, limit: 5, windowMs: hourMs, now },
    { what: 'linkReport.all', key: '', limit: 500, windowMs: 24 * hourMs, now },
    { what: 'linkReport.network', key: network, limit: 30, windowMs: 24 * hourMs, now },
  ];
};

export interface ReportPages {
  findTarget(code: string): Promise<LinkTarget | null>;
  showThanks(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  showUnknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

export function registerLinkReports(app: FastifyInstance, deps: ApiDeps, pages: ReportPages): void {
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: mostBytes },
      (_request, body, done) => done(null, new URLSearchParams(String(body)).get('message') ?? ''),
    );
    scope.post('/s/:code', {
      onRequest: async (request, reply) => app.api.rates.admit({ kind: 'address', ip: request.ip }, reply, false),
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex, nofollow');
        const { code } = request.params as { code: string };
        const target = await pages.findTarget(code);
        if (target === null || !target.isBlocked) return pages.showUnknown(request, reply);
        const message = clean(request.body);
        const now = deps.now();
        // A visitor that writes too much gets the same response as others, and nothing is stored.
        if (message !== '' && !('refused' in (await countAttempts(deps.pools.control, reportLimits(request.ip, now)))))
          await insertLinkReport(deps.pools.control, {
            customerId: target.customerId,
            linkId: target.linkId,
            code,
            message,
            at: now,
          });
        return pages.showThanks(request, reply);
      },
    });
  });
}

const clean = (body: unknown): string =>
  typeof body === 'string'
    ? body
        .replaceAll(/[^\P{Cc}\n]/gu, ' ')
        .trim()
        .slice(0, mostChars)
        .toWellFormed()
    : '';
