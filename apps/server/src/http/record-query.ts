import type { OutputOf, Routes } from '@pahatid/contract';
import { messageIdMs } from '@pahatid/db';
import type { RecordFilter } from '@pahatid/db/queries/records';
import type { Caller } from './call.ts';
import type { PhoneFilter } from './phone-search.ts';
import { fieldProblem } from './problem.ts';

const dayMs = 86_400_000;
/** If a request names no time; it begins with a minute, as counts do. */
const defaultRangeMs = 7 * dayMs;
const minuteMs = 60_000;
/** Longer than any message is kept: few have the same reference or tag. */
const wholeRangeMs = 500 * dayMs;

type RecordQuery = Omit<OutputOf<Routes['GET /records'], 'query'>, 'limit' | 'cursor' | 'sort'>;

/**
 * What the list is narrowed to, and the range of time, milliseconds. Customers and
 * routes are the provider's own affair.
 */
export function readRecordQuery(
  query: RecordQuery,
  user: Pick<Caller, 'customerId'>,
  phones: PhoneFilter,
  now: Date,
): { filter: RecordFilter; fromMs: number; toMs: number } {
  const { sendStatus, clientStatus, smsType, areaCode, taskId, templateId, appId, messageId, customerId, routeId } =
    query;
  const { messageIds } = query;
  const { from, to, clientSid, carrier, clientRef, tag } = query;
  if (user.customerId !== null)
    for (const name of ['customerId', 'routeId'] as const)
      if (query[name] !== undefined) throw fieldProblem(name, 'NOT_AN_OPTION');
  const toMs = to === undefined ? now.getTime() + dayMs : Date.parse(to);
  const rangeMs = (clientRef ?? tag) === undefined ? defaultRangeMs : wholeRangeMs;
  const usualFromMs = Math.floor((Math.min(toMs, now.getTime()) - rangeMs) / minuteMs) * minuteMs;
  const fromMs =
    from !== undefined
      ? Date.parse(from)
      : // An id contains its time: a request by id applies to that time, however long ago.
        Math.min(usualFromMs, ...[messageId ?? [], messageIds ?? []].flat().map(messageIdMs));
  const filter: RecordFilter = {
    clientSid: clientSid === '' ? undefined : clientSid,
    sendStatus,
    clientStatus,
    smsType,
    carrier: carrier === 'unknown' ? '' : carrier,
    areaCode,
    taskId,
    templateId,
    appId,
    messageId,
    messageIds,
    customerId,
    routeId,
    clientRef,
    tag,
    ...phones,
  };
  return { filter, fromMs, toMs };
}
