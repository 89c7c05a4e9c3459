/** Classifies a carrier's deliver_sm or data_sm: a receipt, a part of a text from a phone, or unusable. */
import { uuidV7 } from '@pahatid/db';
import { DealResult, readReceiptStatus } from '@pahatid/domain';
import type { CarrierReceipt, InboundText } from '@pahatid/engine';
import {
  type DataSm,
  type DeliverSm,
  decodeText,
  isReceipt,
  type Receipt,
  readDataCoding,
  readReceipt,
  readUserData,
} from '@pahatid/smpp';
import type { LinkProfile } from '../link-profile.ts';
import { idForms } from './receipt-ids.ts';

export type Delivered =
  | { kind: 'receipt'; receipt: CarrierReceipt; isKnownStat: boolean }
  | { kind: 'text'; text: InboundText }
  | { kind: 'unreadable' };

/** A date further than this from now is in another zone or wrong: the time of arrival is better. */
const DATE_SLACK_MS = 3 * 86_400_000;
const LAST_SECOND_MS = 59_000;

export const isPlausibleDate = (ms: number, nowMs: number): boolean =>
  !Number.isNaN(ms) && Math.abs(ms - nowMs) <= DATE_SLACK_MS;

export const readDeliver = (
  pdu: DeliverSm | DataSm,
  supplierId: string,
  profile: LinkProfile,
  nowMs: number,
): Delivered => {
  if (isReceipt(pdu)) {
    const receipt = readReceipt(pdu);
    if (receipt?.id === undefined) return { kind: 'unreadable' };
    return readCarrierReceipt(pdu, receipt, supplierId, profile, nowMs);
  }
  const { octets, concatenation } = readUserData(pdu);
  const { alphabet } = readDataCoding(pdu.data_coding, profile.alphabet);
  return {
    kind: 'text',
    text: {
      supplierId,
      inboundId: uuidV7(nowMs),
      msisdn: plainMsisdn(pdu.source_addr),
      destination: pdu.destination_addr,
      // No column of text holds a NUL, which fills up what some phones write.
      content: (decodeText(octets, alphabet) ?? octets.toString('latin1')).replaceAll('\0', ''),
      receivedMs: nowMs,
      part: concatenation === undefined || concatenation.total === 1 ? null : concatenation,
    },
  };
};

function readCarrierReceipt(
  pdu: DeliverSm | DataSm,
  receipt: Receipt,
  supplierId: string,
  profile: LinkProfile,
  nowMs: number,
): Delivered {
  const meaning = readReceiptStatus(receipt.stat ?? 'UNKNOWN', profile);
  // TLV before text: if both are present, the TLV is the machine-written one.
  const ids = [receipt.tlvId, receipt.id].filter((id) => id !== undefined && id !== '');
  const err = receipt.err ?? (receipt.networkError === undefined ? undefined : String(receipt.networkError.code));
  let receiptId: string | undefined;
  return {
    kind: 'receipt',
    isKnownStat: meaning.known,
    receipt: {
      supplierId,
      // Created on demand: few receipts must wait, and random octets are the most expensive part of reading one.
      get receiptId() {
        receiptId ??= uuidV7(nowMs);
        return receiptId;
      },
      candidates: [...new Set(ids.flatMap((id) => idForms(id!, profile.idBase)))],
      msisdn: plainMsisdn(pdu.source_addr),
      clientSid: pdu.destination_addr,
      needsPhone: profile.receiptMatch === 'phone',
      clientStatus: meaning.clientStatus,
      final: meaning.final,
      dealResult: meaning.dealResult,
      carrierCode: err === undefined || /^0+$/.test(err) || meaning.dealResult === DealResult.Delivered ? null : err,
      reportMs: dateOf(receipt.doneDate, profile, nowMs),
      receivedMs: nowMs,
    },
  };
}

/** If a date has only minutes, returns its last second: its first may precede the submission. Never after now. */
function dateOf(date: string | undefined, profile: LinkProfile, nowMs: number): number | null {
  if (date === undefined) return null;
  const ms = Date.parse(`${date}Z`) - profile.receiptZoneMinutes * 60_000;
  if (!isPlausibleDate(ms, nowMs)) return null;
  const endsAtMinute = /T\d\d:\d\d$/.test(date);
  return endsAtMinute && ms <= nowMs ? Math.min(ms + LAST_SECOND_MS, nowMs) : ms;
}

/** Digits with the country: carriers of the Philippines also write 0917… and 917…. */
export const plainMsisdn = (address: string): string => {
  const digits = address.replace(/\D/g, '');
  if (/^09\d{9}$/.test(digits)) return `63${digits.slice(1)}`;
  return /^9\d{9}$/.test(digits) ? `63${digits}` : digits;
};
