/**
 * The work that a puzzle costs. It is counted by network, over a day, and grows with each puzzle that no right password
 * followed; so it is little for a first puzzle, and a long run of guesses costs the processor time of whoever makes it.
 * A browser in which somebody has signed in before is counted by that person instead of its network.
 */
import { type AttemptKey, findDeviceUser, giveBackAttempt } from '@pahatid/db';
import type { FastifyRequest } from 'fastify';
import { readBrowserCookie } from '../http/browser-cookies.ts';
import type { ApiDeps } from '../http/deps.ts';
import { networkKeys } from './network-keys.ts';

/** A tenth of a second of a laptop, less than one of a phone. */
const leastBits = 15;
/** Some 20 s of a laptop; more would shut out people whose neighbours attack. */
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

/** Whom puzzles are counted for. */
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
export async function forgivePuzzle(deps: ApiDeps, request: FastifyRequest, ip: string): Promise<void> {
  const { counted } = await findWorkSource(deps, request, ip);
  await giveBackAttempt(deps.pools.control, counted);
}
