/** A customer's rules as its people write and read them. Every statement names the customer. */

import {
  pumpingDefaults,
  type SmsType,
  type ThresholdEvent,
  type ThresholdInput,
  type ThresholdKind,
} from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { type PageOrder, pageBy } from '../keyset.ts';
import { taskStatus, yesNo } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { ofCustomer } from './real-customers.ts';
import { isVersion, savedBy } from './versions.ts';

export interface RuleRow {
  customerId: string;
  thresholdId: string;
  kind: ThresholdKind;
  setBy: 'customer' | 'staff';
  useState: 0 | 1;
  appId: string | null;
  areaCode: string | null;
  carrier: 'Globe' | 'Smart' | 'DITO' | null;
  smsType: SmsType | null;
  period: 'hour' | 'day' | 'month' | null;
  unit: 'messages' | 'segments' | 'cost' | null;
  alertAt: number | null;
  limitAt: number | null;
  metric: 'delivered' | 'failed' | 'unknown' | 'delay' | null;
  bound: number | null;
  windowMinutes: number | null;
  minVolume: number | null;
  graceSeconds: number | null;
  act: 'alert' | 'slow' | 'pauseTasks' | 'pauseApplication' | null;
  factor: number | null;
  slowTo: number | null;
  sameContentPer30s: number | null;
  perMinute: number | null;
  perHour: number | null;
  perDay: number | null;
  exempt: string[];
  emails: string[];
  /** Digits. */
  msisdns: string[];
  webhooks: string[];
  silenceMinutes: number;
  notifiedAt: Date | null;
  alertedPeriod: Date | null;
  limitedPeriod: Date | null;
  firingSince: Date | null;
  lastValue: number | null;
  lastVolume: number | null;
  checkedAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  customerName: string;
  appName: string | null;
}

export const ruleColumns = sql.raw(
  `t.customer_id as "customerId", t.threshold_id as "thresholdId", t.kind, t.set_by as "setBy", t.use_state as "useState",
   t.app_id as "appId", t.area_code as "areaCode", t.carrier, t.sms_type as "smsType", t.period, t.unit,
   t.alert_at::float8 as "alertAt", t.limit_at::float8 as "limitAt", t.metric, t.bound, t.window_minutes as "windowMinutes",
   t.min_volume as "minVolume", t.grace_seconds as "graceSeconds", t.act, t.factor, t.slow_to as "slowTo", t.same_content_per_30s as "sameContentPer30s",
   t.per_minute as "perMinute", t.per_hour as "perHour", t.per_day as "perDay", t.exempt, t.emails, t.msisdns, t.webhooks,
   t.silence_minutes as "silenceMinutes", t.told_at as "notifiedAt", t.alerted_period as "alertedPeriod",
   t.limited_period as "limitedPeriod", t.firing_since as "firingSince", t.last_value as "lastValue",
   t.last_volume as "lastVolume", t.checked_at as "checkedAt", t.version, t.created_at as "createdAt", t.updated_at as "updatedAt",
   (select customer_name from customer c where c.customer_id = t.customer_id) as "customerName",
   (select app_name from application a where a.customer_id = t.customer_id and a.app_id = t.app_id) as "appName"`,
);

export interface RuleFilter {
  kind?: ThresholdKind | undefined;
  useState?: 0 | 1 | undefined;
  appId?: string | undefined;
  after: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

type RuleConditions = Pick<RuleFilter, 'kind' | 'useState' | 'appId'>;

/** `customerId` null looks across customers: staff. */
const matching = (customerId: string | null, { kind, useState, appId }: RuleConditions) =>
  sql`${ofCustomer(sql`t.customer_id`, customerId)} and (${kind ?? null}::text is null or t.kind = ${kind ?? null})
      and (${useState ?? null}::int is null or t.use_state = ${useState ?? null})
      and (${appId ?? null}::text is null or t.app_id = ${appId ?? null})`;

export const listRules = (db: Db, customerId: string | null, filter: RuleFilter): Promise<RuleRow[]> => {
  const order = { isDescending: filter.isReversed !== true, after: filter.after };
  const { past, orderBy } = pageBy([[sql`t.threshold_id`, 'uuid']], order);
  return many<RuleRow>(
    db,
    sql`select ${ruleColumns} from threshold t where ${matching(customerId, filter)} and ${past}
        order by ${orderBy} limit ${filter.limit}`,
  );
};

export const countRules = async (db: Db, customerId: string | null, filter: RuleConditions): Promise<number> =>
  (await one<{ n: number }>(db, sql`select count(*)::int as n from threshold t where ${matching(customerId, filter)}`))
    .n;

export const findRule = (db: Db, customerId: string | null, thresholdId: string): Promise<RuleRow | null> =>
  maybe<RuleRow>(
    db,
    sql`select ${ruleColumns} from threshold t where ${ofCustomer(sql`t.customer_id`, customerId)} and t.threshold_id = ${thresholdId}`,
  );

/** Locked until the transaction ends: of two concurrent changes the second sees the result of the first. */
export const lockRule = (db: Db, customerId: string, thresholdId: string): Promise<RuleRow | null> =>
  maybe<RuleRow>(
    db,
    sql`select ${ruleColumns} from threshold t where t.customer_id = ${customerId} and t.threshold_id = ${thresholdId} for update`,
  );

/** A rule as it is written, its phones as digits. */
export type RuleInput = ThresholdInput & { readonly msisdns: readonly string[] };

type Column = readonly [name: string, value: Fragment<unknown>];

const columnsOf = (rule: RuleInput): Column[] => {
  const common: Column[] = [
    ['app_id', sql`${rule.appId}::text`],
    ['area_code', sql`${rule.areaCode}::text`],
    ['carrier', sql`${rule.carrier}::text`],
    ['sms_type', sql`${rule.smsType}::smallint`],
    ['use_state', sql`${rule.useState}::smallint`],
    ['emails', sql`${rule.emails}::text[]`],
    ['msisdns', sql`${rule.msisdns}::text[]`],
    ['webhooks', sql`${rule.webhooks}::text[]`],
    ['silence_minutes', sql`${rule.silenceMinutes}::int`],
  ];
  if (rule.kind === 'volume')
    return [
      ...common,
      ['period', sql`${rule.period}::text`],
      ['unit', sql`${rule.unit}::text`],
      ['alert_at', sql`${rule.alertAt}::bigint`],
      ['limit_at', sql`${rule.limitAt}::bigint`],
    ];
  if (rule.kind === 'quality')
    return [
      ...common,
      ['metric', sql`${rule.metric}::text`],
      ['bound', sql`${rule.bound}::int`],
      ['window_minutes', sql`${rule.windowMinutes}::int`],
      ['min_volume', sql`${rule.minVolume}::int`],
      ['grace_seconds', sql`${rule.graceSeconds}::int`],
      ['act', sql`${rule.act}::text`],
    ];
  if (rule.kind === 'pumping')
    return [
      ...common,
      ['min_volume', sql`${rule.minVolume}::int`],
      ['factor', sql`${rule.factor}::int`],
      ['act', sql`${rule.act}::text`],
      ['slow_to', sql`${rule.slowTo}::int`],
    ];
  return [
    ...common,
    ['same_content_per_30s', sql`${rule.sameContentPer30s}::int`],
    ['per_minute', sql`${rule.perMinute}::int`],
    ['per_hour', sql`${rule.perHour}::int`],
    ['per_day', sql`${rule.perDay}::int`],
    ['exempt', sql`${rule.exempt}::text[]`],
  ];
};

/** Throws a foreign key violation of `threshold_app_id_fkey`. Returns the ID. */
export const insertRule = async (
  db: Db,
  customerId: string,
  rule: RuleInput,
  by: { userId: string | null; setBy?: 'customer' | 'staff' },
): Promise<string> => {
  const thresholdId = uuidV7();
  const columns = columnsOf(rule);
  await run(
    db,
    sql`insert into threshold (threshold_id, customer_id, kind, set_by, created_by, ${sql.join(columns.map(([name]) => sql.ref(name)))})
        values (${thresholdId}, ${customerId}, ${rule.kind}, ${by.setBy ?? 'customer'}, ${by.userId}::uuid,
          ${sql.join(columns.map(([, value]) => value))})`,
  );
  return thresholdId;
};

/** The rules that a customer has from the beginning. */
export const insertDefaultRules = async (db: Db, customerId: string): Promise<void> => {
  const scope = { appId: null, areaCode: null, carrier: null, smsType: null };
  const contacts = { emails: [], mobileNumbers: [], msisdns: [], webhooks: [], silenceMinutes: 0 };
  const rule: RuleInput = { kind: 'pumping', ...scope, ...contacts, ...pumpingDefaults, useState: 1 };
  await insertRule(db, customerId, rule, { userId: null });
};

/** Whether a volume now counts something else: its unit, its period, or which messages. */
export const countsOther = (before: RuleRow, after: RuleInput): boolean =>
  after.kind === 'volume' &&
  (['unit', 'period', 'appId', 'areaCode', 'carrier', 'smsType'] as const).some((key) => before[key] !== after[key]);

/** Deletes the counts so far, which would be attributed to the changed rule: counting restarts. */
export const forgetVolumes = async (db: Db, customerId: string, thresholdId: string): Promise<void> => {
  await run(db, sql`delete from volume_count where customer_id = ${customerId} and threshold_id = ${thresholdId}`);
};

/** Deletes the refusals so far, which alone would keep the rule at its limit. */
export const forgetRefusals = async (db: Db, customerId: string, thresholdId: string): Promise<void> => {
  await run(db, sql`delete from threshold_refusal where customer_id = ${customerId} and threshold_id = ${thresholdId}`);
};

/** Discards results for the old bounds: the new ones are evaluated immediately. */
export const updateRule = async (
  db: Db,
  save: { customerId: string; thresholdId: string; seen: number | undefined; userId: string },
  rule: RuleInput,
): Promise<void> => {
  const sets = columnsOf(rule).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  await run(
    db,
    sql`update threshold set ${sql.join(sets)}, updated_at = clock_timestamp(), alerted_period = null, limited_period = null,
          firing_since = null, last_value = null, last_volume = null, checked_at = null, ${savedBy(save.userId)}
        where customer_id = ${save.customerId} and threshold_id = ${save.thresholdId} and ${isVersion(save.seen)}`,
  );
};

export const deleteRule = async (db: Db, customerId: string, thresholdId: string): Promise<void> => {
  await run(db, sql`delete from threshold where customer_id = ${customerId} and threshold_id = ${thresholdId}`);
};

export interface RuleEventRow {
  thresholdId: string;
  eventId: string;
  at: Date;
  kind: ThresholdEvent['event'];
  value: number | null;
  bound: number | null;
  amount: number | null;
  notified: boolean;
  userId: string | null;
  facts: ThresholdEvent['pumping'];
}

const eventColumns = sql.raw(
  `e.threshold_id as "thresholdId", e.event_id as "eventId", e.at, e.kind, e.value, e.bound, e.amount, e.told as notified,
   e.user_id as "userId", e.facts`,
);

export const listRuleEvents = (
  db: Db,
  of: { customerId: string; thresholdId: string },
  page: PageOrder & { limit: number },
): Promise<RuleEventRow[]> => {
  const { past, orderBy } = pageBy([[sql`e.event_id`, 'uuid']], page);
  return many<RuleEventRow>(
    db,
    sql`select ${eventColumns} from threshold_event e where e.customer_id = ${of.customerId} and e.threshold_id = ${of.thresholdId}
          and ${past} order by ${orderBy} limit ${page.limit}`,
  );
};

/** The newest of each. */
export const listLastEvents = (db: Db, customerId: string, thresholdIds: readonly string[]): Promise<RuleEventRow[]> =>
  many<RuleEventRow>(
    db,
    sql`select distinct on (e.threshold_id) ${eventColumns} from threshold_event e
        where e.customer_id = ${customerId} and e.threshold_id = any(${thresholdIds}::uuid[])
        order by e.threshold_id, e.event_id desc`,
  );

export const insertRuleEvent = async (
  db: Db,
  event: Omit<RuleEventRow, 'eventId' | 'at' | 'facts'> &
    Partial<Pick<RuleEventRow, 'facts' | 'at'>> & { customerId: string },
): Promise<void> => {
  const at = event.at ?? new Date();
  await run(
    db,
    sql`insert into threshold_event (customer_id, threshold_id, event_id, at, kind, value, bound, amount, told, user_id, facts)
        values (${event.customerId}, ${event.thresholdId}, ${uuidV7(at.getTime())}, ${at}, ${event.kind}, ${event.value}::float8,
          ${event.bound}::float8, ${event.amount}::int, ${event.notified}, ${event.userId}::uuid,
          ${event.facts ? JSON.stringify(event.facts) : null}::jsonb)`,
  );
};

/** Names of a customer's people, for what they did. */
export const listUserNames = async (db: Db, userIds: readonly string[]): Promise<Map<string, string>> => {
  const rows = await many<{ id: string; name: string }>(
    db,
    sql`select user_id as id, name from app_user where user_id = any(${userIds}::uuid[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
};

/** Messages that rules blocked since an instant. */
export const sumRefusals = async (
  db: Db,
  customerId: string,
  thresholdIds: readonly string[],
  since: Date,
): Promise<Map<string, number>> => {
  const rows = await many<{ id: string; refused: number }>(
    db,
    sql`select threshold_id as id, sum(refused)::float8 as refused from threshold_refusal
        where customer_id = ${customerId} and threshold_id = any(${thresholdIds}::uuid[]) and hour >= ${since} group by 1`,
  );
  return new Map(rows.map(({ id, refused }) => [id, refused]));
};

export interface Holding {
  thresholdId: string;
  pausedTasks: number;
  pausedApplication: boolean;
  slowedApplication: boolean;
  /** Applications with an alarm of pumping. */
  alarms: number;
}

/** What rules of quality and pumping hold at this moment. */
export const listHoldings = (db: Db, customerId: string): Promise<Holding[]> =>
  many<Holding>(
    db,
    sql`select t.threshold_id as "thresholdId",
          (select count(*)::int from task k where k.threshold_id = t.threshold_id and k.paused = ${yesNo.Yes}
             and k.task_status in (${taskStatus.Preparing}, ${taskStatus.Sending})
               and k.status_reason = 'THRESHOLD_PAUSED') as "pausedTasks",
          exists (select from application a where a.customer_id = ${customerId} and a.paused_by = t.threshold_id) as "pausedApplication",
          (select count(*)::int from pumping_alarm p where p.customer_id = ${customerId}
             and p.threshold_id = t.threshold_id) as alarms,
          exists (select from pumping_alarm p where p.customer_id = ${customerId} and p.threshold_id = t.threshold_id
             and p.slow_to is not null) as "slowedApplication"
        from threshold t where t.customer_id = ${customerId} and t.kind in ('quality', 'pumping')`,
  );
