/**
 * The work required for a puzzle. Counted per network, over a day, it grows with each puzzle not followed by a right
 * password; so a first puzzle takes little, and a long run of guesses costs its author processor time. A browser in
 * which a user has signed in before is counted by that user instead of its network.
 */
import { type AttemptKey, findDeviceUser, refundAttempt } from '@pahatid/db';
import type { FastifyRequest } from 'fastify';
import { readBrowserCookie } from '../http/browser-cookies.ts';
import type { ApiDeps } from '../http/deps.ts';
import { networkKeys } from '../http/network-keys.ts';

/** A tenth of a second of a laptop, less than one of a phone. */
const leastBits = 15;
/** Some 20 s of a laptop; more would lock out users whose neighbours attack. */
const mostBits = 25;
const freePuzzles = 4;
const puzzlesPerBit = 2;

/** Zero bits of the proof before the puzzle that makes so many. */
export const captchaBits = (puzzles: number): number =>
  Math.min(mostBits, leastBits + Math.max(0, Math.ceil((puzzles - freePuzzles) / puzzlesPerBit)));

export const captchaMemoryMs = 24 * 3_600_000;

export interface WorkSource {
  readonly counted: AttemptKey;
  readonly isKnown: boolean;
}

/** Returns the key puzzles are counted for. */
export async function findWorkSource(
  { pools, config }: ApiDeps,
  request: FastifyRequest,
  ip: string,
): Promise<WorkSource> {
  const device = readBrowserCookie('device', request, config.publicUrl);
  const userId = device === null ? null : await findDeviceUser(pools.control, device);
  return userId === null
    ? { counted: { what: 'captcha.network', key: networkKeys(ip).network }, isKnown: false }
    : { counted: { what: 'captcha.user', key: userId }, isKnown: true };
}

/** The puzzle led to a right password: it is no failure. */
export async function refundPuzzle(deps: ApiDeps, request: FastifyRequest, ip: string): Promise<void> {
  const { counted } = await findWorkSource(deps, request, ip);
  await refundAttempt(deps.pools.control, counted);
}
