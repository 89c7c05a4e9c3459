import { encodePdu, encodeText, integerTlv, isGsm7, makePdu, octetsTlv, segmentText, type Tlv } from '@pahatid/smpp';

/** A message from a phone to the customer. */
export type InboundMessage = {
  from: string;
  to: string;
  text: string;
  /** How a long one is joined: 8- or 16-bit header, SAR TLVs, or not cut at all (message_payload). Default `udh8`. */
  joinedBy?: 'udh8' | 'udh16' | 'sar' | 'payload';
  /** Joins the parts. Default 1. */
  reference?: number;
  /** Parts in this order, from 1; may repeat or leave out. Default all in order. */
  order?: readonly number[];
};

/** The deliver_sm octets of an inbound message, one per part, in the order asked for. */
export function encodeInboundMessage(message: InboundMessage): Buffer[] {
  const { joinedBy = 'udh8', reference = 1 } = message;
  const common = {
    source_addr_ton: 1,
    source_addr_npi: 1,
    source_addr: message.from,
    dest_addr_ton: /^\d+$/.test(message.to) ? 1 : 5,
    dest_addr_npi: 0,
    destination_addr: message.to,
  };
  if (joinedBy === 'payload') {
    const gsm7 = isGsm7(message.text);
    const tlvs = [octetsTlv('message_payload', encodeText(message.text, gsm7 ? 'gsm7' : 'ucs2'))];
    return [encodePdu(makePdu('deliver_sm', { ...common, data_coding: gsm7 ? 0 : 8, tlvs }))];
  }
  const { parts, data_coding, esm_class } = segmentText(message.text, reference);
  const pdus = parts.map((part, index) => {
    if (parts.length === 1 || joinedBy === 'udh8') return { esm_class, short_message: part, tlvs: [] };
    const body = part.subarray(6);
    if (joinedBy === 'sar') {
      return { esm_class: 0, short_message: body, tlvs: sarTlvs(reference, parts.length, index + 1) };
    }
    const header = Buffer.from([6, 8, 4, (reference >> 8) & 0xff, reference & 0xff, parts.length, index + 1]);
    return { esm_class, short_message: Buffer.concat([header, body]), tlvs: [] };
  });
  const order = message.order ?? pdus.map((_, index) => index + 1);
  return order.map((part) => {
    const pdu = pdus[part - 1];
    if (pdu === undefined) throw new RangeError(`there is no part ${part}; the message has ${pdus.length}`);
    return encodePdu(makePdu('deliver_sm', { ...common, ...pdu, data_coding }));
  });
}

function sarTlvs(reference: number, total: number, sequence: number): Tlv[] {
  return [
    integerTlv('sar_msg_ref_num', reference),
    integerTlv('sar_total_segments', total),
    integerTlv('sar_segment_seqnum', sequence),
  ];
}
