/** Applications: a customer's software and its secrets. Names follow the contract from here on. */
import type { AccessType, ChargeType, DoubtPolicy, SmsType, ValidFor } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import { ParkReason } from '@pahatid/domain';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { wakeBatches } from './batch-parking.ts';
import { dbNow } from './db-clock.ts';
import { ofCustomer } from './real-customers.ts';
import { isVersion, savedBy } from './versions.ts';

export interface ApplicationRow {
  appId: string;
  customerId: string;
  appName: string;
  remarkInfo: string;
  useState: UseState;
  createTime: Date;
  chargeType: ChargeType;
  accessType: AccessType;
  account: string;
  maxConnectNum: number;
  tps: number;
  whiteListIp: string[];
  countries: string[];
  callbackUrl: string | null;
  doubtPolicy: Record<'verification' | 'notification' | 'marketing', DoubtPolicy>;
  validFor: ValidFor;
  serviceTypes: Record<string, SmsType>;
  smppDeduplication: boolean;
  version: number;
  /** Keys of the sorts, exact as PostgreSQL writes them. */
  createKey: string;
  nameKey: string;
}

const columns = sql.raw(
  `app_id as "appId", customer_id as "customerId", app_name as "appName", remark_info as "remarkInfo",
   use_state as "useState", created_at as "createTime", charge_type as "chargeType", access_type as "accessType",
   account, max_connect_num as "maxConnectNum", tps, white_list_ip as "whiteListIp", countries, callback_url as "callbackUrl",
   doubt_policy as "doubtPolicy", valid_for as "validFor", coalesce(smpp_service_types, '{}') as "serviceTypes",
   coalesce(smpp_deduplication, false) as "smppDeduplication", version, created_at::text as "createKey", lower(app_name) as "nameKey"`,
);

export type ApplicationSort = '-createTime' | 'createTime' | 'appName';

export interface ApplicationFilter {
  /** null looks across customers: staff. */
  customerId: string | null;
  search?: string | undefined;
  useState?: UseState | undefined;
  sort: ApplicationSort;
  /** Key of the last row seen: `createKey` or `nameKey`, and appId. */
  after?: readonly string[] | null;
  limit: number;
}

/** For LIKE: text typed by a user contains no wildcards. */
const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const conditionsOf = (filter: ApplicationFilter): Fragment<unknown>[] => {
  const conditions: Fragment<unknown>[] = [ofCustomer(sql`customer_id`, filter.customerId)];
  if (filter.search)
    conditions.push(
      sql`(app_name ilike ${contains(filter.search)} or app_id ilike ${contains(filter.search)} or remark_info ilike ${contains(filter.search)})`,
    );
  if (filter.useState !== undefined) conditions.push(sql`use_state = ${filter.useState}`);
  return conditions;
};

const orders: Record<ApplicationSort, Fragment<unknown>> = {
  '-createTime': sql`created_at desc, app_id desc`,
  createTime: sql`created_at, app_id`,
  appName: sql`lower(app_name), app_id`,
};

const keyCondition = (sort: ApplicationSort, [key, appId]: readonly string[]): Fragment<unknown> => {
  if (sort === 'appName') return sql`(lower(app_name), app_id) > (${key}, ${appId})`;
  if (sort === 'createTime') return sql`(created_at, app_id) > (${key}::timestamptz, ${appId})`;
  return sql`(created_at, app_id) < (${key}::timestamptz, ${appId})`;
};

export const listApplications = async (db: Db, filter: ApplicationFilter): Promise<ApplicationRow[]> => {
  const conditions = conditionsOf(filter);
  if (filter.after) conditions.push(keyCondition(filter.sort, filter.after));
  return many<ApplicationRow>(
    db,
    sql`select ${columns} from application where ${sql.join(conditions, sql` and `)}
        order by ${orders[filter.sort]} limit ${filter.limit}`,
  );
};

export const countApplications = async (db: Db, filter: ApplicationFilter): Promise<number> => {
  const { total } = await one<{ total: number }>(
    db,
    sql`select count(*)::int as total from application where ${sql.join(conditionsOf(filter), sql` and `)}`,
  );
  return total;
};

/** Whether the customer has an application of this id. */
export const hasApplication = async (db: Db, customerId: string, appId: string): Promise<boolean> =>
  (await maybe(db, sql`select 1 from application where app_id = ${appId} and customer_id = ${customerId}`)) !== null;

export const findApplication = (db: Db, customerId: string | null, appId: string): Promise<ApplicationRow | null> =>
  maybe<ApplicationRow>(
    db,
    sql`select ${columns} from application where app_id = ${appId}
          and ${customerId === null ? sql`true` : sql`customer_id = ${customerId}`}`,
  );

/** How long an application's messages may wait, and the database's instant. */
export const readValidFor = (db: Db, appId: string): Promise<{ validFor: ValidFor | null; nowMs: number }> =>
  one(
    db,
    sql`select (select valid_for from application where app_id = ${appId}) as "validFor",
          (extract(epoch from ${dbNow()}) * 1000)::float8 as "nowMs"`,
  );

export interface NewApplication {
  appId: string;
  customerId: string;
  appName: string;
  remarkInfo: string;
  accessType: AccessType;
  account: string;
  maxConnectNum: number;
  whiteListIp: readonly string[];
  callbackUrl: string | null;
}

/** Throws a unique violation of `application_name` when the customer has one of that name. */
export const insertApplication = (db: Db, row: NewApplication): Promise<ApplicationRow> =>
  one<ApplicationRow>(
    db,
    sql`insert into application (app_id, customer_id, app_name, remark_info, access_type, account, max_connect_num,
                                 white_list_ip, callback_url)
        values (${row.appId}, ${row.customerId}, ${row.appName}, ${row.remarkInfo}, ${row.accessType}, ${row.account},
                ${row.maxConnectNum}, ${row.whiteListIp}, ${row.callbackUrl})
        returning ${columns}`,
  );

export type ApplicationChange = Partial<
  Pick<
    ApplicationRow,
    | 'appName'
    | 'remarkInfo'
    | 'accessType'
    | 'maxConnectNum'
    | 'whiteListIp'
    | 'callbackUrl'
    | 'doubtPolicy'
    | 'validFor'
    | 'serviceTypes'
    | 'smppDeduplication'
    | 'useState'
  >
>;

const jsonColumns: ReadonlySet<string> = new Set(['doubtPolicy', 'validFor', 'serviceTypes']);

const columnOf: Record<keyof ApplicationChange, string> = {
  appName: 'app_name',
  remarkInfo: 'remark_info',
  accessType: 'access_type',
  maxConnectNum: 'max_connect_num',
  whiteListIp: 'white_list_ip',
  callbackUrl: 'callback_url',
  doubtPolicy: 'doubt_policy',
  validFor: 'valid_for',
  serviceTypes: 'smpp_service_types',
  smppDeduplication: 'smpp_deduplication',
  useState: 'use_state',
};

/** Updates the given fields; returns null if the customer has no such application, or it was saved since `seen`. */
export const updateApplication = async (
  db: Db,
  customerId: string,
  appId: string,
  change: ApplicationChange,
  save: { seen: number | undefined; userId: string },
): Promise<ApplicationRow | null> => {
  const sets = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const stored = jsonColumns.has(key) ? JSON.stringify(value) : value;
      return sql`${sql.ref(columnOf[key as keyof ApplicationChange])} = ${stored}`;
    });
  const row = await maybe<ApplicationRow>(
    db,
    sql`update application set ${sql.join([...sets, sql`updated_at = now()`, savedBy(save.userId)])}
        where customer_id = ${customerId} and app_id = ${appId} and ${isVersion(save.seen)} returning ${columns}`,
  );
  if (row?.useState === UseState.Enabled) await wakeBatches(db, ParkReason.Application, [appId]);
  return row;
};

export interface SecretRow {
  secretId: string;
  kind: 'http' | 'smpp';
  hint: string;
  createTime: Date;
  lastUsedTime: Date | null;
  expireTime: Date | null;
}

/** Secrets that still open something, the current one first. */
export const listLiveSecrets = (db: Db, appId: string, now: Date): Promise<SecretRow[]> =>
  many<SecretRow>(
    db,
    sql`select secret_id as "secretId", kind, hint, created_at as "createTime", last_used_at as "lastUsedTime",
               expires_at as "expireTime"
        from application_secret where app_id = ${appId} and (expires_at is null or expires_at > ${now})
        order by expires_at desc nulls first, created_at desc`,
  );

export interface KeyRow extends Omit<SecretRow, 'kind'> {
  appId: string;
  appName: string;
  useState: UseState;
  accessType: AccessType;
}

/** Live HTTP secrets of all of a customer's applications: by application, newest first. */
export const listKeys = (
  db: Db,
  filter: {
    customerId: string;
    now: Date;
    after: readonly [appId: string, secretId: string] | null;
    isReversed?: boolean;
    limit: number;
  },
): Promise<KeyRow[]> => {
  const after =
    filter.after === null
      ? sql`true`
      : sql`(s.app_id ${filter.isReversed ? sql`<` : sql`>`} ${filter.after[0]}
          or (s.app_id = ${filter.after[0]} and s.secret_id < ${filter.after[1]}))`;
  return many<KeyRow>(
    db,
    sql`select s.secret_id as "secretId", s.hint, s.created_at as "createTime", s.last_used_at as "lastUsedTime",
          s.expires_at as "expireTime", s.app_id as "appId", a.app_name as "appName", a.use_state as "useState",
          a.access_type as "accessType"
        from application_secret s join application a on a.app_id = s.app_id
        where s.customer_id = ${filter.customerId} and s.kind = 'http'
          and (s.expires_at is null or s.expires_at > ${filter.now}) and ${after}
        order by s.app_id ${filter.isReversed ? sql`desc` : sql``}, s.secret_id desc limit ${filter.limit}`,
  );
};

/** A secret that still opens something. */
export const findSecret = async (db: Db, appId: string, secretId: string, now: Date): Promise<SecretRow | null> =>
  (await listLiveSecrets(db, appId, now)).find((secret) => secret.secretId === secretId) ?? null;

/** Removes a replaced secret; returns false if it is the current one, or already removed. */
export const endSecret = async (tx: Db, appId: string, secretId: string): Promise<boolean> =>
  (await run(
    tx,
    sql`delete from application_secret where app_id = ${appId} and secret_id = ${secretId} and expires_at is not null`,
  )) === 1;

export interface NewSecret {
  secretId: string;
  customerId: string;
  appId: string;
  kind: 'http' | 'smpp';
  hash: Buffer;
  hint: string;
  now: Date;
  /** How long the previous secret remains valid. */
  overlapMs: number;
}

/**
 * Makes a secret the current one and returns when the previous one stops working, null if there was none. Only one
 * rotated secret is valid at a time: earlier ones end now. The application's row is locked, so two concurrent rotations
 * run one after the other.
 */
export const rotateSecret = async (tx: Db, secret: NewSecret): Promise<Date | null> => {
  await run(tx, sql`select 1 from application where app_id = ${secret.appId} for update`);
  const ofKind = sql`app_id = ${secret.appId} and kind = ${secret.kind}`;
  await run(tx, sql`delete from application_secret where ${ofKind} and expires_at is not null`);
  const previous = await maybe<{ expires: Date }>(
    tx,
    sql`update application_secret set expires_at = ${new Date(secret.now.getTime() + secret.overlapMs)}
        where ${ofKind} returning expires_at as expires`,
  );
  await run(
    tx,
    sql`insert into application_secret (secret_id, customer_id, app_id, kind, secret_hash, hint, created_at)
        values (${secret.secretId}, ${secret.customerId}, ${secret.appId}, ${secret.kind}, ${secret.hash}, ${secret.hint}, ${secret.now})`,
  );
  return previous?.expires ?? null;
};
