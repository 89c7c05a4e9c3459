/**
 * Restricts unsafe requests with a user's cookie to this site's own pages and to programs. A browser always states
 * where a request comes from (`Sec-Fetch-Site`, `Origin`); a program states neither.
 */
import type { FastifyRequest } from 'fastify';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isForeignOrigin(request: FastifyRequest, publicUrl: string): boolean {
  if (safeMethods.has(request.method)) return false;
  const site = request.headers['sec-fetch-site'];
  // `none`: typed or bookmarked by the user, which an unsafe request without an origin can't be.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = request.headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  // By host, not by scheme: behind a proxy that ends TLS we are spoken to over http.
  const { host } = new URL(origin);
  return host === '' || (host !== new URL(publicUrl).host && host !== request.host);
}
