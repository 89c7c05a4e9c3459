/**
 * The first admin of an installation without demo data. The holder of the link printed at the start creates the
 * account; the link works once, for a day, and never if an admin exists.
 */
import { timingSafeEqual } from 'node:crypto';
import {
  findSetupLink,
  hasAdmin,
  insertUser,
  lockSetupLink,
  markSignedIn,
  removeSetupLink,
  type SetupLink,
} from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { onConflict } from '../../http/conflicts.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { newSession } from '../../http/new-session.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { setSessionCookie } from '../../http/session-cookie.ts';
import { hashSetupToken } from '../../secrets/setup-link.ts';
import { makeAttempts } from './attempts.ts';
import { checkFirstAdmin } from './check-first-admin.ts';

export function registerSetup(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;
  const { publicUrl } = deps.config;
  const countAttempt = makeAttempts();

  /**
   * The link is read before checking for an admin: both change in one transaction, so a caller that finds the link
   * deleted finds the admin.
   */
  const assertMayOpen = async (token: string, now: Date): Promise<void> => {
    const link = await findSetupLink(control);
    if (await hasAdmin(control)) throw new ProblemError('SETUP_DONE');
    assertOpens(link, token, now);
  };

  /** One of several concurrent calls with the link succeeds; the others find an admin. */
  const takeLink = async (tx: PoolClient, token: string, now: Date): Promise<void> => {
    const link = await lockSetupLink(tx);
    if (await hasAdmin(tx)) throw new ProblemError('SETUP_DONE');
    assertOpens(link, token, now);
    await removeSetupLink(tx);
  };

  serve(app, 'POST /setup/check', async ({ body, ip }) => {
    const now = deps.now();
    countAttempt(ip, now);
    await assertMayOpen(body.token, now);
    return undefined;
  });

  serve(app, 'POST /setup', async ({ body, ip, request, reply, withTransaction, audit }) => {
    const now = deps.now();
    countAttempt(ip, now);
    // Before the rules and the hash: a caller without a link gets no information and costs nothing.
    await assertMayOpen(body.token, now);
    const { account, email, password } = checkFirstAdmin(body);
    const passwordHash = await app.api.passwords.hash(password);
    const taken = { app_user_account: 'ACCOUNT_TAKEN', app_user_email: 'EMAIL_TAKEN' } as const;
    const id = await onConflict(taken, () =>
      withTransaction(async (tx) => {
        await takeLink(tx, body.token, now);
        const userId = await insertUser(tx, {
          customerId: null,
          account,
          email,
          name: account,
          role: 'admin',
          passwordHash,
          locale: body.locale,
        });
        await markSignedIn(tx, userId, now, null);
        await audit(tx, {
          action: 'setUp',
          subjectType: 'user',
          subjectId: userId,
          after: { account, email, role: 'admin' },
        });
        const opened = await newSession(tx, { userId, now, ip, request, config: deps.config });
        return opened.id;
      }),
    );
    setSessionCookie(reply, publicUrl, id);
    return undefined;
  });
}

function assertOpens(link: SetupLink | null, token: string, now: Date): void {
  if (link === null || !timingSafeEqual(hashSetupToken(token), link.tokenHash))
    throw new ProblemError('SETUP_LINK_INVALID');
  if (link.expiresAt <= now) throw new ProblemError('SETUP_LINK_EXPIRED');
}
