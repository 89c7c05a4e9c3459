import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../process/config.ts';

/**
 * Whether the caller may read metrics: the machine itself, unless a proxy on it forwards for another client; or a
 * caller with the token.
 */
export function mayReadMetrics(
  headers: IncomingHttpHeaders,
  remoteAddress: string | undefined,
  token: string | null,
): boolean {
  const given = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (token !== null && given !== undefined) {
    const [a, b] = [Buffer.from(given), Buffer.from(token)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
  const address = (remoteAddress ?? '').replace(/^::ffff:/, '');
  const isProxied = ['forwarded', 'x-forwarded-for', 'x-real-ip'].some((name) => name in headers);
  return isLoopback(address) && !isProxied;
}
