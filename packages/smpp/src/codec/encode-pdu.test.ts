import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BodyReader } from './body-reader.ts';
import { decodeBySpecs } from './decode-body.ts';
import { encodeBySpecs, encodePdu, encodePduInto, PduEncodeError, pduOctets } from './encode-pdu.ts';
import type { DeliverSm, SubmitSm } from './field-specs.ts';
import { makePdu } from './make-pdu.ts';
import { PduDecoder } from './pdu-decoder.ts';
import { WIRE_VECTORS, wireOctets } from './wire-vectors.ts';

for (const vector of WIRE_VECTORS) {
  test(`K8: decode and encode are the identity, SMPP 3.4 §${vector.section} ${vector.hex.slice(9, 17)}`, () => {
    const bytes = wireOctets(vector);
    const decoder = new PduDecoder({ strictTlvs: true });
    decoder.push(bytes);
    const decoded = decoder.next();
    assert.equal(decoded?.kind, 'pdu');
    assert.deepEqual(decoded.problems, []);
    assert.deepEqual(encodePdu(decoded.pdu), bytes);
    assert.deepEqual(encodeBySpecs(decoded.pdu), bytes);
    assert.equal(pduOctets(decoded.pdu), bytes.length);
  });
}

const octet = fc.integer({ min: 0, max: 255 });
const cstring = (max: number) =>
  fc.string({ unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: max - 1 });
const octetString = (max: number) => fc.uint8Array({ maxLength: max }).map((bytes) => Buffer.from(bytes));
const sm = fc
  .record({
    command: fc.constantFrom('submit_sm' as const, 'deliver_sm' as const),
    command_status: fc.integer({ min: 0, max: 0xffffffff }),
    sequence_number: fc.integer({ min: 0, max: 0xffffffff }),
    service_type: cstring(6),
    source_addr_ton: octet,
    source_addr_npi: octet,
    source_addr: cstring(21),
    dest_addr_ton: octet,
    dest_addr_npi: octet,
    destination_addr: cstring(21),
    esm_class: octet,
    protocol_id: octet,
    priority_flag: octet,
    schedule_delivery_time: cstring(17),
    validity_period: cstring(17),
    registered_delivery: octet,
    replace_if_present_flag: octet,
    data_coding: octet,
    sm_default_msg_id: octet,
    short_message: octetString(254),
    tlvs: fc.array(fc.record({ tag: fc.integer({ min: 0x1400, max: 0x3fff }), value: octetString(20) }), {
      maxLength: 4,
    }),
  })
  .map((fields) => fields as SubmitSm | DeliverSm);

test('the fast path of submit_sm and deliver_sm agrees with the field specs, in both directions', () => {
  fc.assert(
    fc.property(sm, (pdu) => {
      const bytes = encodePdu(pdu);
      assert.deepEqual(bytes, encodeBySpecs(pdu));
      const decoder = new PduDecoder();
      decoder.push(bytes);
      const decoded = decoder.next();
      assert.equal(decoded?.kind, 'pdu');
      const reader = new BodyReader();
      reader.open(bytes, 16, bytes.length);
      const { command, command_status, sequence_number } = pdu;
      const bySpecs = decodeBySpecs(reader, { command, command_status, sequence_number }, false);
      assert.equal(reader.fault, undefined);
      assert.deepEqual({ ...decoded.pdu }, { ...bySpecs });
      assert.deepEqual({ ...decoded.pdu }, { ...pdu, tlvs: pdu.tlvs.map((tlv) => ({ ...tlv })) });
    }),
    { numRuns: 300 },
  );
});

test('a PDU is encoded where it is asked to be, and the end is answered', () => {
  const pdu = makePdu('submit_sm_resp', { message_id: 'abc', sequence_number: 3 });
  const bytes = Buffer.alloc(64, 0xee);
  assert.equal(encodePduInto(pdu, bytes, 10), 30);
  assert.deepEqual(bytes.subarray(10, 30), encodePdu(pdu));
  assert.equal(bytes[30], 0xee);
});

test('what the wire cannot carry throws instead of being cut', () => {
  assert.throws(() => encodePdu(makePdu('submit_sm', { source_addr: 'x'.repeat(21) })), PduEncodeError);
  assert.throws(() => encodePdu(makePdu('submit_sm', { source_addr: 'a\0b' })), PduEncodeError);
  assert.throws(() => encodePdu(makePdu('submit_sm', { source_addr: 'дом' })), PduEncodeError);
  assert.throws(() => encodePdu(makePdu('submit_sm', { short_message: Buffer.alloc(255) })), PduEncodeError);
  assert.throws(() => encodePdu(makePdu('submit_sm', { esm_class: 256 })), PduEncodeError);
  assert.throws(() => encodePdu(makePdu('bind_transmitter', { password: 'ninechars' })), PduEncodeError);
});
