import type { CallResult } from '@pahatid/contract';
import { customerOf, findApplication, rotateSecret, uuidV7 } from '@pahatid/db';
import type { Call } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { hashAppSecret, hintOf, makeAppSecret, makeSmppPassword, rotationOverlapMs } from './credentials.ts';

/** A new application password; the one before goes on working for 24 hours, so that software can be changed at leisure. */
export async function rotateAppSecret(
  call: Call<'POST /applications/:appId/secret'>,
  deps: ApiDeps,
): Promise<CallResult<'POST /applications/:appId/secret'>> {
  const appSecret = makeAppSecret();
  const previousExpireTime = await rotate(call, deps, 'http', () => ({
    hash: hashAppSecret(appSecret),
    hint: hintOf(appSecret),
  }));
  return { appSecret, previousExpireTime };
}

export async function rotateSmppPassword(
  call: Call<'POST /applications/:appId/smpp-password'>,
  deps: ApiDeps,
): Promise<CallResult<'POST /applications/:appId/smpp-password'>> {
  const smppPassword = makeSmppPassword();
  // Half of an 8-character password shown again would be too much of it: no hint.
  const previousExpireTime = await rotate(call, deps, 'smpp', (account) => ({
    hash: deps.secrets.hashSmppPassword(account, smppPassword),
    hint: '',
  }));
  return { smppPassword, previousExpireTime };
}

type RotateCall = Call<'POST /applications/:appId/secret'> | Call<'POST /applications/:appId/smpp-password'>;

const rotate = (
  { params, scope, inScope, audit }: RotateCall,
  deps: ApiDeps,
  kind: 'http' | 'smpp',
  make: (account: string) => { hash: Buffer; hint: string },
): Promise<string | null> =>
  inScope(async (tx) => {
    const row = await findApplication(tx, customerOf(scope), params.appId);
    if (row === null) throw new ProblemError('NOT_FOUND');
    const previousExpire = await rotateSecret(tx, {
      secretId: uuidV7(),
      customerId: row.customerId,
      appId: row.appId,
      kind,
      ...make(row.account),
      now: deps.now(),
      overlapMs: rotationOverlapMs,
    });
    await audit(tx, {
      action: kind === 'http' ? 'rotateSecret' : 'rotateSmppPassword',
      subjectType: 'application',
      subjectId: row.appId,
    });
    return previousExpire?.toISOString() ?? null;
  });
