import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from './problem.ts';

/** What software sent: the password of its application, or a key. */
export type SoftwareCredentials =
  | { readonly kind: 'password'; readonly appId: string; readonly hash: Buffer }
  | { readonly kind: 'key'; readonly hash: string };

/**
 * SHA-256, hexadecimal. Of a test key not of its text alone: the release before test mode takes any key that it finds by
 * the hash of its text for a live one.
 */
export const hashKey = (text: string): string =>
  hash('sha256', text.startsWith('pk_test_') ? `test mode ${text}` : text, 'hex');

/** Whether the request has a key: it is then a call of software, whatever else it has. */
export const bearsKey = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  /^bearer +pk_/i.test(headers.authorization ?? '');

/** RFC 7617 and RFC 6750. The session's cookie counts for nothing here. */
export function readCredentials(header: string | undefined): SoftwareCredentials {
  if (header === undefined) throw new ProblemError('NOT_SIGNED_IN');
  const [, key] = /^bearer +(pk_(?:live|test)_[A-Za-z0-9]{43})$/i.exec(header) ?? [];
  if (key !== undefined) return { kind: 'key', hash: hashKey(key) };
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const [, appId, secret] = /^([A-Za-z0-9_-]{3,15}):(.{1,200})$/su.exec(text) ?? [];
  if (appId === undefined || secret === undefined) throw new ProblemError('APP_CREDENTIALS_INVALID');
  return { kind: 'password', appId, hash: hash('sha256', secret, 'buffer') };
}
