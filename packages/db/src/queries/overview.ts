import type { SmsType, ThresholdEvent } from '@pahatid/contract';
import { auditStatus, taskStatus } from '../literals.ts';
import { type Db, type Fragment, many, one, sql } from '../sql.ts';
import { ofCustomer } from './real-customers.ts';
import { figuresOf, type HourTable, hasWholeHours } from './report-figures.ts';

export type OverviewRange = 'today' | '7days' | 'month';

/** Beginning of the range, in the zone's own days. */
const beginnings: Record<OverviewRange, (local: Fragment<unknown>) => Fragment<unknown>> = {
  today: (local) => sql`date_trunc('day', ${local})`,
  '7days': (local) => sql`date_trunc('day', ${local}) - interval '6 days'`,
  month: (local) => sql`date_trunc('month', ${local})`,
};

/** When the range begins; `zone` is a name that PostgreSQL knows. */
export const findRangeStart = async (db: Db, range: OverviewRange, zone: string, now: Date): Promise<Date> => {
  const local = sql`(${now}::timestamptz at time zone ${zone})`;
  const { start } = await one<{ start: Date }>(
    db,
    sql`select (${beginnings[range](local)}) at time zone ${zone} as start`,
  );
  return start;
};

const lengths: Record<OverviewRange, string> = { today: '1 day', '7days': '7 days', month: '1 month' };

/** The preceding range, in days of the time zone: its beginning, the moment that corresponds to now, and its end. */
export const findRangeBefore = async (
  db: Db,
  range: OverviewRange,
  zone: string,
  now: Date,
): Promise<{ from: Date; to: Date; end: Date }> => {
  const local = sql`(${now}::timestamptz at time zone ${zone})`;
  const then = sql`(${local} - ${lengths[range]}::interval)`;
  const row = await one<{ from: Date; to: Date; end: Date }>(
    db,
    sql`select (${beginnings[range](then)}) at time zone ${zone} as "from", ${then} at time zone ${zone} as "to",
          (${beginnings[range](local)}) at time zone ${zone} as "end"`,
  );
  // A month of 31 days has moments that the previous one lacks: they map to its last.
  return { ...row, to: new Date(Math.min(row.to.getTime(), row.end.getTime())) };
};

/** Amount charged in the `days` whole days before today, 1/10,000 PHP. */
export const sumSpend = async (db: Db, customerId: string, days: number, zone: string, now: Date): Promise<number> => {
  const today = sql`date_trunc('day', ${now}::timestamptz at time zone ${zone})`;
  const span = await one<{ from: Date; to: Date }>(
    db,
    sql`select (${today} - ${days}::integer * interval '1 day') at time zone ${zone} as "from",
          ${today} at time zone ${zone} as "to"`,
  );
  const { spend } = await one<{ spend: number }>(
    db,
    sql`select coalesce(sum(charged), 0)::float8 as spend from ${figuresOf(span, 'hour')} where customer_id = ${customerId}`,
  );
  return spend;
};

/** Whole days whose spend is used to forecast the balance. */
const forecastDays = 7;

/** Average of a day, 1/10,000 PHP. */
export const getSpendPerDay = async (db: Db, customerId: string, zone: string, now: Date): Promise<number> =>
  Math.round((await sumSpend(db, customerId, forecastDays, zone, now)) / forecastDays);

export interface OverviewSpan {
  /** null: all customers, for staff. */
  customerId: string | null;
  from: Date;
  to: Date;
}

/** Its last instant is part of the span. */
const figuresWithin = ({ from, to }: OverviewSpan, table: HourTable, isByHour = true): Fragment<unknown> =>
  figuresOf({ from, to: new Date(to.getTime() + 1) }, isByHour ? 'hour' : 'minute', table);

/** For sums that nothing but the span divides by customer. */
const tableOf = ({ customerId }: OverviewSpan): HourTable =>
  customerId === null ? 'report_hour_total' : 'report_hour';

export interface TrendRow {
  time: Date;
  messages: number;
  segments: number;
  accepted: number;
  /** By carriers. */
  refused: number;
  /** Handed over to no carrier: blocked or terminated. */
  blocked: number;
  delivered: number;
  undelivered: number;
  unknown: number;
  /** 1/10,000 PHP. */
  spend: number;
}

/** Sums by hour or by day of the zone, gaps left out. */
export const sumTrend = (db: Db, span: OverviewSpan, unit: 'hour' | 'day', zone: string): Promise<TrendRow[]> =>
  many<TrendRow>(
    db,
    sql`select date_trunc(${unit}, minute at time zone ${zone}) at time zone ${zone} as time,
          sum(req_total)::int as messages, sum(segments)::float8 as segments, sum(req_success)::int as accepted,
          sum(req_fail - req_blocked)::int as refused, sum(req_blocked)::int as blocked, sum(receipt_success)::int as delivered, sum(receipt_fail)::int as undelivered,
          sum(receipt_unknown)::int as unknown, sum(charged)::float8 as spend
        from ${figuresWithin(span, tableOf(span), hasWholeHours(zone, span.from, span.to))}
        where ${ofCustomer(sql`customer_id`, span.customerId)} group by 1 order by 1`,
  );

interface TaskStart {
  taskId: string;
  taskName: string;
  time: Date;
}

/** Tasks of a customer by when they started. */
export const listTaskStarts = (
  db: Db,
  customerId: string,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<TaskStart[]> =>
  many<TaskStart>(
    db,
    sql`select task_id as "taskId", task_name as "taskName", started_at as time from task
        where customer_id = ${customerId} and started_at >= ${from} and started_at <= ${to}
        order by started_at limit ${limit}`,
  );

/** Every hour or day of the range, so that a chart shows those without messages too. */
export const listTrendTimes = async (
  db: Db,
  span: OverviewSpan,
  unit: 'hour' | 'day',
  zone: string,
): Promise<Date[]> => {
  const rows = await many<{ time: Date }>(
    db,
    // Steps are taken in local time: a day of the zone may have 23 or 25 hours.
    sql`select distinct local at time zone ${zone} as time
        from generate_series(${span.from}::timestamptz at time zone ${zone}, ${span.to}::timestamptz at time zone ${zone},
                             ${`1 ${unit}`}::interval) as local order by 1`,
  );
  return rows.map(({ time }) => time);
};

export interface WaitingRow {
  kind: 'templateRejected' | 'senderRejected' | 'taskReady' | 'taskDraft' | 'taskFailed' | 'taskRejected';
  id: string;
  title: string;
  note: string | null;
  recipients: number;
  cost: number | null;
  time: Date;
}

/** What waits for the customer's people, newest first, a few of each kind. */
export const listWaiting = (db: Db, customerId: string, limitEach: number): Promise<WaitingRow[]> =>
  many<WaitingRow>(
    db,
    sql`select kind, id, title, note, recipients, cost, time from (
          select *, row_number() over (partition by kind order by time desc) as place from (
            select 'templateRejected' as kind, t.template_id as id, t.template_name as title, coalesce(nullif(v.audit_reason, ''), v.audit_code) as note,
              0 as recipients, null::float8 as cost, coalesce(v.audited_at, v.created_at) as time
            from template t join template_version v on v.template_id = t.template_id and v.version = t.newest_version
            where t.customer_id = ${customerId} and t.deleted_at is null and v.audit_status = ${auditStatus.Rejected}
            union all
            select 'senderRejected', s.id, s.sender_id, coalesce(nullif(s.audit_reason, ''), s.audit_code), 0, null, coalesce(s.audited_at, s.created_at)
            from sender s where s.customer_id = ${customerId} and s.audit_status = ${auditStatus.Rejected}
            union all
            select case t.task_status when ${taskStatus.Draft} then 'taskDraft' when ${taskStatus.ValidationPassed}
              then 'taskReady' when ${taskStatus.Failed} then 'taskFailed' else 'taskRejected' end,
              t.task_id, t.task_name, case t.task_status when ${taskStatus.Rejected}
                then coalesce(t.status_note, t.audit_code) else t.status_reason end,
              t.total_count, t.estimated_cost::float8, t.created_at
            from task t where t.customer_id = ${customerId}
              and t.task_status in (${taskStatus.Draft}, ${taskStatus.ValidationPassed}, ${taskStatus.Failed}, ${taskStatus.Rejected})) w) placed
        where place <= ${limitEach} order by time desc, id`,
  );

export interface CustomerWaitingCounts {
  tasks: number;
  templates: number;
  senders: number;
}

/** Counts to `most` of what waits for a customer's people: tasks to confirm, rejected templates and sender IDs. */
export const countWaiting = (db: Db, customerId: string, most: number): Promise<CustomerWaitingCounts> =>
  one<CustomerWaitingCounts>(
    db,
    sql`select
          (select count(*)::int from (select from task
            where customer_id = ${customerId} and task_status = ${taskStatus.ValidationPassed} limit ${most}) w) as tasks,
          (select count(*)::int from (select from template t
            join template_version v on v.template_id = t.template_id and v.version = t.newest_version
            where t.customer_id = ${customerId} and t.deleted_at is null and v.audit_status = ${auditStatus.Rejected}
            limit ${most}) w) as templates,
          (select count(*)::int from (select from sender
            where customer_id = ${customerId} and audit_status = ${auditStatus.Rejected} limit ${most}) w) as senders`,
  );

interface AlertEvent {
  id: string;
  event: 'alert' | 'limit' | 'slow' | 'pause';
  time: Date;
  value: number;
  bound: number;
  /** Messages that the value was measured of; of a pause the tasks that were paused. */
  amount: number | null;
  pumping: ThresholdEvent['pumping'];
}

interface AlertedRule {
  id: string;
  of: 'volume' | 'quality' | 'pumping';
  measure: 'messages' | 'segments' | 'cost' | 'delivered' | 'failed' | 'unknown' | 'delay' | null;
  period: 'hour' | 'day' | 'month' | null;
  windowMinutes: number | null;
  appId: string | null;
  appName: string | null;
  areaCode: string | null;
  carrier: string | null;
  smsType: SmsType | null;
}

export type AlertedThreshold = AlertEvent & AlertedRule & { paused: number };

/** Rules whose last event within the day before `now` is out of bounds. Events are data, rules are control. */
export const listAlertedThresholds = async (db: Db, customerId: string, now: Date): Promise<AlertedThreshold[]> => {
  const events = await many(
    db,
    sql<AlertEvent>`select id, event, time, value, bound, amount, pumping from (
          select distinct on (threshold_id) threshold_id as id, kind as event, at as time, coalesce(value, 0) as value,
            coalesce(bound, 0) as bound, amount, facts as pumping from threshold_event
          where customer_id = ${customerId} and at > ${now}::timestamptz - interval '1 day' and kind <> 'refused'
          order by threshold_id, at desc) e
        where event in ('alert', 'limit', 'slow', 'pause') order by time desc`,
  );
  const rules = await many(
    db,
    sql<AlertedRule>`select t.threshold_id as id, t.kind as "of", coalesce(t.unit, t.metric) as measure, t.period,
          t.window_minutes as "windowMinutes", t.app_id as "appId", a.app_name as "appName", t.area_code as "areaCode",
          t.carrier, t.sms_type as "smsType"
        from threshold t left join application a on a.customer_id = t.customer_id and a.app_id = t.app_id
        where t.customer_id = ${customerId} and t.threshold_id = any(${events.map(({ id }) => id)}::uuid[]) and t.kind <> 'frequency'`,
  );
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return events.flatMap((event) => {
    const rule = byId.get(event.id);
    if (rule === undefined) return [];
    const isPause = event.event === 'pause';
    return [{ ...event, ...rule, amount: isPause ? null : event.amount, paused: isPause ? (event.amount ?? 0) : 0 }];
  });
};

export interface FirstSteps {
  application: boolean;
  template: boolean;
  approved: boolean;
  sender: boolean;
  task: boolean;
}

/** Steps that a new customer has completed. */
export const findFirstSteps = (db: Db, customerId: string): Promise<FirstSteps> =>
  one<FirstSteps>(
    db,
    sql`select exists (select from application where customer_id = ${customerId}) as application,
          exists (select from template where customer_id = ${customerId} and deleted_at is null) as template,
          exists (select from template where customer_id = ${customerId} and serving_version is not null) as approved,
          exists (select from sender where customer_id = ${customerId}
            and audit_status in (${auditStatus.Approved}, ${auditStatus.NotRequired})) as sender,
          exists (select from task where customer_id = ${customerId}
            and task_status in (${taskStatus.Confirmed}, ${taskStatus.Preparing}, ${taskStatus.Sending}, ${taskStatus.Completed}, ${taskStatus.Terminated})) as task`,
  );

export interface OutcomeSums {
  messages: number;
  accepted: number;
  delivered: number;
}

const outcomeSums = sql`sum(req_total)::int as messages, sum(req_success)::int as accepted,
  sum(receipt_success)::int as delivered`;

export const listBusiestCustomers = async (
  db: Db,
  span: OverviewSpan,
  limit: number,
): Promise<({ customerId: string } & OutcomeSums)[]> =>
  many(
    db,
    sql<{ customerId: string } & OutcomeSums>`
      select customer_id as "customerId", ${outcomeSums} from ${figuresWithin(span, 'report_hour')}
      where ${ofCustomer(sql`customer_id`, span.customerId)} group by customer_id order by 2 desc, 1 limit ${limit}`,
  );

/** Names of customers, asked apart: figures are data, names are control, and the two do not join on every cluster. */
export const listCustomerNames = async (db: Db, customerIds: readonly string[]): Promise<Map<string, string>> => {
  const rows = await many<{ id: string; name: string }>(
    db,
    sql`select customer_id as id, customer_name as name from customer where customer_id = any(${customerIds}::uuid[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
};

export const sumByCarrier = (db: Db, span: OverviewSpan): Promise<({ carrier: string | null } & OutcomeSums)[]> =>
  many(
    db,
    sql<{ carrier: string | null } & OutcomeSums>`
      select nullif(carrier, '') as carrier, ${outcomeSums}
      from ${figuresWithin(span, tableOf(span))} where ${ofCustomer(sql`customer_id`, span.customerId)} group by 1 order by 2 desc, 1`,
  );

export const listBusiestRoutes = (
  db: Db,
  span: OverviewSpan,
  limit: number,
): Promise<({ routeId: string } & OutcomeSums)[]> =>
  many(
    db,
    sql<{ routeId: string } & OutcomeSums>`
      select route_id as "routeId", ${outcomeSums}
      from ${figuresWithin(span, tableOf(span))} where ${ofCustomer(sql`customer_id`, span.customerId)} group by 1 order by 2 desc, 1 limit ${limit}`,
  );

/** Names of routes, removed ones too, and the accounts they lead to. */
export const listRouteNames = async (
  db: Db,
  routeIds: readonly string[],
): Promise<Map<string, { routeName: string; supplierAccount: string }>> => {
  const rows = await many<{ id: string; routeName: string; supplierAccount: string }>(
    db,
    sql`select r.route_id as id, r.route_name as "routeName", s.supplier_account as "supplierAccount"
        from route r join supplier s on s.supplier_id = r.supplier_id where r.route_id = any(${routeIds}::uuid[])`,
  );
  return new Map(rows.map(({ id, ...names }) => [id, names]));
};
