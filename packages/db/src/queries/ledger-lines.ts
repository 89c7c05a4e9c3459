/**
 * The ledger by day and task: a line for each day, kind, customer and task, by day. Days are those of any zone, and
 * folded sums are of days in UTC (decision 188), so lines are summed of entries: of a few days at a time, found by the index.
 */
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, sql } from '../sql.ts';
import type { LedgerKind } from './ledger.ts';
import { isCharge } from './ledger-folding.ts';

export interface LedgerLineFilter {
  /** null: all customers, for staff. */
  customerId: string | null;
  /** Corrections of charges by the program are charges. */
  kind?: LedgerKind | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  zone: string;
}

export interface LedgerLine {
  /** `2026-03-31`, of the zone. */
  day: string;
  kind: LedgerKind;
  customerId: string;
  /** null: of no task. */
  taskId: string | null;
  /** The same; zeros: of no task. */
  taskKey: string;
  entries: number;
  segments: number;
  amount: number;
}

const lineKind = sql`case when ${isCharge} then 'charge' else kind end`;

const wanted = ({ customerId, kind, from, to }: LedgerLineFilter): Fragment[] => [
  customerId === null ? sql`true` : sql`customer_id = ${customerId}`,
  kind === undefined ? sql`true` : sql`${lineKind} = ${kind}`,
  from === undefined ? sql`true` : sql`at >= ${from}`,
  to === undefined ? sql`true` : sql`at < ${to}`,
];

const startIn = (zone: string, day: string): Fragment => sql`(${day}::date::timestamp at time zone ${zone}::text)`;
const endIn = (zone: string, day: string): Fragment => sql`((${day}::date + 1)::timestamp at time zone ${zone}::text)`;

/** The next day with an entry, past a day or the newest of all, in reverse the oldest; null: there is none. */
export const findLedgerDay = async (
  db: Db,
  filter: LedgerLineFilter,
  past: string | null,
  isReversed: boolean,
): Promise<string | null> => {
  const { zone } = filter;
  const isPast = isReversed ? sql`at >= ${endIn(zone, past ?? '')}` : sql`at < ${startIn(zone, past ?? '')}`;
  const row = await maybe<{ day: string }>(
    db,
    sql`select to_char(at at time zone ${zone}::text, 'YYYY-MM-DD') as day from ledger
        where ${sql.join([...wanted(filter), past === null ? sql`true` : isPast], sql` and `)}
        order by at ${isReversed ? sql`` : sql`desc`} limit 1`,
  );
  return row?.day ?? null;
};

/** Which lines of a day: `after`: key of the last line seen, as `kind`, `customerId` and `taskKey`. */
interface DayPage {
  after: PageOrder['after'];
  isReversed: boolean;
  limit: number;
}

/** Lines of a day, by kind, customer and task. */
export const listDayLines = (
  db: Db,
  filter: LedgerLineFilter,
  day: string,
  { after, isReversed, limit }: DayPage,
): Promise<LedgerLine[]> => {
  const { past, orderBy } = pageBy(
    [
      [sql`kind`, 'text'],
      [sql`customer_id`, 'uuid'],
      [sql`task_key`, 'uuid'],
    ],
    { isDescending: isReversed, after },
  );
  const conditions = [...wanted(filter), sql`at >= ${startIn(filter.zone, day)}`, sql`at < ${endIn(filter.zone, day)}`];
  return many<LedgerLine>(
    db,
    sql`select ${day}::text as day, kind, customer_id as "customerId", task_id as "taskId", task_key as "taskKey",
          entries::float8 as entries, segments::float8 as segments, amount::float8 as amount
        from (
          select ${lineKind} as kind, customer_id, task_id,
            coalesce(task_id, '00000000-0000-0000-0000-000000000000') as task_key,
            count(*) as entries, sum(segments) as segments, sum(amount) as amount
          from ledger where ${sql.join(conditions, sql` and `)} group by 1, 2, 3) l
        where ${past} order by ${orderBy} limit ${limit}`,
  );
};
