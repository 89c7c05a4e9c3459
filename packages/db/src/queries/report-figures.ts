/**
 * Where reports take their sums from. `report_minute` has every minute. Minutes of hours that have ended are folded: their
 * sums are added to `report_hour`, and the rows get the writer `FOLDED`, in one transaction. So whole hours are at every
 * instant `report_hour` and the minutes that are not folded yet; a receipt that comes late adds such a minute again.
 */
import { type Fragment, sql } from '../sql.ts';

/** Writer of the minutes that `report_hour` contains. */
export const FOLDED = -1;

export const HOUR_MS = 3_600_000;

/** The step of a report: by `hour` also for steps of several hours, or none. */
export type FigureStep = 'minute' | 'hour';

/** Hours by customer, or of all customers together: those have no customer_id, app_id and client_sid. */
export type HourTable = 'report_hour' | 'report_hour_total';

/** Minutes are kept so long; before, there are hours alone, and a span contains those that begin in it. */
export const MINUTE_DAYS = 35;
/** Three years, and something to compare them with. */
export const HOUR_DAYS = 1_100;

/** Key of a figure, and its sums. */
export const figureKeys = ['app_id', 'area_code', 'carrier', 'client_sid', 'sms_type', 'route_id'] as const;
export const totalKeys = ['area_code', 'carrier', 'sms_type', 'route_id'] as const;
export const figureSums = [
  'req_total',
  'req_success',
  'req_fail',
  'req_blocked',
  'receipt_success',
  'receipt_fail',
  'receipt_unknown',
  'segments',
  'charged',
] as const;

const sums = sql.join(figureSums.map((name) => sql`${sql.ref(name)}::bigint`));
const columns = sql`customer_id, ${sql.join(figureKeys.map(sql.ref))}, ${sums}`;
const hourColumns: Record<HourTable, Fragment> = {
  report_hour: columns,
  report_hour_total: sql`null::uuid as customer_id, null::text as app_id, area_code, carrier, null::text as client_sid, sms_type,
    route_id, ${sums}`,
};

/** Whether all instants begin an hour of UTC, so that no step divides one. */
export const areHours = (instants: readonly Date[]): boolean =>
  instants.every((instant) => instant.getTime() % HOUR_MS === 0);

/** Whether days of the zone, from one instant to the other, begin with an hour of UTC; India's and Nepal's do not. */
export const hasWholeHours = (zone: string, ...instants: readonly Date[]): boolean => {
  const minuteOf = new Intl.DateTimeFormat('en-US', { timeZone: zone, minute: 'numeric' });
  return instants.every((instant) => Number(minuteOf.format(floorHour(instant))) === 0);
};

const floorHour = (instant: Date): Date => new Date(Math.floor(instant.getTime() / HOUR_MS) * HOUR_MS);
const ceilHour = (instant: Date): Date => new Date(Math.ceil(instant.getTime() / HOUR_MS) * HOUR_MS);

/**
 * Rows of [from, to) for a FROM clause, named `figures`: customer_id, minute, the keys and the sums. By hour, `minute` is
 * the beginning of the hour in rows of an hour. `to` null: all since `from`.
 */
export const figuresOf = (
  span: { from: Date; to: Date | null },
  step: FigureStep,
  hours: HourTable = 'report_hour',
): Fragment => {
  const { from, to } = span;
  const low = ceilHour(from);
  const high = to === null ? null : floorHour(to);
  if (step === 'minute' || (high !== null && low >= high)) return sql`(${minutesOf(from, to)}) as figures`;
  const parts = [
    sql`select hour as minute, ${hourColumns[hours]} from ${sql.ref(hours)} where hour >= ${low} ${high === null ? sql`` : sql`and hour < ${high}`}`,
    sql`${keptMinutesOf(low, high)} and writer >= 0`,
  ];
  if (from < low) parts.push(minutesOf(from, low));
  if (to !== null && high !== null && high < to) parts.push(minutesOf(high, to));
  return sql`(${sql.join(parts, sql` union all `)}) as figures`;
};

/** With the hours of a time whose minutes are deleted. */
const minutesOf = (from: Date, to: Date | null): Fragment => {
  if (from.getTime() > Date.now() - (MINUTE_DAYS - 1) * 24 * HOUR_MS) return keptMinutesOf(from, to);
  const keptSince = sql`(select at from kept_since where table_name = 'report_minute')`;
  return sql`${keptMinutesOf(from, to)} and (writer >= 0 or minute >= coalesce(${keptSince}, '-infinity'))
    union all select hour as minute, ${columns} from report_hour
    where hour >= ${from} ${to === null ? sql`` : sql`and hour < ${to}`} and hour < ${keptSince}`;
};

const keptMinutesOf = (from: Date, to: Date | null): Fragment =>
  sql`select minute, ${columns} from report_minute where minute >= ${from} ${to === null ? sql`` : sql`and minute < ${to}`}`;
