import { isKnownDeviceAt } from '@pahatid/db';
import type { FastifyRequest } from 'fastify';
import { readBrowserCookie } from '../http/browser-cookies.ts';
import type { ApiDeps } from '../http/deps.ts';

/** Returns the key of a browser in which the owner of a destination has signed in before; null for every other. */
export async function findDeviceKey(
  { pools, config }: ApiDeps,
  request: FastifyRequest,
  destination: string,
): Promise<string | null> {
  const device = readBrowserCookie('device', request, config.publicUrl);
  if (device === null || !(await isKnownDeviceAt(pools.control, destination, device))) return null;
  return device.toString('hex');
}
