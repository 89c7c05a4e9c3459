/** The deliver_sm of a receipt or of a phone's text. */
import { ClientStatus, SmsType } from '@pahatid/contract/enums';
import { messageIdMs } from '@pahatid/db';
import type { DueDelivery } from '@pahatid/db/queries/smpp-deliveries';
import {
  buildReceiptText,
  buildReceiptTlvs,
  DATA_CODING,
  type DeliverSm,
  encodeText,
  gsm7Septets,
  makePdu,
  octetsTlv,
  statOfState,
} from '@pahatid/smpp';
import { toMessageState } from './query-cancel.ts';
import { readTerms } from './terms.ts';
import { offsetMinutesOf } from './zone-offsets.ts';

/** esm_class of a receipt, and of an intermediate notification (SMPP 3.4 §5.2.12). */
const RECEIPT = 0x04;
const INTERMEDIATE = 0x20;
/** Longest short_message that every receiver takes; longer texts go as message_payload. */
const SHORT_OCTETS = 254;

/** Returns null if what it speaks of was erased or deleted. */
export const buildDeliver = (delivery: DueDelivery, zone: string): DeliverSm | null =>
  delivery.inboundId === null ? buildReceipt(delivery, zone) : buildInbound(delivery);

function buildReceipt(delivery: DueDelivery, zone: string): DeliverSm | null {
  const { messageId, issuedId, smpp, msisdn, clientStatus } = delivery;
  if (messageId === null || issuedId === null || smpp === null || !msisdn || clientStatus === null) return null;
  const terms = readTerms(smpp, msisdn);
  const stat = statOfState(toMessageState({ clientStatus, dealResult: delivery.dealResult })) ?? 'UNKNOWN';
  const err = clientStatus === ClientStatus.Delivered ? '000' : toErr(delivery.carrierCode);
  const doneAt = delivery.reportAt ?? new Date(delivery.atMs);
  const text = buildReceiptText(
    {
      id: issuedId,
      sub: 1,
      dlvrd: clientStatus === ClientStatus.Delivered ? 1 : 0,
      submittedAt: new Date(messageIdMs(BigInt(issuedId))),
      doneAt,
      stat,
      err,
      text: quoteText(delivery),
    },
    { offsetMinutes: offsetMinutesOf(zone, doneAt) },
  );
  return makePdu('deliver_sm', {
    source_addr_ton: terms.destinationTon,
    source_addr_npi: terms.destinationNpi,
    source_addr: terms.destination,
    dest_addr_ton: terms.sourceTon,
    dest_addr_npi: terms.sourceNpi,
    destination_addr: terms.source === '' ? (delivery.clientSid ?? '') : terms.source,
    esm_class: clientStatus === ClientStatus.Submitted ? INTERMEDIATE : RECEIPT,
    data_coding: DATA_CODING.default,
    short_message: Buffer.from(text, 'latin1'),
    tlvs: buildReceiptTlvs(issuedId, stat, Number(/^\d{1,3}$/.test(err) ? err : 0)),
  });
}

/** Three characters: the carrier's own code if it has that form. */
const toErr = (code: string | null): string =>
  code !== null && /^[0-9A-Za-z]{1,3}$/.test(code) ? code.padStart(3, '0') : '000';

/** A code is not repeated in plain text. */
const quoteText = ({ content, smsType }: DueDelivery): string =>
  smsType === SmsType.Verification ? (content ?? '').replace(/\d{3,}/g, '***') : (content ?? '');

function buildInbound({ inboundFrom, inboundTo, inboundContent }: DueDelivery): DeliverSm | null {
  if (!inboundFrom || inboundTo === null || inboundContent === null) return null;
  const isGsm7 = gsm7Septets(inboundContent) !== undefined;
  const octets = encodeText(inboundContent, isGsm7 ? 'gsm7' : 'ucs2');
  const isLong = octets.length > SHORT_OCTETS;
  const isNumber = /^\d+$/.test(inboundTo);
  return makePdu('deliver_sm', {
    source_addr_ton: 1,
    source_addr_npi: 1,
    source_addr: inboundFrom,
    dest_addr_ton: isNumber ? 1 : 5,
    dest_addr_npi: isNumber ? 1 : 0,
    destination_addr: inboundTo.slice(0, 20),
    data_coding: isGsm7 ? DATA_CODING.default : DATA_CODING.ucs2,
    short_message: isLong ? Buffer.alloc(0) : octets,
    tlvs: isLong ? [octetsTlv('message_payload', octets)] : [],
  });
}
