/** Last step of every sign-in method: a session, unless a second factor is required first. */
import type { Session } from '@pahatid/contract';
import { isNewDevice, markSignedIn, rememberDevice, type SessionUser } from '@pahatid/db';
import type { PoolClient } from 'pg';
import { type BrowserCookie, needBrowserCookie } from '../http/browser-cookies.ts';
import { getLanguage } from '../http/language.ts';
import { newSession, type OpenedSession } from '../http/new-session.ts';
import { ProblemError } from '../http/problem.ts';
import { setSessionCookie } from '../http/session-cookie.ts';
import { sendNewDeviceMail } from '../mail/account/new-device-mail.ts';
import { auditSignIn } from './audit-sign-in.ts';
import { describeSession } from './describe-session.ts';
import { readCountry } from './read-country.ts';
import { askSecondFactor } from './second-factors.ts';
import type { Opening, SigningIn } from './signing-in.ts';

/**
 * Runs after a first factor. Throws SECOND_FACTOR_REQUIRED if the user has one; the changes by `alongside` are kept.
 */
export async function openSession(signingIn: SigningIn, user: SessionUser, opening: Opening): Promise<Session> {
  const device = deviceOf(signingIn);
  const outcome = await signingIn.withTransaction(async (tx) => {
    const asked = await askSecondFactor(tx, signingIn, user, opening.how);
    if (asked === null) return { opened: await enter(tx, signingIn, user, opening, device) };
    await opening.alongside?.(tx);
    return { asked };
  });
  if ('asked' in outcome) {
    const { challenge, methods, visitor } = outcome.asked;
    visitor.set(signingIn.reply);
    throw new ProblemError('SECOND_FACTOR_REQUIRED', { challenge, methods: methods.join(',') });
  }
  return finish(signingIn, user, outcome.opened, device);
}

/** Runs after the last factor: no further checks. */
export async function finishOpening(signingIn: SigningIn, user: SessionUser, opening: Opening): Promise<Session> {
  const device = deviceOf(signingIn);
  const opened = await signingIn.withTransaction((tx) => enter(tx, signingIn, user, opening, device));
  return finish(signingIn, user, opened, device);
}

const deviceOf = ({ request, deps }: SigningIn): BrowserCookie =>
  needBrowserCookie('device', request, deps.config.publicUrl);

async function enter(
  tx: PoolClient,
  signingIn: SigningIn,
  user: SessionUser,
  opening: Opening,
  device: BrowserCookie,
): Promise<OpenedSession> {
  const { deps, ip, request } = signingIn;
  const { how, secondFactor, passwordHash = null } = opening;
  const now = deps.now();
  await opening.alongside?.(tx);
  const isNew = await isNewDevice(tx, user.userId, device.hash);
  const opened = await newSession(tx, { userId: user.userId, now, ip, request, config: deps.config });
  await markSignedIn(tx, user.userId, now, passwordHash);
  await rememberDevice(tx, user.userId, device.hash, now);
  if (isNew) {
    const userAgent = request.headers['user-agent'];
    await sendNewDeviceMail(tx, user.userId, { userAgent, ip, page: getLanguage(request), now });
  }
  const country = readCountry(request, deps.config);
  await auditSignIn(tx, signingIn, user, {
    how,
    ...(secondFactor !== undefined && { secondFactor }),
    ...(country !== null && { country }),
  });
  return opened;
}

function finish(
  { deps, reply }: SigningIn,
  user: SessionUser,
  { id, mustEnrol }: OpenedSession,
  device: BrowserCookie,
): Promise<Session> {
  setSessionCookie(reply, deps.config.publicUrl, id);
  device.set(reply);
  return describeSession(deps.pools, { ...user, mustEnrol });
}
