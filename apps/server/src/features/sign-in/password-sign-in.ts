import type { Session } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import { findUserByAccount, isKnownDevice } from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import { readBrowserCookie } from '../../http/browser-cookies.ts';
import { ProblemError } from '../../http/problem.ts';
import { auditSignInFailure } from '../../sign-in/audit-sign-in.ts';
import { usePass } from '../../sign-in/captcha-pass.ts';
import { refundPuzzle } from '../../sign-in/captcha-work.ts';
import { openSession } from '../../sign-in/open-session.ts';
import type { PendingTries } from '../../sign-in/pending-tries.ts';
import { admitTry, refundUncheckedAttempt, settleRightAttempt, type Try } from '../../sign-in/sign-in-limits.ts';
import type { SigningIn } from '../../sign-in/signing-in.ts';

interface Given {
  readonly account: string;
  readonly password: string;
  readonly captcha?: string | undefined;
}

/** A non-existent user: device lookups use it if the account does not exist, so that they take as long. */
const nobody = '00000000-0000-7000-8000-000000000000';

/** Nothing reveals whether the account exists: not the response, its time, the counts or the locks. */
export async function signInByPassword(
  { passwords, pending }: { passwords: FastifyInstance['api']['passwords']; pending: PendingTries },
  signingIn: SigningIn,
  given: Given,
): Promise<Session> {
  const { deps, ip, request } = signingIn;
  const { control } = deps.pools;
  const { publicUrl } = deps.config;
  const account = given.account.toLowerCase();
  const now = deps.now();
  const hasPass =
    given.captcha !== undefined && (await usePass(control, given.captcha, { request, ip, publicUrl, now }));
  if (given.captcha !== undefined && !hasPass) throw new ProblemError('CAPTCHA_FAILED');

  const user = await findUserByAccount(control, account);
  const device = readBrowserCookie('device', request, publicUrl);
  const isKnown = device !== null && (await isKnownDevice(control, user?.userId ?? nobody, device));
  const made: Try = { account, ip, hasPass, deviceKey: isKnown ? device.toString('hex') : null, now };
  const { admission, over } = await admitTry(control, pending, made);
  if (admission.verdict === 'puzzle') throw new ProblemError('CAPTCHA_REQUIRED', { count: admission.count });
  if (admission.verdict === 'locked')
    throw new ProblemError('SIGN_IN_LOCKED', {
      retryAfterS: Math.max(1, Math.ceil((admission.endsAt.getTime() - now.getTime()) / 1000)),
    });

  try {
    const isRight = await passwords.verify(user?.passwordHash ?? null, given.password).catch(async (error: unknown) => {
      await refundUncheckedAttempt(control, admission.counted);
      throw error;
    });
    // A disabled user gets the response of a wrong password: whether the account exists is not disclosed.
    if (user === null || !isRight || user.useState === UseState.Disabled) {
      const { count } = admission;
      await auditSignInFailure(control, signingIn, { typed: account, user, how: 'password', count });
      throw new ProblemError('PASSWORD_INCORRECT', { count });
    }
    await settleRightAttempt(control, admission.counted);
    if (hasPass) await refundPuzzle(deps, request, ip);
  } finally {
    over();
  }
  if (user.customerUseState === UseState.Disabled) throw new ProblemError('CUSTOMER_SUSPENDED');
  const passwordHash = passwords.isOutdated(user.passwordHash) ? await passwords.hash(given.password) : null;
  return openSession(signingIn, user, { how: 'password', passwordHash });
}
