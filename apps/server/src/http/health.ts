/** What balancers and monitors ask. Their probes are not logged. */
import { isMigrated } from '@pahatid/db';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { RoleState } from '../machine.ts';
import { httpDuration } from '../metrics/http-metrics.ts';
import { formatSnapshots, registry, takeSnapshot } from '../metrics/registry.ts';
import type { ApiDeps } from './deps.ts';
import { makeProblem, ProblemError } from './problem.ts';
import { mayReadMetrics } from './read-metrics.ts';

/** A database that takes longer to say that it is there can't serve anybody. */
const databaseTimeoutMs = 2_000;
const retryAfterS = 1;

/** `ok`; `behind`: migrations of this release are missing; `unreachable`: no answer in time. */
type DatabaseState = 'ok' | 'behind' | 'unreachable';

interface Readiness {
  readonly database: DatabaseState;
  /** The process was asked to end: it serves what comes, and should get no more. */
  readonly draining: boolean;
  /** Processes of this machine; null where no supervisor runs them. */
  readonly roles: readonly RoleState[] | null;
}

export function serveHealth(app: FastifyInstance): void {
  const { deps } = app.api;
  const lookAtDatabase = makeDatabaseLook(deps);
  app.get('/healthz', async (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok\n'));
  app.get('/readyz', async (request, reply) => {
    const [database, roles] = await Promise.all([lookAtDatabase(), deps.machine?.roles() ?? null]);
    const draining = deps.signal.aborted;
    deps.onProbe?.(draining);
    return sendReadiness(reply, { database, draining, roles }, request.id);
  });

  app.addHook('onResponse', async (request, reply) => {
    // By the route's pattern: addresses hold ids and numbers, which belong in no metric.
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    httpDuration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', async (request, reply) => {
    const { metricsToken } = deps.config;
    if (!mayReadMetrics(request.headers, request.raw.socket.remoteAddress, metricsToken))
      throw new ProblemError('NOT_FOUND');
    const others = deps.machine?.snapshots() ?? [];
    return reply.type(registry.contentType).send(await formatSnapshots([await takeSnapshot(), ...(await others)]));
  });
}

function sendReadiness(reply: FastifyReply, readiness: Readiness, requestId: string): FastifyReply {
  if (readiness.database === 'ok' && !readiness.draining) return reply.send({ ...readiness, status: 'ready' });
  return reply
    .code(503)
    .header('retry-after', String(retryAfterS))
    .type('application/problem+json; charset=utf-8')
    .send({ ...makeProblem(new ProblemError('UNAVAILABLE', { retryAfterS }), requestId), ...readiness });
}

/** One look at a time, however many ask: what a stalled database holds up must not grow with the probes. */
function makeDatabaseLook({ pools }: ApiDeps): () => Promise<DatabaseState> {
  let under: Promise<DatabaseState> | null = null;
  const look = async (): Promise<DatabaseState> => {
    try {
      return (await isMigrated(pools.control)) ? 'ok' : 'behind';
    } catch {
      return 'unreachable';
    } finally {
      under = null;
    }
  };
  return async () => {
    under ??= look();
    const { promise: late, resolve } = Promise.withResolvers<DatabaseState>();
    const timer = setTimeout(resolve, databaseTimeoutMs, 'unreachable');
    try {
      return await Promise.race([under, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
