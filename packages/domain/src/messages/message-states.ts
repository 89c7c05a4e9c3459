/**
 * Known state of one message. States are ordered by rank, not by number: an event is written only if it raises the
 * rank, so events may arrive in any order and any number of times.
 *
 *   Accepted 0 → Submitted 1 → Unknown 2 → Undelivered, Expired, Rejected 3 → Delivered 4
 *
 * So the first failure stays, a late failure corrects "unknown", and a delivered receipt corrects everything. Blocked
 * ends a message before it reaches a carrier: nothing follows.
 */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';

const ranks: Record<ClientStatus, number> = {
  [ClientStatus.Accepted]: 0,
  [ClientStatus.Submitted]: 1,
  [ClientStatus.Unknown]: 2,
  [ClientStatus.Undelivered]: 3,
  [ClientStatus.Expired]: 3,
  [ClientStatus.Rejected]: 3,
  [ClientStatus.Delivered]: 4,
  [ClientStatus.Blocked]: 5,
};

export const clientStatusRank = (status: ClientStatus): number => ranks[status];

/** Whether `next` may be written over `current`. */
export const raisesClientStatus = (current: ClientStatus, next: ClientStatus): boolean => ranks[next] > ranks[current];

/** In which column of the statistics a receipt counts; null while it is awaited or none is due. */
export const getReceiptColumn = (status: ClientStatus): 'success' | 'fail' | 'unknown' | null => {
  switch (status) {
    case ClientStatus.Delivered:
      return 'success';
    case ClientStatus.Undelivered:
    case ClientStatus.Expired:
    case ClientStatus.Rejected:
      return 'fail';
    case ClientStatus.Unknown:
      return 'unknown';
    default:
      return null;
  }
};

/** Whether the carrier's (or our) response to the request has arrived. */
export const isAnswered = (status: SendStatus): boolean =>
  status === SendStatus.Failed || status === SendStatus.Successful;
