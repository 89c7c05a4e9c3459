import { createHash, randomBytes } from 'node:crypto';
import { type ApiScope, apiScopes } from '@pahatid/contract';
import type { PoolClient } from 'pg';
import { uuidV7 } from '../ids.ts';
import { type NewApiCall, writeApiCalls } from '../queries/api-calls.ts';
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

/** Keys as a customer has them, with calls of the last days; their texts are not kept. */
export const seedKeys = async (
  tx: PoolClient,
  of: { customerId: string; appId: string; createTime: Date; now: Date },
): Promise<void> => {
  const { now, ...spec } = of;
  const orders = await buildKey(tx, { ...spec, keyName: 'Order service', scopes: ['messages:send', 'messages:read'] });
  const reports = await buildKey(tx, {
    ...spec,
    keyName: 'Reports',
    scopes: ['messages:read', 'statistics:read', 'tasks', 'billing:read'],
  });
  const { customerId, appId } = of;
  const base = { customerId, appId, requestBody: null, responseBody: null };
  const calls = demoCalls.map(({ minutesAgo, by, requestId, ip, ...call }) => ({
    ...{ ...base, ...call, ip: ip ?? '203.0.113.20' },
    callId: uuidV7(now.getTime() - minutesAgo * 60_000),
    keyId: by === 'orders' ? orders.keyId : reports.keyId,
    requestId: requestId ?? uuidV7(now.getTime() - minutesAgo * 60_000 - 500),
  }));
  await writeApiCalls(tx, calls);
};

const send = { by: 'orders', method: 'POST', route: '/messages', path: '/messages' } as const;
const read = { by: 'reports', method: 'GET', status: 200, errorCode: null } as const;

/** Oldest first. */
const demoCalls: readonly (Pick<NewApiCall, 'method' | 'route' | 'path' | 'status' | 'errorCode' | 'durationMs'> &
  Partial<Pick<NewApiCall, 'requestId' | 'ip' | 'requestBody' | 'responseBody'>> & {
    minutesAgo: number;
    by: 'orders' | 'reports';
  })[] = [
  { ...read, minutesAgo: 1_500, route: '/statistics', path: '/statistics', durationMs: 41 },
  { ...read, minutesAgo: 1_499, route: '/tasks', path: '/tasks', durationMs: 18 },
  { ...read, minutesAgo: 1_498, route: '/billing', path: '/billing', durationMs: 22 },
  { ...send, minutesAgo: 190, status: 202, errorCode: null, durationMs: 9, requestId: 'order-10441' },
  {
    ...{
      ...send,
      minutesAgo: 75,
      status: 400,
      errorCode: 'VALIDATION_FAILED',
      durationMs: 3,
      requestId: 'order-10452',
    },
    requestBody: '{"to":"********4567","content":"Your order is ready.","smsTyp":2}',
    responseBody:
      '{"title":"Validation failed","status":400,"code":"VALIDATION_FAILED","errors":[{"field":"smsTyp","code":"UNKNOWN_FIELD"}]}',
  },
  { ...send, minutesAgo: 74, status: 202, errorCode: null, durationMs: 8, requestId: 'order-10452-2' },
  {
    ...{ ...read, minutesAgo: 31, route: '/groups', path: '/groups', durationMs: 1 },
    ...{ status: 403, errorCode: 'SCOPE_MISSING', ip: '203.0.113.31' },
  },
  { ...send, minutesAgo: 12, status: 503, errorCode: 'UNAVAILABLE', durationMs: 5_012, requestId: 'order-10460' },
  { ...send, minutesAgo: 11, status: 202, errorCode: null, durationMs: 11, requestId: 'order-10460' },
];
