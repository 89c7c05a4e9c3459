/** What balancers and monitors ask. Their probes are not logged. */
import { timingSafeEqual } from 'node:crypto';
import { isMigrated } from '@pahatid/db';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { isLoopback } from '../config.ts';
import { ProblemError } from './problem.ts';

export function serveHealth(app: FastifyInstance): void {
  const { deps } = app.api;
  app.get('/healthz', async (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok\n'));
  app.get('/readyz', async (_request, reply) => {
    if (deps.signal.aborted || !(await isMigrated(deps.pools.control).catch(() => false)))
      throw new ProblemError('UNAVAILABLE', { retryAfterS: 1 });
    return reply.type('text/plain; charset=utf-8').send('ready\n');
  });

  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'pahatid_http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    // By the route's pattern: addresses hold ids and numbers, which belong in no metric.
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, deps.config.metricsToken)) throw new ProblemError('NOT_FOUND');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** The machine itself, unless a proxy on it asks for somebody else; or who knows the token. */
function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token !== null && given !== undefined) {
    const [a, b] = [Buffer.from(given), Buffer.from(token)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
  const address = (request.raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isProxied = ['forwarded', 'x-forwarded-for', 'x-real-ip'].some((name) => name in request.headers);
  return isLoopback(address) && !isProxied;
}
