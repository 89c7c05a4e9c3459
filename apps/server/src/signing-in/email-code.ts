/** Signing in with a code that was sent by e-mail. */
import type { Session } from '@pahatid/contract';
import { ProblemError } from '../http/problem.ts';
import type { SigningIn } from './signing-in.ts';

export async function signInByEmailCode(
  _signingIn: SigningIn,
  _given: { readonly email: string; readonly code: string },
): Promise<Session> {
  throw new ProblemError('NOT_FOUND');
}
