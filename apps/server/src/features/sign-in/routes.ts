import { deleteSession, markProved } from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { serve } from '../../http/serve.ts';
import { clearSessionCookie } from '../../http/session-cookie.ts';
import { stepUp } from '../../second-factors/step-up.ts';
import { describeSession } from '../../sign-in/describe-session.ts';
import { signInByEmailCode } from '../../sign-in/email-code.ts';
import { makePendingTries } from '../../sign-in/pending-tries.ts';
import { signInByPassword } from './password-sign-in.ts';

export function registerSession(app: FastifyInstance, deps: ApiDeps): void {
  const pending = makePendingTries();

  serve(app, 'POST /session', async ({ body, ip, request, reply, withTransaction }) => {
    const signingIn = { deps, ip, request, reply, withTransaction };
    return 'email' in body
      ? signInByEmailCode(signingIn, body)
      : signInByPassword({ passwords: app.api.passwords, pending }, signingIn, body);
  });

  serve(app, 'POST /session/proof', async ({ user, body, audit, withTransaction }) => {
    await stepUp(app.api, user, body);
    await withTransaction(async (tx) => {
      await markProved(tx, user.sessionHash, deps.now());
      await audit(tx, { action: 'prove', subjectType: 'session', subjectId: user.userId });
    });
    return undefined;
  });

  serve(app, 'GET /session', async ({ user }) => describeSession(deps.pools, user));

  serve(app, 'DELETE /session', async ({ user, reply, audit, withTransaction }) => {
    await withTransaction(async (tx) => {
      await deleteSession(tx, user.sessionHash);
      await audit(tx, { action: 'signOut', subjectType: 'session', subjectId: user.userId });
    });
    clearSessionCookie(reply, deps.config.publicUrl);
    return undefined;
  });
}
