/**
 * Limits on password attempts. Each attempt is counted before it is compared, so that of thousands of concurrent ones
 * only as many are compared as the limits allow; a right one is refunded.
 *
 * - After three failures for an account (within a day), three from an address (within 15 minutes) or twelve of its
 *   network (within a day) an attempt needs a solved puzzle.
 * - After ten within 15 minutes, for the account or the address, and forty of the network, no attempt from there is
 *   compared until they are over.
 * - It does not lock a name: a browser in which this user has signed in before has separate limits, three and ten, and
 *   no others count for it. So attacks by strangers on the name, or from its network, neither lock it out nor make it
 *   solve puzzles.
 */
import {
  type AttemptKey,
  type AttemptLimit,
  clearAttempts,
  countAttempts,
  readAttempt,
  refundAttempt,
} from '@pahatid/db';
import type { Pool } from 'pg';
import { networkKeys } from '../http/network-keys.ts';
import type { PendingTries } from './pending-tries.ts';

const freeFailures = 3;
const lockAfter = 10;
/** Per network of 256 addresses, so that ten failures of one do not lock out its neighbours. */
const networkLockAfter = 40;
const lockMs = 15 * 60_000;
const failureMemoryMs = 24 * 3_600_000;
/** Of a network in a day; else its 256 addresses would have three each, every quarter of an hour. */
export const networkFreeFailures = 12;
/** A solved puzzle lifts the limit of failures; a number that no day reaches. */
const unlimited = 1_000_000;

export interface Try {
  /** As stored: in lower case. */
  readonly account: string;
  readonly ip: string;
  /** Whether a puzzle was solved for it. */
  readonly hasPass: boolean;
  /** Of a browser in which this person has signed in before. */
  readonly deviceKey: string | null;
  readonly now: Date;
}

export type Admission =
  | { readonly verdict: 'compare'; readonly count: number; readonly counted: readonly AttemptKey[] }
  | { readonly verdict: 'puzzle'; readonly count: number; readonly full: AttemptKey }
  | { readonly verdict: 'locked'; readonly endsAt: Date; readonly full: AttemptKey };

const failures = (account: string): AttemptKey => ({ what: 'signIn.failures', key: account });

const nameOf = ({ what, key }: AttemptKey): string => `${what} ${key}`;

/**
 * Counts an attempt as a failure in advance, if it may be compared. `over` must be called when it is decided, and it
 * must be forgiven or refunded if it was no failure.
 */
export async function admitTry(
  pool: Pool,
  pending: PendingTries,
  made: Try,
): Promise<{ admission: Admission; over: () => void }> {
  const { counted: admission, over } = await pending.admit(
    () => countTry(pool, made),
    (counted) =>
      counted.verdict === 'compare' ? { keys: counted.counted.map(nameOf) } : { full: nameOf(counted.full) },
  );
  return { admission, over };
}

async function countTry(pool: Pool, made: Try): Promise<Admission> {
  const limits = made.deviceKey === null ? strangerLimits(made) : deviceLimits(made, made.deviceKey);
  const counted = await countAll(pool, limits);
  if ('count' in counted) return counted;
  const full = counted.refused;
  if (made.hasPass || !puzzleLimits.has(full.what)) return { verdict: 'locked', endsAt: counted.endsAt, full };
  const ofCount = limits[0] ?? full;
  const { count } = await readAttempt(pool, ofCount, made.now);
  return { verdict: 'puzzle', count, full };
}

/** Limits above which a puzzle is required; the first of each list is the one whose count is shown. */
const puzzleLimits = new Set(['signIn.failures', 'signIn.address', 'signIn.network.free', 'signIn.device.failures']);

function strangerLimits({ account, ip, hasPass, now }: Try): AttemptLimit[] {
  const { address, network } = networkKeys(ip);
  const day = { windowMs: failureMemoryMs, now };
  const quarter = { windowMs: lockMs, now };
  return [
    { ...failures(account), limit: hasPass ? unlimited : freeFailures, ...day },
    { what: 'signIn.account', key: account, limit: lockAfter, ...quarter },
    { what: 'signIn.address', key: address, limit: hasPass ? lockAfter : freeFailures, ...quarter },
    { what: 'signIn.network', key: network, limit: networkLockAfter, ...quarter },
    { what: 'signIn.network.free', key: network, limit: hasPass ? unlimited : networkFreeFailures, ...day },
  ];
}

function deviceLimits({ account, hasPass, now }: Try, deviceKey: string): AttemptLimit[] {
  const key = `${account} ${deviceKey}`;
  const most = hasPass ? unlimited : freeFailures;
  return [
    { what: 'signIn.device.failures', key, limit: most, windowMs: failureMemoryMs, now },
    { what: 'signIn.device', key, limit: lockAfter, windowMs: lockMs, now },
  ];
}

async function countAll(pool: Pool, limits: readonly AttemptLimit[]) {
  const counted = await countAttempts(pool, limits);
  if ('refused' in counted) return counted;
  return { verdict: 'compare', count: counted[0]?.count ?? 0, counted: limits } as const;
}

/** Many people's: of these a right try takes back its own count alone. */
const sharedCounts = new Set(['signIn.address', 'signIn.network', 'signIn.network.free']);

/** The attempt was right: resets the counts of the account, or of the known browser; the others lose this one. */
export async function settleRightAttempt(pool: Pool, counted: readonly AttemptKey[]): Promise<void> {
  for (const attempt of counted) {
    if (sharedCounts.has(attempt.what)) await refundAttempt(pool, attempt);
    else await clearAttempts(pool, attempt.what, attempt.key);
  }
}

/** The try was never compared, for the machine was busy: it is no failure. */
export async function refundUncheckedAttempt(pool: Pool, counted: readonly AttemptKey[]): Promise<void> {
  for (const attempt of counted) await refundAttempt(pool, attempt);
}
