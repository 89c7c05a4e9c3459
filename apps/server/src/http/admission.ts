/** Who may make a call, decided before a byte of its body is read: visitors, people by a session, software by a scope. */
import { createHash } from 'node:crypto';
import {
  type ApiScope,
  findScope,
  isForSoftware,
  isLent,
  type RouteKey,
  routes,
  worksInTestMode,
} from '@pahatid/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assertMay, assertMayChange } from './access.ts';
import { authenticate } from './authenticate.ts';
import type { CallingApplication, SignedInUser } from './call.ts';
import { ProblemError } from './problem.ts';
import type { Tenant } from './rate-limit.ts';
import { bearsKey } from './read-credentials.ts';
import type { StreamPlaces } from './stream-places.ts';

type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Returns the check of a route: sets the request's user or application, or throws why the call is refused. */
export function makeAdmission(app: FastifyInstance, key: RouteKey): Admit {
  const definition = routes[key];
  const { deps, gate, rates, streams } = app.api;
  const scope = findScope(key, definition);
  const isStream = definition.answer === 'events';
  const count = (tenant: Tenant, reply: FastifyReply): void => rates.admit(tenant, reply, isStream);

  const admitSoftware: Admit = async (request, reply) => {
    const application = await gate.authenticate(request, reply).catch((error: unknown) => {
      // Callers with missing or invalid credentials are counted by address.
      if (is401(error)) count({ kind: 'address', ip: request.ip }, reply);
      throw error;
    });
    request.application = toOwner(application, scope);
    count({ kind: 'application', id: application.key?.keyId ?? application.appId }, reply);
    if (!isForSoftware(key, definition)) throw new ProblemError('FORBIDDEN');
    if (application.isTest && !worksInTestMode(key, scope)) throw new ProblemError('NOT_IN_TEST_MODE');
    if (scope !== null && !application.scopes.includes(scope)) throw new ProblemError('SCOPE_MISSING', { scope });
    if (isStream) await holdPlace(streams, toStreamHolder(application), reply);
  };

  const admitUser = async (user: SignedInUser, ip: string, reply: FastifyReply): Promise<void> => {
    // Visitors are strangers to each other.
    if (user.visitUntil !== null) count({ kind: 'address', ip }, reply);
    else count({ kind: 'people', id: user.customerId ?? user.userId }, reply);
    assertMayChange(user, key);
    assertMay(user.role, key);
    if (user.mustEnrol && definition.beforeEnrolment !== true) throw new ProblemError('SECOND_FACTOR_ENROLMENT');
    if (isStream) await holdPlace(streams, user, reply);
  };

  const admitAnyone: Admit = async (request, reply) => {
    let refusal: unknown;
    try {
      request.user = await authenticate(request, deps);
    } catch (error) {
      refusal = error;
    }
    if (request.user !== null) return admitUser(request.user, request.ip, reply);
    const mayBeSoftware = is401(refusal) && request.headers.authorization !== undefined;
    if (!mayBeSoftware) {
      if (is401(refusal)) count({ kind: 'address', ip: request.ip }, reply);
      throw refusal;
    }
    try {
      await admitSoftware(request, reply);
    } catch (error) {
      if (!is401(error)) throw error;
      // Of a browser behind a proxy with a password: it must not ask for another one.
      reply.removeHeader('www-authenticate');
      throw refusal;
    }
  };

  return async (request, reply) => {
    if (definition.access === 'public') count({ kind: 'address', ip: request.ip }, reply);
    else if (definition.access === 'application' || bearsKey(request)) await admitSoftware(request, reply);
    else await admitAnyone(request, reply);
  };
}

const toOwner = (application: CallingApplication, scope: ApiScope | null): CallingApplication =>
  application.isTest && isLent(scope) ? { ...application, ...application.live } : application;

const is401 = (error: unknown): boolean => error instanceof ProblemError && error.status === 401;

/** The streams of one key, or of one application's password, count like those of one session. */
const toStreamHolder = ({ key, appId, customerId }: CallingApplication) => ({
  sessionHash: createHash('sha256')
    .update(key?.keyId ?? appId)
    .digest(),
  customerId,
});

/** A stream holds its slot from before it is opened until its connection has closed. */
async function holdPlace(
  streams: StreamPlaces,
  holder: Parameters<StreamPlaces['take']>[0],
  reply: FastifyReply,
): Promise<void> {
  const giveBack = await streams.take(holder);
  if (reply.raw.destroyed) giveBack();
  else reply.raw.once('close', giveBack);
}
