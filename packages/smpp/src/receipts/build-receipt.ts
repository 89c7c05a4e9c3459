import { integerTlv, octetsTlv, stringTlv, type Tlv } from '../codec/tlvs.ts';
import { stateOfStat } from './message-states.ts';
import { formatReceiptDate, type ReceiptDateFormat } from './receipt-dates.ts';

export type ReceiptContent = {
  id: string;
  sub: number;
  dlvrd: number;
  submittedAt: Date;
  doneAt: Date;
  stat: string;
  err: string;
  /** Its first 20 characters are quoted. */
  text: string;
};

export type ReceiptStyle = {
  dateFormat?: ReceiptDateFormat;
  /** Of the dates, east of UTC. */
  offsetMinutes?: number;
};

/**
 * Returns the text of a receipt in the order of SMPP 3.4 Appendix B, table B-1. ASCII only: other characters of the
 * quoted text become question marks, since the alphabet in which a receipt is read is unknown.
 */
export function buildReceiptText(content: ReceiptContent, style: ReceiptStyle = {}): string {
  const { dateFormat = 'YYMMDDhhmm', offsetMinutes = 0 } = style;
  return (
    `id:${content.id} sub:${threeDigits(content.sub)} dlvrd:${threeDigits(content.dlvrd)}` +
    ` submit date:${formatReceiptDate(content.submittedAt, dateFormat, offsetMinutes)}` +
    ` done date:${formatReceiptDate(content.doneAt, dateFormat, offsetMinutes)}` +
    ` stat:${content.stat} err:${content.err} text:${quote(content.text)}`
  );
}

/** receipted_message_id, message_state and network_error_code (type 3, GSM) of the same receipt. */
export function buildReceiptTlvs(id: string, stat: string, networkErrorCode: number): Tlv[] {
  const error = Buffer.from([3, (networkErrorCode >> 8) & 0xff, networkErrorCode & 0xff]);
  return [
    stringTlv('receipted_message_id', id),
    integerTlv('message_state', stateOfStat(stat)),
    octetsTlv('network_error_code', error),
  ];
}

function threeDigits(n: number): string {
  return String(Math.min(n, 999)).padStart(3, '0');
}

function quote(text: string): string {
  return text.slice(0, 20).replace(/[^ -~]/g, '?');
}
