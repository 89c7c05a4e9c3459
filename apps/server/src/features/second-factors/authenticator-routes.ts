/** Two-factor by authenticator app, its recovery codes, and the second step of a sign-in. */
import { countAttempt, type SessionUser } from '@pahatid/db';
import {
  confirmTotp,
  deleteTotp,
  findSecondFactors,
  findTotp,
  listPasskeys,
  lockUser,
  proposeTotp,
} from '@pahatid/db/queries/second-factors';
import { findChallenge, setWebauthnChallenge } from '@pahatid/db/queries/sign-in-challenges';
import type { FastifyInstance } from 'fastify';
import { readBrowserCookie } from '../../http/browser-cookies.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError, tooOften } from '../../http/problem.ts';
import { reauthenticate } from '../../http/reauthenticate.ts';
import { serve } from '../../http/serve.ts';
import { sendAccountMail } from '../../mail/account/send-account-mail.ts';
import { askedChallenge } from '../../second-factors/challenges.ts';
import { afterAdding, afterRemoving, renewRecoveryCodes } from '../../second-factors/enrolment.ts';
import { findTotpCounter, makeTotpSecret, totpUri } from '../../second-factors/totp.ts';
import { askForPasskey, makeRelyingParty } from '../../second-factors/webauthn.ts';
import { takeSecondStep } from './second-step.ts';

/** A code to confirm is not secret to the requester: this limits the work, and allows for typing errors. */
const confirming = { what: 'totpConfirm', limit: 20, windowMs: 15 * 60_000 };

export function registerTwoFactor(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;
  const subject = (user: Pick<SessionUser, 'userId'>) => ({ subjectType: 'user', subjectId: user.userId });

  serve(app, 'POST /session/second-factor', async ({ body, ip, request, reply, withTransaction }) =>
    takeSecondStep({ deps, ip, request, reply, withTransaction }, body),
  );

  serve(app, 'POST /session/second-factor/passkey', async ({ body, request }) => {
    const visitor = readBrowserCookie('visitor', request, deps.config.publicUrl);
    const asked = askedChallenge('secondFactor', body.challenge, visitor, deps.now());
    const step = await findChallenge(control, asked);
    const passkeys = step?.userId ? await listPasskeys(control, step.userId) : [];
    if (passkeys.length === 0) throw new ProblemError('SIGN_IN_STEP_ENDED');
    const { webauthn, options } = await askForPasskey(makeRelyingParty(deps.config.publicUrl), passkeys);
    if (!(await setWebauthnChallenge(control, asked, webauthn))) throw new ProblemError('SIGN_IN_STEP_ENDED');
    return { challenge: body.challenge, options };
  });

  serve(app, 'POST /account/two-factor', async ({ user, body, withTransaction, audit }) => {
    if (!user.mustEnrol) await reauthenticate(app.api, user, body.currentPassword);
    const secret = makeTotpSecret();
    const sealed = deps.secrets.seal('totp-seed', secret);
    await withTransaction(async (tx) => {
      if (!(await proposeTotp(tx, user.userId, sealed, deps.now()))) throw new ProblemError('TWO_FACTOR_ON');
      await audit(tx, { action: 'twoFactor.begin', ...subject(user) });
    });
    return { secret, uri: totpUri(secret, user.account) };
  });

  serve(app, 'POST /account/two-factor/confirm', async ({ user, body, lang, withTransaction, audit }) => {
    const now = deps.now();
    const counted = await countAttempt(control, { ...confirming, key: user.userId, now });
    if (!counted.allowed) throw tooOften(counted.endsAt, now);
    return withTransaction(async (tx) => {
      await lockUser(tx, user.userId);
      const totp = await findTotp(tx, user.userId);
      if (totp === null) throw new ProblemError('TWO_FACTOR_OFF');
      if (totp.isConfirmed) throw new ProblemError('TWO_FACTOR_ON');
      const counter = findTotpCounter(deps.secrets.open('totp-seed', totp.seedSealed), body.code, now);
      if (counter === null) throw new ProblemError('TOTP_CODE_WRONG');
      if (!(await confirmTotp(tx, user.userId, totp.seedSealed, counter, now))) throw new ProblemError('TWO_FACTOR_ON');
      const codes = await afterAdding(tx, deps, user.userId);
      await sendAccountMail(tx, user.userId, { what: 'totpAdded' }, lang);
      await audit(tx, { action: 'twoFactor.enable', ...subject(user) });
      return { recoveryCodes: codes ?? [] };
    });
  });

  serve(app, 'POST /account/two-factor/disable', async ({ user, body, lang, withTransaction, audit }) => {
    await reauthenticate(app.api, user, body.currentPassword);
    await withTransaction(async (tx) => {
      await lockUser(tx, user.userId);
      if (!(await deleteTotp(tx, user.userId))) throw new ProblemError('TWO_FACTOR_OFF');
      await afterRemoving(tx, deps, user);
      await sendAccountMail(tx, user.userId, { what: 'totpRemoved' }, lang);
      await audit(tx, { action: 'twoFactor.disable', ...subject(user) });
    });
    return undefined;
  });

  serve(app, 'POST /account/two-factor/recovery-codes', async ({ user, body, lang, withTransaction, audit }) => {
    await reauthenticate(app.api, user, body.currentPassword);
    return withTransaction(async (tx) => {
      await lockUser(tx, user.userId);
      const { hasTotp, passkeyCount } = await findSecondFactors(tx, user.userId);
      if (!hasTotp && passkeyCount === 0) throw new ProblemError('TWO_FACTOR_OFF');
      const codes = await renewRecoveryCodes(tx, deps, user.userId);
      await sendAccountMail(tx, user.userId, { what: 'recoveryCodesRenewed' }, lang);
      await audit(tx, { action: 'twoFactor.renewRecoveryCodes', ...subject(user) });
      return { recoveryCodes: codes };
    });
  });
}
