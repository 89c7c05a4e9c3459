/** Figures of clicks out of the rollup by minute. */
import type { ClickDimension } from '@pahatid/contract';
import { type Db, type Fragment, many, sql } from '../sql.ts';

export interface ClickSums {
  clicks: number;
  human: number;
  head: number;
  scanner: number;
  early: number;
  firsts: number;
  /** `firsts` of messages of tasks. */
  taskFirsts: number;
  firstAt: Date | null;
  lastAt: Date | null;
}

const sums = sql.raw(`coalesce(sum(click_count), 0)::float8 as clicks,
  coalesce(sum(click_count) filter (where verdict = 'human'), 0)::float8 as human,
  coalesce(sum(click_count) filter (where verdict = 'head'), 0)::float8 as head,
  coalesce(sum(click_count) filter (where verdict = 'scanner'), 0)::float8 as scanner,
  coalesce(sum(click_count) filter (where verdict = 'early'), 0)::float8 as early,
  coalesce(sum(first_count), 0)::float8 as firsts,
  coalesce(sum(first_count) filter (where task_id <> ''), 0)::float8 as "taskFirsts",
  min(first_at) as "firstAt", max(last_at) as "lastAt"`);

export interface ClickFilter {
  customerId: string | null;
  /** Null: all links that are not deleted, and those that are. */
  linkIds: readonly string[] | null;
  taskId?: string | undefined;
  from?: Date;
  to?: Date;
}

const conditionsOf = (filter: ClickFilter): Fragment<unknown> => {
  const all: Fragment<unknown>[] = [sql`true`];
  if (filter.customerId !== null) all.push(sql`customer_id = ${filter.customerId}`);
  if (filter.linkIds !== null) all.push(sql`link_id = any(${filter.linkIds}::uuid[])`);
  if (filter.taskId !== undefined) all.push(sql`task_id = ${filter.taskId}`);
  if (filter.from !== undefined) all.push(sql`minute >= ${filter.from}`);
  if (filter.to !== undefined) all.push(sql`minute < ${filter.to}`);
  return sql.join(all, sql` and `);
};

/** Of each link, since it was made. */
export const sumClicksByLink = (db: Db, filter: ClickFilter): Promise<(ClickSums & { linkId: string })[]> =>
  many(
    db,
    sql<ClickSums & { linkId: string }>`select link_id as "linkId", ${sums} from link_minute
      where ${conditionsOf(filter)} group by link_id`,
  );

export const sumClicks = async (db: Db, filter: ClickFilter): Promise<ClickSums> =>
  (await many(db, sql<ClickSums>`select ${sums} from link_minute where ${conditionsOf(filter)}`))[0]!;

/** By step of time: of `steps`, from 1. */
export const sumClicksByTime = (
  db: Db,
  filter: ClickFilter,
  steps: readonly Date[],
): Promise<(ClickSums & { step: number })[]> =>
  many(
    db,
    sql<
      ClickSums & { step: number }
    >`select width_bucket(minute, ${steps}::timestamptz[]) as step, ${sums} from link_minute
      where ${conditionsOf(filter)} group by 1 order by 1`,
  );

const keyOf: Record<Exclude<ClickDimension, 'hour'>, Fragment<unknown>> = {
  linkId: sql`link_id::text`,
  taskId: sql`task_id`,
  carrier: sql`carrier`,
  areaCode: sql`area_code`,
  os: sql`os`,
  browser: sql`browser`,
  device: sql`device`,
};

/** The largest first; hours in order, as 0 to 23 of the zone. */
export const sumClicksByPart = (
  db: Db,
  filter: ClickFilter,
  dimension: ClickDimension,
  zone: string,
  limit: number,
): Promise<(ClickSums & { key: string })[]> => {
  const isHour = dimension === 'hour';
  const key = isHour ? sql`extract(hour from minute at time zone ${zone})::int::text` : keyOf[dimension];
  return many(
    db,
    sql<ClickSums & { key: string }>`select key, ${sums}
      from (select *, ${key} as key from link_minute where ${conditionsOf(filter)}) m
      group by key order by ${isHour ? sql`length(key), key` : sql`human desc, clicks desc, key`} limit ${limit}`,
  );
};

export interface LinkDelivery {
  linkId: string;
  taskCount: number;
  /** Of links with a code per recipient. */
  delivered: number;
}

/** Delivery outcomes of the tasks that sent each link. */
export const sumDeliveryOfLinks = (
  db: Db,
  customerId: string | null,
  linkIds: readonly string[] | null,
  taskId?: string,
): Promise<LinkDelivery[]> =>
  many(
    db,
    sql<LinkDelivery>`select u.link_id as "linkId", count(distinct u.task_id)::int as "taskCount",
        coalesce(sum(p.delivered_count) filter (where l.mode = 'perRecipient'), 0)::float8 as delivered
      from link_task u join short_link l on l.link_id = u.link_id left join task_progress p on p.task_id = u.task_id
      where (${customerId}::uuid is null or u.customer_id = ${customerId})
        and (${linkIds}::uuid[] is null or u.link_id = any(${linkIds}::uuid[]))
        and (${taskId ?? null}::uuid is null or u.task_id = ${taskId ?? null})
      group by u.link_id`,
  );

/** Ids of the links of an application. */
export const listLinksOfApplication = async (db: Db, customerId: string | null, appId: string): Promise<string[]> =>
  (
    await many(
      db,
      sql<{ id: string }>`select link_id as id from short_link
        where app_id = ${appId} and (${customerId}::uuid is null or customer_id = ${customerId})`,
    )
  ).map((row) => row.id);

/** Names of links and tasks; of deleted links too. */
export const listClickNames = async (
  db: Db,
  ids: { linkIds: readonly string[]; taskIds: readonly string[] },
): Promise<Record<string, string>> => {
  const rows = await many(
    db,
    sql<{ id: string; name: string }>`select link_id::text as id, link_name as name from short_link
        where link_id = any(${ids.linkIds}::uuid[])
      union all select task_id::text, task_name from task where task_id = any(${ids.taskIds}::uuid[])`,
  );
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
};
