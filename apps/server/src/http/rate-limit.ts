/**
 * How often one may call: a bucket of tokens each for a customer's people, an application, one of the staff, and an
 * address that says nothing of itself or says it wrongly. And fair shares: once the process is half full, nobody has more
 * calls under way than an equal share of what it takes at once, so that who floods it waits and the others do not.
 *
 * Kept in the process: several api processes together let as many times as much through. What must hold over processes
 * and restarts (guesses of passwords and codes) is counted in the database.
 */
import type { FastifyReply } from 'fastify';
import { httpShed } from '../metrics/http-metrics.ts';
import { networkKeys } from '../signing-in/network-keys.ts';
import { ProblemError } from './problem.ts';

/** Calls a second in the long run; four seconds' worth may come at once. */
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
  /** Takes a token and a place among the calls under way, which the end of the answer gives back. Throws RATE_LIMITED. */
  admit(tenant: Tenant, reply: FastifyReply, isStream: boolean): void;
}

const burstS = 4;
/** Buckets in memory. What is forgotten begins full again, so the fullest are. */
const bucketLimit = 20_000;

interface Bucket {
  tokens: number;
  atMs: number;
  underWay: number;
}

/** `slots`: calls that the process takes at once. `nowMs` only moves forward. */
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
  let underWay = 0;
  /** Tenants with a call under way. */
  let active = 0;

  const find = (tenant: Tenant): Bucket => {
    const buckets = kinds[tenant.kind];
    const perS = limits[tenant.kind];
    const key = keyOf(tenant);
    const now = nowMs();
    const bucket = buckets.get(key) ?? { tokens: perS * burstS, atMs: now, underWay: 0 };
    bucket.tokens = Math.min(perS * burstS, bucket.tokens + ((now - bucket.atMs) / 1000) * perS);
    bucket.atMs = now;
    // The latest last: the first is who has been away the longest.
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

  const take = (bucket: Bucket, perS: number): void => {
    if (bucket.tokens < 1) refuse('rate', (1 - bucket.tokens) / perS);
    bucket.tokens -= 1;
  };

  const hold = (bucket: Bucket, reply: FastifyReply): void => {
    const share = Math.max(1, Math.floor(slots / (active + (bucket.underWay === 0 ? 1 : 0))));
    if (underWay >= slots / 2 && bucket.underWay >= share) refuse('share', 1);
    underWay += 1;
    if (bucket.underWay++ === 0) active += 1;
    // Comes once, after the end of the answer or when the caller has gone.
    // A csv has ten listeners of its own.
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
      take(bucket, perS);
      // Streams stay open and hold nothing while nothing happens.
      if (!isStream) hold(bucket, reply);
    },
  };
}

/** Of addresses one line is one caller: all of an IPv6 network of 64 bits. */
const keyOf = (tenant: Tenant): string => (tenant.kind === 'address' ? networkKeys(tenant.ip).address : tenant.id);
