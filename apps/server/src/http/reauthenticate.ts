/** Actions for which a stolen session must not suffice: the user enters the password again. */
import { clearAttempts, countAttempt, findUserByAccount } from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import type { SignedInUser } from './call.ts';
import { ProblemError, tooOften } from './problem.ts';

const limit = 10;
const windowMs = 15 * 60_000;
const what = 'reauthenticate';

/**
 * Throws REAUTHENTICATE if the password is missing or wrong, RATE_LIMITED after ten wrong ones within 15 minutes.
 * `currentPassword` is the body's field of that name.
 */
export async function reauthenticate(
  { deps, passwords }: FastifyInstance['api'],
  user: SignedInUser,
  currentPassword: string | undefined,
): Promise<void> {
  const { control } = deps.pools;
  if (currentPassword === undefined || currentPassword === '') throw new ProblemError('REAUTHENTICATE');
  const now = deps.now();
  const { allowed, endsAt } = await countAttempt(control, { what, key: user.userId, limit, windowMs, now });
  if (!allowed) throw tooOften(endsAt, now);
  const kept = await findUserByAccount(control, user.account);
  if (!(await passwords.verify(kept?.passwordHash ?? null, currentPassword))) throw new ProblemError('REAUTHENTICATE');
  await clearAttempts(control, what, user.userId);
}
