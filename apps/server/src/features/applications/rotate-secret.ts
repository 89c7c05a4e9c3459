import type { CallResult } from '@pahatid/contract';
import { endSecret, findApplication, findSecret, getCustomerId, rotateSecret, uuidV7 } from '@pahatid/db';
import type { FastifyInstance } from 'fastify';
import type { Call } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import { reauthenticate } from '../../http/reauthenticate.ts';
import { hashAppSecret, makeAppSecret, makeSmppPassword, rotationOverlapMs, toHint } from './credentials.ts';

type Api = FastifyInstance['api'];

/**
 * Creates a new application password; the previous one works for another 24 hours, so that there is time to update
 * software.
 */
export async function rotateAppSecret(
  call: Call<'POST /applications/:appId/secret'>,
  api: Api,
): Promise<CallResult<'POST /applications/:appId/secret'>> {
  const appSecret = makeAppSecret();
  const previousExpireTime = await rotate(call, api, 'http', () => ({
    hash: hashAppSecret(appSecret),
    hint: toHint(appSecret),
  }));
  return { appSecret, previousExpireTime };
}

export async function rotateSmppPassword(
  call: Call<'POST /applications/:appId/smpp-password'>,
  api: Api,
): Promise<CallResult<'POST /applications/:appId/smpp-password'>> {
  const smppPassword = makeSmppPassword();
  // Half of an 8-character password shown again would be too much of it: no hint.
  const previousExpireTime = await rotate(call, api, 'smpp', (account) => ({
    hash: api.deps.secrets.hashSmppPassword(account, smppPassword),
    hint: '',
  }));
  return { smppPassword, previousExpireTime };
}

type RotateCall = Call<'POST /applications/:appId/secret'> | Call<'POST /applications/:appId/smpp-password'>;

async function rotate(
  { params, body, scope, user, inScope, audit }: RotateCall,
  api: Api,
  kind: 'http' | 'smpp',
  make: (account: string) => { hash: Buffer; hint: string },
): Promise<string | null> {
  const find = (tx: Parameters<Parameters<typeof inScope>[0]>[0]) =>
    findApplication(tx, getCustomerId(scope), params.appId);
  // A caller without such an application gets this error before the password is checked.
  if ((await inScope(find)) === null) throw new ProblemError('NOT_FOUND');
  await reauthenticate(api, user, body.currentPassword);
  return inScope(async (tx) => {
    const row = await find(tx);
    if (row === null) throw new ProblemError('NOT_FOUND');
    const overlapMs = body.endPrevious ? 0 : rotationOverlapMs;
    const previousExpire = await rotateSecret(tx, {
      secretId: uuidV7(),
      customerId: row.customerId,
      appId: row.appId,
      kind,
      ...make(row.account),
      now: api.deps.now(),
      overlapMs,
    });
    await audit(tx, {
      action: kind === 'http' ? 'rotateSecret' : 'rotateSmppPassword',
      subjectType: 'application',
      subjectId: row.appId,
      after: { previousExpireTime: previousExpire?.toISOString() ?? null },
    });
    return previousExpire?.toISOString() ?? null;
  });
}

/** Ends a replaced password before its 24 hours are over; repeating the call changes nothing. */
export async function endReplacedSecret(
  { params, scope, inScope, audit }: Call<'DELETE /applications/:appId/secrets/:secretId'>,
  now: Date,
): Promise<undefined> {
  await inScope(async (tx) => {
    const row = await findApplication(tx, getCustomerId(scope), params.appId);
    const secret = row === null ? null : await findSecret(tx, params.appId, params.secretId, now);
    if (secret === null) throw new ProblemError('NOT_FOUND');
    if (secret.expireTime === null) throw new ProblemError('SECRET_CURRENT');
    if (!(await endSecret(tx, params.appId, params.secretId))) throw new ProblemError('NOT_FOUND');
    await audit(tx, {
      action: 'endSecret',
      subjectType: 'application',
      subjectId: params.appId,
      before: { kind: secret.kind, expireTime: secret.expireTime?.toISOString() ?? null },
    });
  });
  return undefined;
}
