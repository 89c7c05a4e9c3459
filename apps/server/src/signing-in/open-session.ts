/** Where every way of signing in ends: a session, unless the person is asked for a second factor first. */
import type { Session } from '@pahatid/contract';
import { markSignedIn, rememberDevice, type SessionUser, writeAudit } from '@pahatid/db';
import type { PoolClient } from 'pg';
import { type BrowserCookie, needBrowserCookie } from '../http/browser-cookies.ts';
import { newSession } from '../http/new-session.ts';
import { ProblemError } from '../http/problem.ts';
import { setSessionCookie } from '../http/session-cookie.ts';
import { describeSession } from './describe-session.ts';
import { askSecondFactor } from './second-factors.ts';
import type { Opening, SigningIn } from './signing-in.ts';

/** After a first factor. Throws SECOND_FACTOR_REQUIRED where the person has one; what `alongside` did stands. */
export async function openSession(signingIn: SigningIn, user: SessionUser, opening: Opening): Promise<Session> {
  const device = deviceOf(signingIn);
  const outcome = await signingIn.withTransaction(async (tx) => {
    const asked = await askSecondFactor(tx, signingIn, user, opening.how);
    if (asked === null) return { id: await enter(tx, signingIn, user, opening, device) };
    await opening.alongside?.(tx);
    return { asked };
  });
  if ('asked' in outcome) {
    const { challenge, methods } = outcome.asked;
    throw new ProblemError('SECOND_FACTOR_REQUIRED', { challenge, methods: methods.join(',') });
  }
  return finish(signingIn, user, outcome.id, device);
}

/** After the last factor: no more questions. */
export async function finishOpening(signingIn: SigningIn, user: SessionUser, opening: Opening): Promise<Session> {
  const device = deviceOf(signingIn);
  const id = await signingIn.withTransaction((tx) => enter(tx, signingIn, user, opening, device));
  return finish(signingIn, user, id, device);
}

const deviceOf = ({ request, deps }: SigningIn): BrowserCookie =>
  needBrowserCookie('device', request, deps.config.publicUrl);

async function enter(
  tx: PoolClient,
  signingIn: SigningIn,
  user: SessionUser,
  opening: Opening,
  device: BrowserCookie,
): Promise<string> {
  const { deps, ip, request } = signingIn;
  const { how, secondFactor, passwordHash = null } = opening;
  const now = deps.now();
  await opening.alongside?.(tx);
  const id = await newSession(tx, { userId: user.userId, now, ip, request, publicUrl: deps.config.publicUrl });
  await markSignedIn(tx, user.userId, now, passwordHash);
  await rememberDevice(tx, user.userId, device.hash, now);
  await writeAudit(tx, {
    customerId: user.customerId,
    userId: user.userId,
    account: user.account,
    ip,
    action: 'signIn',
    subjectType: 'session',
    subjectId: user.userId,
    before: null,
    after: { how, ...(secondFactor !== undefined && { secondFactor }) },
  });
  return id;
}

function finish({ deps, reply }: SigningIn, user: SessionUser, id: string, device: BrowserCookie): Promise<Session> {
  setSessionCookie(reply, deps.config.publicUrl, id);
  device.set(reply);
  return describeSession(deps.pools, user);
}
