import type { OutputOf, Routes } from '@pahatid/contract';
import { messageIdMs } from '@pahatid/db';
import type { RecordFilter } from '@pahatid/db/queries/records';
import type { SignedInUser } from '../../http/call.ts';
import { phonePrefixFor } from '../../http/phone-search.ts';

const dayMs = 86_400_000;
/** Where a request names no time. */
const defaultRangeMs = 7 * dayMs;

type RecordQuery = Omit<OutputOf<Routes['GET /records'], 'query'>, 'limit' | 'cursor'>;

/** What the list is narrowed to, and the range of time, milliseconds; a number as this user may look for one. */
export function readRecordQuery(
  query: RecordQuery,
  user: Pick<SignedInUser, 'role'>,
  now: Date,
): { filter: RecordFilter; fromMs: number; toMs: number } {
  const { clientSid, clientStatus, smsType, carrier, areaCode, taskId, templateId, appId, messageId, phoneAddress } =
    query;
  const toMs = query.to === undefined ? now.getTime() + dayMs : Date.parse(query.to);
  const usualFromMs = Math.min(toMs, now.getTime()) - defaultRangeMs;
  const fromMs =
    query.from !== undefined
      ? Date.parse(query.from)
      : // An id tells its time: who names one means it, however long ago it was.
        messageId === undefined
        ? usualFromMs
        : Math.min(usualFromMs, messageIdMs(messageId));
  const filter: RecordFilter = {
    clientSid: clientSid === '' ? undefined : clientSid,
    clientStatus,
    smsType,
    carrier,
    areaCode,
    taskId,
    templateId,
    appId,
    messageId,
    msisdnPrefix: phoneAddress === undefined ? undefined : phonePrefixFor(user, phoneAddress),
  };
  return { filter, fromMs, toMs };
}
