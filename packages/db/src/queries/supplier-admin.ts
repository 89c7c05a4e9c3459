/** Supplier accounts as staff view and change them. A change names the version it was made from. */

import type { SupplierProfile } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import type { AnswerFigures, BreakerReason } from '@pahatid/domain';
import { pageBy } from '../keyset.ts';
import { useState } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { wakeSupplier } from './batch-parking.ts';
import { openBatches } from './open-batches.ts';
import { BINDS_FRESH_MS } from './supplier-health.ts';

export interface SupplierView {
  supplierId: string;
  supplierAccount: string;
  carrier: string | null;
  host: string;
  port: number;
  systemId: string;
  bindType: 'transceiver' | 'transmitter+receiver';
  bindCount: number;
  windowSize: number;
  tps: number;
  profile: SupplierProfile;
  useState: UseState;
  version: number;
  createTime: Date;
  updateTime: Date;
  boundCount: number;
  senderCount: number;
  lastError: string | null;
  failedTime: Date | null;
  /** Null: it is closed. */
  breakerState: 'open' | 'halfOpen' | null;
  breakerReason: BreakerReason | null;
  breakerSince: Date | null;
  breakerFigures: AnswerFigures | null;
  waitingCount: number;
  windowUsed: number;
  rate: number;
  nameKey: string;
}

const columns = sql.raw(
  `s.supplier_id as "supplierId", s.supplier_account as "supplierAccount", s.carrier, s.host, s.port,
   s.system_id as "systemId", s.bind_type as "bindType", s.bind_count as "bindCount", s.window_size as "windowSize", s.tps,
   s.profile, s.use_state as "useState", s.version, s.created_at as "createTime", s.updated_at as "updateTime",
   case when s.use_state = ${UseState.Enabled}
     then coalesce(h.failed_since, case when k.state = 'open' then k.opened_at end) end as "failedTime",
   case when s.use_state = ${UseState.Enabled} and k.state <> 'closed' then k.state end as "breakerState",
   k.reason as "breakerReason", coalesce(k.opened_at, k.changed_at) as "breakerSince", k.figures as "breakerFigures", b.bound as "boundCount", b.senders as "senderCount",
   b.last_error as "lastError", w.waiting as "waitingCount", b.window_used as "windowUsed", b.rate, lower(s.supplier_account) as "nameKey"`,
);

const live = (bind: string): Fragment<unknown> =>
  sql`${sql.ref(`${bind}.seen_at`)} > clock_timestamp() - ${BINDS_FRESH_MS}::float8 * interval '1 millisecond'`;

/** Of a pair of binds the odd one submits. */
const source = sql`
  supplier s left join supplier_health h using (supplier_id) left join supplier_breaker k using (supplier_id)
  cross join lateral (
    select count(*) filter (where b.state = 'bound' and (s.bind_type = 'transceiver' or b.bind_no % 2 = 1))::int as bound,
      count(distinct b.owner)::int as senders,
      coalesce(sum(b.window_used), 0)::int as window_used, coalesce(sum(b.rate), 0)::int as rate,
      (array_agg(b.last_error order by b.since desc) filter (where b.last_error is not null and b.state <> 'bound'))[1] as last_error
    from bind_state b where b.supplier_id = s.supplier_id and ${live('b')}) b
  cross join lateral (
    select coalesce(sum(greatest(q.message_count - q.success_count - q.failed_count, 0)), 0)::int as waiting
    from ${openBatches} q where q.supplier_id = s.supplier_id) w`;

export interface SupplierFilter {
  search?: string | undefined;
  useState?: UseState | undefined;
  /** Key of the last row seen: `nameKey` and id. */
  after?: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const conditionsOf = ({ search, useState }: SupplierFilter): Fragment<unknown> => {
  const conditions: Fragment<unknown>[] = [sql`s.is_test is not true`];
  if (search)
    conditions.push(
      sql`(s.supplier_account ilike ${contains(search)} or s.carrier ilike ${contains(search)} or s.host ilike ${contains(search)})`,
    );
  if (useState !== undefined) conditions.push(sql`s.use_state = ${useState}`);
  return sql.join(conditions, sql` and `);
};

export const listSupplierViews = (db: Db, filter: SupplierFilter): Promise<SupplierView[]> => {
  const { past, orderBy } = pageBy(
    [
      [sql`lower(s.supplier_account)`, 'text'],
      [sql`s.supplier_id`, 'uuid'],
    ],
    { isDescending: filter.isReversed === true, after: filter.after },
  );
  return many<SupplierView>(
    db,
    sql`select ${columns} from ${source} where ${conditionsOf(filter)} and ${past}
        order by ${orderBy} limit ${filter.limit}`,
  );
};

export const countSuppliers = async (db: Db, filter: SupplierFilter): Promise<number> => {
  const { total } = await one<{ total: number }>(
    db,
    sql`select count(*)::int as total from supplier s where ${conditionsOf(filter)}`,
  );
  return total;
};

export const findSupplierView = (db: Db, supplierId: string): Promise<SupplierView | null> =>
  maybe<SupplierView>(
    db,
    sql`select ${columns} from ${source} where s.supplier_id = ${supplierId} and s.is_test is not true`,
  );

export interface BindView {
  owner: string;
  bindNo: number;
  bindType: 'transceiver' | 'transmitter' | 'receiver';
  state: 'connecting' | 'bound' | 'waiting' | 'refused' | 'ended';
  since: Date;
  seenTime: Date;
  lastError: string | null;
  windowUsed: number;
  rate: number;
  retryTime: Date | null;
}

/** Binds of live senders. */
export const listSupplierBinds = (db: Db, supplierId: string): Promise<BindView[]> =>
  many<BindView>(
    db,
    sql`select b.owner, b.bind_no as "bindNo", b.state, b.since, b.seen_at as "seenTime", b.last_error as "lastError",
          b.window_used as "windowUsed", b.rate, b.retry_at as "retryTime",
          case when s.bind_type = 'transceiver' then 'transceiver' when b.bind_no % 2 = 1 then 'transmitter' else 'receiver' end as "bindType"
        from bind_state b join supplier s using (supplier_id) where b.supplier_id = ${supplierId} and ${live('b')}
        order by b.owner, b.bind_no`,
  );

/** Stored account data that a trial bind may use. */
export const findSealedPassword = (
  db: Db,
  supplierId: string,
): Promise<{ host: string; port: number; systemId: string; profile: SupplierProfile; sealed: string } | null> =>
  maybe(
    db,
    sql`select host, port, system_id as "systemId", profile, password_sealed as sealed
        from supplier where supplier_id = ${supplierId} and is_test is not true`,
  );

export interface SupplierFields {
  supplierAccount: string;
  carrier: string | null;
  host: string;
  port: number;
  systemId: string;
  passwordSealed: string;
  bindType: 'transceiver' | 'transmitter+receiver';
  bindCount: number;
  windowSize: number;
  tps: number;
  profile: SupplierProfile;
}

const columnOf: Record<keyof SupplierFields, string> = {
  supplierAccount: 'supplier_account',
  carrier: 'carrier',
  host: 'host',
  port: 'port',
  systemId: 'system_id',
  passwordSealed: 'password_sealed',
  bindType: 'bind_type',
  bindCount: 'bind_count',
  windowSize: 'window_size',
  tps: 'tps',
  profile: 'profile',
};

const stored = (key: string, value: unknown): unknown => (key === 'profile' ? JSON.stringify(value) : value);

/** Throws a unique violation of `supplier_supplier_account_key` if the name is taken. */
export const insertSupplier = async (db: Db, supplierId: string, fields: SupplierFields): Promise<void> => {
  const entries = Object.entries(fields) as [keyof SupplierFields, unknown][];
  await run(
    db,
    sql`insert into supplier (supplier_id, ${sql.join(entries.map(([key]) => sql.ref(columnOf[key])))})
        values (${supplierId}, ${sql.join(entries.map(([key, value]) => sql`${stored(key, value)}`))})`,
  );
};

/** Returns false if the version is no longer the one that was seen. */
export const updateSupplier = async (
  db: Db,
  supplierId: string,
  version: number,
  change: Partial<SupplierFields>,
): Promise<boolean> => {
  const sets = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => sql`${sql.ref(columnOf[key as keyof SupplierFields])} = ${stored(key, value)}`);
  const changed = await run(
    db,
    sql`update supplier set ${sql.join([...sets, sql`version = version + 1`, sql`updated_at = now()`])}
        where supplier_id = ${supplierId} and version = ${version}`,
  );
  return changed === 1;
};

/** Returns false if it is already in that state. Resets its health, which is outdated. */
export const switchSupplier = async (tx: Db, supplierId: string, useState: UseState): Promise<boolean> => {
  const changed = await run(
    tx,
    sql`update supplier set use_state = ${useState}, version = version + 1, updated_at = now()
        where supplier_id = ${supplierId} and use_state <> ${useState}`,
  );
  if (changed === 0) return false;
  await run(tx, sql`delete from supplier_health where supplier_id = ${supplierId}`);
  await run(tx, sql`delete from supplier_breaker where supplier_id = ${supplierId}`);
  await run(tx, sql`delete from supplier_answers where supplier_id = ${supplierId}`);
  if (useState === UseState.Enabled) await wakeSupplier(tx, supplierId);
  return true;
};

export interface DownSupplier {
  supplierId: string;
  supplierAccount: string;
  /** Time since which its messages take other routes; null: it has only just gone down. */
  since: Date | null;
  lastError: string | null;
}

/**
 * Enabled accounts for which no live sender has a bind to submit on, after a failed attempt to get one. Without live
 * senders the state is unknown.
 */
export const listDownSuppliers = (db: Db): Promise<DownSupplier[]> =>
  many<DownSupplier>(
    db,
    sql`select s.supplier_id as "supplierId", s.supplier_account as "supplierAccount", h.failed_since as since,
          b.last_error as "lastError"
        from ${source} where s.use_state = ${useState.Enabled} and b.senders > 0 and b.bound = 0
          and (h.failed_since is not null or b.last_error is not null)
        order by lower(s.supplier_account), s.supplier_id`,
  );
