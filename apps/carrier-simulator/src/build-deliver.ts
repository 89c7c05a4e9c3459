import {
  buildReceiptText,
  type DataSm,
  type DeliverSm,
  encodePdu,
  integerTlv,
  makePdu,
  octetsTlv,
  stateOfStat,
  stringTlv,
  type Tlv,
} from '@pahatid/smpp';
import { receiptId } from './message-ids.ts';
import type { CarrierProfile, ReceiptProfile } from './profiles.ts';

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

const ESM_CLASS_RECEIPT = 0x04;
/** Philippine time: carriers write their own. */
const OFFSET_MINUTES = 480;

/** The receipt on a message, in the manner of its carrier. Source and destination change places. */
export function buildReceipt(
  profile: CarrierProfile,
  message: AcceptedMessage,
  report: { stat: string; err: string },
  now: number,
): DeliverSm | DataSm {
  const { receipt } = profile;
  const octets = receiptOctets(profile, message, report, now);
  const tlvs = receiptTlvs(profile, message.id, report);
  const inPayload = receipt.pdu === 'data_sm' || receipt.textIn === 'message_payload';
  if (inPayload && octets.length > 0) tlvs.push(octetsTlv('message_payload', octets));
  const common = {
    source_addr_ton: message.destinationTon,
    source_addr_npi: message.destinationNpi,
    source_addr: message.destination,
    dest_addr_ton: message.sourceTon,
    dest_addr_npi: message.sourceNpi,
    destination_addr: message.source,
    esm_class: ESM_CLASS_RECEIPT,
    tlvs,
  };
  if (receipt.pdu === 'data_sm') return makePdu('data_sm', common);
  return inPayload ? makePdu('deliver_sm', common) : makePdu('deliver_sm', { ...common, short_message: octets });
}

function receiptOctets(
  profile: CarrierProfile,
  message: AcceptedMessage,
  report: { stat: string; err: string },
  now: number,
): Buffer {
  const { receipt } = profile;
  if (receipt.text === 'none') return Buffer.alloc(0);
  const id = receiptId(message.id, profile.idFormat, receipt.textId);
  const text =
    receipt.text === 'short' ? `${id} ${stateOfStat(report.stat)}` : longText(receipt, id, message, report, now);
  const octets = Buffer.from(text, 'latin1');
  if (receipt.text === 'short') return octets;
  const foreign = receipt.foreignQuote ? [Buffer.from([0x81, 0x8c, 0x84])] : [];
  return Buffer.concat([octets, ...foreign, ...(receipt.trailingNul ? [Buffer.from([0])] : [])]);
}

function longText(
  receipt: ReceiptProfile,
  id: string,
  message: AcceptedMessage,
  report: { stat: string; err: string },
  now: number,
): string {
  const dlvrd = report.stat === 'DELIVRD' ? 1 : 0;
  const content = {
    ...report,
    id,
    sub: 1,
    dlvrd,
    submittedAt: new Date(message.submittedAt),
    doneAt: new Date(now),
    text: message.excerpt,
  };
  const text = buildReceiptText(content, { dateFormat: receipt.dateFormat, offsetMinutes: OFFSET_MINUTES });
  const quoteAt = text.indexOf(' text:');
  let fields = text.slice(0, quoteAt);
  const quoted = text.slice(quoteAt + ' text:'.length);
  if (receipt.withoutCounts) fields = fields.replace(/ sub:\d+ dlvrd:\d+/, '');
  switch (receipt.quote) {
    case 'none':
      break;
    case 'bare':
      fields += ` ${quoted}`;
      break;
    default:
      fields += ` ${receipt.quote}${quoted}`;
  }
  return receipt.text === 'shuffled' ? shuffle(fields) : fields;
}

/** `err`, `stat` and the dates before the id, the quote in the middle. */
function shuffle(fields: string): string {
  const match = /^(id:\S+)(.*?)( submit date:\S+ done date:\S+)( stat:\S+)( err:\S+)(.*)$/s.exec(fields);
  if (match === null) return fields;
  const [, id, counts, dates, stat, err, quote] = match;
  return `${err}${dates}${quote}${stat}${counts} ${id}`.trim();
}

function receiptTlvs(profile: CarrierProfile, id: string, report: { stat: string; err: string }): Tlv[] {
  const { receipt } = profile;
  const values: Record<ReceiptProfile['tlvs'][number], () => Tlv> = {
    receipted_message_id: () => stringTlv('receipted_message_id', receiptId(id, profile.idFormat, receipt.tlvId)),
    message_state: () => integerTlv('message_state', stateOfStat(report.stat)),
    network_error_code: () => octetsTlv('network_error_code', networkError(receipt, report.err)),
  };
  return receipt.tlvs.map((name) => values[name]());
}

/** The octets of a receipt, its last TLV broken if the profile wants it so. */
export function encodeReceipt(profile: CarrierProfile, pdu: DeliverSm | DataSm): Buffer {
  const octets = encodePdu(pdu);
  const last = pdu.tlvs.at(-1);
  if (profile.receipt.brokenTlv && last !== undefined) {
    octets.writeUInt16BE(last.value.length + 60, octets.length - last.value.length - 2);
  }
  return octets;
}

function networkError(receipt: ReceiptProfile, err: string): Buffer {
  if (receipt.networkError === 'ascii') return Buffer.from(err.padStart(3, '0').slice(0, 3), 'latin1');
  const code = Number.parseInt(err, 10) || 0;
  return Buffer.from([3, code >> 8, code & 0xff]);
}
