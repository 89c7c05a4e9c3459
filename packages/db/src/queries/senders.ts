/** Sender IDs: registered by a customer for an application and a country, reviewed, then used or not. */

import type { AuditStatus, Carrier, ReviewReason, UseState } from '@pahatid/contract';
import { auditStatus, useState } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { writeSenderEvent } from './callback-changes.ts';

export interface SenderRow {
  id: string;
  customerId: string;
  customerName: string;
  senderId: string;
  areaCode: string;
  appId: string;
  appName: string;
  useState: UseState;
  auditStatus: AuditStatus;
  auditReason: string | null;
  auditCode: ReviewReason | null;
  auditTime: Date | null;
  operateTime: Date;
  submitTime: Date;
  remarkInfo: string;
  carriers: { carrier: Carrier; auditStatus: AuditStatus }[];
  /** Keys of the sorts, exact as PostgreSQL writes them. */
  operateKey: string;
  nameKey: string;
}

const columns = sql.raw(
  `s.id, s.customer_id as "customerId", c.customer_name as "customerName", s.sender_id as "senderId",
   s.area_code as "areaCode", s.app_id as "appId", a.app_name as "appName", s.use_state as "useState",
   s.audit_status as "auditStatus", s.audit_reason as "auditReason", s.audit_code as "auditCode", s.audited_at as "auditTime",
   s.operated_at as "operateTime", s.created_at as "submitTime", s.remark_info as "remarkInfo",
   coalesce((select jsonb_agg(jsonb_build_object('carrier', k.carrier, 'auditStatus', k.audit_status) order by k.carrier)
             from sender_carrier k where k.id = s.id), '[]') as carriers,
   s.operated_at::text as "operateKey", lower(s.sender_id) as "nameKey"`,
);

const joins = sql.raw(
  `sender s join application a on a.app_id = s.app_id join customer c on c.customer_id = s.customer_id`,
);

export type SenderSort = '-operateTime' | 'operateTime' | 'senderId';

export interface SenderFilter {
  /** null looks across customers: staff. */
  customerId: string | null;
  search?: string | undefined;
  appId?: string | undefined;
  auditStatus?: readonly AuditStatus[] | undefined;
  useState?: UseState | undefined;
  sendable?: boolean | undefined;
  sort: SenderSort;
  /** Key of the last row seen: `operateKey` or `nameKey`, and id. */
  after?: readonly string[] | null;
  limit: number;
}

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const ofCustomer = (customerId: string | null): Fragment<unknown> =>
  customerId === null ? sql`true` : sql`s.customer_id = ${customerId}`;

const conditionsOf = (filter: SenderFilter): Fragment<unknown>[] => {
  const conditions = [ofCustomer(filter.customerId)];
  if (filter.search)
    conditions.push(
      sql`(s.sender_id ilike ${contains(filter.search)} or s.remark_info ilike ${contains(filter.search)})`,
    );
  if (filter.appId !== undefined) conditions.push(sql`s.app_id = ${filter.appId}`);
  if (filter.auditStatus) conditions.push(sql`s.audit_status = any(${filter.auditStatus}::smallint[])`);
  if (filter.useState !== undefined) conditions.push(sql`s.use_state = ${filter.useState}`);
  if (filter.sendable)
    conditions.push(sql`s.audit_status in (${auditStatus.Approved}, ${auditStatus.NotRequired})
    and s.use_state = ${useState.Enabled}`);
  return conditions;
};

const orders: Record<SenderSort, Fragment<unknown>> = {
  '-operateTime': sql`s.operated_at desc, s.id desc`,
  operateTime: sql`s.operated_at, s.id`,
  senderId: sql`lower(s.sender_id), s.id`,
};

const keyCondition = (sort: SenderSort, [key, id]: readonly string[]): Fragment<unknown> => {
  if (sort === 'senderId') return sql`(lower(s.sender_id), s.id) > (${key}, ${id}::uuid)`;
  if (sort === 'operateTime') return sql`(s.operated_at, s.id) > (${key}::timestamptz, ${id}::uuid)`;
  return sql`(s.operated_at, s.id) < (${key}::timestamptz, ${id}::uuid)`;
};

export const listSenders = async (db: Db, filter: SenderFilter): Promise<SenderRow[]> => {
  const conditions = conditionsOf(filter);
  if (filter.after) conditions.push(keyCondition(filter.sort, filter.after));
  return many<SenderRow>(
    db,
    sql`select ${columns} from ${joins} where ${sql.join(conditions, sql` and `)}
        order by ${orders[filter.sort]} limit ${filter.limit}`,
  );
};

export const countSenders = async (db: Db, filter: SenderFilter): Promise<number> => {
  const { total } = await one<{ total: number }>(
    db,
    sql`select count(*)::int as total from ${joins} where ${sql.join(conditionsOf(filter), sql` and `)}`,
  );
  return total;
};

export const findSender = (db: Db, customerId: string | null, id: string): Promise<SenderRow | null> =>
  maybe<SenderRow>(db, sql`select ${columns} from ${joins} where s.id = ${id} and ${ofCustomer(customerId)}`);

export interface NewSender {
  id: string;
  customerId: string;
  appId: string;
  areaCode: string;
  senderId: string;
  remarkInfo: string;
  createdBy: string | null;
  carriers: readonly Carrier[];
}

/**
 * Registers a sender ID, or a rejected one again; returns its ID, null if it is already registered. One statement
 * decides, so of two concurrent calls one registers.
 */
export const registerSender = async (tx: Db, row: NewSender): Promise<string | null> => {
  const registered = await maybe<{ id: string }>(
    tx,
    sql`insert into sender as s (id, customer_id, app_id, area_code, sender_id, remark_info, audit_status, created_by)
        values (${row.id}, ${row.customerId}, ${row.appId}, ${row.areaCode}, ${row.senderId}, ${row.remarkInfo}, 0, ${row.createdBy})
        on conflict (customer_id, app_id, area_code, lower(sender_id)) do update set
          sender_id = excluded.sender_id, remark_info = excluded.remark_info, audit_status = ${auditStatus.Pending}, audit_reason = null, audit_code = null,
          audited_at = null, audited_by = null, use_state = ${useState.Enabled}, created_by = excluded.created_by,
          created_at = clock_timestamp(), operated_at = clock_timestamp()
        where s.audit_status = ${auditStatus.Rejected}
        returning s.id`,
  );
  if (registered === null) return null;
  await run(
    tx,
    sql`insert into sender_carrier (id, customer_id, carrier, audit_status)
        select ${registered.id}, ${row.customerId}, carrier, 0 from unnest(${row.carriers}::text[]) as k (carrier)
        on conflict (id, carrier) do update set audit_status = ${auditStatus.Pending}`,
  );
  return registered.id;
};

/**
 * Stores what staff know of the registration with one carrier; returns the previous value, null if it is not registered
 * with it.
 */
export const setSenderCarrier = async (
  tx: Db,
  id: string,
  carrier: Carrier,
  auditStatus: AuditStatus,
): Promise<AuditStatus | null> => {
  const row = await maybe<{ before: AuditStatus }>(
    tx,
    sql`with before as (select audit_status from sender_carrier where id = ${id} and carrier = ${carrier} for update)
        update sender_carrier k set audit_status = ${auditStatus} from before
        where k.id = ${id} and k.carrier = ${carrier} returning before.audit_status as before`,
  );
  if (row === null) return null;
  if (row.before !== auditStatus) await writeSenderEvent(tx, id);
  return row.before;
};

/** False: the customer has no such sender ID. */
export const setSenderUse = async (tx: Db, customerId: string, id: string, useState: UseState): Promise<boolean> =>
  (await run(
    tx,
    sql`update sender set operated_at = case when use_state = ${useState} then operated_at else clock_timestamp() end,
          use_state = ${useState}
        where id = ${id} and customer_id = ${customerId}`,
  )) === 1;
