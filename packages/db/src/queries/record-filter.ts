/** Filter of a list of records: as a condition on each row, and on what the counts of a minute may contain. */

import { SendStatus } from '@pahatid/contract/enums';
import { sendStatus } from '../literals.ts';
import { type Fragment, sql } from '../sql.ts';
import { endsWith } from './shown-messages.ts';
import { allOf, minuteHasStatus } from './status-counts.ts';
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
  /** '' if unknown. */
  carrier?: string | undefined;
  areaCode?: string | undefined;
  taskId?: string | undefined;
  /** Of the message itself, or of its task. */
  templateId?: string | undefined;
  appId?: string | undefined;
  messageId?: string | undefined;
  /** One of these; not empty. */
  messageIds?: readonly string[] | undefined;
  /** One of the customers whose records are read. */
  customerId?: string | undefined;
  routeId?: string | undefined;
  /** That software gave it. */
  clientRef?: string | undefined;
  tag?: string | undefined;
}

/** With this many digits a number's prefix matches at most a thousand numbers, and its index is read instead. */
const indexedPrefixLength = 9;

export const isIndexedPrefix = (filter: RecordFilter): boolean =>
  (filter.msisdnPrefix?.length ?? 0) >= indexedPrefixLength;

/**
 * Send status as shown, of a row `m`. Only rows without a response ask their batch, the one that begins at or before
 * them, whether they are in progress.
 */
export const recordSendStatus = sql`case when m.send_status <> ${sendStatus.Waiting} then m.send_status else coalesce((
    select ${shownSendStatus} from (select * from batch x where x.batch_id <= m.message_id order by x.batch_id desc limit 1) b
  ), m.send_status) end`;

/** Waiting and in progress share one state of the row; if both are requested, or neither, no batch is read. */
const hasSendStatus = (asked: readonly number[]): Fragment => {
  if (asked.includes(SendStatus.Waiting) === asked.includes(SendStatus.Sending))
    return sql`s.send_status = any(${asked}::smallint[])`;
  const condition = sql`(select ${recordSendStatus} from (select s.send_status, s.message_id) m) = any(${asked}::smallint[])`;
  ofBatches.add(condition);
  return condition;
};

const ofBatches = new WeakSet<Fragment>();

/** Whether a condition of `rowConditions` reads other rows than the one it is about. */
export const readsBatches = (condition: Fragment): boolean => ofBatches.has(condition);

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
  if (filter.messageIds) all.push(sql`s.message_id = any(${filter.messageIds}::bigint[])`);
  return all;
};

/** Conditions on a row `s` of report_minute, or of the same cells elsewhere: that the filter leaves its cell in. */
export const cellConditions = (filter: RecordFilter, s: Fragment): Fragment[] => {
  const all: Fragment[] = [];
  if (filter.clientSid !== undefined) all.push(sql`lower(${s}.client_sid) = lower(${filter.clientSid})`);
  if (filter.smsType) all.push(sql`${s}.sms_type = any(${filter.smsType}::smallint[])`);
  if (filter.carrier !== undefined) all.push(sql`${s}.carrier = ${filter.carrier}`);
  if (filter.areaCode !== undefined) all.push(sql`${s}.area_code = ${filter.areaCode}`);
  if (filter.appId !== undefined) all.push(sql`${s}.app_id = ${filter.appId}`);
  if (filter.routeId !== undefined) all.push(sql`${s}.route_id = ${filter.routeId}`);
  return all;
};

/** Whether the rows `s` of report_minute of one customer and minute, grouped, leave room for a match. */
export const minuteMayMatch = (filter: RecordFilter): Fragment => {
  const matches = allOf(cellConditions(filter, sql`s`));
  return sql`bool_or(${matches}) and ${minuteHasStatus(filter, matches)}`;
};
