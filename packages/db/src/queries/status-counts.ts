/**
 * Which statuses the counts of a minute (report_minute) or of a batch allow. Counts are moved in the transactions that
 * write the rows, so if they rule a status out no row has it.
 */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { type Fragment, sql } from '../sql.ts';

export interface StatusFilter {
  readonly sendStatus?: readonly number[] | undefined;
  readonly clientStatus?: readonly number[] | undefined;
}

/** Counts of a minute by outcome: of the request first, of accepted messages by their receipt. */
type MinuteCount = 'open' | 'fail' | 'awaited' | 'delivered' | 'undelivered' | 'unknown';

/**
 * A failed request is Rejected or Blocked; every other final status belongs to a message that the carrier accepted. A
 * message in doubt is open, whatever its receipt will report.
 */
const countsOfClientStatus: Record<number, readonly MinuteCount[]> = {
  [ClientStatus.Accepted]: ['open'],
  [ClientStatus.Submitted]: ['open', 'awaited'],
  [ClientStatus.Delivered]: ['delivered'],
  [ClientStatus.Undelivered]: ['undelivered'],
  [ClientStatus.Expired]: ['undelivered'],
  [ClientStatus.Rejected]: ['fail', 'undelivered'],
  [ClientStatus.Unknown]: ['open', 'unknown'],
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

/** In each list, at least one of the counts is not zero where a match may be. */
const neededCounts = ({ sendStatus, clientStatus }: StatusFilter): MinuteCount[][] => {
  const needed: MinuteCount[][] = [];
  if (sendStatus) needed.push([...new Set(sendStatus.flatMap((status) => countsOfSendStatus[status] ?? []))]);
  if (clientStatus) needed.push([...new Set(clientStatus.flatMap((status) => countsOfClientStatus[status] ?? []))]);
  return needed;
};

export const allOf = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
const anyOf = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;

/**
 * Whether rows `s` of report_minute, grouped, leave room for the statuses asked for; `matches`: which of the rows count.
 */
export const minuteHasStatus = (filter: StatusFilter, matches: Fragment): Fragment =>
  allOf(
    neededCounts(filter).map((counts) =>
      anyOf(counts.map((count) => sql`${sumOf[count]} filter (where ${matches}) > 0`)),
    ),
  );

/** Whether a batch `b` leaves room for them by its own counts. */
export const batchHasStatus = (filter: StatusFilter): Fragment =>
  allOf(
    neededCounts(filter).map((counts) => anyOf([...new Set(counts.map(batchCountOf))].map((count) => batchHas[count]))),
  );

/** Whether counts of batches are relevant to the filter. */
export const asksForStatus = (filter: StatusFilter): boolean => neededCounts(filter).length > 0;
