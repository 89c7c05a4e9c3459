/**
 * The ledger: money received and spent, append-only; its sum is the balance. Names of customers, tasks and users are
 * control data and queried separately, since the two do not join on every cluster.
 */
import { uuidV7 } from '../ids.ts';
import { pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { datedAt, findFolded, isCharge } from './ledger-folding.ts';

/** Balance row changed by users' entries: it belongs to no writer, so that no flush ever waits for it. */
const PEOPLE = -1;

export type LedgerKind = 'topUp' | 'charge' | 'adjustment';

/** Stores a user's entry with the balance change, in one transaction; returns the entry's ID. */
export const enterMoney = async (
  tx: Db,
  entry: {
    customerId: string;
    kind: 'topUp' | 'adjustment';
    /** 1/10,000 PHP. */
    amount: number;
    note: string | null;
    userId: string;
    at: Date;
  },
): Promise<string> => {
  const entryId = uuidV7();
  await run(
    tx,
    sql`insert into ledger (customer_id, entry_id, at, kind, amount, user_id, note)
        values (${entry.customerId}, ${entryId}, ${datedAt(entry.at)}, ${entry.kind}, ${entry.amount}, ${entry.userId}, ${entry.note})`,
  );
  await run(
    tx,
    sql`insert into balance (customer_id, writer, amount) values (${entry.customerId}, ${PEOPLE}, ${entry.amount})
        on conflict (customer_id, writer) do update set amount = balance.amount + excluded.amount`,
  );
  return entryId;
};

export interface LedgerRow {
  customerId: string;
  entryId: string;
  time: Date;
  timeKey: string;
  kind: LedgerKind;
  amount: number;
  segments: number;
  appId: string | null;
  taskId: string | null;
  userId: string | null;
  note: string | null;
}

export interface LedgerFilter {
  /** null: all customers, for staff. */
  customerId: string | null;
  kind?: LedgerKind | undefined;
  /** Charges of a task; null: of none. */
  taskId?: string | null | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Key of the last row seen: `timeKey` and `entryId`. */
  after?: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

/** Newest first. */
export const listLedger = (db: Db, filter: LedgerFilter): Promise<LedgerRow[]> => {
  const { past, orderBy } = pageBy(
    [
      [sql`at`, 'timestamptz'],
      [sql`entry_id`, 'uuid'],
    ],
    { isDescending: filter.isReversed !== true, after: filter.after },
  );
  const conditions: Fragment<unknown>[] = [
    filter.customerId === null ? sql`true` : sql`customer_id = ${filter.customerId}`,
    past,
  ];
  if (filter.kind !== undefined) conditions.push(sql`kind = ${filter.kind}`);
  if (filter.taskId !== undefined) conditions.push(sql`task_id is not distinct from ${filter.taskId}::uuid`);
  if (filter.from !== undefined) conditions.push(sql`at >= ${filter.from}`);
  if (filter.to !== undefined) conditions.push(sql`at < ${filter.to}`);
  return many<LedgerRow>(
    db,
    sql`select customer_id as "customerId", entry_id as "entryId", at as time,
          (at at time zone 'UTC')::text || '+00' as "timeKey", kind, amount::float8 as amount, segments, app_id as "appId",
          task_id as "taskId", user_id as "userId", note
        from ledger where ${sql.join(conditions, sql` and `)} order by ${orderBy} limit ${filter.limit}`,
  );
};

export interface Span {
  customerId: string;
  from: Date;
  /** Not included. */
  to: Date;
}

const within = ({ customerId, from, to }: Span): Fragment<unknown> =>
  sql`customer_id = ${customerId} and at >= ${from} and at < ${to}`;

export interface StatementRow {
  day: string;
  kind: LedgerKind;
  appId: string | null;
  taskId: string | null;
  note: string | null;
  segments: number;
  amount: number;
}

/** One line for what people entered each; one a day for the charges of each application and task, corrected. */
export const listStatement = (db: Db, span: Span, zone: string): Promise<StatementRow[]> =>
  many<StatementRow>(
    db,
    sql`select to_char(at at time zone ${zone}, 'YYYY-MM-DD') as day, case when ${isCharge} then 'charge' else kind end as kind,
          app_id as "appId", task_id as "taskId", min(note) filter (where not ${isCharge}) as note,
          sum(segments)::int as segments, sum(amount)::float8 as amount
        from ledger where ${within(span)}
        group by 1, 2, 3, 4, case when ${isCharge} then null else entry_id end
        order by 1, min(at), 2, 3, 4`,
  );

export interface InvoiceRow {
  kind: LedgerKind;
  appId: string | null;
  smsType: number | null;
  carrier: string | null;
  /** 1/10,000 PHP. */
  price: number | null;
  /** Of an entry that a user made. */
  time: Date | null;
  note: string | null;
  segments: number;
  amount: number;
}

/**
 * A line for the charges of each application, type, carrier and price, corrected; one for what users entered each. Two scans
 * of the month in one statement: in one scan, each charge would be grouped with what users entered by its ID, in a sort.
 */
export const listInvoiceRows = (db: Db, span: Span): Promise<InvoiceRow[]> =>
  many<InvoiceRow>(
    db,
    sql`select kind, app_id as "appId", sms_type as "smsType", carrier, price::float8 as price, time, note,
          segments::float8 as segments, amount::float8 as amount
        from (
          select 'charge' as kind, app_id, sms_type, carrier, price, null::timestamptz as time, null::text as note,
            sum(segments) as segments, sum(amount) as amount
          from ledger where ${within(span)} and ${isCharge} group by app_id, sms_type, carrier, price
          union all
          select kind, app_id, sms_type, carrier, price, at, note, segments, amount
          from ledger where ${within(span)} and not ${isCharge}) l
        order by time, app_id, sms_type nulls last, carrier, price`,
  );

/** When the first entry that is kept was made; null: there is none. */
export const findFirstEntry = async (db: Db, customerId: string): Promise<Date | null> =>
  (await maybe<{ at: Date }>(db, sql`select at from ledger where customer_id = ${customerId} order by at limit 1`))
    ?.at ?? null;

/** What the ledger came to before an instant: the last snapshot before its day, and the entries since. */
export const sumLedger = async (db: Db, customerId: string, before: Date): Promise<number> => {
  const { amount, next } = await findFolded(db, customerId, before);
  const { sum } = await one<{ sum: number }>(
    db,
    sql`select coalesce(sum(amount), 0)::float8 as sum from ledger
        where customer_id = ${customerId} and at >= ${next}::date::timestamp at time zone 'UTC' and at < ${before}`,
  );
  return amount + sum;
};

/** First and last instant of days of a zone, the last day included: `['2026-03-01', '2026-03-31']`. */
export const findDays = async (db: Db, from: string, to: string, zone: string): Promise<{ from: Date; to: Date }> =>
  one<{ from: Date; to: Date }>(
    db,
    sql`select ${from}::date::timestamp at time zone ${zone} as from, (${to}::date + 1)::timestamp at time zone ${zone} as to`,
  );

/** Names by id, of tasks, applications and accounts. */
export const listLedgerNames = async (
  db: Db,
  wanted: {
    customerId: string | null;
    taskIds: readonly string[];
    appIds: readonly string[];
    userIds: readonly string[];
  },
): Promise<Map<string, string>> => {
  const ofCustomer = wanted.customerId === null ? sql`true` : sql`customer_id = ${wanted.customerId}`;
  const rows = await many<{ id: string; name: string }>(
    db,
    sql`select task_id::text as id, task_name as name from task where task_id = any(${wanted.taskIds}::uuid[]) and ${ofCustomer}
        union all
        select app_id, app_name from application where app_id = any(${wanted.appIds}::text[]) and ${ofCustomer}
        union all
        select user_id::text, account from app_user where user_id = any(${wanted.userIds}::uuid[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
};
