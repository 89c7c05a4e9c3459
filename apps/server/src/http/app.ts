/** The HTTP server without its routes: what holds for every request, in the order in which a request meets it. */
import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, fastify, LogController } from 'fastify';
import { makePasswords } from '../secrets/passwords.ts';
import { makeListPrices } from '../sending/route/list-prices.ts';
import { serveCollection } from './api-collection.ts';
import { serveApiDocs } from './api-docs.ts';
import { makeApplicationGate } from './authenticate-application.ts';
import { acceptBodies, type BodyTimes } from './bodies.ts';
import { makeCallLog } from './call-log.ts';
import { defaultConsoleDir, serveConsole } from './console-pages.ts';
import type { ApiDeps } from './deps.ts';
import { sendProblem } from './errors.ts';
import { defaultGateLimits, limitLoad } from './gate.ts';
import { addSecurityHeaders, refuseUnreadable, setSecurityHeaders } from './headers.ts';
import { serveHealth } from './health.ts';
import { isForeignReader, isLocalRequest } from './local-demo.ts';
import { isForeignOrigin } from './origin.ts';
import { ProblemError } from './problem.ts';
import { makeRateLimiter } from './rate-limit.ts';
import { bearsKey } from './read-credentials.ts';
import { makeRefusals } from './refusals.ts';
import { makeSessionWatch } from './session-watch.ts';
import { shareCallCounts } from './share-call-counts.ts';
import { makeStreamPlaces } from './stream-places.ts';

/** Headers must be there within this time; bodies have separate deadlines, so requests as a whole have none. */
const headersTimeoutMs = 8_000;
const maxUrlBytes = 8_192;

/**
 * Two proxies on the path may each use a different one of two (RFC 9112, 3.2); Node keeps the first and drops the rest.
 */
const hasTwoHosts = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1;

/**
 * A browser adds a session's cookie to any request, but never a key: another site's page can't send one without asking first,
 * and is not allowed to.
 */
const isKeyCall = (request: FastifyRequest): boolean =>
  request.routeOptions.config?.byApplication === true && bearsKey(request);

/** The caller's own name of the request, if it is one that any log or header can hold. Sent twice, it is none. */
const readRequestId = (given: string | string[] | undefined): string | null =>
  typeof given === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(given) ? given : null;

export type RegisterFeature = (app: FastifyInstance, deps: ApiDeps) => void | Promise<void>;

/** Builds the server with the given features; the caller listens and closes. */
export async function makeApp(
  deps: ApiDeps,
  features: readonly RegisterFeature[],
  times: BodyTimes = {},
): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = deps.log;
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => readRequestId(headers['x-request-id']) ?? randomUUID(),
    // A logger for each request would cost as much as its validation; lines name the request themselves.
    childLoggerFactory: (parent) => parent,
    trustProxy: deps.config.trustProxy.length > 0 ? [...deps.config.trustProxy] : false,
    exposeHeadRoutes: false,
    // Open event streams end by the signal; idle connections are closed immediately.
    forceCloseConnections: 'idle',
    // Requests that arrive on an open connection while the process drains are served normally.
    return503OnClosing: false,
    requestTimeout: 0,
    keepAliveTimeout: 30_000,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 },
    clientErrorHandler: refuseUnreadable,
    // An address that can't be read meets no hook.
    frameworkErrors: (error, request, reply) => {
      setSecurityHeaders(request, reply, deps.config.publicUrl);
      void sendProblem(error, request, reply);
    },
  });
  const refusals = makeRefusals(deps);
  const rates = makeRateLimiter(deps.config.rates, deps.limits?.requests ?? defaultGateLimits.requests);
  const endSharing = shareCallCounts(rates, deps.pools.control, deps.log);
  const callLog = makeCallLog(deps);
  const streams = makeStreamPlaces(deps);
  app.decorate('api', {
    deps,
    watch: makeSessionWatch(deps),
    gate: makeApplicationGate(deps),
    passwords: makePasswords(),
    rates,
    refusals,
    callLog,
    streams,
  });
  app.decorateRequest('user', null);
  app.decorateRequest('application', null);
  app.decorateRequest('software', null);
  app.decorateRequest('errorCode', null);
  app.decorateRequest('sentBody', null);
  app.addHook('onClose', () => refusals.stop());
  app.addHook('onClose', () => endSharing());
  app.addHook('onClose', () => callLog.stop());
  app.addHook('onClose', () => streams.settle());
  app.setErrorHandler((error, request, reply) => {
    refusals.note(request, error);
    return sendProblem(error, request, reply);
  });
  addSecurityHeaders(app, deps.config.publicUrl);
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.software?.logsBodies === true && typeof payload === 'string') request.sentBody = payload;
    // The next request must go to the process that takes over.
    if (deps.signal.aborted) reply.header('connection', 'close');
  });
  app.addHook('onRequest', async (request) => {
    if (request.url.length > maxUrlBytes) throw new ProblemError('BAD_REQUEST');
    if (hasTwoHosts(request.raw.rawHeaders)) throw new ProblemError('BAD_REQUEST');
    if (deps.config.demo && !isLocalRequest(request)) throw new ProblemError('DEMO_LOCAL_ONLY');
    if (!isKeyCall(request) && isForeignOrigin(request, deps.config.publicUrl))
      throw new ProblemError('FOREIGN_ORIGIN');
    if (deps.config.demo && isForeignReader(request)) throw new ProblemError('FOREIGN_ORIGIN');
  });
  app.addHook('onResponse', async (request, reply) => {
    // The pattern, not the address: queries may hold phone numbers.
    const { url = 'none' } = request.routeOptions;
    const facts = { method: request.method, route: url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    request.log.debug(
      { ...facts, requestId: request.id, userId: request.user?.userId, appId: request.application?.appId },
      'request',
    );
    callLog.note(request, reply);
  });
  limitLoad(app, deps.limits);
  await app.register(cookie);
  await acceptBodies(app, times);
  serveHealth(app);
  serveApiDocs(app, deps.config);
  serveCollection(app, deps.config.publicUrl);
  for (const register of features) await register(app, deps);
  await serveConsole(app, {
    consoleDir: deps.consoleDir ?? defaultConsoleDir,
    publicUrl: deps.config.publicUrl,
    visitors: deps.config.visitors,
    demoUrl: deps.config.demoUrl,
    listPrices: makeListPrices(deps.pools.control),
  });
  return app;
}
