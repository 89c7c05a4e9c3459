/** Who is asked for a second factor after the first one was right, and by what means. */
import type { SessionUser } from '@pahatid/db';
import type { PoolClient } from 'pg';
import type { FirstFactor, SigningIn } from './signing-in.ts';

export interface SecondFactorChallenge {
  /** Opaque; what the second step is sent with. */
  readonly challenge: string;
  /** E.g. `totp`, `passkey`, `recoveryCode`. */
  readonly methods: readonly string[];
}

/** Null: the person has none, and is in. */
export async function askSecondFactor(
  _tx: PoolClient,
  _signingIn: SigningIn,
  _user: SessionUser,
  _how: FirstFactor,
): Promise<SecondFactorChallenge | null> {
  return null;
}
