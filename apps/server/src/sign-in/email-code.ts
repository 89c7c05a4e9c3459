/** Signing in with a code that was sent by e-mail. */
import type { Session } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import { findSignInUser } from '@pahatid/db';
import { readEmail } from '../codes/read-destination.ts';
import { tryCode } from '../codes/try-code.ts';
import { ProblemError } from '../http/problem.ts';
import { openSession } from './open-session.ts';
import type { SigningIn } from './signing-in.ts';

export async function signInByEmailCode(
  signingIn: SigningIn,
  { email, code }: { readonly email: string; readonly code: string },
): Promise<Session> {
  const { deps } = signingIn;
  const right = await tryCode(deps, signingIn, { purpose: 'signIn', destination: readEmail(email) }, code);
  const user = await findSignInUser(deps.pools.control, right.userId);
  // Disabled since the code was sent: answered like any code that opens nothing.
  if (user === null || user.useState === UseState.Disabled) throw new ProblemError('CODE_INVALID');
  if (user.customerUseState === UseState.Disabled) throw new ProblemError('CUSTOMER_SUSPENDED');
  return openSession(signingIn, user, { how: 'emailCode', alongside: right.useUp });
}
