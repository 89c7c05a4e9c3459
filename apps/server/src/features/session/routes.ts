import {
  clearSignInFailures,
  countSignInFailure,
  deleteSession,
  findUserByAccount,
  markSignedIn,
  withTransaction,
  writeAudit,
} from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { openSession } from '../../http/open-session.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { clearSessionCookie, setSessionCookie } from '../../http/session-cookie.ts';
import { makePasswords, PasswordsBusyError } from '../../passwords.ts';
import { describeSession } from './describe-session.ts';

export function registerSession(app: FastifyInstance, deps: ApiDeps): void {
  const passwords = makePasswords();

  serve(app, 'POST /session', async ({ body, ip, request, reply, withTransaction: transact }) => {
    const account = body.account.toLowerCase();
    const now = deps.now();
    const user = await findUserByAccount(deps.pools.control, account);
    const isRight = await passwords.verify(user?.passwordHash ?? null, body.password).catch((error: unknown) => {
      if (error instanceof PasswordsBusyError) throw new ProblemError('UNAVAILABLE', { retryAfterS: 2 });
      throw error;
    });
    // A disabled user is answered like a wrong password: whether the account exists is nobody's business.
    if (user === null || !isRight || user.useState === 0) {
      const count = await countSignInFailure(deps.pools.control, account, now);
      throw new ProblemError('PASSWORD_INCORRECT', { count });
    }
    if (user.customerUseState === 0) throw new ProblemError('CUSTOMER_SUSPENDED');

    const rehashed = passwords.isOutdated(user.passwordHash) ? await passwords.hash(body.password) : null;
    const id = await transact(async (tx) => {
      const { publicUrl } = deps.config;
      const opened = await openSession(tx, { userId: user.userId, now, ip, request, publicUrl });
      await clearSignInFailures(tx, account);
      await markSignedIn(tx, user.userId, now, rehashed);
      await writeAudit(tx, {
        customerId: user.customerId,
        userId: user.userId,
        account: user.account,
        ip,
        action: 'signIn',
        subjectType: 'session',
        subjectId: user.userId,
        before: null,
        after: null,
      });
      return opened;
    });
    setSessionCookie(reply, deps.config.publicUrl, id);
    return describeSession(deps.pools, user);
  });

  serve(app, 'GET /session', async ({ user }) => describeSession(deps.pools, user));

  serve(app, 'DELETE /session', async ({ user, reply, audit }) => {
    await withTransaction(deps.pools.control, async (tx) => {
      await deleteSession(tx, user.sessionHash);
      await audit(tx, { action: 'signOut', subjectType: 'session', subjectId: user.userId });
    });
    clearSessionCookie(reply, deps.config.publicUrl);
    return undefined;
  });
}
