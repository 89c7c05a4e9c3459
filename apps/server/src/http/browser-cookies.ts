/**
 * Cookies that grant no access. Two are 256 random bits of which the database stores only the SHA-256:
 * - the visitor's, for as long as the browser is open: a flow begun without a session (a puzzle, a code) continues in
 *   the same browser only;
 * - the device's, stored for half a year: a browser in which a person has signed in before.
 * The third marks for some seconds a browser in which a person has changed something: it reads from the leader of the
 * database servers, because replicas may not have the change yet.
 */
import { createHash, randomBytes } from 'node:crypto';
import { REPLICA_LAG_MS } from '@pahatid/db';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Kind = 'visitor' | 'device';

const deviceMaxAgeS = 180 * 86_400;
/** Replicas that are further behind are not used; twice that, for what the measure itself is late. */
const changeMaxAgeS = (2 * REPLICA_LAG_MS) / 1_000;

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:');
const nameOf = (kind: Kind | 'change', publicUrl: string): string =>
  `${isSecure(publicUrl) ? '__Host-' : ''}pahatid-${kind}`;

/** Returns SHA-256 of the cookie's value; null if the browser has no valid one. */
export function readBrowserCookie(kind: Kind, request: FastifyRequest, publicUrl: string): Buffer | null {
  const value = request.cookies[nameOf(kind, publicUrl)];
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? createHash('sha256').update(value).digest() : null;
}

export interface BrowserCookie {
  readonly hash: Buffer;
  /** Gives it to a browser that has none. */
  readonly set: (reply: FastifyReply) => void;
}

/** Returns the browser's cookie, or a new one, to be set after its purpose has been fulfilled. */
export function needBrowserCookie(kind: Kind, request: FastifyRequest, publicUrl: string): BrowserCookie {
  const known = readBrowserCookie(kind, request, publicUrl);
  if (known !== null) return { hash: known, set: () => undefined };
  const value = randomBytes(32).toString('base64url');
  const set = (reply: FastifyReply): void => {
    reply.setCookie(nameOf(kind, publicUrl), value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure(publicUrl),
      ...(kind === 'device' && { maxAge: deviceMaxAgeS }),
    });
  };
  return { hash: createHash('sha256').update(value).digest(), set };
}

export function markChange(reply: FastifyReply, publicUrl: string): void {
  reply.setCookie(nameOf('change', publicUrl), '1', {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(publicUrl),
    maxAge: changeMaxAgeS,
  });
}

export const hasJustChanged = (request: FastifyRequest, publicUrl: string): boolean =>
  request.cookies[nameOf('change', publicUrl)] !== undefined;
