/** The log of calls of customers' software: written in batches, read by its developers, kept for a week. */
import type { KeyMode, StatusClass } from '@pahatid/contract';
import type { Pool } from 'pg';
import { uuidFloor } from '../ids.ts';
import { pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { withTransaction } from '../with-transaction.ts';
import { makeRowWriter } from '../write-rows.ts';

export interface NewApiCall {
  customerId: string;
  callId: string;
  appId: string;
  /** null: by the password of the application. */
  keyId: string | null;
  requestId: string;
  method: string;
  route: string;
  path: string;
  status: number;
  errorCode: string | null;
  durationMs: number;
  ip: string;
  requestBody: string | null;
  responseBody: string | null;
}

export const writeApiCalls = makeRowWriter<NewApiCall>(
  'api_call',
  {
    ...{ customer_id: 'uuid', call_id: 'uuid', app_id: 'text', key_id: 'uuid', request_id: 'text', method: 'text' },
    ...{ route: 'text', path: 'text', status: 'smallint', error_code: 'text', duration_ms: 'integer', ip: 'inet' },
    ...{ request_body: 'text', response_body: 'text' },
  },
  (call) => [
    ...[call.customerId, call.callId, call.appId, call.keyId, call.requestId, call.method, call.route, call.path],
    ...[call.status, call.errorCode, call.durationMs, call.ip, call.requestBody, call.responseBody],
  ],
);

/** A crash of the database may lose the last ones; no other commit waits for them. */
export const insertApiCalls = (pool: Pool, calls: readonly NewApiCall[]): Promise<void> =>
  withTransaction(pool, async (tx) => {
    await run(tx, sql`set local synchronous_commit = off`);
    await writeApiCalls(tx, calls);
  });

/** Adds calls that were not recorded, by customer. */
export const noteDroppedCalls = async (db: Db, counts: ReadonlyMap<string, number>, at: Date): Promise<void> => {
  await run(
    db,
    sql`insert into api_call_dropped as d (customer_id, hour, dropped_count)
        select i.customer_id, date_bin('1 hour', ${at}::timestamptz, timestamptz '2025-01-01 00:00:00+00'), i.n
        from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::bigint[]) as i(customer_id, n)
        on conflict (customer_id, hour) do update set dropped_count = d.dropped_count + excluded.dropped_count`,
  );
};

export interface ApiCallRow extends Omit<NewApiCall, 'route' | 'requestBody' | 'responseBody'> {
  appName: string | null;
  keyName: string | null;
  prefix: string | null;
  mode: KeyMode | null;
}

export interface ApiCallFilter {
  customerId: string;
  keyId?: string | undefined;
  statusClass?: StatusClass | undefined;
  /** `path`: of one object; null: of all of the route. */
  called?: { route: string; path: string | null } | undefined;
  requestId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

const columns = sql`c.customer_id as "customerId", c.call_id as "callId", c.app_id as "appId", a.app_name as "appName",
  c.key_id as "keyId", k.key_name as "keyName", k.prefix, k.mode, c.request_id as "requestId", c.method, c.path, c.status,
  c.error_code as "errorCode", c.duration_ms as "durationMs", host(c.ip) as ip`;
const named = sql`left join api_key k on k.key_id = c.key_id left join application a on a.app_id = c.app_id`;

/** Literal, as in the predicate of the index of errors. */
const isOfClass: Readonly<Record<StatusClass, Fragment>> = {
  '2': sql`status < 300`,
  '3': sql`status >= 300 and status < 400`,
  '4': sql`status >= 400 and status < 500`,
  '5': sql`status >= 500`,
};

const conditionsOf = (filter: ApiCallFilter, keptFrom: Date): Fragment<unknown>[] => {
  const { customerId, keyId, statusClass, called, requestId, from = keptFrom, to } = filter;
  const low = Math.max(from.getTime(), keptFrom.getTime());
  const conditions: Fragment<unknown>[] = [sql`customer_id = ${customerId}`, sql`call_id >= ${uuidFloor(low)}::uuid`];
  if (to !== undefined) conditions.push(sql`call_id < ${uuidFloor(to.getTime())}::uuid`);
  if (keyId !== undefined) conditions.push(sql`key_id = ${keyId}::uuid`);
  if (requestId !== undefined) conditions.push(sql`request_id = ${requestId}`);
  if (called !== undefined)
    conditions.push(called.path === null ? sql`route = ${called.route}` : sql`path = ${called.path} and path <> route`);
  if (statusClass !== undefined) conditions.push(isOfClass[statusClass]);
  return conditions;
};

/** None from before `keptFrom`. */
export const listApiCalls = (
  db: Db,
  filter: ApiCallFilter,
  page: { keptFrom: Date; after: readonly string[] | null; isDescending: boolean; limit: number },
): Promise<ApiCallRow[]> => {
  const { past, orderBy } = pageBy([[sql`call_id`, 'uuid']], page);
  const conditions = [...conditionsOf(filter, page.keptFrom), past];
  return many<ApiCallRow>(
    db,
    sql`select ${columns} from (select * from api_call where ${sql.join(conditions, sql` and `)}
          order by ${orderBy} limit ${page.limit}) c ${named} order by ${orderBy}`,
  );
};

export type ApiCallDetailRow = ApiCallRow & Pick<NewApiCall, 'requestBody' | 'responseBody'>;

export const findApiCall = (db: Db, of: { customerId: string; callId: string }): Promise<ApiCallDetailRow | null> =>
  maybe<ApiCallDetailRow>(
    db,
    sql`select ${columns}, c.request_body as "requestBody", c.response_body as "responseBody" from api_call c ${named}
        where c.customer_id = ${of.customerId} and c.call_id = ${of.callId}`,
  );

/** Whether bodies are recorded, and the calls that were not recorded since `from`. */
export const readCallLog = (db: Db, customerId: string, from: Date): Promise<{ bodies: boolean; dropped: number }> =>
  one(
    db,
    sql<{ bodies: boolean; dropped: number }>`select coalesce(call_bodies, false) as bodies,
          coalesce((select sum(dropped_count)::float8 from api_call_dropped d
            where d.customer_id = ${customerId} and d.hour >= ${from}), 0) as dropped
        from customer where customer_id = ${customerId}`,
  );

/** Returns the one before. */
export const setCallBodies = async (db: Db, customerId: string, bodies: boolean): Promise<boolean> =>
  (
    await one(
      db,
      sql<{ before: boolean }>`update customer c set call_bodies = ${bodies}
          from (select call_bodies from customer where customer_id = ${customerId} for update) before
          where c.customer_id = ${customerId} returning coalesce(before.call_bodies, false) as before`,
    )
  ).before;

/**
 * Deletes calls older than `ageMs`, and the counts of such hours; returns how many calls. Each customer's oldest are at the
 * beginning of the primary key, so the table needs no index for it.
 */
export const sweepApiCalls = async (db: Db, nowMs: number, ageMs: number, limit: number): Promise<number> => {
  const floor = uuidFloor(nowMs - ageMs);
  await run(db, sql`delete from api_call_dropped where hour < ${new Date(nowMs - ageMs)}`);
  const due = await many<{ customerId: string }>(
    db,
    sql`with recursive owner as (
          (select customer_id from api_call order by customer_id limit 1)
          union all
          select (select n.customer_id from api_call n where n.customer_id > owner.customer_id order by n.customer_id limit 1)
          from owner where owner.customer_id is not null)
        select o.customer_id as "customerId" from owner o
        where o.customer_id is not null and (select c.call_id from api_call c
          where c.customer_id = o.customer_id order by c.call_id limit 1) < ${floor}::uuid`,
  );
  let swept = 0;
  for (const { customerId } of due) {
    if (swept >= limit) break;
    swept += await run(
      db,
      sql`delete from api_call where customer_id = ${customerId} and call_id in (
            select call_id from api_call where customer_id = ${customerId} and call_id < ${floor}::uuid
            order by call_id limit ${limit - swept})`,
    );
  }
  return swept;
};
