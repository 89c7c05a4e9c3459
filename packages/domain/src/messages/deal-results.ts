/** Stable codes of a message's outcome; the console shows them in the viewer's language. */
import { type ClientStatus, SendStatus, type ValueOf } from '@pahatid/contract/enums';

export const DealResult = {
  Waiting: 'WAITING',
  HandedOver: 'HANDED_OVER',
  Unconfirmed: 'UNCONFIRMED',
  Accepted: 'ACCEPTED',
  Delivered: 'DELIVERED',
  Undelivered: 'UNDELIVERED',
  Expired: 'EXPIRED',
  Unknown: 'UNKNOWN',
  RejectedByCarrier: 'REJECTED_BY_CARRIER',
  DeletedByCarrier: 'DELETED_BY_CARRIER',
  CarrierFault: 'CARRIER_FAULT',
  CarrierNoCredit: 'CARRIER_NO_CREDIT',
  RefusedDestination: 'REFUSED_INVALID_DESTINATION',
  RefusedSender: 'REFUSED_INVALID_SENDER',
  RefusedLength: 'REFUSED_INVALID_LENGTH',
  RefusedSchedule: 'REFUSED_INVALID_SCHEDULE',
  RefusedByCarrier: 'REFUSED_BY_CARRIER',
  TriesUsedUp: 'TRIES_USED_UP',
  OptedOut: 'BLOCKED_OPTED_OUT',
  /** As many messages as the customer's own limit allows one phone. */
  TooFrequent: 'BLOCKED_FREQUENCY',
  /** The application may not send to the number's country any more. */
  CountryNotOpen: 'BLOCKED_COUNTRY',
  /** Its time was over before it was handed to a carrier. */
  NotSentInTime: 'NOT_SENT_IN_TIME',
  Terminated: 'TERMINATED',
  /** By the software that sent it. */
  Cancelled: 'CANCELLED',
  /** Known only after its parts were joined: against the rules of texts. */
  TextRefused: 'BLOCKED_TEXT',
} as const;
export type DealResult = ValueOf<typeof DealResult>;

/** Returns the code to show for a row without a stored one: waiting, in progress, or accepted. */
export const getDealResult = (row: {
  sendStatus: SendStatus;
  clientStatus: ClientStatus;
  dealResult: string | null;
  unconfirmed?: boolean;
}): string => {
  if (row.dealResult !== null) return row.dealResult;
  if (row.unconfirmed) return DealResult.Unconfirmed;
  if (row.sendStatus === SendStatus.Waiting) return DealResult.Waiting;
  if (row.sendStatus === SendStatus.Sending) return DealResult.HandedOver;
  return row.sendStatus === SendStatus.Failed ? DealResult.RefusedByCarrier : DealResult.Accepted;
};

/** Failures that a retry can't fix: retry excludes them. */
export const neverRetried: readonly string[] = [DealResult.OptedOut, DealResult.RefusedDestination];

/** Which failed messages a retry repeats: those with one of the chosen results, or all that a retry may fix. */
export const retryChoice = (only: readonly string[] | null) => ({
  never: neverRetried,
  only,
  unnamed: DealResult.RefusedByCarrier,
});
