import type { CallingKey } from '@pahatid/contract';
import { AccessType } from '@pahatid/contract/enums';
import { findApplicationNames } from '@pahatid/db/queries/keys';
import type { Call } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';

/** Returns what the credentials of the call are and open. In test mode the application is named as its developers know it. */
export async function showCallingKey(
  { application: { live, key, isTest, scopes, expiresAt }, withTransaction }: Call<'GET /key'>,
  { config }: Pick<ApiDeps, 'config'>,
): Promise<CallingKey> {
  const row = await withTransaction((tx) => findApplicationNames(tx, live.appId));
  // Removed since the credentials were checked.
  if (row === null) throw new ProblemError('APP_CREDENTIALS_INVALID');
  const mayBind = !isTest && row.accessType !== AccessType.Http;
  return {
    kind: key === null ? 'password' : 'key',
    keyId: key?.keyId ?? null,
    keyName: key?.keyName ?? null,
    prefix: key?.prefix ?? null,
    mode: isTest ? 'test' : 'live',
    scopes: [...scopes],
    expireTime: expiresAt?.toISOString() ?? null,
    appId: live.appId,
    appName: row.appName,
    customerName: row.customerName,
    smpp: mayBind
      ? {
          host: new URL(config.publicUrl).hostname,
          port: config.smppPort,
          tlsPort: config.smppTls?.port ?? null,
          systemId: row.account,
        }
      : null,
  };
}
