/**
 * Message figures from the rollup, by time steps and other dimensions. Steps are computed in the viewer's zone
 * beforehand, so that days of 23 and 25 hours and months of any length are right, and each row only looks up its step.
 */
import { type Db, type Fragment, many, one, sql } from '../sql.ts';
import { ofCustomer } from './real-customers.ts';
import { areHours, figuresOf, type HourTable } from './report-figures.ts';

export type StepUnit = 'minute' | 'day' | 'month';

const stepOf: Record<StepUnit, string> = { minute: '1 minute', day: '1 day', month: '1 month' };

/** Beginnings of every step from the one that holds `from` up to `to`. */
export const listSteps = async (db: Db, unit: StepUnit, from: Date, to: Date, zone: string): Promise<Date[]> => {
  // Minutes are continuous where local time jumps.
  const inZone = unit === 'minute' ? 'UTC' : zone;
  const rows = await many(
    db,
    sql<{ time: Date }>`select distinct local at time zone ${inZone} as time
      from generate_series(date_trunc(${unit}, ${from}::timestamptz at time zone ${inZone}),
                           ${to}::timestamptz at time zone ${inZone}, ${stepOf[unit]}::interval) as local
      where local < ${to}::timestamptz at time zone ${inZone} order by 1`,
  );
  return rows.map(({ time }) => time);
};

/** Returns midnight of the zone so many days before the day of `now`. */
export const findDayStart = async (db: Db, now: Date, zone: string, daysBack: number): Promise<Date> => {
  const { start } = await one(
    db,
    sql<{ start: Date }>`select (date_trunc('day', ${now}::timestamptz at time zone ${zone})
      - make_interval(days => ${daysBack}::int)) at time zone ${zone} as start`,
  );
  return start;
};

/** The same moments of the clock so many days or months before. */
export const shiftBack = async (
  db: Db,
  span: { from: Date; to: Date },
  zone: string,
  by: { days?: number; months?: number },
): Promise<{ from: Date; to: Date }> =>
  one(
    db,
    sql<{ from: Date; to: Date }>`select
      (${span.from}::timestamptz at time zone ${zone} - i) at time zone ${zone} as "from",
      (${span.to}::timestamptz at time zone ${zone} - i) at time zone ${zone} as "to"
      from make_interval(months => ${by.months ?? 0}::int, days => ${by.days ?? 0}::int) as i`,
  );

const columnOf = {
  appId: 'app_id',
  areaCode: 'area_code',
  carrier: 'carrier',
  clientSid: 'client_sid',
  customerId: 'customer_id',
  routeId: 'route_id',
} as const;
export type CellKey = keyof typeof columnOf;

export interface StatisticsFilter {
  /** null: all customers, for staff. */
  customerId: string | null;
  appId?: string | undefined;
  areaCode?: string | undefined;
  /** '' if unknown. */
  carrier?: string | undefined;
  clientSid?: string | undefined;
  routeId?: string | undefined;
}

export interface StatisticsQuestion {
  filter: StatisticsFilter;
  from: Date;
  to: Date;
  /** Null: not divided by time. */
  steps: readonly Date[] | null;
  keys: readonly CellKey[];
  limit: number;
  /** Keeps only the groups with the most requests in a span separate, and sums the others. */
  largest?: { count: number; from: Date; to: Date };
}

export type StatisticsRow = {
  /** Index in `steps`, from 1; 0 if not divided by time. */
  step: number;
  total: number;
  success: number;
  fail: number;
  /** Of `fail`, what no carrier was given. */
  blocked: number;
  delivered: number;
  undelivered: number;
  unknown: number;
} & Partial<Record<CellKey, string | null>>;

const conditionsOf = (filter: StatisticsFilter): Fragment => {
  const all = [ofCustomer(sql`customer_id`, filter.customerId)];
  if (filter.appId !== undefined) all.push(sql`app_id = ${filter.appId}`);
  if (filter.areaCode !== undefined) all.push(sql`area_code = ${filter.areaCode}`);
  if (filter.carrier !== undefined) all.push(sql`carrier = ${filter.carrier}`);
  if (filter.clientSid !== undefined) all.push(sql`lower(client_sid) = lower(${filter.clientSid})`);
  if (filter.routeId !== undefined) all.push(sql`route_id = ${filter.routeId}`);
  return sql.join(all, sql` and `);
};

/**
 * Returns non-empty cells, by time and then largest first; at most `limit`. With `largest`, the keys of the sum of the
 * others are null.
 */
export const sumStatistics = (db: Db, question: StatisticsQuestion): Promise<StatisticsRow[]> => {
  const { steps, keys, limit, largest } = question;
  const step = steps === null ? sql`0` : sql`width_bucket(minute, ${steps}::timestamptz[])`;
  const columns = keys.map((key, index) => sql.ref(largest === undefined ? columnOf[key] : `k${index}`));
  const cells = [sql`${step} as step`, ...keys.map((key, index) => sql`${columns[index]} as ${sql.ref(key)}`)];
  return many(
    db,
    sql<StatisticsRow>`${largest === undefined ? sql`` : withLargest(question, largest)}
      select ${sql.join(cells)}, sum(req_total)::float8 as total, sum(req_success)::float8 as success,
        sum(req_fail)::float8 as fail, sum(req_blocked)::float8 as blocked, sum(receipt_success)::float8 as delivered, sum(receipt_fail)::float8 as undelivered,
        sum(receipt_unknown)::float8 as unknown
      from ${figuresAsked(question, question)} ${largest === undefined ? sql`` : joinLargest(keys)}
      where ${conditionsOf(question.filter)}
      group by ${sql.join(cells.map((_, index) => sql.raw(String(index + 1))))}
      order by 1, total desc${sql.join([sql``, ...columns])} limit ${limit}`,
  );
};

/** Where staff ask for nothing that divides customers, a few rows an hour hold the answer. */
const tableOf = ({ filter, keys }: StatisticsQuestion): HourTable => {
  const isTotal = filter.customerId === null && filter.appId === undefined && filter.clientSid === undefined;
  return isTotal && keys.every((key) => totalCells.has(key)) ? 'report_hour_total' : 'report_hour';
};
const totalCells: ReadonlySet<CellKey> = new Set(['areaCode', 'carrier', 'routeId']);

const figuresAsked = (question: StatisticsQuestion, span: { from: Date; to: Date }): Fragment =>
  figuresOf(span, areHours(question.steps ?? []) ? 'hour' : 'minute', tableOf(question));

/** Materialized, so that the groups are ranked once and not for each cell. */
const withLargest = (
  question: StatisticsQuestion,
  { count, from, to }: { count: number; from: Date; to: Date },
): Fragment => {
  const { filter, keys } = question;
  const columns = keys.map((key) => sql.ref(columnOf[key]));
  const named = columns.map((column, index) => sql`${column} as ${sql.ref(`k${index}`)}`);
  return sql`with largest as materialized (select ${sql.join(named)}
    from ${figuresAsked(question, { from, to })} where ${conditionsOf(filter)}
    group by ${sql.join(columns)} order by sum(req_total) desc, ${sql.join(columns)} limit ${count})`;
};

const joinLargest = (keys: readonly CellKey[]): Fragment =>
  sql`left join largest on ${sql.join(
    keys.map((key, index) => sql`${sql.ref(columnOf[key])} = ${sql.ref(`k${index}`)}`),
    sql` and `,
  )}`;

/** Names for the IDs in figures. Names are control, figures are data: queried separately. */
export const listStatisticsNames = async (
  db: Db,
  ids: { appIds: readonly string[]; customerIds: readonly string[]; routeIds: readonly string[] },
): Promise<Record<string, string>> => {
  const rows = await many(
    db,
    sql<{ id: string; name: string }>`
      select app_id as id, app_name as name from application where app_id = any(${ids.appIds}::text[])
      union all select customer_id::text, customer_name from customer where customer_id = any(${ids.customerIds}::uuid[])
      union all select route_id::text, route_name from route where route_id = any(${ids.routeIds}::uuid[])`,
  );
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
};
