/** Top-ups that owners have asked for. A request ends once: every end is one UPDATE of a pending row. */
import type { TopUp, TopUpReceipt } from '@pahatid/contract';
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, many, maybe, one, run, sql } from '../sql.ts';

export interface TopUpRow {
  topUpId: string;
  state: TopUp['state'];
  /** 1/10,000 PHP. */
  amount: number;
  entered: number | null;
  reference: string;
  receiptName: string | null;
  requestTime: Date;
  requestedBy: string | null;
  decideTime: Date | null;
  reason: string | null;
  customerId: string;
  operator: string;
  approvalId: string | null;
}

const columns = sql`t.top_up_id as "topUpId", t.state, t.amount::float8 as amount, t.entered::float8 as entered, t.reference,
  t.receipt_name as "receiptName", t.requested_at as "requestTime", u.account as "requestedBy",
  t.decided_at as "decideTime", t.reason, t.customer_id as "customerId", c.customer_name as operator,
  t.approval_id as "approvalId"`;
const source = sql`top_up_request t join customer c on c.customer_id = t.customer_id
  left join app_user u on u.user_id = t.requested_by`;

/** The newest first: ids are in the order of time. `customerId` null: of all customers. */
export const listTopUps = (
  db: Db,
  filter: { customerId: string | null; state: TopUp['state'] | undefined; limit: number } & PageOrder,
): Promise<TopUpRow[]> => {
  const { past, orderBy } = pageBy([[sql`t.top_up_id`, 'uuid']], filter);
  const { customerId, state, limit } = filter;
  return many<TopUpRow>(
    db,
    sql`select ${columns} from ${source}
        where ${customerId === null ? sql`true` : sql`t.customer_id = ${customerId}`}
          and ${state === undefined ? sql`true` : sql`t.state = ${state}`} and ${past}
        order by ${orderBy} limit ${limit}`,
  );
};

export const findTopUp = (db: Db, topUpId: string): Promise<TopUpRow | null> =>
  maybe<TopUpRow>(db, sql`select ${columns} from ${source} where t.top_up_id = ${topUpId}`);

export const findTopUpReceipt = (db: Db, topUpId: string): Promise<TopUpReceipt | null> =>
  maybe<TopUpReceipt>(
    db,
    sql`select receipt_name as name, receipt_type as type, translate(encode(receipt, 'base64'), E'\n', '') as content
        from top_up_request where top_up_id = ${topUpId} and receipt is not null`,
  );

/** Of one customer; its requests are counted and made one at a time. */
export const countPendingTopUps = async (tx: Db, customerId: string): Promise<number> => {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`top-up ${customerId}`}, 0))`);
  const { count } = await one<{ count: number }>(
    tx,
    sql`select count(*)::int as count from top_up_request where customer_id = ${customerId} and state = 'pending'`,
  );
  return count;
};

export interface NewTopUp {
  topUpId: string;
  customerId: string;
  userId: string;
  amount: number;
  reference: string;
  receipt: { name: string; type: TopUpReceipt['type']; content: Buffer } | null;
  at: Date;
}

export const insertTopUp = async (tx: Db, { receipt, ...row }: NewTopUp): Promise<void> => {
  await run(
    tx,
    sql`insert into top_up_request (top_up_id, customer_id, amount, reference, requested_by, requested_at, receipt_name,
          receipt_type, receipt)
        values (${row.topUpId}, ${row.customerId}, ${row.amount}, ${row.reference}, ${row.userId}, ${row.at},
          ${receipt?.name ?? null}, ${receipt?.type ?? null}, ${receipt?.content ?? null})`,
  );
};

type PendingTopUp = Pick<TopUpRow, 'customerId' | 'reference' | 'approvalId'>;

/** Locks it; null: there is none that is pending. */
export const lockPendingTopUp = (tx: Db, topUpId: string): Promise<PendingTopUp | null> =>
  maybe(
    tx,
    sql<PendingTopUp>`select customer_id as "customerId", reference, approval_id as "approvalId"
        from top_up_request where top_up_id = ${topUpId} and state = 'pending' for update`,
  );

/** It waits for a second member of staff. */
export const noteTopUpApproval = async (tx: Db, topUpId: string, approvalId: string): Promise<void> => {
  await run(tx, sql`update top_up_request set approval_id = ${approvalId} where top_up_id = ${topUpId}`);
};

interface TopUpEnd {
  state: Exclude<TopUp['state'], 'pending'>;
  /** Null: not entered. */
  entered: number | null;
  userId: string;
  reason: string | null;
  now: Date;
}

/** False: it had ended. */
export const endTopUp = async (tx: Db, topUpId: string, end: TopUpEnd): Promise<boolean> =>
  (await run(
    tx,
    sql`update top_up_request set state = ${end.state}, entered = ${end.entered}, decided_by = ${end.userId},
          decided_at = ${end.now}, reason = ${end.reason}
        where top_up_id = ${topUpId} and state = 'pending'`,
  )) === 1;

/** Returns the request that an approval is of; null: of none. */
export const findApprovedTopUp = async (tx: Db, approvalId: string): Promise<string | null> => {
  const row = await maybe<{ topUpId: string }>(
    tx,
    sql`select top_up_id as "topUpId" from top_up_request where approval_id = ${approvalId}`,
  );
  return row?.topUpId ?? null;
};
