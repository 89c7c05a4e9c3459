/**
 * What a list of records is narrowed to: by a condition on each row, and by what the counts of a minute (report_minute)
 * or of a batch say may be in it. The counts are moved in the transactions that write the rows, so a minute or batch
 * whose counts rule a match out holds none, and its rows are never read.
 */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { type Fragment, sql } from '../sql.ts';
import { endsWith } from './shown-messages.ts';
import { shownSendStatus } from './task-details.ts';

export interface RecordFilter {
  /** Digits that the number begins with; with anything else in it, it begins none. */
  msisdnPrefix?: string | undefined;
  /** Digits that it ends with. */
  msisdnSuffix?: string | undefined;
  clientSid?: string | undefined;
  sendStatus?: readonly number[] | undefined;
  clientStatus?: readonly number[] | undefined;
  smsType?: readonly number[] | undefined;
  /** '' where none was known. */
  carrier?: string | undefined;
  areaCode?: string | undefined;
  taskId?: string | undefined;
  /** Of the message itself, or of its task. */
  templateId?: string | undefined;
  appId?: string | undefined;
  messageId?: string | undefined;
  /** One of those whose records are read. */
  customerId?: string | undefined;
  routeId?: string | undefined;
}

/** With so many digits a number's prefix names a thousand numbers at most, and its index is read instead. */
const indexedPrefixLength = 9;

export const isIndexedPrefix = (filter: RecordFilter): boolean =>
  (filter.msisdnPrefix?.length ?? 0) >= indexedPrefixLength;

/**
 * Send status as shown, of a row `m`. Only rows without an answer ask their batch, the one that begins at or before them,
 * whether they are under way.
 */
export const recordSendStatus = sql`case when m.send_status <> 0 then m.send_status else coalesce((
    select ${shownSendStatus} from (select * from batch x where x.batch_id <= m.message_id order by x.batch_id desc limit 1) b
  ), m.send_status) end`;

/** Waiting and under way lie in one state of the row; where both are asked for, or neither, no batch is. */
const hasSendStatus = (asked: readonly number[]): Fragment =>
  asked.includes(SendStatus.Waiting) === asked.includes(SendStatus.Sending)
    ? sql`s.send_status = any(${asked}::smallint[])`
    : sql`(select ${recordSendStatus} from (select s.send_status, s.message_id) m) = any(${asked}::smallint[])`;

/** Conditions on a row `s` of message that are left after the range it was read by; none: every row is wanted. */
export const rowConditions = (filter: RecordFilter): Fragment[] => {
  const all: Fragment[] = [];
  if (filter.msisdnPrefix !== undefined && !isIndexedPrefix(filter))
    all.push(sql`starts_with(s.msisdn, ${filter.msisdnPrefix})`);
  if (filter.msisdnSuffix !== undefined) all.push(endsWith(sql`s.msisdn`, filter.msisdnSuffix));
  if (filter.clientSid !== undefined) all.push(sql`lower(s.client_sid) = lower(${filter.clientSid})`);
  if (filter.sendStatus) all.push(hasSendStatus(filter.sendStatus));
  if (filter.clientStatus) all.push(sql`s.client_status = any(${filter.clientStatus}::smallint[])`);
  if (filter.smsType) all.push(sql`s.sms_type = any(${filter.smsType}::smallint[])`);
  if (filter.carrier !== undefined)
    all.push(filter.carrier === '' ? sql`s.carrier is null` : sql`s.carrier = ${filter.carrier}`);
  if (filter.areaCode !== undefined) all.push(sql`s.area_code = ${filter.areaCode}`);
  if (filter.appId !== undefined) all.push(sql`s.app_id = ${filter.appId}`);
  if (filter.routeId !== undefined) all.push(sql`s.route_id = ${filter.routeId}`);
  return all;
};

/** Counts that tell what a minute holds: those of the first stage, the second divided by its receipts. */
type MinuteCount = 'open' | 'fail' | 'awaited' | 'delivered' | 'undelivered' | 'unknown';

/** A message in doubt is open, whatever its receipt will say. */
const countsOfClientStatus: Record<number, readonly MinuteCount[]> = {
  [ClientStatus.Accepted]: ['open'],
  [ClientStatus.Submitted]: ['open', 'awaited'],
  [ClientStatus.Delivered]: ['delivered'],
  [ClientStatus.Undelivered]: ['fail', 'undelivered'],
  [ClientStatus.Expired]: ['fail', 'undelivered'],
  [ClientStatus.Rejected]: ['fail', 'undelivered'],
  [ClientStatus.Unknown]: ['open', 'fail', 'unknown'],
  [ClientStatus.Blocked]: ['fail'],
};

const countsOfSendStatus: Record<number, readonly MinuteCount[]> = {
  [SendStatus.Waiting]: ['open'],
  [SendStatus.Sending]: ['open'],
  [SendStatus.Failed]: ['fail'],
  [SendStatus.Successful]: ['awaited', 'delivered', 'undelivered', 'unknown'],
};

/** Of several writers' rows of one cell, added up: each moves a part of the counts. */
const sumOf: Record<MinuteCount, Fragment> = {
  open: sql`sum(s.req_total - s.req_success - s.req_fail)`,
  fail: sql`sum(s.req_fail)`,
  awaited: sql`sum(s.req_success - s.receipt_success - s.receipt_fail - s.receipt_unknown)`,
  delivered: sql`sum(s.receipt_success)`,
  undelivered: sql`sum(s.receipt_fail)`,
  unknown: sql`sum(s.receipt_unknown)`,
};

const batchHas: Record<'open' | 'fail' | 'success', Fragment> = {
  open: sql`b.success_count + b.failed_count < b.message_count`,
  fail: sql`b.failed_count > 0`,
  success: sql`b.success_count > 0`,
};

const batchCountOf = (count: MinuteCount): keyof typeof batchHas =>
  count === 'open' || count === 'fail' ? count : 'success';

/** Each list: at least one of its counts is not zero where a match may be. */
const neededCounts = ({ sendStatus, clientStatus }: RecordFilter): MinuteCount[][] => {
  const needed: MinuteCount[][] = [];
  if (sendStatus) needed.push([...new Set(sendStatus.flatMap((status) => countsOfSendStatus[status] ?? []))]);
  if (clientStatus) needed.push([...new Set(clientStatus.flatMap((status) => countsOfClientStatus[status] ?? []))]);
  return needed;
};

const allOf = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
const anyOf = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;

/** Whether a row `s` of report_minute is of a cell that the filter leaves in. */
const cellMatches = (filter: RecordFilter): Fragment => {
  const all: Fragment[] = [];
  if (filter.clientSid !== undefined) all.push(sql`lower(s.client_sid) = lower(${filter.clientSid})`);
  if (filter.smsType) all.push(sql`s.sms_type = any(${filter.smsType}::smallint[])`);
  if (filter.carrier !== undefined) all.push(sql`s.carrier = ${filter.carrier}`);
  if (filter.areaCode !== undefined) all.push(sql`s.area_code = ${filter.areaCode}`);
  if (filter.appId !== undefined) all.push(sql`s.app_id = ${filter.appId}`);
  if (filter.routeId !== undefined) all.push(sql`s.route_id = ${filter.routeId}`);
  return allOf(all);
};

/** Whether the rows `s` of report_minute of one customer and minute, grouped, leave room for a match. */
export const minuteMayMatch = (filter: RecordFilter): Fragment => {
  const matches = cellMatches(filter);
  const needed = neededCounts(filter).map((counts) =>
    anyOf(counts.map((count) => sql`${sumOf[count]} filter (where ${matches}) > 0`)),
  );
  return allOf([sql`bool_or(${matches})`, ...needed]);
};

/** Whether a batch `b` may hold a match by its own counts. */
export const batchMayMatch = (filter: RecordFilter): Fragment =>
  allOf(
    neededCounts(filter).map((counts) => anyOf([...new Set(counts.map(batchCountOf))].map((count) => batchHas[count]))),
  );

/** Whether counts of batches say anything of the filter. */
export const asksForStatus = (filter: RecordFilter): boolean => neededCounts(filter).length > 0;
