/** Classifies a carrier's answer to query_sm: the final state of a message, as its receipt would have it, or none. */
import { uuidV7 } from '@pahatid/db';
import type { OpenPart } from '@pahatid/db/queries/query-positions';
import { DealResult, readReceiptStatus, statOfMessageState } from '@pahatid/domain';
import type { CarrierReceipt } from '@pahatid/engine';
import { parseSmppTime, type ResponsePdu, resolveSmppTime, STATUS } from '@pahatid/smpp';
import type { LinkProfile } from '../link-profile.ts';
import { isPlausibleDate } from './read-deliver.ts';
import { storedId } from './receipt-ids.ts';

export type QueryAnswer =
  /** `state`: as of SMPP 3.4 §5.2.28. `receipt` is null while the message is under way. */
  | { kind: 'state'; state: string; receipt: CarrierReceipt | null }
  | { kind: 'refused'; status: number }
  | { kind: 'unanswered' };

export const readQueryAnswer = (
  answer: { status: number; pdu: ResponsePdu | undefined } | null,
  part: OpenPart,
  supplierId: string,
  profile: LinkProfile,
  nowMs: number,
): QueryAnswer => {
  if (answer === null) return { kind: 'unanswered' };
  const { status, pdu } = answer;
  if (status !== STATUS.ESME_ROK) return { kind: 'refused', status };
  if (pdu?.command !== 'query_sm_resp') return { kind: 'unanswered' };
  const stat = statOfMessageState(pdu.message_state ?? 0);
  // A reserved state is no result; the message is asked about again.
  if (stat === null) return { kind: 'state', state: 'OTHER', receipt: null };
  const meaning = readReceiptStatus(stat, profile);
  if (!meaning.final) return { kind: 'state', state: stat, receipt: null };
  const error = pdu.error_code ?? 0;
  return {
    kind: 'state',
    state: stat,
    receipt: {
      supplierId,
      receiptId: uuidV7(nowMs),
      candidates: [storedId(part.issuedId)],
      msisdn: part.msisdn,
      clientSid: part.clientSid,
      needsPhone: profile.receiptMatch === 'phone',
      clientStatus: meaning.clientStatus,
      final: true,
      dealResult: meaning.dealResult,
      carrierCode: error === 0 || meaning.dealResult === DealResult.Delivered ? null : String(error),
      reportMs: dateOf(pdu.final_date ?? '', nowMs),
      receivedMs: nowMs,
      isQueried: true,
    },
  };
};

function dateOf(given: string, nowMs: number): number | null {
  const time = parseSmppTime(given);
  if (time?.kind !== 'absolute') return null;
  const ms = resolveSmppTime(time, new Date(nowMs)).getTime();
  return ms <= nowMs && isPlausibleDate(ms, nowMs) ? ms : null;
}
