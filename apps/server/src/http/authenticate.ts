import { findSession } from '@pahatid/db';
import { findSupportView } from '@pahatid/db/queries/support-views';
import type { FastifyRequest } from 'fastify';
import type { SignedInUser } from './call.ts';
import type { ApiDeps } from './deps.ts';
import { ProblemError } from './problem.ts';
import { readSessionHash, sessionIdleMs } from './session-cookie.ts';

/**
 * Returns the user of the request's session. Throws NOT_SIGNED_IN if there is none, it has ended, or the user is
 * disabled.
 */
export async function authenticate(request: FastifyRequest, deps: ApiDeps): Promise<SignedInUser> {
  const sessionHash = readSessionHash(request, deps.config.publicUrl);
  const found =
    sessionHash === null ? null : await findSession(deps.pools.control, sessionHash, deps.now(), sessionIdleMs);
  if (sessionHash === null || found === null) throw new ProblemError('NOT_SIGNED_IN');
  const user = { ...found, sessionHash };
  return user.customerId === null ? asSupport(user, deps) : user;
}

/** Staff viewing a customer's screens act as its viewer meanwhile. */
async function asSupport(user: SignedInUser, deps: ApiDeps): Promise<SignedInUser> {
  const view = await findSupportView(deps.pools.control, user.sessionHash, deps.now());
  if (view === null) return user;
  const { customerId, endsAt } = view;
  return { ...user, role: 'viewer', staffRole: user.role, customerId, supportUntil: endsAt };
}
