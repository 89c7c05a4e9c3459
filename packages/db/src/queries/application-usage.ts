/** How an application and a template are used: from rollups and counters, and the newest messages that failed. */

import { isDistributed } from '../distributed.ts';
import { messageIdEpochMs, messageIdFloor } from '../ids.ts';
import { sendStatus, useState } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { figuresOf } from './report-figures.ts';

export interface RefusalNote {
  appId: string;
  /** Of the catalogue of errors. */
  code: string;
  count: number;
  at: Date;
  ip: string;
}

/** How long API refusals are retained. */
const refusalDays = 30;

/** Adds to the hour's counts; skips applications that do not exist and deletes old counts. */
export const noteRefusals = async (db: Db, notes: readonly RefusalNote[]): Promise<void> => {
  await run(
    db,
    sql`insert into application_refusal as r (customer_id, app_id, hour, code, refused_count, last_at, last_ip)
        select a.customer_id, a.app_id, date_trunc('hour', i.at), i.code, i.n, i.at, i.ip
        from unnest(${notes.map((note) => note.appId)}::text[], ${notes.map((note) => note.code)}::text[],
          ${notes.map((note) => note.count)}::int[], ${notes.map((note) => note.at)}::timestamptz[],
          ${notes.map((note) => note.ip)}::text[]) as i(app_id, code, n, at, ip)
        join application a on a.app_id = i.app_id
        on conflict (app_id, hour, code) do update set refused_count = r.refused_count + excluded.refused_count,
          last_at = greatest(r.last_at, excluded.last_at), last_ip = excluded.last_ip`,
  );
  await run(
    db,
    sql`delete from application_refusal where app_id = any(${notes.map((note) => note.appId)}::text[])
          and hour < now() - ${refusalDays} * interval '1 day'`,
  );
};

export interface ApiRefusalRow {
  code: string;
  count: number;
  lastAt: Date;
  lastIp: string;
}

/** API refusals since `from`, latest first. */
export const listApiRefusals = async (
  db: Db,
  app: { customerId: string; appId: string },
  from: Date,
): Promise<ApiRefusalRow[]> =>
  many(
    db,
    sql<ApiRefusalRow>`select code, sum(refused_count)::int as count, max(last_at) as "lastAt",
        (array_agg(last_ip order by last_at desc))[1] as "lastIp"
      from application_refusal where app_id = ${app.appId} and customer_id = ${app.customerId} and hour >= date_trunc('hour', ${from}::timestamptz)
      group by code order by max(last_at) desc limit 20`,
  );

const dayMs = 86_400_000;

/** Number of newest messages scanned: enough for recent usage, and never more than some tens of milliseconds. */
const messagesLooked = 50_000;

export interface FailedRow {
  dealResult: string | null;
  count: number;
  lastId: string;
}

/** Of the customer's newest messages since `from`, those of the application that failed, by result. */
export const listFailedMessages = async (
  db: Db,
  app: { customerId: string; appId: string },
  from: Date,
): Promise<FailedRow[]> =>
  many(
    db,
    sql<FailedRow>`select deal_result as "dealResult", count(*)::int as count, max(message_id)::text as "lastId" from (
        select message_id, app_id, send_status, deal_result from message
        where customer_id = ${app.customerId} and message_id >= ${String(messageIdFloor(from.getTime()))}::bigint
        order by message_id desc limit ${messagesLooked}) m
      where app_id = ${app.appId} and send_status = ${sendStatus.Failed} group by 1 order by 2 desc limit 20`,
  );

export interface UsageRow {
  requested: number;
  accepted: number;
  refused: number;
  blocked: number;
  delivered: number;
  undelivered: number;
  unknown: number;
  segments: number;
  charged: number;
  lastMinute: Date | null;
}

/** What an application sent since `from`, by the rollup. */
export const sumApplicationUsage = async (
  db: Db,
  app: { customerId: string; appId: string },
  from: Date,
): Promise<UsageRow> => {
  const ofApp = sql`customer_id = ${app.customerId} and app_id = ${app.appId}`;
  const { lastStart, ...sums } = await one(
    db,
    sql<
      Omit<UsageRow, 'lastMinute'> & { lastStart: Date | null }
    >`select coalesce(sum(req_total), 0)::float8 as requested,
        coalesce(sum(req_success), 0)::float8 as accepted, coalesce(sum(req_fail - req_blocked), 0)::float8 as refused,
        coalesce(sum(req_blocked), 0)::float8 as blocked, coalesce(sum(receipt_success), 0)::float8 as delivered,
        coalesce(sum(receipt_fail), 0)::float8 as undelivered, coalesce(sum(receipt_unknown), 0)::float8 as unknown,
        coalesce(sum(segments), 0)::float8 as segments, coalesce(sum(charged), 0)::float8 as charged,
        max(minute) filter (where req_total > 0) as "lastStart"
      from ${figuresOf({ from, to: null }, 'hour')} where ${ofApp}`,
  );
  // Of an hour, the minute.
  const last = await one(
    db,
    sql<{ minute: Date | null }>`select max(minute) as minute from report_minute
      where ${ofApp} and minute >= ${lastStart} and req_total > 0`,
  );
  return { ...sums, lastMinute: last.minute ?? lastStart };
};

export interface CarrierStateRow {
  carrier: string;
  bound: number;
}

/** Connections to each carrier that senders hold now; of staff's accounts nothing but the carrier's name. */
export const listCarrierStates = async (db: Db): Promise<CarrierStateRow[]> =>
  many(
    db,
    sql<CarrierStateRow>`select s.carrier, count(b.owner) filter (where b.state = 'bound')::int as bound
      from supplier s left join bind_state b
        on b.supplier_id = s.supplier_id and b.seen_at > clock_timestamp() - interval '30 seconds'
      where s.use_state = ${useState.Enabled} and s.carrier is not null group by s.carrier order by s.carrier`,
  );

export interface TemplateUsageRow {
  templateId: string;
  taskCount: number;
  accepted: number;
  delivered: number;
  undelivered: number;
  unknown: number;
  lastAt: Date | null;
}

/** Days that a template's usage looks back. */
const templateUsageDays = 90;

export interface TemplateOfCustomer {
  customerId: string;
  templateId: string;
}

/** Tasks that were sent with templates, by their counters: one look at the customers' tasks of the last days. */
export const listTaskUsage = async (db: Db, templates: readonly TemplateOfCustomer[]): Promise<TemplateUsageRow[]> =>
  many(
    db,
    sql<TemplateUsageRow>`select t.template_id as "templateId", count(distinct t.task_id)::int as "taskCount",
        coalesce(sum(p.success_count), 0)::float8 as accepted, coalesce(sum(p.delivered_count), 0)::float8 as delivered,
        coalesce(sum(p.undelivered_count), 0)::float8 as undelivered,
        coalesce(sum(p.unknown_count), 0)::float8 as unknown, max(t.started_at) as "lastAt"
      from task t left join task_progress p on p.task_id = t.task_id
      where t.customer_id = any(${[...new Set(templates.map((each) => each.customerId))]}::uuid[])
        and t.template_id = any(${templates.map((each) => each.templateId)}::uuid[]) and t.started_at is not null
        and t.created_at > now() - ${templateUsageDays} * interval '1 day'
      group by t.template_id`,
  );

/**
 * What software sent with templates, from its own counters, and when last: its newest message, found by index. Reads
 * data tables only: run it where they are stored.
 */
export const listSoftwareUsage = async (
  db: Db,
  templates: readonly TemplateOfCustomer[],
): Promise<TemplateUsageRow[]> =>
  await many(
    db,
    sql<TemplateUsageRow>`select i.template_id as "templateId", 0 as "taskCount", d.accepted, d.delivered, d.undelivered, d.unknown,
          -- of archived messages the day is known
          coalesce(m.last_at, d.last_day::timestamp at time zone 'UTC') as "lastAt"
      from unnest(${templates.map((each) => each.customerId)}::uuid[], ${templates.map((each) => each.templateId)}::uuid[])
        as i(customer_id, template_id)
      cross join lateral (
        select coalesce(sum(d.success_count), 0)::float8 as accepted, coalesce(sum(d.delivered_count), 0)::float8 as delivered,
          coalesce(sum(d.undelivered_count), 0)::float8 as undelivered, coalesce(sum(d.unknown_count), 0)::float8 as unknown,
          max(d.day) as last_day
        from template_day d where d.customer_id = i.customer_id and d.template_id = i.template_id
          and d.day > (now() at time zone 'UTC')::date - ${templateUsageDays}::int) d
      left join lateral (
        select to_timestamp(((last_id >> 18) + ${messageIdEpochMs}::bigint) / 1000.0) as last_at
        from ${await lastMessages(db, templates)}) m on true`,
  );

/** The last message `last_id` of a template `i`: on Citus looked for one by one. */
const lastMessages = async (db: Db, templates: readonly TemplateOfCustomer[]): Promise<Fragment> => {
  const since = String(messageIdFloor(Date.now() - templateUsageDays * dayMs));
  const last = (customerId: Fragment, templateId: Fragment) => sql`
    select m.message_id as last_id from message m where m.customer_id = ${customerId} and m.template_id = ${templateId}
      and m.message_id >= ${since}::bigint order by m.message_id desc limit 1`;
  if (!(await isDistributed(db))) return sql`(${last(sql`i.customer_id`, sql`i.template_id`)}) l`;
  const found: { templateId: string; lastId: string }[] = [];
  for (const { customerId, templateId } of templates) {
    const row = await maybe(db, sql<{ last_id: string }>`${last(sql`${customerId}`, sql`${templateId}`)}`);
    if (row !== null) found.push({ templateId, lastId: row.last_id });
  }
  return sql`unnest(${found.map((row) => row.templateId)}::uuid[], ${found.map((row) => row.lastId)}::bigint[])
    as l(template_id, last_id) where l.template_id = i.template_id`;
};
