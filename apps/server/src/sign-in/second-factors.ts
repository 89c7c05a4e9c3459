/** Determines whether a second factor is required after the first one was right, and by which methods. */
import type { SecondFactorMethod } from '@pahatid/contract';
import type { SessionUser } from '@pahatid/db';
import { findSecondFactors } from '@pahatid/db/queries/second-factors';
import type { PoolClient } from 'pg';
import { type BrowserCookie, needBrowserCookie } from '../http/browser-cookies.ts';
import { beginChallenge } from '../second-factors/challenges.ts';
import type { FirstFactor, SigningIn } from './signing-in.ts';

export interface SecondFactorChallenge {
  /** Opaque; what the second step is sent with. */
  readonly challenge: string;
  readonly methods: readonly SecondFactorMethod[];
  /** Of the one browser in which it can be answered. */
  readonly visitor: BrowserCookie;
}

/** Null: the person has none, and is in. */
export async function askSecondFactor(
  tx: PoolClient,
  { deps, request }: SigningIn,
  user: SessionUser,
  how: FirstFactor,
): Promise<SecondFactorChallenge | null> {
  const { hasTotp, passkeyCount, recoveryCodesLeft } = await findSecondFactors(tx, user.userId);
  if (!hasTotp && passkeyCount === 0) return null;
  const visitor = needBrowserCookie('visitor', request, deps.config.publicUrl);
  const challenge = await beginChallenge(tx, deps.now(), {
    purpose: 'secondFactor',
    browserHash: visitor.hash,
    userId: user.userId,
    firstFactor: how,
  });
  const methods: SecondFactorMethod[] = [];
  if (passkeyCount > 0) methods.push('passkey');
  if (hasTotp) methods.push('totp');
  if (recoveryCodesLeft > 0) methods.push('recoveryCode');
  return { challenge, methods, visitor };
}
