/**
 * How often a password may be tried. Each try is counted before it is compared, so that of thousands at once only as many
 * are compared as the limits say; one that was right is taken back.
 *
 * - After three failures for an account (within a day) or from an address (within 15 minutes) a try needs a solved
 *   puzzle.
 * - After ten within 15 minutes, for the account, the address or its network, no try from there is compared until they
 *   are over. It is no lock on a name: a browser in which this very person has signed in before goes on, with a solved
 *   puzzle and ten tries of its own.
 */
import {
  type AttemptKey,
  type AttemptLimit,
  clearAttempts,
  countAttempts,
  giveBackAttempt,
  readAttempt,
} from '@pahatid/db';
import type { Pool } from 'pg';
import { networkKeys } from './network-keys.ts';
import type { PendingTries } from './pending-tries.ts';

export const freeFailures = 3;
const lockAfter = 10;
/** Of a network of 256 addresses, so that ten failures of one do not shut its neighbours out. */
const networkLockAfter = 40;
const lockMs = 15 * 60_000;
const failureMemoryMs = 24 * 3_600_000;
/** A solved puzzle lifts the limit of failures; a number that no day reaches. */
const unlimited = 1_000_000;

export interface Try {
  /** As it is kept: in lower case. */
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
 * Counts a try as a failure in advance, where it may be compared. `over` must be called when it is decided, and it
 * forgiven or given back where it was no failure.
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
  const { account, ip, hasPass, deviceKey, now } = made;
  const { address, network } = networkKeys(ip);
  const ofFailures: AttemptLimit = {
    ...failures(account),
    limit: hasPass ? unlimited : freeFailures,
    windowMs: failureMemoryMs,
    now,
  };
  const lock = (what: string, key: string, limit: number): AttemptLimit => ({
    what,
    key,
    limit,
    windowMs: lockMs,
    now,
  });
  const usual = [
    lock('signIn.account', account, lockAfter),
    lock('signIn.address', address, hasPass ? lockAfter : freeFailures),
    lock('signIn.network', network, networkLockAfter),
  ];
  const first = await countAll(pool, [ofFailures, ...usual]);
  if ('count' in first) return first;
  const full = first.refused;
  if (full.limit === freeFailures || (deviceKey !== null && !hasPass)) {
    const { count } = await readAttempt(pool, failures(account), now);
    return { verdict: 'puzzle', count, full };
  }
  if (deviceKey === null) return { verdict: 'locked', endsAt: first.endsAt, full };
  const known = await countAll(pool, [ofFailures, lock('signIn.device', `${account} ${deviceKey}`, lockAfter)]);
  return 'count' in known ? known : { verdict: 'locked', endsAt: known.endsAt, full: known.refused };
}

async function countAll(pool: Pool, limits: readonly AttemptLimit[]) {
  const counted = await countAttempts(pool, limits);
  if ('refused' in counted) return counted;
  return { verdict: 'compare', count: counted[0]?.count ?? 0, counted: limits } as const;
}

/** The try was right: the account's count begins anew, the others lose this one. */
export async function forgiveTry(pool: Pool, made: Try, counted: readonly AttemptKey[]): Promise<void> {
  for (const attempt of counted) {
    const isOfAccount = attempt.what !== 'signIn.address' && attempt.what !== 'signIn.network';
    if (isOfAccount) await clearAttempts(pool, attempt.what, attempt.key);
    else await giveBackAttempt(pool, attempt);
  }
  if (made.deviceKey !== null) await clearAttempts(pool, 'signIn.device', `${made.account} ${made.deviceKey}`);
}

/** The try was never compared, for the machine was busy: it is no failure. */
export async function giveBackTry(pool: Pool, counted: readonly AttemptKey[]): Promise<void> {
  for (const attempt of counted) await giveBackAttempt(pool, attempt);
}
