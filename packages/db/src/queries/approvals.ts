/** Requests of staff that another member of staff must approve, and the limits from which they are needed. */
import type { Approval, ApprovalLimits, SmsType } from '@pahatid/contract';
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, many, maybe, one, run, sql } from '../sql.ts';

export const readApprovalLimits = (db: Db): Promise<ApprovalLimits> =>
  one<ApprovalLimits>(db, sql`select ledger::float8 as ledger, price::float8 as price, version from approval_limit`);

/** False if the version is no longer the one that was read. */
export const updateApprovalLimits = async (tx: Db, limits: ApprovalLimits): Promise<boolean> =>
  (await run(
    tx,
    sql`update approval_limit set ledger = ${limits.ledger}, price = ${limits.price}, version = version + 1
        where version = ${limits.version}`,
  )) === 1;

/** Returns what a user has entered for a customer since then, regardless of sign; 1/10,000 PHP. */
export const sumEntered = async (
  tx: Db,
  { customerId, userId, since }: { customerId: string; userId: string; since: Date },
): Promise<number> => {
  const { sum } = await one<{ sum: number }>(
    tx,
    sql`select coalesce(sum(abs(amount)), 0)::float8 as sum from ledger
        where customer_id = ${customerId} and at > ${since} and user_id = ${userId}`,
  );
  return sum;
};

export interface PricedScope {
  areaCode: string;
  carrier: string | null;
  smsType: SmsType | null;
  customerId: string | null;
}

/** Returns the most specific price for these messages, excluding the row named by `exceptId`; null if none is set. */
export const findPriceInForce = async (
  tx: Db,
  scope: PricedScope,
  exceptId: string | null = null,
): Promise<number | null> => {
  const row = await maybe<{ price: number }>(
    tx,
    sql`select price from price
        where area_code = ${scope.areaCode} and (carrier is null or carrier = ${scope.carrier})
          and (sms_type is null or sms_type = ${scope.smsType})
          and (customer_id is null or customer_id = ${scope.customerId})
          and price_id is distinct from ${exceptId}::uuid
        order by customer_id is null, carrier is null, sms_type is null limit 1`,
  );
  return row?.price ?? null;
};

/** Whether this very scope has a price. */
export const hasPrice = async (tx: Db, scope: PricedScope): Promise<boolean> =>
  (await maybe(
    tx,
    sql`select 1 from price where area_code = ${scope.areaCode} and carrier is not distinct from ${scope.carrier}
          and sms_type is not distinct from ${scope.smsType} and customer_id is not distinct from ${scope.customerId}::uuid`,
  )) !== null;

/** Throws a foreign key violation of `approval_customer_id_fkey`. */
export const insertApproval = async (
  tx: Db,
  row: Pick<ApprovalRow, 'approvalId' | 'kind' | 'customerId' | 'request' | 'requestTime' | 'expireTime'> & {
    userId: string;
  },
): Promise<void> => {
  await run(
    tx,
    sql`insert into approval (approval_id, kind, customer_id, request, requested_by, requested_at, expires_at)
        values (${row.approvalId}, ${row.kind}, ${row.customerId}, ${JSON.stringify(row.request)}, ${row.userId},
          ${row.requestTime}, ${row.expireTime})`,
  );
};

export interface ApprovalRow {
  approvalId: string;
  kind: Approval['kind'];
  state: Approval['state'];
  customerId: string | null;
  operator: string | null;
  request: Approval['request'];
  requestTime: Date;
  expireTime: Date;
  userId: string;
  account: string;
  decidedBy: string | null;
  decideTime: Date | null;
  reason: string | null;
}

/** Expired rows are not marked; expiry follows from their time. */
const columns = (now: Date) => sql`a.approval_id as "approvalId", a.kind,
  case when a.state = 'pending' and a.expires_at <= ${now} then 'expired' else a.state end as state,
  a.customer_id as "customerId", c.customer_name as operator, a.request, a.requested_at as "requestTime",
  a.expires_at as "expireTime", a.requested_by as "userId", r.account, d.account as "decidedBy",
  a.decided_at as "decideTime", a.reason`;
const source = sql`approval a join app_user r on r.user_id = a.requested_by
  left join app_user d on d.user_id = a.decided_by left join customer c on c.customer_id = a.customer_id`;

const inState = (state: Approval['state'] | undefined, now: Date) =>
  state === undefined
    ? sql`true`
    : state === 'expired'
      ? sql`a.state = 'pending' and a.expires_at <= ${now}`
      : state === 'pending'
        ? sql`a.state = 'pending' and a.expires_at > ${now}`
        : sql`a.state = ${state}`;

/** The newest first: ids are in the order of time. */
export const listApprovals = (
  db: Db,
  filter: { state: Approval['state'] | undefined; now: Date; limit: number } & PageOrder,
): Promise<ApprovalRow[]> => {
  const { past, orderBy } = pageBy([[sql`a.approval_id`, 'uuid']], filter);
  return many<ApprovalRow>(
    db,
    sql`select ${columns(filter.now)} from ${source} where ${inState(filter.state, filter.now)}
          and ${past} order by ${orderBy} limit ${filter.limit}`,
  );
};

export const countApprovals = async (
  db: Db,
  { state, now }: { state: Approval['state'] | undefined; now: Date },
): Promise<number> =>
  (await one<{ n: number }>(db, sql`select count(*)::int as n from approval a where ${inState(state, now)}`)).n;

export const findApproval = (db: Db, approvalId: string, now: Date): Promise<ApprovalRow | null> =>
  maybe<ApprovalRow>(db, sql`select ${columns(now)} from ${source} where a.approval_id = ${approvalId}`);

/** Ends a request that is still pending; false if another call ended it first or its time is over. */
export const decideApproval = async (
  tx: Db,
  decision: {
    approvalId: string;
    state: 'approved' | 'rejected' | 'withdrawn';
    userId: string;
    reason: string | null;
    now: Date;
  },
): Promise<boolean> =>
  (await run(
    tx,
    sql`update approval set state = ${decision.state}, decided_by = ${decision.userId}, decided_at = ${decision.now},
          reason = ${decision.reason}
        where approval_id = ${decision.approvalId} and state = 'pending' and expires_at > ${decision.now}
          and (requested_by = ${decision.userId}) = ${decision.state === 'withdrawn'}`,
  )) === 1;
