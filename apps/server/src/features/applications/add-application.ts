import type { CallResult } from '@pahatid/contract';
import { getCustomerId, insertApplication, rotateSecret, uuidV7 } from '@pahatid/db';
import { assertCallbackUrl } from '../../callbacks/assert-callback-url.ts';
import type { Guard } from '../../callbacks/guard.ts';
import { saveApplicationCallback } from '../../callbacks/save-endpoints.ts';
import type { Call } from '../../http/call.ts';
import { checkAllowedAddresses } from '../../http/check-addresses.ts';
import { onConflict } from '../../http/conflicts.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { hashAppSecret, makeAppId, makeAppSecret, makeSmppPassword, rotationOverlapMs, toHint } from './credentials.ts';
import { presentApplication } from './present-application.ts';

/** Adds an application with both its secrets, whose texts are only in this response. */
export async function addApplication(
  { body, scope, inScope, audit }: Call<'POST /applications'>,
  deps: ApiDeps,
  guard: Guard,
): Promise<CallResult<'POST /applications'>> {
  const { secrets, now } = deps;
  const customerId = getCustomerId(scope) ?? '';
  const whiteListIp = checkAllowedAddresses(body.whiteListIp);
  if (body.callbackUrl !== null) assertCallbackUrl(guard, body.callbackUrl, 'callbackUrl');
  const appId = makeAppId();
  const appSecret = makeAppSecret();
  const smppPassword = makeSmppPassword();

  return onConflict({ application_name: 'APP_NAME_TAKEN' }, () =>
    inScope(async (tx) => {
      const row = await insertApplication(tx, { ...body, appId, customerId, account: appId, whiteListIp });
      const common = { customerId, appId, now: now(), overlapMs: rotationOverlapMs };
      await rotateSecret(tx, {
        ...common,
        secretId: uuidV7(),
        kind: 'http',
        hash: hashAppSecret(appSecret),
        hint: toHint(appSecret),
      });
      await rotateSecret(tx, {
        ...common,
        secretId: uuidV7(),
        kind: 'smpp',
        hash: secrets.hashSmppPassword(row.account, smppPassword),
        hint: '',
      });
      const callbackSecret = await saveApplicationCallback(tx, { customerId, appId, url: body.callbackUrl }, deps);
      const after = presentApplication(row);
      await audit(tx, { action: 'add', subjectType: 'application', subjectId: appId, after });
      return { ...after, appSecret, smppPassword, callbackSecret };
    }),
  );
}
