/**
 * Limits the API's concurrent load. Excess requests are refused with 503 and Retry-After before a byte of the body is
 * read: an unbounded queue would exhaust memory and produce responses after their clients have left.
 *
 * Three bounds: requests in progress, bytes of their bodies, and callers waiting for a database connection. The last
 * one detects a slow database. Event streams count towards none of these and have a separate bound.
 */
import { apiPrefix } from '@pahatid/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpShed, httpStreams, httpUnderWay } from '../metrics/http-metrics.ts';
import { jsonLimitBytes } from './errors.ts';
import { ProblemError } from './problem.ts';

export interface GateLimits {
  readonly requests: number;
  /** Bodies are in memory as a whole, but for uploads, of which a piece at a time is. */
  readonly bodyBytes: number;
  /** Waiters for each connection of the pool. */
  readonly waitersPerConnection: number;
  readonly streams: number;
}

export const defaultGateLimits: GateLimits = {
  requests: 300,
  bodyBytes: 64 * 1024 * 1024,
  waitersPerConnection: 4,
  streams: 2_000,
};

const retryAfterS = 2;
/** Another process takes over as soon as the client retries. */
const retryDrainingS = 1;

export function limitLoad(app: FastifyInstance, given: Partial<GateLimits> = {}): void {
  const { deps } = app.api;
  const limits = { ...defaultGateLimits, ...given };
  const pools = [...new Set([deps.pools.control, deps.pools.data])];
  let requests = 0;
  let bodyBytes = 0;
  let streams = 0;

  const isDatabaseSlow = (): boolean =>
    pools.some((pool) => pool.waitingCount >= limits.waitersPerConnection * pool.options.max);

  const refuse = (reason: string, afterS = retryAfterS): never => {
    httpShed.inc({ reason });
    throw new ProblemError('UNAVAILABLE', { retryAfterS: afterS });
  };

  const admitStream = (reply: FastifyReply): void => {
    // It would be ended immediately.
    if (deps.signal.aborted) refuse('draining', retryDrainingS);
    if (streams >= limits.streams) refuse('streams');
    httpStreams.set(++streams);
    whenOver(reply, () => httpStreams.set(--streams));
  };

  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith(`${apiPrefix}/`)) return;
    if (isStream(request)) return admitStream(reply);
    const bytes = bytesOf(request);
    if (requests >= limits.requests) refuse('requests');
    if (bodyBytes + bytes > limits.bodyBytes) refuse('bodies');
    if (isDatabaseSlow()) refuse('database');
    bodyBytes += bytes;
    httpUnderWay.set(++requests);
    whenOver(reply, () => {
      bodyBytes -= bytes;
      httpUnderWay.set(--requests);
    });
  });
}

/** Runs `work` once, when the response is sent or the client has disconnected. */
function whenOver({ raw }: FastifyReply, work: () => void): void {
  let isOver = false;
  const once = (): void => {
    if (!isOver) work();
    isOver = true;
  };
  raw.once('finish', once);
  raw.once('close', once);
}

const isStream = (request: FastifyRequest): boolean => request.routeOptions.config.isStream === true;

/** Returns the largest size the body may have; a missing length counts as the maximum. */
function bytesOf({ headers, routeOptions }: FastifyRequest): number {
  const limitBytes = routeOptions.bodyLimit ?? jsonLimitBytes;
  const isUpload = headers['content-type']?.startsWith('multipart/') ?? false;
  if (headers['transfer-encoding'] !== undefined || isUpload) return limitBytes;
  return Math.min(limitBytes, Number(headers['content-length'] ?? 0) || 0);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An event stream: stays open, and holds nothing while nothing happens. */
    isStream?: boolean;
    /** Called by customers' software. */
    byApplication?: boolean;
  }
}
