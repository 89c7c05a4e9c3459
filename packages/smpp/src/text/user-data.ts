/**
 * Content of a submit_sm, deliver_sm or data_sm: the octets wherever they are (short_message or message_payload),
 * without the user data header, and which part of a longer message they are, by header (3GPP TS 23.040 §9.2.3.24) or
 * SAR TLVs (SMPP 3.4 §5.3.2.22–24).
 */
import type { DataSm, DeliverSm, SubmitSm } from '../codec/field-specs.ts';
import { findTlv, readIntegerTlv, TLV } from '../codec/tlvs.ts';
import { ESM_CLASS_UDHI } from './segment-text.ts';

export type Concatenation = {
  reference: number;
  /** References of 8 and of 16 bits are different spaces. */
  referenceBits: 8 | 16;
  total: number;
  /** From 1. */
  sequence: number;
};

export type UserData = {
  octets: Buffer;
  concatenation: Concatenation | undefined;
};

const CONCATENATION_8 = 0x00;
const CONCATENATION_16 = 0x08;

export function readUserData(pdu: SubmitSm | DeliverSm | DataSm): UserData {
  const octets = readPayload(pdu);
  const sar = readSar(pdu);
  if ((pdu.esm_class & ESM_CLASS_UDHI) === 0 || octets.length === 0) return { octets, concatenation: sar };
  const headerOctets = octets.readUInt8(0) + 1;
  // A header longer than the message is none: the octets are left as they are.
  if (headerOctets > octets.length) return { octets, concatenation: sar };
  return {
    octets: octets.subarray(headerOctets),
    concatenation: readHeader(octets.subarray(1, headerOctets)) ?? sar,
  };
}

function readPayload(pdu: SubmitSm | DeliverSm | DataSm): Buffer {
  if (pdu.command !== 'data_sm' && pdu.short_message.length > 0) return pdu.short_message;
  return findTlv(pdu.tlvs, TLV.message_payload.tag)?.value ?? Buffer.alloc(0);
}

function readHeader(header: Buffer): Concatenation | undefined {
  for (let at = 0; at + 2 <= header.length; ) {
    const id = header.readUInt8(at);
    const length = header.readUInt8(at + 1);
    const value = header.subarray(at + 2, at + 2 + length);
    if (id === CONCATENATION_8 && value.length === 3) {
      return checked({
        reference: value.readUInt8(0),
        referenceBits: 8,
        total: value.readUInt8(1),
        sequence: value.readUInt8(2),
      });
    }
    if (id === CONCATENATION_16 && value.length === 4) {
      return checked({
        reference: value.readUInt16BE(0),
        referenceBits: 16,
        total: value.readUInt8(2),
        sequence: value.readUInt8(3),
      });
    }
    at += 2 + length;
  }
  return undefined;
}

function readSar(pdu: SubmitSm | DeliverSm | DataSm): Concatenation | undefined {
  if (pdu.tlvs.length === 0) return undefined;
  const reference = readIntegerTlv(pdu.tlvs, 'sar_msg_ref_num');
  const total = readIntegerTlv(pdu.tlvs, 'sar_total_segments');
  const sequence = readIntegerTlv(pdu.tlvs, 'sar_segment_seqnum');
  if (reference === undefined || total === undefined || sequence === undefined) return undefined;
  return checked({ reference, referenceBits: 16, total, sequence });
}

/** Part 0, or part 4 of 3, is not a part: the standard requires such a message to be treated as a whole one. */
function checked(concatenation: Concatenation): Concatenation | undefined {
  const { total, sequence } = concatenation;
  return sequence >= 1 && sequence <= total ? concatenation : undefined;
}
