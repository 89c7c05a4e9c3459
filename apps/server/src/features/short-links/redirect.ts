/**
 * `GET /s/{code}`: one lookup by the code, one row for the click, then the redirect. The response is sent once the
 * click is committed, so that none is lost when the process ends; concurrent clicks are committed together. Of the
 * visitor only the families of browser and system are stored.
 */
import { uuidV7 } from '@pahatid/db';
import { insertClicks, type NewClick } from '@pahatid/db/queries/link-clicks';
import { findLinkTarget, type LinkTarget } from '@pahatid/db/queries/short-links';
import { describeClick, findRobotSign, isShortCode } from '@pahatid/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { defaultConsoleDir } from '../../http/console-pages.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { type NoticeName, readNotices } from '../../http/notice-pages.ts';
import { ProblemError } from '../../http/problem.ts';
import { Backlog } from '../../sending/accept/backlog.ts';
import { GroupCommit } from '../../sending/accept/group-commit.ts';
import { registerLinkReports } from './report-link.ts';

/** How long a process reuses the target of a code: a link that is changed or blocked anywhere changes here within this time. */
export const targetCacheMs = 3_000;
const keptCodes = 5_000;
const mostWaiting = 20_000;
const longestWaitMs = 3_000;

export function registerRedirect(app: FastifyInstance, deps: ApiDeps): void {
  const findTarget = keepTargets(deps.pools.data, () => deps.now().getTime());
  const notices = readNotices(deps.consoleDir ?? defaultConsoleDir);
  const clicks = new GroupCommit<NewClick, null>({
    commit: async (items) => {
      await insertClicks(deps.pools.data, items);
      return items.map(() => null);
    },
    isOfItems: () => false,
    weigh: () => 1,
    ownerOf: (click) => click.customerId,
    mostAtOnce: 500,
    backlog: new Backlog(mostWaiting),
    longestWaitMs,
    refuse: () => new Error('too many clicks wait to be written'),
  });
  app.addHook('onClose', () => clicks.idle());

  const notice = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: NoticeName,
    status: 200 | 404 | 410,
  ): Promise<FastifyReply> => {
    if (notices === null && status === 200) return reply.code(204).send();
    if (notices === null) throw new ProblemError(status === 410 ? 'LINK_ENDED' : 'NOT_FOUND');
    return notices.send(request, reply, name, status);
  };

  registerLinkReports(app, deps, {
    findTarget: async (code) => (isShortCode(code) ? findTarget(code) : null),
    showThanks: (request, reply) => notice(request, reply, 'link-reported', 200),
    showUnknown: (request, reply) => notice(request, reply, 'link-unknown', 404),
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/s/:code',
    onRequest: async (request, reply) => app.api.rates.admit({ kind: 'address', ip: request.ip }, reply, false),
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex, nofollow');
      const { code } = request.params as { code: string };
      const target = isShortCode(code) ? await findTarget(code) : null;
      if (target === null) return await notice(request, reply, 'link-unknown', 404);
      if (target.isBlocked) return await notice(request, reply, 'link-blocked', 410);
      // Not sent to anyone yet, or should not have been.
      if (!target.isApproved) return await notice(request, reply, 'link-unknown', 404);
      const now = deps.now();
      if (!target.isOpen || target.expireTime <= now)
        return target.fallbackUrl === null
          ? await notice(request, reply, 'link-ended', 410)
          : reply.redirect(target.fallbackUrl, 302);
      try {
        await clicks.submit(clickOf(request, code, target, now));
      } catch (error) {
        // The visitor is redirected anyway; a click that can't be counted is at least logged.
        request.log.error(
          { err: error, linkId: target.linkId, requestId: request.id },
          'click on a short link not recorded',
        );
      }
      return reply.redirect(target.targetUrl, 302);
    },
  });
}

function clickOf(request: FastifyRequest, code: string, target: LinkTarget, at: Date): NewClick {
  const { headers, method } = request;
  const userAgent = headers['user-agent'] ?? null;
  const purpose = [headers['sec-purpose'], headers['purpose'], headers['x-moz']].find((each) => each !== undefined);
  return {
    code,
    clickId: uuidV7(at.getTime()),
    customerId: target.customerId,
    linkId: target.linkId,
    at,
    ...describeClick(userAgent),
    sign: findRobotSign({ method, userAgent, purpose: purpose === undefined ? null : String(purpose) }),
  };
}

/** Caches the last requested codes briefly: a link sent to many recipients gets many concurrent clicks. */
function keepTargets(pool: Pool, nowMs: () => number): (code: string) => Promise<LinkTarget | null> {
  const kept = new Map<string, { untilMs: number; target: Promise<LinkTarget | null> }>();
  return (code) => {
    const before = kept.get(code);
    if (before !== undefined && before.untilMs > nowMs()) return before.target;
    const target = findLinkTarget(pool, code);
    kept.delete(code);
    kept.set(code, { untilMs: nowMs() + targetCacheMs, target });
    // A failed read is not cached.
    target.catch(() => kept.delete(code));
    if (kept.size > keptCodes) kept.delete(kept.keys().next().value ?? '');
    return target;
  };
}
