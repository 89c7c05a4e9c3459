/** Named keys with which customers' software calls over HTTP. */
import type { ApiScope, KeyMode } from '@pahatid/contract';
import type { AccessType, UseState } from '@pahatid/contract/enums';
import { pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, one, prepared, run, sql } from '../sql.ts';

export interface KeyRow {
  keyId: string;
  customerId: string;
  keyName: string;
  appId: string;
  appName: string;
  useState: UseState;
  prefix: string;
  mode: KeyMode;
  scopes: ApiScope[];
  whiteListIp: string[];
  createTime: Date;
  createdBy: string | null;
  expireTime: Date | null;
  lastUsedTime: Date | null;
  lastUsedIp: string | null;
}

const columns = sql`k.key_id as "keyId", k.customer_id as "customerId", k.key_name as "keyName", k.app_id as "appId",
  a.app_name as "appName", a.use_state as "useState", k.prefix, k.mode, k.scopes, k.white_list_ip as "whiteListIp",
  k.created_at as "createTime", u.name as "createdBy", k.expires_at as "expireTime", k.last_used_at as "lastUsedTime",
  host(k.last_used_ip) as "lastUsedIp"`;
const source = sql`api_key k join application a on a.app_id = k.app_id left join app_user u on u.user_id = k.created_by`;

export interface KeyFilter {
  /** Null: of all customers. */
  customerId: string | null;
  appId?: string | undefined;
  /** The beginning of the text. */
  prefix?: string | undefined;
  /** The last key of the page before. */
  after: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

/** Keys that were not ended, the newest first; those that have expired among them. */
export const listNamedKeys = (db: Db, filter: KeyFilter): Promise<KeyRow[]> => {
  const { customerId, appId, prefix, after, isReversed, limit } = filter;
  const { past, orderBy } = pageBy([[sql`k.key_id`, 'uuid']], { isDescending: isReversed !== true, after });
  const conditions: Fragment<unknown>[] = [sql`k.ended_at is null`, past];
  if (customerId !== null) conditions.push(sql`k.customer_id = ${customerId}`);
  if (appId !== undefined) conditions.push(sql`k.app_id = ${appId}`);
  // Only letters, digits and underscores, which LIKE takes for any character.
  if (prefix !== undefined) conditions.push(sql`k.prefix like ${`${prefix.replaceAll('_', '\\_')}%`}`);
  return many<KeyRow>(
    db,
    sql`select ${columns} from ${source} where ${sql.join(conditions, sql` and `)} order by ${orderBy} limit ${limit}`,
  );
};

export interface NewKey extends Pick<KeyRow, 'keyId' | 'customerId' | 'appId' | 'keyName' | 'mode' | 'prefix'> {
  hash: Buffer;
  scopes: readonly ApiScope[];
  whiteListIp: readonly string[];
  createdBy: string;
  createTime: Date;
  expireTime: Date | null;
}

/**
 * Adds a key unless its application has `limit` that still work, and returns it; null: it has as many. The application's
 * row is locked, so that two at a time don't exceed the limit.
 */
export const insertKey = async (tx: Db, key: NewKey, limit: number): Promise<KeyRow | null> => {
  await run(tx, sql`select 1 from application where app_id = ${key.appId} for no key update`);
  const { live } = await one<{ live: number }>(
    tx,
    sql`select count(*)::int as live from api_key
        where app_id = ${key.appId} and ended_at is null and (expires_at is null or expires_at > ${key.createTime})`,
  );
  if (live >= limit) return null;
  await run(
    tx,
    sql`insert into api_key (key_id, customer_id, app_id, key_name, mode, prefix, key_hash, scopes, white_list_ip,
          created_by, created_at, expires_at)
        values (${key.keyId}, ${key.customerId}, ${key.appId}, ${key.keyName}, ${key.mode}, ${key.prefix}, ${key.hash},
          ${key.scopes}, ${key.whiteListIp}, ${key.createdBy}, ${key.createTime}, ${key.expireTime})`,
  );
  return findKey(tx, key.keyId);
};

const findKey = (db: Db, keyId: string): Promise<KeyRow | null> =>
  maybe<KeyRow>(db, sql`select ${columns} from ${source} where k.key_id = ${keyId}`);

/** Ends a key and returns it; null: the customer has none of this id, or it was ended before. */
export const endKey = async (
  tx: Db,
  of: { keyId: string; customerId: string | null; at: Date },
): Promise<KeyRow | null> => {
  const own = of.customerId === null ? sql`true` : sql`customer_id = ${of.customerId}`;
  const ended = await run(
    tx,
    sql`update api_key set ended_at = ${of.at} where key_id = ${of.keyId} and ended_at is null and ${own}`,
  );
  return ended === 0 ? null : findKey(tx, of.keyId);
};

/** What a call with a key needs to know of it. */
export interface CallingKeyRow {
  keyId: string;
  keyName: string;
  prefix: string;
  appId: string;
  mode: KeyMode;
  /** Of a test key, for what it sends. */
  testAppId: string | null;
  scopes: ApiScope[];
  whiteListIp: string[];
  isEnded: boolean;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

export const findCallingKey = (db: Db, hash: Buffer): Promise<CallingKeyRow | null> =>
  maybe<CallingKeyRow>(
    db,
    prepared(sql`select k.key_id as "keyId", k.key_name as "keyName", k.prefix, k.app_id as "appId", k.mode, k.scopes,
          case when k.mode = 'test' then (select t.app_id from application t where t.test_of = k.app_id) end as "testAppId",
          k.white_list_ip as "whiteListIp", k.ended_at is not null as "isEnded", k.expires_at as "expiresAt",
          k.last_used_at as "lastUsedAt"
        from api_key k where k.key_hash = ${hash}`),
  );

/** What a caller learns about its application. */
export interface ApplicationNames {
  appName: string;
  customerName: string;
  accessType: AccessType;
  account: string;
}

export const findApplicationNames = (db: Db, appId: string): Promise<ApplicationNames | null> =>
  maybe<ApplicationNames>(
    db,
    sql`select a.app_name as "appName", c.customer_name as "customerName", a.access_type as "accessType", a.account
        from application a join customer c on c.customer_id = a.customer_id where a.app_id = ${appId}`,
  );

/** Notes the last use of keys. */
export const touchKey = async (db: Db, keyId: string, at: Date, ip: string): Promise<void> => {
  await run(db, sql`update api_key set last_used_at = ${at}, last_used_ip = ${ip}::inet where key_id = ${keyId}`);
};
