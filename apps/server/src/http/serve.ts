/**
 * Binds a route of the contract to its handler. In this order: origin, credentials, rate, role or scope, media type, body,
 * input by the contract's schemas, handler, response. The first steps are cheap and need no byte of the body.
 */
import {
  apiPrefix,
  findScope,
  isForSoftware,
  isStepUpRoute,
  type RouteDefinition,
  type RouteKey,
  routes,
  stepUpRoutes,
} from '@pahatid/contract';
import { inScope, type Scope, withTransaction, writeAudit } from '@pahatid/db';
import { hasApplication } from '@pahatid/db/queries/applications';
import { hasCustomer } from '@pahatid/db/queries/customers';
import { maskMsisdn } from '@pahatid/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Passwords } from '../secrets/passwords.ts';
import { makeAdmission } from './admission.ts';
import type { ApplicationGate } from './authenticate-application.ts';
import { markChange } from './browser-cookies.ts';
import type { Call, CallAudit, Caller, CallingApplication, Handle, SignedInUser } from './call.ts';
import type { CallLog } from './call-log.ts';
import { CsvAnswer, csvStream } from './csv.ts';
import type { ApiDeps } from './deps.ts';
import { eventStream } from './events.ts';
import { getLanguage } from './language.ts';
import { PendingAnswer } from './pending-answer.ts';
import { ProblemError } from './problem.ts';
import { makeProof, type Proof } from './proof.ts';
import type { RateLimiter } from './rate-limit.ts';
import { readIn } from './read-in.ts';
import type { Refusals } from './refusals.ts';
import type { SessionWatch } from './session-watch.ts';
import type { StreamPlaces } from './stream-places.ts';
import { findTestView, toLiveAppId, toTestAppId } from './test-view.ts';
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
      readonly callLog: CallLog;
      readonly streams: StreamPlaces;
    };
  }
  interface FastifyRequest {
    user: SignedInUser | null;
    application: CallingApplication | null;
  }
}

/** Streams of software end with its credentials: looked at so often. */
const confirmEveryMs = 1_000;

export function serve<K extends RouteKey>(app: FastifyInstance, key: K, handle: Handle<K>): void {
  const definition = routes[key];
  const [method = 'GET', path = ''] = key.split(' ');
  const admit = makeAdmission(app, key);
  const isStream = definition.answer === 'events';
  const isChange = method !== 'GET' && (app.api.deps.replicas ?? null) !== null;
  app.route({
    method,
    url: apiPrefix + path,
    ...(definition.bodyLimitBytes !== undefined && { bodyLimit: definition.bodyLimitBytes }),
    config: { isStream, byApplication: isForSoftware(key, definition) },
    onRequest: async (request, reply) => {
      await admit(request, reply);
      assertMedia(request, definition.multipart === true);
    },
    handler: async (request, reply) => {
      const proof = makeProof(app, key, request);
      const call = makeCall(app, key, request, reply, proof);
      await assertKnownCustomer(call);
      await assertOwnApplication(call);
      Object.assign(call, await findTestView(call, request, app.api.deps));
      if (isStepUpRoute(key) && stepUpRoutes[key] !== 'sometimes') proof.need();
      const result = await handle(call);
      if (isChange && request.user !== null) markChange(reply, app.api.deps.config.publicUrl);
      // A pending action has not been executed; users that may approve it are notified.
      if (result instanceof PendingAnswer) return sendPending(reply, result);
      await proof.mail(call);
      return sendResult(app, key, call, result);
    },
  });
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
  const isVisitor = user !== null && user.visitUntil !== null;
  const query = ofOwnApplication(definition.query, validate(definition.query, request.query), application);
  const lookingAt = definition.byCustomer === true ? (query as { customerId?: string }).customerId : undefined;
  const caller = user ?? (application && definition.access !== 'application' ? toCaller(application) : null);
  const scope = application === null ? user && scopeOf(user, lookingAt) : softwareScope(application, key, lookingAt);
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
    user: caller,
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
    inReadScope: readIn(withScope, request, deps),
    toShownAppId: toLiveAppId(application),
    toStoredAppId: toTestAppId(application),
    withTransaction: (work) => withTransaction(deps.pools.control, work),
    needProof: proof.need,
    audit: (db, entry: CallAudit) => {
      proof.subject = entry.subjectId;
      return writeAudit(db, {
        customerId: user?.customerId ?? application?.customerId ?? null,
        userId: user?.userId ?? null,
        account: user?.account ?? nameKey(application),
        role: user?.role ?? null,
        appId: application?.appId ?? null,
        // Visitors read each other's entries.
        ip: isVisitor ? null : ip,
        userAgent: isVisitor ? null : (request.headers['user-agent'] ?? null),
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

/**
 * Software sees what belongs to its application or to none. Money is the customer's as a whole: what is billed would not
 * add up if it were one application's.
 */
function softwareScope({ customerId, appId }: CallingApplication, key: RouteKey, lookingAt: string | undefined): Scope {
  if (lookingAt !== undefined && lookingAt !== customerId) throw new ProblemError('NOT_FOUND');
  return findScope(key, routes[key]) === 'billing:read' ? { customerId } : { customerId, appId };
}

/** Software reads lists by application for its application alone. */
function ofOwnApplication(
  schema: RouteDefinition['query'],
  query: unknown,
  application: CallingApplication | null,
): unknown {
  if (application === null || !(schema instanceof z.ZodObject) || !('appId' in schema.shape)) return query;
  const { appId = application.live.appId } = query as { appId?: string };
  if (appId !== application.live.appId) throw new ProblemError('APP_NOT_FOUND', { appId });
  return { ...(query as object), appId: application.appId };
}

const toCaller = ({ customerId }: CallingApplication): Caller => ({
  userId: null,
  role: 'member',
  zone: 'Asia/Manila',
  customerId,
});

/** A key in the audit log: how its text begins, by which a leaked one is found, and its name. */
const nameKey = (application: CallingApplication | null): string | null =>
  application?.key ? `${application.key.prefix} ${application.key.keyName}` : null;

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
  const unwatch = watch === null ? null : watchCredentials(request, watch, end);
  const until = watch === null ? undefined : (request.user?.supportUntil ?? request.user?.visitUntil ?? undefined);
  const over = until === undefined ? undefined : setTimeout(end, Math.max(0, until.getTime() - deps.now().getTime()));
  over?.unref();
  gone.signal.addEventListener('abort', () => {
    unwatch?.();
    clearTimeout(over);
    deps.signal.removeEventListener('abort', end);
  });
  return gone.signal;
}

/** Calls `end` when what the stream was opened with is no longer accepted; returns a function that stops watching. */
function watchCredentials({ user, application }: FastifyRequest, watch: SessionWatch, end: () => void): () => void {
  if (user !== null) return watch.watch(user.sessionHash, end);
  if (application === null) return () => undefined;
  const timer = setInterval(() => {
    // An unreachable database says nothing about a key.
    application.confirm().catch((error: unknown) => (error instanceof ProblemError ? end() : undefined));
  }, confirmEveryMs);
  timer.unref();
  return () => clearInterval(timer);
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
  const visible = call.user?.customerId === null ? result : withoutStaffFields(result, call.request.application);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(visible));
}

function assertAnswer(key: RouteKey, result: unknown): void {
  const checked = routes[key].response?.safeParse(result);
  if (checked === undefined || checked.success) return;
  throw new Error(`${key} answers against the contract: ${checked.error.message}`);
}

const staffFields = ['supplierAccount', 'routeId', 'operator'] as const;

/** Second safeguard: handlers already omit these for customers. Checks the response and the items of a list. */
function withoutStaffFields(answer: unknown, application: CallingApplication | null): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const copy: Record<string, unknown> = { ...answer };
  for (const field of staffFields) delete copy[field];
  // In test mode the application is named as its developers know it.
  if (application?.isTest === true && copy['appId'] === application.appId) copy['appId'] = application.live.appId;
  if (Array.isArray(copy.items)) copy.items = copy.items.map((item) => withoutStaffFields(item, application));
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
