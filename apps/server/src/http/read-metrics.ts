import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../process/config.ts';
import { isSameToken, readBearer } from './operator-token.ts';

/**
 * Whether the caller may read metrics: the machine itself, unless a proxy on it forwards for another client; or a
 * caller with the token.
 */
export function mayReadMetrics(
  headers: IncomingHttpHeaders,
  remoteAddress: string | undefined,
  token: string | null,
): boolean {
  const given = readBearer(headers);
  if (token !== null && given !== undefined) return isSameToken(given, token);
  const address = (remoteAddress ?? '').replace(/^::ffff:/, '');
  const isProxied = ['forwarded', 'x-forwarded-for', 'x-real-ip'].some((name) => name in headers);
  return isLoopback(address) && !isProxied;
}
