/** Maps the `stat` text or message_state of a delivery receipt (SMPP 3.4 §5.2.28, Appendix B) to a message state. */
import { ClientStatus } from '@pahatid/contract/enums';
import { DealResult } from './deal-results.ts';

export interface ReceiptMeaning {
  clientStatus: ClientStatus;
  dealResult: DealResult;
  /** A final receipt ends the message; another only reports that it is in progress. */
  final: boolean;
  /** False for values that no standard names: shown as unknown, and worth an alarm. */
  known: boolean;
}

const final = (clientStatus: ClientStatus, dealResult: DealResult): ReceiptMeaning => ({
  clientStatus,
  dealResult,
  final: true,
  known: true,
});
const underWay: ReceiptMeaning = {
  clientStatus: ClientStatus.Submitted,
  dealResult: DealResult.Accepted,
  final: false,
  known: true,
};

const words: Record<string, ReceiptMeaning> = {
  DELIVRD: final(ClientStatus.Delivered, DealResult.Delivered),
  UNDELIV: final(ClientStatus.Undelivered, DealResult.Undelivered),
  EXPIRED: final(ClientStatus.Expired, DealResult.Expired),
  REJECTD: final(ClientStatus.Rejected, DealResult.RejectedByCarrier),
  DELETED: final(ClientStatus.Undelivered, DealResult.DeletedByCarrier),
  FAILED: final(ClientStatus.Undelivered, DealResult.Undelivered),
  SYSERR: final(ClientStatus.Undelivered, DealResult.CarrierFault),
  NOCRED: final(ClientStatus.Undelivered, DealResult.CarrierNoCredit),
  UNKNOWN: final(ClientStatus.Unknown, DealResult.Unknown),
  ENROUTE: underWay,
  ACCEPTD: underWay,
  BUFFRED: underWay,
  ACKED: underWay,
  SCHEDULED: underWay,
};

/** message_state of SMPP 3.4 §5.2.28, as the stat values of Appendix B; 9 is SKIPPED in 5.0. */
const states: Record<number, string> = {
  0: 'SCHEDULED',
  1: 'ENROUTE',
  2: 'DELIVRD',
  3: 'EXPIRED',
  4: 'DELETED',
  5: 'UNDELIV',
  6: 'ACCEPTD',
  7: 'UNKNOWN',
  8: 'REJECTD',
};

export interface ReceiptProfile {
  /** Carriers for which ACCEPTD is the final state. */
  acceptdIsFinal?: boolean;
}

/** Returns the meaning of a `stat` value in any case; an unknown value is "unknown", never silently failed. */
export const readReceiptStatus = (stat: string, profile: ReceiptProfile = {}): ReceiptMeaning => {
  const word = stat.trim().toUpperCase();
  if (word === 'ACCEPTD' && profile.acceptdIsFinal) return final(ClientStatus.Delivered, DealResult.Delivered);
  return words[word] ?? { ...final(ClientStatus.Unknown, DealResult.Unknown), known: false };
};

/** Returns the `stat` value of a message_state number, or null for one that the standard does not name. */
export const statOfMessageState = (state: number): string | null => states[state] ?? null;
