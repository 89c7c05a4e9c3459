import { createHash, randomBytes } from 'node:crypto';
import { type ApiScope, apiScopes } from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { insertKey } from '../queries/keys.ts';
import { type Db, one, sql } from '../sql.ts';

export interface KeySpec {
  customerId: string;
  appId: string;
  keyName?: string;
  /** All of them by default. */
  scopes?: readonly ApiScope[];
  whiteListIp?: string[];
  expireTime?: Date | null;
  createTime?: Date;
}

/** A key of an application, made by one of its customer's users; `apiKey` is its text. */
export const buildKey = async (db: Db, spec: KeySpec): Promise<{ keyId: string; apiKey: string }> => {
  const apiKey = `pk_live_${randomBytes(43).toString('hex').slice(0, 43)}`;
  const { userId } = await one<{ userId: string }>(
    db,
    sql`select user_id as "userId" from app_user where customer_id = ${spec.customerId} order by created_at limit 1`,
  );
  const key = {
    keyId: uuidV7(),
    customerId: spec.customerId,
    appId: spec.appId,
    keyName: spec.keyName ?? 'Order service',
    mode: 'live' as const,
    prefix: apiKey.slice(0, 16),
    hash: createHash('sha256').update(apiKey).digest(),
    scopes: spec.scopes ?? apiScopes,
    whiteListIp: spec.whiteListIp ?? [],
    createdBy: userId,
    createTime: spec.createTime ?? new Date(),
    expireTime: spec.expireTime ?? null,
  };
  await insertKey(db, key, Number.MAX_SAFE_INTEGER);
  return { keyId: key.keyId, apiKey };
};

/** Keys as a customer has them; their texts are not kept. */
export const seedKeys = async (db: Db, of: { customerId: string; appId: string; createTime: Date }): Promise<void> => {
  await buildKey(db, { ...of, keyName: 'Order service', scopes: ['messages:send', 'messages:read'] });
  await buildKey(db, {
    ...of,
    keyName: 'Reports',
    scopes: ['messages:read', 'statistics:read', 'tasks', 'billing:read'],
  });
};
