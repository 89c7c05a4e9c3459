/** query_sm and cancel_sm: of the application's own messages, by the id that a response gave. */
import { ClientStatus } from '@pahatid/contract/enums';
import { findSubmittedMessage, isOfWaitingText, type QueriedMessage } from '@pahatid/db/queries/smpp-texts';
import { DealResult } from '@pahatid/domain';
import { formatAbsoluteTime, MESSAGE_STATE, type ResponseBody, STATUS } from '@pahatid/smpp';
import { cancelMessage } from '../sending/settle/cancel-message.ts';
import type { AcceptSubmitDeps } from './accept-submit.ts';
import type { BoundApplication } from './bound-application.ts';
import { StatusError } from './statuses.ts';
import { offsetMinutesOf } from './zone-offsets.ts';

const STATE_BY_STATUS: Readonly<Record<number, number>> = {
  [ClientStatus.Accepted]: MESSAGE_STATE.ENROUTE,
  [ClientStatus.Submitted]: MESSAGE_STATE.ENROUTE,
  [ClientStatus.Delivered]: MESSAGE_STATE.DELIVERED,
  [ClientStatus.Undelivered]: MESSAGE_STATE.UNDELIVERABLE,
  [ClientStatus.Expired]: MESSAGE_STATE.EXPIRED,
  [ClientStatus.Rejected]: MESSAGE_STATE.REJECTED,
  [ClientStatus.Unknown]: MESSAGE_STATE.UNKNOWN,
  [ClientStatus.Blocked]: MESSAGE_STATE.REJECTED,
};

/** Results of messages that never were sent and have a separate state. */
const STATE_BY_RESULT: Readonly<Record<string, number>> = {
  [DealResult.Cancelled]: MESSAGE_STATE.DELETED,
  [DealResult.NotSentInTime]: MESSAGE_STATE.EXPIRED,
};

/** message_state of SMPP 3.4 §5.2.28. */
export const toMessageState = ({
  clientStatus,
  dealResult,
}: Pick<QueriedMessage, 'clientStatus' | 'dealResult'>): number =>
  (clientStatus === ClientStatus.Blocked && dealResult !== null ? STATE_BY_RESULT[dealResult] : undefined) ??
  STATE_BY_STATUS[clientStatus] ??
  MESSAGE_STATE.UNKNOWN;

export async function querySubmitted(
  { account }: BoundApplication,
  messageId: string,
  { control }: AcceptSubmitDeps,
): Promise<ResponseBody> {
  const of = {
    customerId: account.customerId,
    appId: account.appId,
    issuedId: readId(messageId, STATUS.ESME_RQUERYFAIL),
  };
  const found = await findSubmittedMessage(control, of);
  if (found === null) {
    if (!(await isOfWaitingText(control, of))) throw new StatusError(STATUS.ESME_RQUERYFAIL);
    return { message_id: messageId, final_date: '', message_state: MESSAGE_STATE.ACCEPTED, error_code: 0 };
  }
  const state = toMessageState(found);
  const isFinal = state !== MESSAGE_STATE.ENROUTE && found.finalAt !== null;
  return {
    message_id: messageId,
    final_date: isFinal ? formatAbsoluteTime(found.finalAt!, offsetMinutesOf(account.zone, found.finalAt!)) : '',
    message_state: state,
    error_code: /^\d{1,3}$/.test(found.carrierCode ?? '') ? Number(found.carrierCode) & 0xff : 0,
  };
}

/** Throws unless the message was cancelled before it was handed over. */
export async function cancelSubmitted(
  { account }: BoundApplication,
  messageId: string,
  { control, acceptor }: AcceptSubmitDeps,
): Promise<void> {
  const { customerId, appId } = account;
  // Without an id it would cancel by addresses: a service that is not offered.
  const issuedId = readId(messageId, STATUS.ESME_RCANCELFAIL);
  const found = await findSubmittedMessage(control, { customerId, appId, issuedId });
  if (found === null) throw new StatusError(STATUS.ESME_RINVMSGID);
  const writer = await acceptor.writer();
  if (!(await cancelMessage(control, writer, { customerId, messageId: BigInt(found.messageId) })))
    throw new StatusError(STATUS.ESME_RCANCELFAIL);
}

/** Ids are what responses gave: decimal digits. */
function readId(messageId: string, ifMissing: number): string {
  if (messageId === '') throw new StatusError(ifMissing);
  if (!/^\d{1,18}$/.test(messageId)) throw new StatusError(STATUS.ESME_RINVMSGID);
  return messageId;
}
