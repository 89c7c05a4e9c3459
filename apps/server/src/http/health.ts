/** What balancers and monitors ask. Their probes are not logged. */
import { hasDiskSpace, readSchemaState, type SchemaState } from '@pahatid/db';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { httpDuration } from '../metrics/http-metrics.ts';
import { formatSnapshots, registry, takeSnapshot } from '../metrics/registry.ts';
import {
  type DatabaseRisk,
  findStoppingRisks,
  listDatabaseRisks,
  readDatabaseState,
} from '../process/database-risks.ts';
import { everyRoleRuns, type RoleState } from '../process/machine.ts';
import type { ApiDeps } from './deps.ts';
import { makeProblem, ProblemError } from './problem.ts';
import { mayReadMetrics } from './read-metrics.ts';

/** A database slower than this to respond can't serve any request. */
const databaseTimeoutMs = 2_000;
const retryAfterS = 1;
/** The disk check writes to the disk, so consecutive probes share one. */
const storageFreshMs = 1_000;

/** `unreachable`: no response in time. */
type DatabaseState = SchemaState | 'unreachable';

/** `unsafe`: it may lose what it commits, and senders refuse it; `standby`: it takes no writes. */
type DurabilityState = 'ok' | 'unsafe' | 'standby' | 'unknown';

type StorageState = 'ok' | 'full' | 'unknown';

interface Readiness {
  readonly database: DatabaseState;
  /** The disk of the database; `unknown` while the database itself is out of reach. */
  readonly storage: StorageState;
  readonly durability: DurabilityState;
  /** The process was asked to stop: it serves requests that arrive, but should get no more. */
  readonly draining: boolean;
  /** Processes of this machine; null if no supervisor runs them. */
  readonly roles: readonly RoleState[] | null;
}

export function serveHealth(app: FastifyInstance): void {
  const { deps } = app.api;
  const lookAtDatabase = makeDatabaseLook(deps);
  app.get('/healthz', async (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok\n'));
  app.get('/readyz', async (request, reply) => {
    const [look, roles] = await Promise.all([lookAtDatabase(), deps.machine?.roles() ?? null]);
    const draining = deps.signal.aborted;
    deps.onProbe?.(draining);
    const { publicUrl } = deps.config;
    return sendReadiness(reply, { ...look, draining, roles }, { requestId: request.id, publicUrl });
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

function sendReadiness(
  reply: FastifyReply,
  readiness: Readiness,
  { requestId, publicUrl }: { requestId: string; publicUrl: string },
): FastifyReply {
  if (isReady(readiness)) return reply.send({ ...readiness, status: 'ready' });
  return reply
    .code(503)
    .header('retry-after', String(retryAfterS))
    .type('application/problem+json; charset=utf-8')
    .send({ ...makeProblem(new ProblemError('UNAVAILABLE', { retryAfterS }), requestId, publicUrl), ...readiness });
}

/**
 * Whether the machine can serve: without a sender or jobs, or with a database that senders refuse, it accepts messages that
 * are not sent; with a full disk it accepts none.
 */
const isReady = ({ database, storage, durability, draining, roles }: Readiness): boolean =>
  database === 'ok' && storage === 'ok' && durability === 'ok' && !draining && everyRoleRuns(roles ?? []);

type DatabaseLook = Pick<Readiness, 'database' | 'storage' | 'durability'>;

/** Runs one check at a time for all callers: work blocked by a stalled database must not grow with the probes. */
function makeDatabaseLook({ pools, config }: ApiDeps): () => Promise<DatabaseLook> {
  let under: Promise<DatabaseLook> | null = null;
  let storage: StorageState = 'unknown';
  let storageAt = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<DatabaseLook> => {
    try {
      const database = await readSchemaState(pools.control);
      if (performance.now() - storageAt > storageFreshMs) {
        storage = (await hasDiskSpace(pools.control)) ? 'ok' : 'full';
        storageAt = performance.now();
      }
      const risks = listDatabaseRisks(await readDatabaseState(pools.control, config));
      return { database, storage, durability: toDurability(findStoppingRisks(risks, config)) };
    } catch {
      return unreachable;
    } finally {
      under = null;
    }
  };
  return async () => {
    under ??= look();
    const { promise: late, resolve } = Promise.withResolvers<DatabaseLook>();
    const timer = setTimeout(resolve, databaseTimeoutMs, unreachable);
    try {
      return await Promise.race([under, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

const toDurability = (stops: readonly DatabaseRisk[]): DurabilityState => {
  if (stops.length === 0) return 'ok';
  return stops.some(({ kind }) => kind === 'standby') ? 'standby' : 'unsafe';
};

const unreachable: DatabaseLook = { database: 'unreachable', storage: 'unknown', durability: 'unknown' };
