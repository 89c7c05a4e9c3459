import {
  buildReceiptText,
  type DataSm,
  type DeliverSm,
  encodePdu,
  formatReceiptDate,
  integerTlv,
  MESSAGE_STATE,
  makePdu,
  octetsTlv,
  stateOfStat,
  stringTlv,
  type Tlv,
} from '@pahatid/smpp';
import { receiptId } from './message-ids.ts';
import { type CarrierProfile, RECEIPT_FIELDS, type ReceiptField, type ReceiptProfile } from './profiles.ts';

/** A message a carrier took, as far as its receipt needs it. */
export type AcceptedMessage = {
  id: string;
  source: string;
  sourceTon: number;
  sourceNpi: number;
  destination: string;
  destinationTon: number;
  destinationNpi: number;
  submittedAt: number;
  /** The first characters of its text. */
  excerpt: string;
};

export type Report = { stat: string; err: string };

const ESM_CLASS_RECEIPT = 0x04;
/** Philippine time: carriers write their own. */
const OFFSET_MINUTES = 480;
const NO_OCTETS = Buffer.alloc(0);
const STATE_TLVS: readonly Tlv[] = Array.from({ length: MESSAGE_STATE.REJECTED + 1 }, (_, state) =>
  integerTlv('message_state', state),
);

/** The receipt on a message, in the manner of its carrier. Source and destination change places. */
function buildReceipt(
  profile: CarrierProfile,
  message: AcceptedMessage,
  report: Report,
  now: number,
): DeliverSm | DataSm {
  const { receipt } = profile;
  const octets = receiptOctets(profile, message, report, now);
  const tlvs = receipt.tlvs.map((name) => receiptTlv(profile, name, message.id, report));
  const inPayload = receipt.pdu === 'data_sm' || receipt.textIn === 'message_payload';
  if (inPayload && octets.length > 0) tlvs.push(octetsTlv('message_payload', octets));
  const fields = {
    source_addr_ton: message.destinationTon,
    source_addr_npi: message.destinationNpi,
    source_addr: message.destination,
    dest_addr_ton: message.sourceTon,
    dest_addr_npi: message.sourceNpi,
    destination_addr: message.source,
    esm_class: ESM_CLASS_RECEIPT,
    short_message: inPayload ? NO_OCTETS : octets,
    tlvs,
  };
  if (receipt.pdu === 'deliver_sm') return makePdu('deliver_sm', fields);
  const { short_message: _, ...common } = fields;
  return makePdu('data_sm', common);
}

/** Returns the receipt to send: raw octets only where the PDU has to be malformed. */
export function makeReceipt(
  profile: CarrierProfile,
  message: AcceptedMessage,
  report: Report,
  now: number,
): DeliverSm | DataSm | Buffer {
  const pdu = buildReceipt(profile, message, report, now);
  const last = pdu.tlvs.at(-1);
  if (!profile.receipt.brokenTlv || last === undefined) return pdu;
  const octets = encodePdu(pdu);
  octets.writeUInt16BE(last.value.length + 60, octets.length - last.value.length - 2);
  return octets;
}

function receiptOctets(profile: CarrierProfile, message: AcceptedMessage, report: Report, now: number): Buffer {
  const { receipt } = profile;
  if (receipt.text === 'none') return NO_OCTETS;
  const id = receiptId(message.id, profile.idFormat, receipt.textId);
  if (receipt.text === 'short') return Buffer.from(`${id} ${stateOfStat(report.stat)}`, 'latin1');
  const octets = Buffer.from(labelledText(receipt, id, message, report, now), 'latin1');
  if (!receipt.foreignQuote && !receipt.trailingNul) return octets;
  const foreign = receipt.foreignQuote ? [0x81, 0x8c, 0x84] : [];
  return Buffer.concat([octets, Buffer.from([...foreign, ...(receipt.trailingNul ? [0] : [])])]);
}

function labelledText(
  receipt: ReceiptProfile,
  id: string,
  message: AcceptedMessage,
  report: Report,
  now: number,
): string {
  const dlvrd = report.stat === 'DELIVRD' ? 1 : 0;
  const [submittedAt, doneAt] = [new Date(message.submittedAt), new Date(now)];
  if (isAppendix(receipt)) {
    const content = { ...report, id, sub: 1, dlvrd, submittedAt, doneAt, text: message.excerpt };
    return buildReceiptText(content, { dateFormat: receipt.dateFormat, offsetMinutes: OFFSET_MINUTES });
  }
  const number = (digits: string) => (receipt.numbers === 'padded' ? digits : digits.replace(/^0+(?=.)/, ''));
  const date = (at: Date) => formatReceiptDate(at, receipt.dateFormat, OFFSET_MINUTES);
  const values: Record<ReceiptField, string> = {
    id: `id:${id}`,
    sub: `sub:${number('001')}`,
    dlvrd: `dlvrd:${number(`00${dlvrd}`)}`,
    'submit date': `submit date:${date(submittedAt)}`,
    'done date': `done date:${date(doneAt)}`,
    stat: `stat:${report.stat}`,
    err: `err:${number(report.err)}`,
    text: `${receipt.quote === 'bare' ? '' : receipt.quote}${message.excerpt.slice(0, 20).replace(/[^ -~]/g, '?')}`,
  };
  return receipt.fields.map((field) => values[field]).join(' ');
}

/** Whether `fields` is the constant itself; an equal list takes the slower path to the same text. */
function isAppendix({ fields, numbers, quote }: ReceiptProfile): boolean {
  return fields === RECEIPT_FIELDS && numbers === 'padded' && quote === 'text:';
}

function receiptTlv(profile: CarrierProfile, name: ReceiptProfile['tlvs'][number], id: string, report: Report): Tlv {
  switch (name) {
    case 'receipted_message_id':
      return stringTlv('receipted_message_id', receiptId(id, profile.idFormat, profile.receipt.tlvId));
    case 'message_state':
      return STATE_TLVS[stateOfStat(report.stat)]!;
    case 'network_error_code':
      return octetsTlv('network_error_code', networkError(profile.receipt, report.err));
  }
}

function networkError(receipt: ReceiptProfile, err: string): Buffer {
  if (receipt.networkError === 'ascii') return Buffer.from(err.padStart(3, '0').slice(0, 3), 'latin1');
  const code = Number.parseInt(err, 10) || 0;
  const octets = Buffer.allocUnsafe(3);
  octets[0] = 3;
  octets[1] = code >> 8;
  octets[2] = code;
  return octets;
}
