/** Addresses as applications and rules name them: a new one has a secret, and is sent a test before anything else. */
import { type Db, uuidV7 } from '@pahatid/db';
import {
  removeApplicationEndpoint,
  removeUnnamedEndpoints,
  rotateCallbackSecret,
  type SavedEndpoint,
  saveAlertEndpoints,
  saveApplicationEndpoint,
} from '@pahatid/db/queries/callback-endpoints';
import { insertTestEvent } from '@pahatid/db/queries/callback-events';
import type { Secrets } from '../secrets/secrets.ts';
import { makeChallenge } from './send-event.ts';
import { makeCallbackSecret } from './sign.ts';

export interface SaveDeps {
  readonly secrets: Secrets;
  readonly now: () => Date;
}

/** Returns the last characters of a secret, by which a user distinguishes two. */
export const toSecretHint = (secret: string): string => secret.slice(0, secret.indexOf('=')).slice(-4);

/** Returns the secret of a new endpoint, else null. `url`: null to end the application's callbacks. */
export async function saveApplicationCallback(
  tx: Db,
  { customerId, appId, url }: { customerId: string; appId: string; url: string | null },
  deps: SaveDeps,
): Promise<string | null> {
  if (url === null) {
    await removeApplicationEndpoint(tx, appId);
    return null;
  }
  return await begin(tx, customerId, await saveApplicationEndpoint(tx, { customerId, appId, url }), deps);
}

/** After a rule was written or removed. */
export async function saveAlertCallbacks(
  tx: Db,
  customerId: string,
  urls: readonly string[],
  deps: SaveDeps,
): Promise<void> {
  for (const endpoint of await saveAlertEndpoints(tx, customerId, urls)) await begin(tx, customerId, endpoint, deps);
  await removeUnnamedEndpoints(tx, customerId);
}

async function begin(
  tx: Db,
  customerId: string,
  { endpointId, isNew, isChanged }: SavedEndpoint,
  { secrets, now }: SaveDeps,
): Promise<string | null> {
  if (isChanged) await insertTestEvent(tx, { customerId, endpointId, eventId: uuidV7() }, makeChallenge());
  if (!isNew) return null;
  const secret = makeCallbackSecret();
  const sealed = secrets.seal('webhook-secret', secret);
  const at = { now: now(), overlapMs: 0 };
  await rotateCallbackSecret(tx, { customerId, endpointId, sealed, hint: toSecretHint(secret), ...at });
  return secret;
}
