/**
 * How many messages match a filter, from the counts of minutes and hours: no message is read. Null where the counts
 * don't know: a filter by anything that they are not divided by, or a time whose counts or messages are deleted.
 */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { type Db, type Fragment, one, sql } from '../sql.ts';
import { ofCustomer } from './real-customers.ts';
import { cellConditions, type RecordFilter } from './record-filter.ts';
import { areHours, figuresOf, type HourTable, MINUTE_DAYS } from './report-figures.ts';
import { allOf } from './status-counts.ts';

export interface RecordTotals {
  messages: number;
  /** Null if a status is chosen: segments are not counted by status. */
  chargedSegments: number | null;
  /** 1/10,000 PHP. */
  chargedCost: number | null;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** What a choice of statuses counts, by its statuses in order. */
const countsOfSendStatus: Record<string, Fragment> = {
  [SendStatus.Failed]: sql`req_fail`,
  [SendStatus.Successful]: sql`req_success`,
  [choiceOf([SendStatus.Waiting, SendStatus.Sending])]: sql`req_total - req_success - req_fail`,
};

/** A refused request and a message that a receipt calls rejected have one status: only all that failed is one count. */
const countsOfClientStatus: Record<string, Fragment> = {
  [ClientStatus.Delivered]: sql`receipt_success`,
  [choiceOf([
    ClientStatus.Undelivered,
    ClientStatus.Expired,
    ClientStatus.Rejected,
    ClientStatus.Blocked,
  ])]: sql`req_fail + receipt_fail`,
};

function choiceOf(statuses: readonly number[]): string {
  return statuses.toSorted((a, b) => a - b).join(',');
}

/** Null: the counts don't know it. */
const countOf = ({ sendStatus, clientStatus }: RecordFilter): Fragment | null => {
  if (sendStatus && clientStatus) return null;
  if (sendStatus) return countsOfSendStatus[choiceOf(sendStatus)] ?? null;
  if (clientStatus) return countsOfClientStatus[choiceOf(clientStatus)] ?? null;
  return sql`req_total`;
};

/** Whether the filter leaves only what counts are divided by. */
const isCounted = (filter: RecordFilter): boolean =>
  [
    filter.msisdnPrefix,
    filter.msisdnSuffix,
    filter.taskId,
    filter.templateId,
    filter.messageId,
    filter.messageIds,
    filter.clientRef,
    filter.tag,
  ].every((value) => value === undefined);

/** Whether counts have a boundary at this instant: of minutes that are kept, before them of hours. */
const isBoundary = (ms: number, nowMs: number): boolean =>
  ms % minuteMs === 0 && (ms > nowMs - (MINUTE_DAYS - 1) * dayMs || areHours([new Date(ms)]));

/** Where staff ask for nothing that divides customers, a few rows an hour hold the answer. */
const tableOf = (customerId: string | null, { appId, clientSid }: RecordFilter): HourTable =>
  customerId === null && appId === undefined && clientSid === undefined ? 'report_hour_total' : 'report_hour';

/** `customerId` null: all customers, for staff; `toMs` null: until now. */
export const sumRecords = async (
  db: Db,
  customerId: string | null,
  filter: RecordFilter,
  span: { fromMs: number; toMs: number | null; nowMs: number },
): Promise<RecordTotals | null> => {
  const { fromMs, toMs, nowMs } = span;
  const count = countOf(filter);
  if (count === null || !isCounted(filter)) return null;
  if (!isBoundary(fromMs, nowMs) || (toMs !== null && toMs < nowMs && !isBoundary(toMs, nowMs))) return null;
  const { keptSince } = await one<{ keptSince: Date | null }>(
    db,
    sql`select max(records_before) as "keptSince" from retention where ${ofCustomer(sql`customer_id`, customerId)}`,
  );
  if (keptSince !== null && fromMs < keptSince.getTime()) return null;
  const range = { from: new Date(fromMs), to: toMs === null || toMs >= nowMs ? null : new Date(toMs) };
  const isAll = filter.sendStatus === undefined && filter.clientStatus === undefined;
  const sums = await one<{ messages: number; segments: number; charged: number }>(
    db,
    sql`select coalesce(sum(${count}), 0)::float8 as messages, coalesce(sum(segments), 0)::float8 as segments,
          coalesce(sum(charged), 0)::float8 as charged
        from ${figuresOf(range, 'hour', tableOf(customerId, filter))}
        where ${allOf([ofCustomer(sql`customer_id`, customerId), ...cellConditions(filter, sql`figures`)])}`,
  );
  // Parts of a count that several writers move may be read a moment apart.
  const messages = Math.max(0, sums.messages);
  return isAll
    ? { messages, chargedSegments: sums.segments, chargedCost: sums.charged }
    : { messages, chargedSegments: null, chargedCost: null };
};
