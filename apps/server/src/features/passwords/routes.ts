/** New passwords: forgotten, by SMS or by e-mail, and changed by a signed-in user. */
import { createHash, randomBytes } from 'node:crypto';
import {
  clearAttempts,
  deleteOtherSessions,
  deleteUserSessions,
  endGrant,
  endUserCodes,
  findGrant,
  findPasswordOwner,
  grantByCode,
  setPassword,
  writeAudit,
} from '@pahatid/db';
import type { Language } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { grantLifetimeMs } from '../../codes/code-rules.ts';
import { readEmail, readPhone } from '../../codes/read-destination.ts';
import { tryCode } from '../../codes/try-code.ts';
import { readBrowserCookie } from '../../http/browser-cookies.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { reauthenticate } from '../../http/reauthenticate.ts';
import { serve } from '../../http/serve.ts';
import { sendAccountMail } from '../../mail/account/send-account-mail.ts';
import { assertNotGuessable, assertRule } from './check-new-password.ts';

const hashGrant = (grant: string): Buffer => createHash('sha256').update(grant).digest();

interface Reset {
  readonly userId: string;
  readonly newPassword: string;
  readonly ip: string;
  readonly lang: Language;
  readonly how: 'sms' | 'email';
  readonly withTransaction: <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>;
  /** Uses up what let the person come this far. */
  readonly useUp: (tx: PoolClient) => Promise<void>;
}

export function registerPasswords(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;

  /** Ends every session and creates none: the code alone gives no session (and no second factor). */
  const resetPassword = async ({
    userId,
    newPassword,
    ip,
    lang,
    how,
    withTransaction,
    useUp,
  }: Reset): Promise<void> => {
    const owner = await findPasswordOwner(control, userId);
    if (owner === null) throw new ProblemError('CODE_INVALID');
    assertNotGuessable(newPassword, owner);
    const passwordHash = await app.api.passwords.hash(newPassword);
    await withTransaction(async (tx) => {
      await useUp(tx);
      await setPassword(tx, userId, passwordHash);
      const sessions = await deleteUserSessions(tx, userId);
      await endUserCodes(tx, userId);
      await sendAccountMail(tx, userId, { what: 'passwordReset' }, lang);
      await writeAudit(tx, {
        customerId: owner.customerId,
        userId,
        account: owner.account,
        ip,
        action: 'resetPassword',
        subjectType: 'user',
        subjectId: userId,
        before: null,
        after: { how, sessionsEnded: sessions },
      });
    });
    await clearAttempts(control, 'signIn.failures', owner.account);
  };

  serve(app, 'POST /password-resets/by-phone', async ({ body, ip, lang, request, withTransaction }) => {
    const destination = readPhone(body.phone);
    assertRule('phone', body);
    const { userId, useUp } = await tryCode(
      deps,
      { ip, request },
      { purpose: 'resetPassword', destination },
      body.code,
    );
    await resetPassword({ userId, newPassword: body.newPassword, ip, lang, how: 'sms', withTransaction, useUp });
    return undefined;
  });

  serve(app, 'POST /password-resets/verify', async ({ body, ip, request, withTransaction }) => {
    const key = { purpose: 'resetPassword', destination: readEmail(body.email) } as const;
    const { useUp, visitorHash } = await tryCode(deps, { ip, request }, key, body.code);
    const grant = randomBytes(32).toString('base64url');
    const expiresAt = new Date(deps.now().getTime() + grantLifetimeMs);
    await withTransaction(async (tx) => {
      await useUp(tx);
      await grantByCode(tx, { ...key, visitorHash }, { hash: hashGrant(grant), expiresAt });
    });
    return { grant, expiresInS: grantLifetimeMs / 1000 };
  });

  serve(app, 'POST /password-resets', async ({ body, ip, lang, request, withTransaction }) => {
    assertRule('email', body);
    const hash = hashGrant(body.grant);
    const visitor = readBrowserCookie('visitor', request, deps.config.publicUrl);
    const userId = visitor === null ? null : await findGrant(control, hash, visitor, deps.now());
    if (userId === null) throw new ProblemError('RESET_ENDED');
    const useUp = async (tx: PoolClient): Promise<void> => {
      if (!(await endGrant(tx, hash))) throw new ProblemError('RESET_ENDED');
    };
    await resetPassword({ userId, newPassword: body.newPassword, ip, lang, how: 'email', withTransaction, useUp });
    return undefined;
  });

  serve(app, 'POST /password', async ({ user, body, lang, audit, withTransaction }) => {
    assertRule('email', body);
    await reauthenticate(app.api, user, body.currentPassword);
    const owner = await findPasswordOwner(control, user.userId);
    if (owner === null) throw new ProblemError('NOT_SIGNED_IN');
    assertNotGuessable(body.newPassword, owner);
    const passwordHash = await app.api.passwords.hash(body.newPassword);
    await withTransaction(async (tx) => {
      await setPassword(tx, user.userId, passwordHash);
      const sessions = await deleteOtherSessions(tx, user.userId, user.sessionHash);
      await endUserCodes(tx, user.userId);
      await sendAccountMail(tx, user.userId, { what: 'passwordChanged' }, lang);
      await audit(tx, {
        action: 'changePassword',
        subjectType: 'user',
        subjectId: user.userId,
        after: { sessionsEnded: sessions },
      });
    });
    return undefined;
  });
}
