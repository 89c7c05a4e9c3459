/**
 * A user's own phone, which receives codes by SMS. Setting it requires two proofs: the password (or a code of the
 * authenticator app), and the code sent to the phone. That a phone already belongs to another user is only disclosed to
 * its holder, not to anyone that just types its number.
 */
import { resendAfterS } from '@pahatid/contract';
import { endUserCodes, hasAskedForCode } from '@pahatid/db';
import { getAccount, setMsisdn } from '@pahatid/db/queries/account';
import { lockUser } from '@pahatid/db/queries/second-factors';
import { maskMsisdn } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import { codeLifetimeMs, grantLifetimeMs } from '../../codes/code-rules.ts';
import { readPhone } from '../../codes/read-destination.ts';
import { askForOwnCode } from '../../codes/request-code.ts';
import { tryOwnCode } from '../../codes/try-code.ts';
import { onConflict } from '../../http/conflicts.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { sendAccountMail } from '../../mail/account/send-account-mail.ts';
import { stepUp } from '../../second-factors/step-up.ts';
import { presentAccount } from './present-account.ts';

export function registerPhone(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;
  const keyOf = (phone: string) => ({ purpose: 'setPhone', destination: readPhone(phone) }) as const;

  serve(app, 'POST /account/phone/code', async ({ user, body, ip, lang, audit }) => {
    const key = keyOf(body.phone);
    const { userId, sessionHash } = user;
    // Once more to the same phone from the same session: that was allowed a moment ago.
    const since = new Date(deps.now().getTime() - grantLifetimeMs);
    if (!(await hasAskedForCode(control, { ...key, visitorHash: sessionHash }, { askedBy: userId, since })))
      await stepUp(app.api, user, body);
    await askForOwnCode(deps, { ip, lang }, user, { ...key, channel: 'sms' });
    await audit(control, {
      action: 'phone.begin',
      subjectType: 'user',
      subjectId: userId,
      after: { phone: maskMsisdn(key.destination) },
    });
    return { resendAfterS, expiresInS: codeLifetimeMs / 1000 };
  });

  serve(app, 'POST /account/phone', async ({ user, body, ip, lang, withTransaction, audit }) => {
    const key = keyOf(body.phone);
    const right = await tryOwnCode(deps, ip, user, key, body.code);
    if (right.userId !== user.userId) throw new ProblemError('CODE_INVALID');
    await onConflict({ app_user_msisdn: 'PHONE_TAKEN' }, () =>
      withTransaction(async (tx) => {
        await lockUser(tx, user.userId);
        await right.useUp(tx);
        const before = (await getAccount(tx, user.userId)).msisdn;
        const phone = maskMsisdn(key.destination);
        // Before it is changed: the previous phone is notified too.
        await sendAccountMail(tx, user.userId, { what: 'phoneSet', phone }, lang);
        await setMsisdn(tx, user.userId, key.destination);
        await endUserCodes(tx, user.userId);
        await audit(tx, {
          action: 'phone.set',
          subjectType: 'user',
          subjectId: user.userId,
          before: { phone: before && maskMsisdn(before) },
          after: { phone },
        });
      }),
    );
    return presentAccount(deps, user.userId);
  });

  serve(app, 'POST /account/phone/remove', async ({ user, body, lang, withTransaction, audit }) => {
    await stepUp(app.api, user, body);
    await withTransaction(async (tx) => {
      await lockUser(tx, user.userId);
      const before = (await getAccount(tx, user.userId)).msisdn;
      if (before === null) throw new ProblemError('NOT_FOUND');
      const phone = maskMsisdn(before);
      await sendAccountMail(tx, user.userId, { what: 'phoneRemoved', phone }, lang);
      await setMsisdn(tx, user.userId, null);
      await endUserCodes(tx, user.userId);
      const entry = { action: 'phone.remove', subjectType: 'user', subjectId: user.userId };
      await audit(tx, { ...entry, before: { phone }, after: { phone: null } });
    });
    return presentAccount(deps, user.userId);
  });
}
