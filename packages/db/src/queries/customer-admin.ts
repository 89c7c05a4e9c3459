/** Customers as staff see and change them. Names are control data, money and traffic are data: asked apart. */

import type { LinkReviewPolicy, ReviewPolicy, Role, SmsType, UseState } from '@pahatid/contract';
import { ParkReason } from '@pahatid/domain';
import { uuidV7 } from '../ids.ts';
import { batchState } from '../literals.ts';
import { together } from '../pipelined.ts';
import { type Db, type Fragment, many, maybe, one, prepared, run, sql } from '../sql.ts';
import { wakeBatches } from './batch-parking.ts';
import { figuresOf } from './report-figures.ts';

export interface CustomerView {
  customerId: string;
  customerName: string;
  useState: UseState;
  reviewPolicy: ReviewPolicy;
  reviewAbove: number | null;
  exemptSmsTypes: SmsType[];
  quietHoursExempt: boolean;
  templateRequired: boolean;
  linkReview: LinkReviewPolicy;
  quietFrom: number;
  quietTo: number;
  /** 1/10,000 PHP. */
  lowBalance: number;
  suspendTime: Date | null;
  suspendReason: string | null;
  createTime: Date;
  version: number;
  nameKey: string;
  createKey: string;
}

const columns = sql.raw(
  `customer_id as "customerId", customer_name as "customerName", use_state as "useState", review_policy as "reviewPolicy",
   review_above as "reviewAbove", exempt_sms_types as "exemptSmsTypes", quiet_hours_exempt as "quietHoursExempt", coalesce(template_required, false) as "templateRequired", link_review as "linkReview",
   quiet_from as "quietFrom", quiet_to as "quietTo",
   low_balance::float8 as "lowBalance", suspended_at as "suspendTime", suspend_reason as "suspendReason",
   created_at as "createTime", version, lower(customer_name) as "nameKey", (created_at at time zone 'UTC')::text || '+00' as "createKey"`,
);

export interface CustomerFilter {
  search?: string | undefined;
  useState?: UseState | undefined;
  reviewPolicy?: ReviewPolicy | undefined;
  sort: 'customerName' | '-createTime';
  /** Key of the last row seen: what `keyOfCustomer` gives. */
  after?: readonly string[] | null;
  limit: number;
}

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The provider's own customer, used to send sign-in codes, is not managed by any user. */
const conditionsOf = ({ search, useState, reviewPolicy }: CustomerFilter): Fragment<unknown> => {
  const conditions: Fragment<unknown>[] = [sql`not internal`];
  if (search) conditions.push(sql`customer_name ilike ${contains(search)}`);
  if (useState !== undefined) conditions.push(sql`use_state = ${useState}`);
  if (reviewPolicy !== undefined) conditions.push(sql`review_policy = ${reviewPolicy}`);
  return sql.join(conditions, sql` and `);
};

export const keyOfCustomer = (sort: CustomerFilter['sort'], row: CustomerView): string[] => [
  sort === 'customerName' ? row.nameKey : row.createKey,
  row.customerId,
];

export const listCustomerViews = (db: Db, filter: CustomerFilter): Promise<CustomerView[]> => {
  const [key, id] = filter.after ?? [];
  const byName = filter.sort === 'customerName';
  const past =
    key === undefined
      ? sql`true`
      : byName
        ? sql`(lower(customer_name), customer_id) > (${key}, ${id}::uuid)`
        : sql`(created_at, customer_id) < (${key}::timestamptz, ${id}::uuid)`;
  return many<CustomerView>(
    db,
    sql`select ${columns} from customer where ${conditionsOf(filter)} and ${past}
        order by ${byName ? sql`lower(customer_name), customer_id` : sql`created_at desc, customer_id desc`}
        limit ${filter.limit}`,
  );
};

export const countCustomers = async (db: Db, filter: CustomerFilter): Promise<number> => {
  const { total } = await one<{ total: number }>(
    db,
    sql`select count(*)::int as total from customer where ${conditionsOf(filter)}`,
  );
  return total;
};

export const findCustomerView = (db: Db, customerId: string): Promise<CustomerView | null> =>
  maybe<CustomerView>(db, sql`select ${columns} from customer where customer_id = ${customerId} and not internal`);

/** Throws a unique violation of `customer_customer_name_key`. */
export const insertCustomer = async (
  db: Db,
  row: { customerId: string; customerName: string; reviewPolicy: ReviewPolicy },
): Promise<void> => {
  await run(
    db,
    sql`insert into customer (customer_id, customer_name, review_policy)
        values (${row.customerId}, ${row.customerName}, ${row.reviewPolicy})`,
  );
};

export type CustomerChange = Partial<
  Pick<
    CustomerView,
    | 'customerName'
    | 'reviewPolicy'
    | 'reviewAbove'
    | 'exemptSmsTypes'
    | 'quietHoursExempt'
    | 'templateRequired'
    | 'linkReview'
    | 'lowBalance'
  >
>;

const columnOf: Record<keyof CustomerChange, string> = {
  customerName: 'customer_name',
  reviewPolicy: 'review_policy',
  reviewAbove: 'review_above',
  exemptSmsTypes: 'exempt_sms_types',
  quietHoursExempt: 'quiet_hours_exempt',
  templateRequired: 'template_required',
  linkReview: 'link_review',
  lowBalance: 'low_balance',
};

/** Returns false if the version is no longer the one that was seen. */
export const updateCustomer = async (
  db: Db,
  customerId: string,
  version: number,
  change: CustomerChange,
): Promise<boolean> => {
  const sets = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => sql`${sql.ref(columnOf[key as keyof CustomerChange])} = ${value}`);
  const changed = await run(
    db,
    sql`update customer set ${sql.join([...sets, sql`version = version + 1`])}
        where customer_id = ${customerId} and version = ${version}`,
  );
  if (changed === 1 && change.quietHoursExempt === true) await wakeBatches(db, ParkReason.QuietHours, [customerId]);
  return changed === 1;
};

export interface CustomerUser {
  userId: string;
  name: string;
  account: string;
  email: string;
  role: Role;
  useState: UseState;
  lastSignInTime: Date | null;
}

export const listCustomerUsers = (db: Db, customerId: string): Promise<CustomerUser[]> =>
  many<CustomerUser>(
    db,
    sql`select user_id as "userId", name, account, email, role, use_state as "useState", last_sign_in_at as "lastSignInTime"
        from app_user where customer_id = ${customerId} and removed_at is null
        order by array_position(array['owner', 'member', 'viewer'], role), lower(name), user_id limit 200`,
  );

export interface CustomerApplicationRow {
  appId: string;
  appName: string;
  useState: UseState;
  chargeType: 'SenderPays' | 'ReceiverPays';
  tps: number;
  maxConnectNum: number;
  countries: string[];
}

const applicationColumns = sql.raw(
  `app_id as "appId", app_name as "appName", use_state as "useState", charge_type as "chargeType", tps,
   max_connect_num as "maxConnectNum", countries`,
);

export const listCustomerApplications = (db: Db, customerId: string): Promise<CustomerApplicationRow[]> =>
  many<CustomerApplicationRow>(
    db,
    sql`select ${applicationColumns} from application where customer_id = ${customerId} order by lower(app_name), app_id limit 200`,
  );

/** Locked until the transaction ends, so that the previous state is reported correctly. */
export const lockCustomerApplication = (
  db: Db,
  customerId: string,
  appId: string,
): Promise<CustomerApplicationRow | null> =>
  maybe<CustomerApplicationRow>(
    db,
    sql`select ${applicationColumns} from application where customer_id = ${customerId} and app_id = ${appId} for update`,
  );

export const updateCustomerApplication = (
  db: Db,
  customerId: string,
  row: Pick<CustomerApplicationRow, 'appId' | 'chargeType' | 'tps' | 'maxConnectNum' | 'countries'>,
): Promise<CustomerApplicationRow> =>
  one<CustomerApplicationRow>(
    db,
    sql`update application set charge_type = ${row.chargeType}, tps = ${row.tps}, max_connect_num = ${row.maxConnectNum},
          countries = ${row.countries}, updated_at = now()
        where customer_id = ${customerId} and app_id = ${row.appId} returning ${applicationColumns}`,
  );

export interface Traffic {
  messages: number;
  delivered: number;
  /** 1/10,000 PHP. */
  spend: number;
}

/** Since `from`, by customer; those without a message left out. */
export const sumTraffic = async (db: Db, customerIds: readonly string[], from: Date): Promise<Map<string, Traffic>> => {
  const rows = await many<Traffic & { customerId: string }>(
    db,
    sql`select customer_id as "customerId", sum(req_total)::int as messages, sum(receipt_success)::int as delivered,
          sum(charged)::float8 as spend
        from ${figuresOf({ from, to: null }, 'hour')} where customer_id = any(${customerIds}::uuid[]) group by 1`,
  );
  return new Map(rows.map(({ customerId, ...traffic }) => [customerId, traffic]));
};

/** `getFunds` of several customers in one query. */
export const listFunds = async (
  db: Db,
  customerIds: readonly string[],
): Promise<Map<string, { balance: number; reserved: number }>> => {
  const readHeld = () =>
    many<{ customerId: string; reserved: number }>(
      db,
      prepared(sql`select customer_id as "customerId", sum(reserved)::float8 as reserved from (
          select r.customer_id, greatest(r.amount - coalesce(p.spent, 0), 0) as reserved
          from reservation r
          left join lateral (select sum(charged_cost + awaited_cost) as spent from task_progress where task_id = r.task_id) p on true
          where r.customer_id = any(${customerIds}::uuid[]) and r.released_at is null
          union all
          select customer_id, cost from batch where customer_id = any(${customerIds}::uuid[]) and task_id is null
            and state in (${batchState.Ready}, ${batchState.Claimed})
          union all
          select customer_id, amount from parked_cost where customer_id = any(${customerIds}::uuid[])) h
        group by 1`),
    );
  const readSums = () =>
    many<{ customerId: string; balance: number; held: number }>(
      db,
      prepared(sql`select customer_id as "customerId", sum(amount)::float8 as balance, sum(held)::float8 as held from balance
        where customer_id = any(${customerIds}::uuid[]) group by 1`),
    );
  const [held, sums] = await together(db, [readHeld, readSums]);
  const reserved = new Map(held.map((row) => [row.customerId, row.reserved]));
  const money = new Map(sums.map((row) => [row.customerId, row]));
  return new Map(
    customerIds.map((id) => {
      const { balance = 0, held: awaited = 0 } = money.get(id) ?? {};
      return [id, { balance, reserved: (reserved.get(id) ?? 0) + awaited }];
    }),
  );
};

/** Returns false if another user has this address already; `email` is lower case. */
export const insertOwnerInvitation = async (
  db: Db,
  link: { customerId: string; email: string; tokenHash: Buffer; invitedBy: string; now: Date; expiresAt: Date },
): Promise<boolean> =>
  (await run(
    db,
    sql`insert into invitation (invitation_id, customer_id, email, role, token_hash, invited_by, created_at, sent_at, expires_at)
        select ${uuidV7()}::uuid, ${link.customerId}::uuid, ${link.email}, 'owner', ${link.tokenHash}::bytea, ${link.invitedBy}::uuid,
          ${link.now}::timestamptz, ${link.now}::timestamptz, ${link.expiresAt}::timestamptz
        where not exists (select from app_user where email = ${link.email} and removed_at is null)
        -- a new link takes the place of the one before
        on conflict (customer_id, email) do update set role = 'owner', token_hash = excluded.token_hash,
          invited_by = excluded.invited_by, sent_at = excluded.sent_at, expires_at = excluded.expires_at`,
  )) === 1;
