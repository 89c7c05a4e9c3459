import { findTotp, takeTotpCounter } from '@pahatid/db/queries/second-factors';
import type { FastifyInstance } from 'fastify';
import type { SignedInUser } from '../http/call.ts';
import { ProblemError } from '../http/problem.ts';
import { reauthenticate } from '../http/reauthenticate.ts';
import { countGuess, refundGuesses } from './guess-limits.ts';
import { findTotpCounter } from './totp.ts';

/**
 * Required before an action for which a stolen session must not suffice: a code of the authenticator app if one is
 * enrolled, otherwise the password. Throws TOTP_CODE_WRONG, REAUTHENTICATE or RATE_LIMITED.
 */
export async function stepUp(
  api: FastifyInstance['api'],
  user: SignedInUser,
  given: { readonly currentPassword?: string | undefined; readonly totpCode?: string | undefined },
): Promise<void> {
  const { deps } = api;
  const { control } = deps.pools;
  const totp = await findTotp(control, user.userId);
  if (totp === null || !totp.isConfirmed) return reauthenticate(api, user, given.currentPassword);
  if (given.totpCode === undefined) throw new ProblemError('TOTP_CODE_WRONG');
  await countGuess(deps, user.userId);
  const counter = findTotpCounter(deps.secrets.open('totp-seed', totp.seedSealed), given.totpCode, deps.now());
  if (counter === null || !(await takeTotpCounter(control, user.userId, counter)))
    throw new ProblemError('TOTP_CODE_WRONG');
  await refundGuesses(deps, user.userId);
}
