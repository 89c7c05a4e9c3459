/**
 * The session's cookie. Over https it has the prefix `__Host-`, which ties it to this exact host; over plain http (a
 * laptop) browsers refuse that name, so it is omitted. The id is 256 random bits; the database stores only its SHA-256.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Signed in without doing anything. */
export const sessionIdleMs = 30 * 60_000;
/** Signed in at all. */
export const sessionAbsoluteMs = 12 * 3_600_000;

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:');
const cookieName = (publicUrl: string): string => (isSecure(publicUrl) ? '__Host-pahatid' : 'pahatid');

const options = (publicUrl: string) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(publicUrl) }) as const;

export const makeSessionId = (): string => randomBytes(32).toString('base64url');
export const hashSessionId = (id: string): Buffer => createHash('sha256').update(id).digest();

export const setSessionCookie = (reply: FastifyReply, publicUrl: string, id: string): void => {
  reply.setCookie(cookieName(publicUrl), id, options(publicUrl));
};

export const clearSessionCookie = (reply: FastifyReply, publicUrl: string): void => {
  reply.clearCookie(cookieName(publicUrl), options(publicUrl));
};

/** Returns SHA-256 of the id in the request's cookie; null if there is no valid one. */
export function readSessionHash(request: FastifyRequest, publicUrl: string): Buffer | null {
  const id = request.cookies[cookieName(publicUrl)];
  return id !== undefined && /^[A-Za-z0-9_-]{43}$/.test(id) ? hashSessionId(id) : null;
}
