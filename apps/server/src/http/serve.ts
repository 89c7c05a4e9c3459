/**
 * Binds a route of the contract to its handler. In this order: origin, session, rate, role, media type, body, input by
 * the contract's schemas, handler, response. The first steps are cheap and need no byte of the body.
 */
import { apiPrefix, findScope, isStepUpRoute, type RouteKey, routes, stepUpRoutes } from '@pahatid/contract';
import { inScope, type Scope, withTransaction, writeAudit } from '@pahatid/db';
import { hasApplication } from '@pahatid/db/queries/applications';
import { hasCustomer } from '@pahatid/db/queries/customers';
import { maskMsisdn } from '@pahatid/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Passwords } from '../secrets/passwords.ts';
import { assertMay, assertMayChange } from './access.ts';
import { authenticate } from './authenticate.ts';
import type { ApplicationGate } from './authenticate-application.ts';
import type { Call, CallAudit, CallingApplication, Handle, SignedInUser } from './call.ts';
import { CsvAnswer, csvStream } from './csv.ts';
import type { ApiDeps } from './deps.ts';
import { eventStream } from './events.ts';
import { getLanguage } from './language.ts';
import { PendingAnswer } from './pending-answer.ts';
import { ProblemError } from './problem.ts';
import { makeProof, type Proof } from './proof.ts';
import type { RateLimiter, Tenant } from './rate-limit.ts';
import type { Refusals } from './refusals.ts';
import type { SessionWatch } from './session-watch.ts';
import type { StreamPlaces } from './stream-places.ts';
import { validate } from './validate.ts';

declare module 'fastify' {
  interface FastifyInstance {
    api: {
      readonly deps: ApiDeps;
      readonly watch: SessionWatch;
      readonly gate: ApplicationGate;
      /** One for the process: its limit is on the machine. */
      readonly passwords: Passwords;
      readonly rates: RateLimiter;
      readonly refusals: Refusals;
      readonly streams: StreamPlaces;
    };
  }
  interface FastifyRequest {
    user: SignedInUser | null;
    application: CallingApplication | null;
  }
}

export function serve<K extends RouteKey>(app: FastifyInstance, key: K, handle: Handle<K>): void {
  const definition = routes[key];
  const [method = 'GET', path = ''] = key.split(' ');
  const { deps, gate, rates } = app.api;
  const isStream = definition.answer === 'events';
  const admit = (tenant: Tenant, reply: FastifyReply): void => rates.admit(tenant, reply, isStream);
  /** Callers with missing or invalid credentials are counted by address. */
  const orByAddress = async <T>(request: FastifyRequest, reply: FastifyReply, who: Promise<T>): Promise<T> => {
    try {
      return await who;
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) admit({ kind: 'address', ip: request.ip }, reply);
      throw error;
    }
  };
  /** Software with valid credentials of an application learns that this call is not among what they allow. */
  const refuseSoftware = async (request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<never> => {
    if (!(error instanceof ProblemError) || request.headers.authorization === undefined) throw error;
    const application = await gate.authenticate(request, reply).catch(() => null);
    // A browser behind a proxy with a password must not ask for another one.
    reply.removeHeader('www-authenticate');
    if (application === null) throw error;
    admit({ kind: 'application', id: application.appId }, reply);
    const scope = findScope(key, definition);
    throw scope === null ? new ProblemError('FORBIDDEN') : new ProblemError('SCOPE_MISSING', { scope });
  };
  app.route({
    method,
    url: apiPrefix + path,
    ...(definition.bodyLimitBytes !== undefined && { bodyLimit: definition.bodyLimitBytes }),
    config: { isStream, byApplication: definition.access === 'application' },
    onRequest: async (request, reply) => {
      if (definition.access === 'application') {
        request.application = await orByAddress(request, reply, gate.authenticate(request, reply));
        admit({ kind: 'application', id: request.application.appId }, reply);
      } else if (definition.access === 'public') {
        admit({ kind: 'address', ip: request.ip }, reply);
      } else {
        const signedIn = authenticate(request, deps).catch((error: unknown) => refuseSoftware(request, reply, error));
        request.user = await orByAddress(request, reply, signedIn);
        admit({ kind: 'people', id: request.user.customerId ?? request.user.userId }, reply);
        assertMayChange(request.user, key);
        assertMay(request.user.role, key);
        if (request.user.mustEnrol && definition.beforeEnrolment !== true)
          throw new ProblemError('SECOND_FACTOR_ENROLMENT');
        if (isStream) await holdPlace(app.api.streams, request.user, reply);
      }
      assertMedia(request, definition.multipart === true);
    },
    handler: async (request, reply) => {
      const proof = makeProof(app, key, request);
      const call = makeCall(app, key, request, reply, proof);
      await assertKnownCustomer(call);
      await assertOwnApplication(call);
      if (isStepUpRoute(key) && stepUpRoutes[key] !== 'sometimes') proof.need();
      const result = await handle(call);
      // A pending action has not been executed; users that may approve it are notified.
      if (result instanceof PendingAnswer) return sendPending(reply, result);
      await proof.mail(call);
      return sendResult(app, key, call, result);
    },
  });
}

/** A stream holds its slot from before it is opened until its connection has closed. */
async function holdPlace(streams: StreamPlaces, user: SignedInUser, reply: FastifyReply): Promise<void> {
  const giveBack = await streams.take(user);
  if (reply.raw.destroyed) giveBack();
  else reply.raw.once('close', giveBack);
}

/** JSON, or for uploads multipart; nothing that a form of another site can send without asking first. */
function assertMedia(request: FastifyRequest, multipart: boolean): void {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === undefined && !multipart) return;
  if (type !== (multipart ? 'multipart/form-data' : 'application/json'))
    throw new ProblemError('MEDIA_TYPE_UNSUPPORTED');
}

function makeCall<K extends RouteKey>(
  app: FastifyInstance,
  key: K,
  request: FastifyRequest,
  reply: FastifyReply,
  proof: Proof,
): Call<K> {
  const { deps, watch } = app.api;
  const definition = routes[key];
  const { user, application } = request;
  const query = validate(definition.query, request.query);
  const lookingAt = definition.byCustomer === true ? (query as { customerId?: string }).customerId : undefined;
  const scope = user === null ? application && { customerId: application.customerId } : scopeOf(user, lookingAt);
  const withScope = (): Scope => {
    if (scope === null) throw new Error(`${key} is public: it has no scope`);
    return scope;
  };
  // Without the zone of a link-local address (`fe80::1%eth0`), which the database has no place for.
  const ip = request.ip.replace(/%.*$/, '');
  const endsWithSession = definition.answer === 'events';
  const newSignal = (): AbortSignal => makeSignal(request, reply, deps, endsWithSession ? watch : null);
  // Otherwise made for the few handlers that read it: its listeners and its end would cost every call.
  let signal = endsWithSession ? newSignal() : null;
  const call = {
    user,
    application,
    scope,
    params: validateParams(definition.params, request.params),
    query,
    body: definition.multipart === true ? undefined : validate(definition.body, request.body),
    requestId: request.id,
    ip,
    lang: getLanguage(request),
    wantsCsv: definition.csv === true && /\btext\/csv\b/.test(request.headers.accept ?? ''),
    get signal() {
      signal ??= newSignal();
      return signal;
    },
    request,
    reply,
    inScope: (work) => inScope(deps.pools.control, withScope(), work),
    inDataScope: (work) => inScope(deps.pools.data, withScope(), work),
    withTransaction: (work) => withTransaction(deps.pools.control, work),
    needProof: proof.need,
    audit: (db, entry: CallAudit) => {
      proof.subject = entry.subjectId;
      return writeAudit(db, {
        customerId: user?.customerId ?? application?.customerId ?? null,
        userId: user?.userId ?? null,
        account: user?.account ?? null,
        role: user?.role ?? null,
        appId: application?.appId ?? null,
        ip,
        userAgent: request.headers['user-agent'] ?? null,
        before: null,
        after: null,
        ...entry,
      });
    },
  } satisfies Omit<Call<RouteKey>, 'user' | 'application' | 'scope' | 'params' | 'query' | 'body'> &
    Record<string, unknown>;
  return call as unknown as Call<K>;
}

/** If staff name a customer that does not exist, they get an error, not an empty list. */
async function assertKnownCustomer({ scope, inScope: inChosenScope }: Call<RouteKey>): Promise<void> {
  if (scope === null || !('staff' in scope) || scope.lookingAt === undefined) return;
  const customerId = scope.lookingAt;
  if (!(await inChosenScope((tx) => hasCustomer(tx, customerId))))
    throw new ProblemError('CUSTOMER_NOT_FOUND', { customerId });
}

/** A list requested by another customer's application id is refused, like one for an unknown application. */
async function assertOwnApplication({ user, query, inScope: inOwnScope }: Call<RouteKey>): Promise<void> {
  const appId = (query as { appId?: unknown } | undefined)?.appId;
  const customerId = user?.customerId ?? null;
  if (customerId === null || typeof appId !== 'string') return;
  if (!(await inOwnScope((tx) => hasApplication(tx, customerId, appId))))
    throw new ProblemError('APP_NOT_FOUND', { appId });
}

const scopeOf = (user: SignedInUser, lookingAt: string | undefined): Scope => {
  if (user.customerId === null) return lookingAt === undefined ? { staff: true } : { staff: true, lookingAt };
  // A link shared by staff opens for its customer and returns 404 to any other.
  if (lookingAt !== undefined && lookingAt !== user.customerId) throw new ProblemError('NOT_FOUND');
  return { customerId: user.customerId };
};

/** An id that can't be one names nothing, so it is answered like one that does not exist. */
function validateParams(...[schema, value]: Parameters<typeof validate>): unknown {
  try {
    return validate(schema, value);
  } catch {
    throw new ProblemError('NOT_FOUND');
  }
}

/** `watch`: for what stays open, and must end with the session it was opened by. */
function makeSignal(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ApiDeps,
  watch: SessionWatch | null,
): AbortSignal {
  const gone = new AbortController();
  const end = (): void => gone.abort();
  if (reply.raw.closed) end();
  else reply.raw.once('close', end);
  // What can be finished is, also when the process ends; a stream never would be.
  if (watch !== null) deps.signal.addEventListener('abort', end, { once: true });
  const unwatch = request.user === null || watch === null ? null : watch.watch(request.user.sessionHash, end);
  const until = watch === null ? undefined : request.user?.supportUntil;
  const over = until === undefined ? undefined : setTimeout(end, Math.max(0, until.getTime() - deps.now().getTime()));
  over?.unref();
  gone.signal.addEventListener('abort', () => {
    unwatch?.();
    clearTimeout(over);
    deps.signal.removeEventListener('abort', end);
  });
  return gone.signal;
}

const sendPending = (reply: FastifyReply, pending: PendingAnswer): FastifyReply =>
  reply.code(202).type('application/json; charset=utf-8').send(JSON.stringify(pending));

async function sendResult(
  app: FastifyInstance,
  key: RouteKey,
  call: Call<RouteKey>,
  result: unknown,
): Promise<FastifyReply> {
  const { reply } = call;
  const definition = routes[key];
  const answer = definition.answer ?? 'json';
  reply.code(definition.status ?? (answer === 'empty' ? 204 : 200));
  if (result instanceof CsvAnswer) {
    if (!result.isOnRecord) await auditExport(call);
    reply.header('content-disposition', attachment(`${result.fileName}.csv`));
    return reply.type('text/csv; charset=utf-8').send(csvStream(result, call.lang));
  }
  if (answer === 'empty') return reply.send();
  if (answer === 'events') {
    const stream = eventStream(result as AsyncIterable<unknown>, call.signal, (error) =>
      call.request.log.error({ err: error, requestId: call.requestId }, 'event stream failed'),
    );
    return reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8').send(stream);
  }
  if (app.api.deps.checkAnswers === true) assertAnswer(key, result);
  const visible = call.user?.customerId === null ? result : withoutStaffFields(result);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(visible));
}

function assertAnswer(key: RouteKey, result: unknown): void {
  const checked = routes[key].response?.safeParse(result);
  if (checked === undefined || checked.success) return;
  throw new Error(`${key} answers against the contract: ${checked.error.message}`);
}

const staffFields = ['supplierAccount', 'routeId', 'operator'] as const;

/** Second safeguard: handlers already omit these for customers. Checks the response and the items of a list. */
function withoutStaffFields(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const copy: Record<string, unknown> = { ...answer };
  for (const field of staffFields) delete copy[field];
  if (Array.isArray(copy.items)) copy.items = copy.items.map(withoutStaffFields);
  return copy;
}

/** Audits each export: the user and the data exported. Phone numbers searched for are masked there. */
async function auditExport(call: Call<RouteKey>): Promise<void> {
  const query: Record<string, unknown> = { ...(call.query as Record<string, unknown> | undefined) };
  for (const field of ['phoneAddress', 'mobileNumber'])
    if (typeof query[field] === 'string') query[field] = maskMsisdn(query[field].replaceAll(/\D/g, ''));
  const [resource = '', ...rest] = (call.request.routeOptions.url ?? '').slice(apiPrefix.length + 1).split('/');
  const params = Object.values((call.params as Record<string, string> | undefined) ?? {});
  await call.inScope((tx) =>
    call.audit(tx, {
      action: 'export',
      subjectType: rest.length > 1 ? `${resource}/${rest.at(-1)}` : resource,
      subjectId: params.join('/') || '*',
      after: query,
    }),
  );
}

/** RFC 6266: a plain name for old programs, the real one in UTF-8. */
function attachment(fileName: string): string {
  const plain = fileName.replace(/[^A-Za-z0-9._-]+/g, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
