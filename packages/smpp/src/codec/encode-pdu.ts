/**
 * PDU → octets. Values that the wire cannot carry are mistakes of the caller and throw `PduEncodeError`; nothing is
 * silently cut. As in the decoder, submit_sm, deliver_sm and their responses take a straight-line path.
 */
import { COMMAND_ID } from './commands.ts';
import {
  type DeliverSm,
  type DeliverSmResp,
  type Destination,
  FIELD_SPECS,
  type FieldSpec,
  type Pdu,
  type SubmitFailure,
  type SubmitSm,
  type SubmitSmResp,
} from './field-specs.ts';
import type { Tlv } from './tlvs.ts';

export class PduEncodeError extends Error {
  override name = 'PduEncodeError';
}

const HEADER_OCTETS = 16;

/** Encodes into a new buffer. */
export function encodePdu(pdu: Pdu): Buffer {
  const bytes = Buffer.allocUnsafe(pduOctets(pdu));
  encodePduInto(pdu, bytes, 0);
  return bytes;
}

/** Exact command_length of the PDU when encoded. */
export function pduOctets(pdu: Pdu): number {
  switch (pdu.command) {
    case 'submit_sm':
    case 'deliver_sm':
      return smOctets(pdu);
    case 'submit_sm_resp':
    case 'deliver_sm_resp':
      return HEADER_OCTETS + (pdu.message_id === undefined ? 0 : pdu.message_id.length + 1) + tlvsOctets(pdu.tlvs);
    default:
      return octetsBySpecs(pdu);
  }
}

/** Encodes at `offset`, where `pduOctets(pdu)` octets must be free, and returns the offset after the PDU. */
export function encodePduInto(pdu: Pdu, bytes: Buffer, offset: number): number {
  switch (pdu.command) {
    case 'submit_sm':
    case 'deliver_sm':
      return writeSm(pdu, bytes, offset);
    case 'submit_sm_resp':
    case 'deliver_sm_resp':
      return writeSmResponse(pdu, bytes, offset);
    default:
      return encodeBySpecsInto(pdu, bytes, offset);
  }
}

/** The path of every other PDU, and the reference for the straight-line ones. */
export function encodeBySpecs(pdu: Pdu): Buffer {
  const bytes = Buffer.allocUnsafe(octetsBySpecs(pdu));
  encodeBySpecsInto(pdu, bytes, 0);
  return bytes;
}

function smOctets(pdu: SubmitSm | DeliverSm): number {
  // 17 octets: the twelve one-octet fields (sm_length among them) and the five closing NULs.
  return (
    HEADER_OCTETS +
    17 +
    pdu.service_type.length +
    pdu.source_addr.length +
    pdu.destination_addr.length +
    pdu.schedule_delivery_time.length +
    pdu.validity_period.length +
    pdu.short_message.length +
    tlvsOctets(pdu.tlvs)
  );
}

function writeSm(pdu: SubmitSm | DeliverSm, bytes: Buffer, offset: number): number {
  let at = writeCString(bytes, offset + HEADER_OCTETS, pdu.service_type, 6);
  bytes[at++] = octet(pdu.source_addr_ton);
  bytes[at++] = octet(pdu.source_addr_npi);
  at = writeCString(bytes, at, pdu.source_addr, 21);
  bytes[at++] = octet(pdu.dest_addr_ton);
  bytes[at++] = octet(pdu.dest_addr_npi);
  at = writeCString(bytes, at, pdu.destination_addr, 21);
  bytes[at++] = octet(pdu.esm_class);
  bytes[at++] = octet(pdu.protocol_id);
  bytes[at++] = octet(pdu.priority_flag);
  at = writeCString(bytes, at, pdu.schedule_delivery_time, 17);
  at = writeCString(bytes, at, pdu.validity_period, 17);
  bytes[at++] = octet(pdu.registered_delivery);
  bytes[at++] = octet(pdu.replace_if_present_flag);
  bytes[at++] = octet(pdu.data_coding);
  bytes[at++] = octet(pdu.sm_default_msg_id);
  at = writeShortMessage(bytes, at, pdu.short_message);
  if (pdu.tlvs.length > 0) at = writeTlvs(bytes, at, pdu.tlvs);
  writeHeader(pdu, bytes, offset, at - offset);
  return at;
}

function writeSmResponse(pdu: SubmitSmResp | DeliverSmResp, bytes: Buffer, offset: number): number {
  let at = offset + HEADER_OCTETS;
  if (pdu.message_id !== undefined) at = writeCString(bytes, at, pdu.message_id, 65);
  if (pdu.tlvs.length > 0) at = writeTlvs(bytes, at, pdu.tlvs);
  writeHeader(pdu, bytes, offset, at - offset);
  return at;
}

function octetsBySpecs(pdu: Pdu): number {
  const fields = pdu as unknown as Record<string, unknown>;
  let octets = HEADER_OCTETS + tlvsOctets(pdu.tlvs);
  for (const spec of FIELD_SPECS[pdu.command] as readonly FieldSpec[]) {
    const value = fields[spec.name];
    if (value !== undefined) octets += fieldOctets(spec, value);
  }
  return octets;
}

function fieldOctets(spec: FieldSpec, value: unknown): number {
  switch (spec.kind) {
    case 'integer':
      return 1;
    case 'cstring':
      return (value as string).length + 1;
    case 'short_message':
      return (value as Buffer).length + 1;
    case 'destinations': {
      let octets = 1;
      for (const to of value as Destination[]) {
        octets += 'dl_name' in to ? to.dl_name.length + 2 : to.destination_addr.length + 4;
      }
      return octets;
    }
    case 'failures': {
      let octets = 1;
      for (const failure of value as SubmitFailure[]) octets += failure.destination_addr.length + 7;
      return octets;
    }
  }
}

function encodeBySpecsInto(pdu: Pdu, bytes: Buffer, offset: number): number {
  const fields = pdu as unknown as Record<string, unknown>;
  let at = offset + HEADER_OCTETS;
  for (const spec of FIELD_SPECS[pdu.command] as readonly FieldSpec[]) {
    const value = fields[spec.name];
    if (value !== undefined) at = writeField(bytes, at, spec, value);
  }
  at = writeTlvs(bytes, at, pdu.tlvs);
  writeHeader(pdu, bytes, offset, at - offset);
  return at;
}

function writeField(bytes: Buffer, at: number, spec: FieldSpec, value: unknown): number {
  switch (spec.kind) {
    case 'integer':
      bytes[at] = octet(value as number);
      return at + 1;
    case 'cstring':
      return writeCString(bytes, at, value as string, spec.max);
    case 'short_message':
      return writeShortMessage(bytes, at, value as Buffer);
    case 'destinations':
      return writeDestinations(bytes, at, value as Destination[]);
    case 'failures':
      return writeFailures(bytes, at, value as SubmitFailure[]);
  }
}

function writeHeader(pdu: Pdu, bytes: Buffer, offset: number, length: number): void {
  bytes.writeUInt32BE(length, offset);
  bytes.writeUInt32BE(COMMAND_ID[pdu.command], offset + 4);
  bytes.writeUInt32BE(pdu.command_status, offset + 8);
  bytes.writeUInt32BE(pdu.sequence_number, offset + 12);
}

function octet(value: number): number {
  if ((value & 0xff) !== value) throw new PduEncodeError(`${value} does not fit one octet`);
  return value;
}

/** `max` counts the closing NUL. */
function writeCString(bytes: Buffer, at: number, text: string, max: number): number {
  const length = text.length;
  if (length >= max) throw new PduEncodeError(`"${text}" is longer than ${max - 1} octets`);
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0 || code > 0xff) throw new PduEncodeError(`"${text}" is no C-octet string`);
    bytes[at++] = code;
  }
  bytes[at++] = 0;
  return at;
}

function writeShortMessage(bytes: Buffer, at: number, message: Buffer): number {
  const length = message.length;
  if (length > 254) throw new PduEncodeError(`short_message of ${length} octets; 254 is the most (SMPP 3.4 §5.2.21)`);
  bytes[at] = length;
  if (length > 0) bytes.set(message, at + 1);
  return at + 1 + length;
}

function writeDestinations(bytes: Buffer, at: number, destinations: readonly Destination[]): number {
  bytes[at++] = octet(destinations.length);
  for (const to of destinations) {
    if ('dl_name' in to) {
      bytes[at++] = 2;
      at = writeCString(bytes, at, to.dl_name, 21);
    } else {
      bytes[at++] = 1;
      at = writeAddress(bytes, at, to);
    }
  }
  return at;
}

function writeFailures(bytes: Buffer, at: number, failures: readonly SubmitFailure[]): number {
  bytes[at++] = octet(failures.length);
  for (const failure of failures) {
    at = bytes.writeUInt32BE(failure.error_status_code, writeAddress(bytes, at, failure));
  }
  return at;
}

function writeAddress(bytes: Buffer, at: number, address: Exclude<Destination, { dl_name: string }>): number {
  bytes[at++] = octet(address.dest_addr_ton);
  bytes[at++] = octet(address.dest_addr_npi);
  return writeCString(bytes, at, address.destination_addr, 21);
}

function tlvsOctets(tlvs: readonly Tlv[]): number {
  let octets = 0;
  for (const tlv of tlvs) octets += 4 + tlv.value.length;
  return octets;
}

function writeTlvs(bytes: Buffer, at: number, tlvs: readonly Tlv[]): number {
  for (const { tag, value } of tlvs) {
    at = bytes.writeUInt16BE(tag, at);
    at = bytes.writeUInt16BE(value.length, at);
    bytes.set(value, at);
    at += value.length;
  }
  return at;
}
