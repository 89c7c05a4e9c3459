import type { FastifyRequest } from 'fastify';
import { isAllowed } from '../process/allowed-addresses.ts';
import type { Config } from '../process/config.ts';

/**
 * The country of a visitor as a trusted proxy names it (ISO 3166, two letters); null if none does. Anything that did not
 * come through such a proxy may be the visitor's own claim.
 */
export function readCountry(
  { headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>,
  { countryHeader, trustProxy }: Pick<Config, 'countryHeader' | 'trustProxy'>,
): string | null {
  if (countryHeader === null || trustProxy.length === 0) return null;
  if (!isAllowed(trustProxy, socket.remoteAddress ?? '')) return null;
  const given = headers[countryHeader];
  // XX and T1 are what proxies say of the unknown and of Tor.
  return typeof given === 'string' && /^[A-Za-z]{2}$/.test(given) && given !== 'XX' ? given.toUpperCase() : null;
}
