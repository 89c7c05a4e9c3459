/**
 * Restricts the demo, whose passwords are public, to the machine it runs on. The bind address alone does not suffice: a
 * reverse proxy or a tunnel on the same machine connects from loopback, and a page whose name is rebound to 127.0.0.1
 * reaches it from the user's own browser. Both are visible in the request: in `Host`, in headers added by proxies, in
 * the protocol version.
 */
import type { FastifyRequest } from 'fastify';
import { getHostname, isLoopback } from '../process/config.ts';

/** Headers that proxies, tunnels and content networks add; a browser or a program on this machine sends none. */
const proxyHeaders = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-host',
  'x-original-url',
  'x-original-forwarded-for',
  'x-envoy-external-address',
  'x-proxy-user-ip',
  'true-client-ip',
  'client-ip',
  'cf-connecting-ip',
  'cf-ray',
  'cdn-loop',
  'fastly-client-ip',
  'fly-client-ip',
]);

const isProxyHeader = (name: string): boolean => name.startsWith('x-forwarded') || proxyHeaders.has(name);

/** `localhost`, `127.0.0.1:8080`, `[::1]:80`; with any port, for a port may be mapped. */
function isLoopbackHost(host: string): boolean {
  const name = /^(\[[^\]]+\]|[^:[\]]+)(?::\d{1,5})?$/.exec(host)?.[1];
  return name !== undefined && isLoopback(name.replace(/^\[|\]$/g, '').toLowerCase());
}

/** Whether the request was sent on this machine, to a loopback name, and not through a proxy that identifies itself. */
export function isLocalRequest({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): boolean {
  // nginx speaks HTTP/1.0 to its upstream unless configured otherwise, with our own address as `Host`.
  if (raw.httpVersion === '1.0') return false;
  return isLoopbackHost(headers.host ?? '') && !Object.keys(headers).some(isProxyHeader);
}

/** Whether a page from another site reads, which is allowed without a demo because the page can't see the response. */
export function isForeignReader({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const { origin } = headers;
  return origin !== undefined && !(URL.canParse(origin) && isLoopback(getHostname(origin)));
}
