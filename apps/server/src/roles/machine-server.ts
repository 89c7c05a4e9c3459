/** On a machine without the api role, the supervisor itself serves the machine's status at the api's address. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Logger } from 'pino';
import { mayReadMetrics } from '../http/read-metrics.ts';
import { formatSnapshots, registry, type Snapshot } from '../metrics/registry.ts';
import type { Config } from '../process/config.ts';
import { everyRoleRuns, type RoleState } from '../process/machine.ts';

export interface MachineServerOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly snapshots: () => Promise<readonly Snapshot[]>;
  readonly roles: () => readonly RoleState[];
  readonly signal: AbortSignal;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Null when the address is taken: several starts may share one machine. */
export async function serveMachine(options: MachineServerOptions): Promise<Server | null> {
  const { config, log } = options;
  const server = createServer({ headersTimeout: 8_000, requestTimeout: 8_000 }, (request, response) => {
    void answer(request, options)
      .catch((error: unknown): Answer => {
        log.error({ err: error }, 'probe failed, answered 503');
        return { status: 503, type: 'text/plain; charset=utf-8', text: 'unavailable\n' };
      })
      .then(({ status, type, text }) => {
        const headers = { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
        response.writeHead(status, { ...headers, ...(status === 503 ? { 'retry-after': '1' } : {}) });
        response.end(request.method === 'HEAD' ? undefined : text);
      });
  });
  return await new Promise((resolve) => {
    server.once('error', (error) => {
      log.warn(
        { err: error, host: config.host, port: config.port },
        'probes and metrics not served, address unavailable',
      );
      resolve(null);
    });
    server.listen({ host: config.host, port: config.port }, () => resolve(server));
  });
}

async function answer(request: IncomingMessage, options: MachineServerOptions): Promise<Answer> {
  const { config, roles, snapshots, signal } = options;
  const json = (status: number, value: object): Answer => ({
    status,
    type: 'application/json; charset=utf-8',
    text: JSON.stringify(value),
  });
  const path = (request.url ?? '').split('?', 1)[0];
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && path === '/healthz') return { status: 200, type: 'text/plain; charset=utf-8', text: 'ok\n' };
  if (isRead && path === '/readyz') {
    const states = roles();
    const isReady = !signal.aborted && everyRoleRuns(states);
    return json(isReady ? 200 : 503, {
      status: isReady ? 'ready' : 'unavailable',
      draining: signal.aborted,
      roles: states,
    });
  }
  if (
    isRead &&
    path === '/metrics' &&
    mayReadMetrics(request.headers, request.socket.remoteAddress, config.metricsToken)
  )
    return { status: 200, type: registry.contentType, text: await formatSnapshots(await snapshots()) };
  return json(404, { status: 404, code: 'NOT_FOUND', title: 'Not Found' });
}
