/**
 * Visits to a public demo: a session of the demo's viewer that changes nothing and stores nothing of who it belongs to.
 * Only where the operator allows it (PAHATID_DEMO=visitors); elsewhere these routes do not exist.
 */
import { countAttempts } from '@pahatid/db';
import { findSession, insertVisit } from '@pahatid/db/queries/sessions';
import { findVisitorUser } from '@pahatid/db/queries/setup';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError, tooOften } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { hashSessionId, makeSessionId, sessionIdleMs, setSessionCookie } from '../../http/session-cookie.ts';
import { giveTicket, useTicket } from '../../http/work-ticket.ts';
import { describeSession } from '../../sign-in/describe-session.ts';
import { mostVisits, ticketLifeMs, ticketLimits, visitBits, visitLimits, visitMs } from './limits.ts';

/** For a visitor who comes while as many visits as possible are open. */
const fullRetryS = 300;

export function registerDemoVisits(app: FastifyInstance, deps: ApiDeps): void {
  const { pools, secrets, config } = deps;
  const { control } = pools;
  const mustBeOpen = (): void => {
    if (!config.visitors) throw new ProblemError('NOT_FOUND');
  };

  serve(app, 'POST /demo-visits/ticket', async ({ ip }) => {
    mustBeOpen();
    const now = deps.now();
    const ask = { purpose: 'demoVisit', ip, now, limits: ticketLimits(ip, now), bits: visitBits, waitMs: 0 } as const;
    return giveTicket({ secrets: deps.secrets, pool: control }, ask);
  });

  serve(app, 'POST /demo-visits', async ({ body, ip, reply, withTransaction }) => {
    mustBeOpen();
    const now = deps.now();
    const use = { purpose: 'demoVisit', given: body, ip, now, leastAgeMs: 0, lifeMs: ticketLifeMs } as const;
    if ((await useTicket({ secrets, pool: control }, use)) === null) throw new ProblemError('CAPTCHA_FAILED');
    const counted = await countAttempts(control, visitLimits(ip, now));
    if ('refused' in counted) throw tooOften(counted.endsAt, now);
    const id = makeSessionId();
    const hash = hashSessionId(id);
    const isOpened = await withTransaction(async (tx) => {
      const userId = await findVisitorUser(tx);
      if (userId === null) throw new ProblemError('NOT_FOUND');
      return insertVisit(tx, { hash, userId, now, expiresAt: new Date(now.getTime() + visitMs) }, mostVisits);
    });
    if (!isOpened) throw new ProblemError('RATE_LIMITED', { retryAfterS: fullRetryS });
    const user = await findSession(control, hash, now, sessionIdleMs);
    // The demo was suspended by its operator.
    if (user === null) throw new ProblemError('NOT_FOUND');
    setSessionCookie(reply, config.publicUrl, id);
    return describeSession(pools, user);
  });
}
