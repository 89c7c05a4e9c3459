/**
 * Two cookies that grant no access, both 256 random bits of which the database stores only the SHA-256:
 * - the visitor's, for as long as the browser is open: a flow begun without a session (a puzzle, a code) continues in
 *   the same browser only;
 * - the device's, stored for half a year: a browser in which a person has signed in before.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Kind = 'visitor' | 'device';

const deviceMaxAgeS = 180 * 86_400;

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:');
const nameOf = (kind: Kind, publicUrl: string): string => `${isSecure(publicUrl) ? '__Host-' : ''}pahatid-${kind}`;

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
