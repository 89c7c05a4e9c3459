import type { Session } from '@pahatid/contract';
import { findUserByAccount, isKnownDevice } from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import { readBrowserCookie } from '../../http/browser-cookies.ts';
import { ProblemError } from '../../http/problem.ts';
import { auditSignInFailure } from '../../signing-in/audit-sign-in.ts';
import { usePass } from '../../signing-in/captcha-pass.ts';
import { forgivePuzzle } from '../../signing-in/captcha-work.ts';
import { openSession } from '../../signing-in/open-session.ts';
import type { PendingTries } from '../../signing-in/pending-tries.ts';
import { admitTry, forgiveTry, giveBackTry, type Try } from '../../signing-in/sign-in-limits.ts';
import type { SigningIn } from '../../signing-in/signing-in.ts';

interface Given {
  readonly account: string;
  readonly password: string;
  readonly captcha?: string | undefined;
}

/** Nobody's: what a device is looked up under where the account does not exist, so that the looking takes as long. */
const nobody = '00000000-0000-7000-8000-000000000000';

/** Whether the account exists is told by nothing: not by the answer, its time, the counts or the locks. */
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
      await giveBackTry(control, admission.counted);
      throw error;
    });
    // A disabled user is answered like a wrong password: whether the account exists is nobody's business.
    if (user === null || !isRight || user.useState === 0) {
      const { count } = admission;
      await auditSignInFailure(control, signingIn, { typed: account, user, how: 'password', count });
      throw new ProblemError('PASSWORD_INCORRECT', { count });
    }
    await forgiveTry(control, admission.counted);
    if (hasPass) await forgivePuzzle(deps, request, ip);
  } finally {
    over();
  }
  if (user.customerUseState === 0) throw new ProblemError('CUSTOMER_SUSPENDED');
  const passwordHash = passwords.isOutdated(user.passwordHash) ? await passwords.hash(given.password) : null;
  return openSession(signingIn, user, { how: 'password', passwordHash });
}
