/** query_sm and cancel_sm: of the application's own messages, by the id that a response gave. */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { isOfWaitingText, listSubmittedMessages, type QueriedMessage } from '@pahatid/db/queries/smpp-texts';
import { DealResult, parseMsisdn } from '@pahatid/domain';
import { formatAbsoluteTime, MESSAGE_STATE, type PduOf, type ResponseBody, STATUS } from '@pahatid/smpp';
import { cancelUnlessHandedOver } from '../sending/settle/cancel-message.ts';
import type { AcceptSubmitDeps } from './accept-submit.ts';
import type { BoundApplication } from './bound-application.ts';
import { toDialled } from './read-submit.ts';
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
  const all = await listSubmittedMessages(control, of);
  // Of several numbers, as long as one waits for its result, that one's.
  const found = all.find((each) => toMessageState(each) === MESSAGE_STATE.ENROUTE) ?? all[0];
  if (found === undefined) {
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

/**
 * Throws unless all messages of the id were cancelled before they were handed over. Those of a submit_multi that were not
 * handed over are cancelled in any case; an address in the request narrows them to its number.
 */
export async function cancelSubmitted(
  { account }: BoundApplication,
  { message_id, ...addresses }: PduOf<'cancel_sm'>,
  { control, acceptor }: AcceptSubmitDeps,
): Promise<void> {
  const { customerId, appId } = account;
  // Without an id it would cancel by addresses: a service that is not offered.
  const of = { customerId, appId, issuedId: readId(message_id, STATUS.ESME_RCANCELFAIL) };
  const found = await listSubmittedMessages(control, of);
  // A text is judged and charged when its last part has come: until then there is nothing to cancel.
  if (found.length === 0)
    throw new StatusError((await isOfWaitingText(control, of)) ? STATUS.ESME_RCANCELFAIL : STATUS.ESME_RINVMSGID);
  const meant = found.filter((each) => isMeant(each, addresses));
  if (!meant.some(isWaiting)) throw new StatusError(STATUS.ESME_RCANCELFAIL);
  let isWhole = true;
  for (const { messageId } of meant) {
    const read = async () => {
      const all = await listSubmittedMessages(control, of);
      const message = all.find((each) => each.messageId === messageId);
      if (message?.dealResult === DealResult.Cancelled) return 'cancelled';
      return message !== undefined && isWaiting(message) ? 'waiting' : 'ended';
    };
    const key = { customerId, messageId: BigInt(messageId) };
    const deps = { pool: control, writer: () => acceptor.writer() };
    if (!(await cancelUnlessHandedOver(key, read, deps))) isWhole = false;
  }
  if (!isWhole) throw new StatusError(STATUS.ESME_RCANCELFAIL);
}

const isWaiting = ({ sendStatus }: QueriedMessage): boolean => sendStatus === SendStatus.Waiting;

/** An empty address means any (SMPP 3.4 §4.9.1). */
function isMeant(
  { msisdn, clientSid }: QueriedMessage,
  { source_addr, dest_addr_ton, destination_addr }: Omit<PduOf<'cancel_sm'>, 'message_id'>,
): boolean {
  if (source_addr !== '' && source_addr.toUpperCase() !== clientSid.toUpperCase()) return false;
  if (destination_addr === '') return true;
  const number = parseMsisdn(toDialled(destination_addr, dest_addr_ton));
  return number.ok && number.msisdn === msisdn;
}

/** Ids are what responses gave: decimal digits. */
function readId(messageId: string, ifMissing: number): string {
  if (messageId === '') throw new StatusError(ifMissing);
  if (!/^\d{1,18}$/.test(messageId)) throw new StatusError(STATUS.ESME_RINVMSGID);
  return messageId;
}
