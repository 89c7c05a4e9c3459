/** Clicks: written as they come, judged a little later, counted by minute once they are. */
import type { ClickVerdict } from '@pahatid/domain';
import { numberArray, textArray } from '../array-literal.ts';
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';
import { messagesIn, messagesWith } from './message-archive.ts';

export interface NewClick {
  code: string;
  clickId: string;
  customerId: string;
  linkId: string;
  at: Date;
  os: string;
  browser: string;
  device: string;
  sign: 'head' | 'scanner' | null;
}

export const insertClicks = async (db: Db, clicks: readonly NewClick[]): Promise<void> => {
  const texts = (name: 'code' | 'clickId' | 'customerId' | 'linkId' | 'os' | 'browser' | 'device' | 'sign') =>
    textArray(clicks.map((click) => click[name]));
  const times = clicks.map(({ at }) => at.toISOString());
  await run(
    db,
    sql`insert into link_click (code, click_id, customer_id, link_id, at, os, browser, device, sign, judge_at)
        select c.*, c.at from unnest(${texts('code')}::text[], ${texts('clickId')}::uuid[], ${texts('customerId')}::uuid[],
          ${texts('linkId')}::uuid[], ${times}::timestamptz[], ${texts('os')}::text[], ${texts('browser')}::text[],
          ${texts('device')}::text[], ${texts('sign')}::text[]) as c(code, click_id, customer_id, link_id, at)`,
  );
};

export interface OpenClick extends NewClick {
  messageId: string | null;
  mode: 'shared' | 'perRecipient';
  firstReceiptAt: Date | null;
}

/** One judge at a time over all processes: clicks have no separate lock. False: another one is at it. */
export const lockJudge = async (tx: Db): Promise<boolean> =>
  (await maybe(tx, sql<{ ok: boolean }>`select pg_try_advisory_xact_lock(hashtext('pahatid judge clicks')) as ok`))
    ?.ok === true;

export const listOpenClicks = async (tx: Db, limit: number, offsetMs: number): Promise<OpenClick[]> => {
  const clicks = await many(
    tx,
    sql<
      Omit<OpenClick, 'mode' | 'firstReceiptAt'>
    >`select c.code, c.click_id as "clickId", c.customer_id as "customerId",
        c.link_id as "linkId", c.at, c.os, c.browser, c.device, c.sign, k.message_id::text as "messageId"
      from link_click c left join link_code k on k.code = c.code
      where c.judge_at is not null and c.judge_at <= ${dbNow(offsetMs)} order by c.judge_at limit ${limit}`,
  );
  if (clicks.length === 0) return [];
  const links = await many(
    tx,
    sql<{ linkId: string; mode: OpenClick['mode']; firstReceiptAt: Date | null }>`select link_id as "linkId", mode,
        first_receipt_at as "firstReceiptAt" from short_link
      where link_id = any(${[...new Set(clicks.map((click) => click.linkId))]}::uuid[])`,
  );
  const linkOf = new Map(links.map((link) => [link.linkId, link]));
  return clicks.map((click) => ({ mode: 'shared', firstReceiptAt: null, ...click, ...linkOf.get(click.linkId) }));
};

export interface ClickedMessage {
  messageId: string;
  taskId: string | null;
  areaCode: string;
  carrier: string | null;
  reportAt: Date | null;
}

export const findClickedMessages = (
  tx: Db,
  customerId: string,
  messageIds: readonly string[],
): Promise<ClickedMessage[]> =>
  many(
    tx,
    sql<ClickedMessage>`select message_id::text as "messageId", task_id as "taskId", area_code as "areaCode", carrier,
        report_at as "reportAt"
      from ${messagesWith(customerId, messageIds)} m`,
  );

/** Batches looked through for a link's first receipt: it is among the first messages or comes soon. */
const batchesRead = 5;

/** Whether it was sent by a task whose messages have gone. */
const hadTask = async (tx: Db, customerId: string, linkId: string): Promise<boolean> =>
  (await maybe(
    tx,
    sql`select 1 from link_task l join task_minute m on m.task_id = l.task_id
        where l.customer_id = ${customerId} and l.link_id = ${linkId} limit 1`,
  )) !== null;

/** Of the tasks that send a link: whether there is one, and the first receipt among their first batches. */
export const findFirstReceipt = async (
  tx: Db,
  customerId: string,
  linkId: string,
): Promise<{ hasTask: boolean; at: Date | null }> => {
  const batches = await many(
    tx,
    sql<{ low: string; high: string }>`select b.batch_id::text as low, (b.batch_id + b.message_count)::text as high
      from link_task l join batch b on b.task_id = l.task_id
      where l.customer_id = ${customerId} and l.link_id = ${linkId} order by b.batch_id limit ${batchesRead}`,
  );
  if (batches.length === 0) return { hasTask: await hadTask(tx, customerId, linkId), at: null };
  const found = await maybe(
    tx,
    sql<{ at: Date | null }>`select min(m.report_at) as at
      from ${messagesIn(sql`${customerId}::uuid`, sql`${batches[0]!.low}::bigint`, sql`${batches.at(-1)!.high}::bigint`)} m
      join unnest(${numberArray(batches.map((each) => each.low))}::bigint[], ${numberArray(batches.map((each) => each.high))}::bigint[]) as b(low, high)
        on m.message_id >= b.low and m.message_id < b.high`,
  );
  if (found?.at) await run(tx, sql`update short_link set first_receipt_at = ${found.at} where link_id = ${linkId}`);
  return { hasTask: true, at: found?.at ?? null };
};

/** Marks codes as clicked by their recipients; returns those that were not marked before. */
export const markFirstClicks = async (
  tx: Db,
  clicks: readonly { code: string; at: Date }[],
): Promise<ReadonlySet<string>> => {
  const rows = await many(
    tx,
    sql<{ code: string }>`update link_code k set first_click_at = n.at
      from unnest(${textArray(clicks.map((each) => each.code))}::text[], ${clicks.map((each) => each.at.toISOString())}::timestamptz[]) as n(code, at)
      where k.code = n.code and k.message_id is not null and k.first_click_at is null returning k.code`,
  );
  return new Set(rows.map((row) => row.code));
};

export const setVerdicts = async (
  tx: Db,
  clicks: readonly { code: string; clickId: string; verdict: ClickVerdict | null; judgeAt: Date | null }[],
): Promise<void> => {
  await run(
    tx,
    sql`update link_click c set verdict = n.verdict, judge_at = n.judge_at
        from unnest(${textArray(clicks.map((each) => each.code))}::text[], ${textArray(clicks.map((each) => each.clickId))}::uuid[],
          ${textArray(clicks.map((each) => each.verdict))}::text[],
          ${clicks.map((each) => each.judgeAt?.toISOString() ?? null)}::timestamptz[]) as n(code, click_id, verdict, judge_at)
        where c.code = n.code and c.click_id = n.click_id`,
  );
};

export interface ClickCell {
  customerId: string;
  linkId: string;
  minute: Date;
  /** '' if none, as with carrier and areaCode. */
  taskId: string;
  areaCode: string;
  carrier: string;
  os: string;
  browser: string;
  device: string;
  verdict: ClickVerdict;
  clicks: number;
  firsts: number;
  firstAt: Date;
  lastAt: Date;
}

export const addClickCells = async (tx: Db, cells: readonly ClickCell[]): Promise<void> => {
  const texts = (
    name: 'customerId' | 'linkId' | 'taskId' | 'areaCode' | 'carrier' | 'os' | 'browser' | 'device' | 'verdict',
  ) => textArray(cells.map((cell) => cell[name]));
  const times = (name: 'minute' | 'firstAt' | 'lastAt') => cells.map((cell) => cell[name].toISOString());
  await run(
    tx,
    sql`insert into link_minute (customer_id, link_id, minute, task_id, area_code, carrier, os, browser, device, verdict,
          click_count, first_count, first_at, last_at)
        select * from unnest(${texts('customerId')}::uuid[], ${texts('linkId')}::uuid[], ${times('minute')}::timestamptz[],
          ${texts('taskId')}::text[], ${texts('areaCode')}::text[], ${texts('carrier')}::text[], ${texts('os')}::text[],
          ${texts('browser')}::text[], ${texts('device')}::text[], ${texts('verdict')}::text[],
          ${numberArray(cells.map((cell) => cell.clicks))}::int[], ${numberArray(cells.map((cell) => cell.firsts))}::int[],
          ${times('firstAt')}::timestamptz[], ${times('lastAt')}::timestamptz[])
        on conflict (customer_id, link_id, minute, task_id, area_code, carrier, os, browser, device, verdict) do update set
          click_count = link_minute.click_count + excluded.click_count,
          first_count = link_minute.first_count + excluded.first_count,
          first_at = least(link_minute.first_at, excluded.first_at),
          last_at = greatest(link_minute.last_at, excluded.last_at)`,
  );
};

export interface ClickRow {
  clickId: string;
  at: Date;
  os: string;
  browser: string;
  device: string;
  verdict: ClickVerdict | null;
  messageId: string | null;
}

export const listClicks = (
  db: Db,
  of: { customerId: string; linkId: string; human: boolean; limit: number } & PageOrder,
): Promise<ClickRow[]> => {
  const { past, orderBy } = pageBy([[sql`c.click_id`, 'uuid']], of);
  return many(
    db,
    sql<ClickRow>`select c.click_id as "clickId", c.at, c.os, c.browser, c.device, c.verdict, k.message_id::text as "messageId"
      from link_click c left join link_code k on k.code = c.code
      where c.customer_id = ${of.customerId} and c.link_id = ${of.linkId}
        and ${past} and (not ${of.human} or c.verdict = 'human')
      order by ${orderBy} limit ${of.limit}`,
  );
};

/** Returns the owners of clicked codes. */
export const findClickers = (
  db: Db,
  customerId: string,
  messageIds: readonly string[],
): Promise<(ClickedMessage & { msisdn: string })[]> =>
  many(
    db,
    sql<ClickedMessage & { msisdn: string }>`select message_id::text as "messageId", task_id as "taskId",
        area_code as "areaCode", carrier, report_at as "reportAt", msisdn
      from ${messagesWith(customerId, messageIds)} m`,
  );

/** Clicks on the codes of some messages: the stored data about a person. */
export const listClicksOfMessages = (
  db: Db,
  customerId: string,
  messageIds: readonly string[],
): Promise<(ClickRow & { linkId: string })[]> =>
  many(
    db,
    sql<
      ClickRow & { linkId: string }
    >`select c.click_id as "clickId", c.link_id as "linkId", c.at, c.os, c.browser, c.device,
        c.verdict, k.message_id::text as "messageId"
      from link_code k join link_click c on c.code = k.code
      where k.customer_id = ${customerId} and k.message_id = any(${numberArray(messageIds)}::bigint[]) order by c.click_id`,
  );

/**
 * Removes the person from clicks: click rows are deleted, counts stay, and the code keeps redirecting without revealing
 * its recipient.
 */
export const eraseClicks = async (tx: Db, customerId: string, messageIds: readonly string[]): Promise<number> => {
  const codes = await many(
    tx,
    sql<{ code: string }>`select code from link_code
      where customer_id = ${customerId} and message_id = any(${numberArray(messageIds)}::bigint[])`,
  );
  if (codes.length === 0) return 0;
  const literal = textArray(codes.map((row) => row.code));
  // Clicks not judged yet are no longer counted: their recipient could not be determined.
  const gone = await run(tx, sql`delete from link_click where code = any(${literal}::text[])`);
  await run(tx, sql`update link_code set message_id = null where code = any(${literal}::text[])`);
  return gone;
};

/** Deletes clicks and codes of deleted messages, except codes of links that still redirect. */
export const deleteClicksOfMessages = async (
  tx: Db,
  customerId: string,
  messageIds: readonly string[],
  now: Date,
): Promise<void> => {
  const ids = numberArray(messageIds);
  const codes = await many(
    tx,
    sql<{ code: string; linkId: string }>`select code, link_id as "linkId" from link_code
      where customer_id = ${customerId} and message_id >= ${messageIds[0]}::bigint and message_id = any(${ids}::bigint[])`,
  );
  if (codes.length === 0) return;
  const open = await many(
    tx,
    sql<{ linkId: string }>`select link_id as "linkId" from short_link
      where link_id = any(${[...new Set(codes.map((row) => row.linkId))]}::uuid[]) and expires_at > ${now} and deleted_at is null`,
  );
  const isOpen = new Set(open.map((row) => row.linkId));
  const literal = textArray(codes.map((row) => row.code));
  await run(tx, sql`delete from link_click where code = any(${literal}::text[])`);
  await run(
    tx,
    sql`update link_code set message_id = null where code = any(${textArray(codes.filter((row) => isOpen.has(row.linkId)).map((row) => row.code))}::text[])`,
  );
  await run(
    tx,
    sql`delete from link_code where code = any(${textArray(codes.filter((row) => !isOpen.has(row.linkId)).map((row) => row.code))}::text[])`,
  );
};

/**
 * Deletes clicks on codes without a message, and codes left over from such messages whose link has ended; a bounded
 * number.
 */
export const deleteOldClicks = async (tx: Db, customerId: string, before: Date, limit: number): Promise<number> => {
  const clicks = await many(
    tx,
    sql<{ code: string; id: string }>`select code, click_id as id from link_click
      where customer_id = ${customerId} and at < ${before} and judge_at is null limit ${limit}`,
  );
  if (clicks.length > 0)
    await run(
      tx,
      sql`delete from link_click where code = any(${textArray(clicks.map((row) => row.code))}::text[])
            and click_id = any(${clicks.map((row) => row.id)}::uuid[])`,
    );
  const ended = await many(
    tx,
    sql<{ linkId: string; code: string }>`select link_id as "linkId", code from short_link
      where customer_id = ${customerId} and least(expires_at, deleted_at) < ${before} order by created_at desc limit 1000`,
  );
  const codes =
    ended.length === 0
      ? []
      : await many(
          tx,
          sql<{
            code: string;
          }>`select code from link_code where link_id = any(${ended.map((row) => row.linkId)}::uuid[])
            and message_id is null and not (code = any(${ended.map((row) => row.code)}::text[])) limit ${limit}`,
        );
  if (codes.length > 0)
    await run(tx, sql`delete from link_code where code = any(${textArray(codes.map((row) => row.code))}::text[])`);
  return clicks.length + codes.length;
};
