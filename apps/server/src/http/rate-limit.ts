/**
 * Rate limits: one token bucket each for a customer's users, an application, a staff member, and an address with
 * missing or invalid credentials. Also fair shares: once the process is half full, no tenant has more calls in progress
 * than an equal share of the capacity, so that a flooding tenant waits and the others do not.
 *
 * Held in process memory; calls that other api processes counted are charged here as well (`call-counts.ts`), a moment
 * later. Limits that must hold exactly across processes and restarts (guesses of passwords and codes) are counted in the
 * database.
 */
import type { CallCount } from '@pahatid/db/queries/call-counts';
import type { FastifyReply } from 'fastify';
import { httpShed } from '../metrics/http-metrics.ts';
import { networkKeys } from './network-keys.ts';
import { ProblemError } from './problem.ts';

/** Calls per second on average; bursts of up to four seconds' worth are allowed. */
export interface RateLimits {
  /** All people of one customer together; each of the staff for themselves. */
  readonly people: number;
  readonly application: number;
  readonly address: number;
}

export type Tenant =
  | { readonly kind: 'people' | 'application'; readonly id: string }
  | { readonly kind: 'address'; readonly ip: string };

export interface RateLimiter {
  /**
   * Takes a token and a slot among the calls in progress, which is released when the response ends. Throws
   * RATE_LIMITED.
   */
  admit(tenant: Tenant, reply: FastifyReply, isStream: boolean): void;
  /** Calls admitted since the last time, of those whose number matters to other processes. */
  takeCounts(): CallCount[];
  /** Calls of the same caller that other processes admitted. */
  charge(key: string, calls: number): void;
}

/** Of what a limit allows in the time, the share from which calls are reported: what is not is far below the limit. */
const REPORTED_FROM = 0.02;
/** Callers that other processes get at a time: those nearest to their limits. */
const reportedLimit = 500;

const burstS = 4;
/** Buckets in memory. An evicted bucket starts full again, so the fullest are evicted. */
const bucketLimit = 20_000;

interface Bucket {
  tokens: number;
  atMs: number;
  underWay: number;
}

/** Calls admitted since the last report to other processes. */
interface Unreported {
  count: number;
  /** Calls per second that the limit allows. */
  readonly perS: number;
}

/** `slots`: calls that the process handles concurrently. `nowMs` only moves forward. */
export function makeRateLimiter(
  limits: RateLimits,
  slots: number,
  nowMs: () => number = () => performance.now(),
): RateLimiter {
  // Each kind for itself: a crowd of addresses pushes no customer out.
  const kinds = {
    people: new Map<string, Bucket>(),
    application: new Map<string, Bucket>(),
    address: new Map<string, Bucket>(),
  };
  let unreported = new Map<string, Unreported>();
  let reportedMs = nowMs();
  let underWay = 0;
  /** Tenants with a call in progress. */
  let active = 0;

  const find = (tenant: Tenant): Bucket => {
    const buckets = kinds[tenant.kind];
    const perS = limits[tenant.kind];
    const key = keyOf(tenant);
    const now = nowMs();
    const bucket = buckets.get(key) ?? { tokens: perS * burstS, atMs: now, underWay: 0 };
    bucket.tokens = Math.min(perS * burstS, bucket.tokens + ((now - bucket.atMs) / 1000) * perS);
    bucket.atMs = now;
    // Most recent last: the first one has been idle the longest.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > bucketLimit) forget(buckets);
    return bucket;
  };

  const forget = (buckets: Map<string, Bucket>): void => {
    for (const [key, bucket] of buckets) {
      if (bucket.underWay > 0) continue;
      buckets.delete(key);
      return;
    }
  };

  const refuse = (reason: string, retryAfterS: number): never => {
    httpShed.inc({ reason });
    throw new ProblemError('RATE_LIMITED', { retryAfterS: Math.max(1, Math.ceil(retryAfterS)) });
  };

  const policies = {
    people: writePolicy(limits.people),
    application: writePolicy(limits.application),
    address: writePolicy(limits.address),
  };

  const take = (bucket: Bucket, perS: number): void => {
    if (bucket.tokens < 1) refuse('rate', (1 - bucket.tokens) / perS);
    bucket.tokens -= 1;
  };

  const note = (tenant: Tenant, perS: number): void => {
    const key = `${tenant.kind}:${keyOf(tenant)}`;
    const noted = unreported.get(key);
    if (noted === undefined) unreported.set(key, { count: 1, perS });
    else noted.count += 1;
  };

  const hold = (bucket: Bucket, reply: FastifyReply): void => {
    const share = Math.max(1, Math.floor(slots / (active + (bucket.underWay === 0 ? 1 : 0))));
    if (underWay >= slots / 2 && bucket.underWay >= share) refuse('share', 1);
    underWay += 1;
    if (bucket.underWay++ === 0) active += 1;
    // Fires once, after the end of the response or when the caller has disconnected.
    // A csv has ten separate listeners.
    reply.raw.setMaxListeners(20);
    reply.raw.once('close', () => {
      underWay -= 1;
      if (--bucket.underWay === 0) active -= 1;
    });
  };

  return {
    admit(tenant, reply, isStream) {
      const perS = limits[tenant.kind];
      const bucket = find(tenant);
      const left = Math.max(0, bucket.tokens - 1);
      reply.header('ratelimit-policy', policies[tenant.kind]);
      reply.header('ratelimit', `"calls";r=${Math.floor(left)};t=${Math.ceil((perS * burstS - left) / perS)}`);
      take(bucket, perS);
      note(tenant, perS);
      // Streams stay open and hold nothing while nothing happens.
      if (!isStream) hold(bucket, reply);
    },
    takeCounts() {
      const seconds = (nowMs() - reportedMs) / 1_000;
      const busy = [...unreported].filter(([, { count, perS }]) => count >= REPORTED_FROM * perS * seconds);
      unreported = new Map();
      reportedMs = nowMs();
      return busy
        .sort(([, a], [, b]) => b.count / b.perS - a.count / a.perS)
        .slice(0, reportedLimit)
        .map(([key, { count }]) => ({ key, count }));
    },
    charge(key, calls) {
      const at = key.indexOf(':');
      const kind = key.slice(0, at) as Tenant['kind'];
      const bucket = kinds[kind].get(key.slice(at + 1));
      // What is owed is at most a burst: a caller that used several processes waits no longer than those seconds.
      if (bucket !== undefined) bucket.tokens = Math.max(-limits[kind] * burstS, bucket.tokens - calls);
    },
  };
}

/**
 * Calls in a burst, and seconds in which as many are allowed again (draft-ietf-httpapi-ratelimit-headers). What is left of
 * them is in `RateLimit`: calls, and seconds until the burst is whole.
 */
const writePolicy = (perS: number): string => `"calls";q=${Math.floor(perS * burstS)};w=${burstS}`;

/** Of addresses one line is one caller: all of an IPv6 network of 64 bits. */
const keyOf = (tenant: Tenant): string => (tenant.kind === 'address' ? networkKeys(tenant.ip).address : tenant.id);
