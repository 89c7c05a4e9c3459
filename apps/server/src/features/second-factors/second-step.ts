/**
 * The second step of a sign-in. An attempt is counted before it is checked: five for each step, ten in 15 minutes and
 * fifty a day for each user. So an attacker with the password guesses at most fifty of the million codes of an
 * authenticator a day, of which three are valid at any moment. A passkey can't be guessed and has no limit but the
 * step's.
 */
import type { CallInput, SecondFactorMethod, Session } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import type { Db } from '@pahatid/db';
import { findSignInUser } from '@pahatid/db/queries/account';
import {
  findPasskeyByCredential,
  findTotp,
  takePasskey,
  takeRecoveryCode,
  takeTotpCounter,
} from '@pahatid/db/queries/second-factors';
import { type Challenge, endChallenge, tryChallenge } from '@pahatid/db/queries/sign-in-challenges';
import { readBrowserCookie } from '../../http/browser-cookies.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { askedChallenge } from '../../second-factors/challenges.ts';
import { countGuess, refundGuesses } from '../../second-factors/guess-limits.ts';
import { normalizeRecoveryCode } from '../../second-factors/recovery-codes.ts';
import { findTotpCounter } from '../../second-factors/totp.ts';
import { makeRelyingParty, readAssertion } from '../../second-factors/webauthn.ts';
import { finishOpening } from '../../sign-in/open-session.ts';
import type { FirstFactor, SigningIn } from '../../sign-in/signing-in.ts';

export type SecondStep = CallInput<'POST /session/second-factor'>['body'];

/** Uses up the proof, so that it cannot be used again; returns false if it already was. */
type Take = (tx: Db) => Promise<boolean>;

export async function takeSecondStep(signingIn: SigningIn, body: SecondStep): Promise<Session> {
  const { deps, request } = signingIn;
  const { control } = deps.pools;
  const now = deps.now();
  const visitor = readBrowserCookie('visitor', request, deps.config.publicUrl);
  const asked = askedChallenge('secondFactor', body.challenge, visitor, now);
  const tried = await tryChallenge(control, asked);
  const user = tried?.userId ? await findSignInUser(control, tried.userId) : null;
  if (tried === null || user === null || user.useState === UseState.Disabled)
    throw new ProblemError('SIGN_IN_STEP_ENDED');
  if (user.customerUseState === UseState.Disabled) throw new ProblemError('CUSTOMER_SUSPENDED');

  const wrong = new ProblemError('SECOND_FACTOR_WRONG', { left: tried.triesLeft });
  if (body.method !== 'passkey') await countGuess(deps, user.userId);
  const take = await checks[body.method](deps, user.userId, body, tried);
  if (take === null) throw wrong;
  const session = await finishOpening(signingIn, user, {
    how: tried.firstFactor as FirstFactor,
    secondFactor: body.method,
    alongside: async (tx) => {
      if (!(await endChallenge(tx, asked.hash))) throw new ProblemError('SIGN_IN_STEP_ENDED');
      if (!(await take(tx))) throw wrong;
    },
  });
  await refundGuesses(deps, user.userId);
  return session;
}

type Check = (deps: ApiDeps, userId: string, body: SecondStep, challenge: Challenge) => Promise<Take | null>;

const checks: Record<SecondFactorMethod, Check> = {
  totp: async (deps, userId, { code = '' }) => {
    const totp = await findTotp(deps.pools.control, userId);
    if (totp === null || !totp.isConfirmed) return null;
    const counter = findTotpCounter(deps.secrets.open('totp-seed', totp.seedSealed), code, deps.now());
    return counter === null ? null : (tx) => takeTotpCounter(tx, userId, counter);
  },
  recoveryCode: async (deps, userId, { code = '' }) => {
    const hash = deps.secrets.hashRecoveryCode(userId, normalizeRecoveryCode(code));
    return (tx) => takeRecoveryCode(tx, userId, hash, deps.now());
  },
  passkey: async (deps, userId, { assertion }, { webauthnChallenge }) => {
    if (assertion === undefined || webauthnChallenge === null) return null;
    const passkey = await findPasskeyByCredential(deps.pools.control, assertion.id);
    if (passkey?.userId !== userId) return null;
    const rp = makeRelyingParty(deps.config.publicUrl);
    const asked = { webauthn: webauthnChallenge, mustKnowHolder: false };
    const signCount = await readAssertion(rp, assertion, passkey, asked);
    return signCount === null ? null : (tx) => takePasskey(tx, passkey.passkeyId, signCount, deps.now());
  },
};
