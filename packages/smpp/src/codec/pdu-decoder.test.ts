import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodePdu } from './encode-pdu.ts';
import { makePdu } from './make-pdu.ts';
import { type Decoded, PduDecoder } from './pdu-decoder.ts';
import { WIRE_VECTORS, wireOctets } from './wire-vectors.ts';

function octets(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}

function drain(decoder: PduDecoder): Decoded[] {
  const outcomes: Decoded[] = [];
  for (let decoded = decoder.next(); decoded !== undefined; decoded = decoder.next()) {
    outcomes.push(decoded);
    if (decoded.kind === 'broken') break;
  }
  return outcomes;
}

function decodeOne(hex: string, options = {}): Decoded | undefined {
  const decoder = new PduDecoder(options);
  decoder.push(octets(hex));
  return decoder.next();
}

test('K1: any split of the octet stream gives the same PDUs', () => {
  const stream = Buffer.concat(WIRE_VECTORS.map(wireOctets));
  const whole = new PduDecoder();
  whole.push(stream);
  const expected = drain(whole);
  assert.equal(expected.length, WIRE_VECTORS.length);
  for (let at = 1; at < stream.length; at++) {
    const decoder = new PduDecoder();
    decoder.push(stream.subarray(0, at));
    const outcomes = drain(decoder);
    decoder.push(stream.subarray(at));
    assert.deepEqual([...outcomes, ...drain(decoder)], expected, `split at octet ${at}`);
  }
});

test('K1: one octet at a time gives the same PDUs', () => {
  const stream = Buffer.concat(WIRE_VECTORS.map(wireOctets));
  const whole = new PduDecoder();
  whole.push(stream);
  const decoder = new PduDecoder();
  const outcomes: Decoded[] = [];
  for (const octet of stream) {
    decoder.push(Buffer.from([octet]));
    outcomes.push(...drain(decoder));
  }
  assert.deepEqual(outcomes, drain(whole));
  assert.equal(decoder.pendingOctets, 0);
});

test('K2: a command_length below 16 or over the limit breaks the stream at its fourth octet', () => {
  for (const hex of ['0000000f', '00000000', '00000001', '00010001', 'f0000011', 'ffffffff']) {
    assert.deepEqual(decodeOne(hex), { kind: 'broken', command_length: Number.parseInt(hex, 16), sequence_number: 0 });
  }
  assert.equal(decodeOne('000000'), undefined);
  assert.equal(decodeOne('00010000'), undefined);
});

test('K2: a smaller limit holds before the bind, and the sequence number is quoted when the header is there', () => {
  assert.equal(decodeOne('00000400', { maxPduOctets: 1024 }), undefined);
  const decoded = decodeOne('00000401 00000004 00000000 00000007', { maxPduOctets: 1024 });
  assert.deepEqual(decoded, { kind: 'broken', command_length: 1025, sequence_number: 7 });
});

test('K2: nothing comes after a broken stream', () => {
  const decoder = new PduDecoder();
  decoder.push(octets('00000001'));
  assert.equal(decoder.next()?.kind, 'broken');
  decoder.push(octets('00000010 00000015 00000000 00000001'));
  assert.equal(decoder.next()?.kind, 'broken');
});

test('K3: an unknown command is skipped with its sequence number kept, and the next PDU is found', () => {
  const decoder = new PduDecoder();
  decoder.push(octets('00000012 00000110 00000000 80000007 abcd  00000010 00000015 00000000 00000002'));
  assert.deepEqual(decoder.next(), {
    kind: 'unknown_command',
    command_id: 0x110,
    command_status: 0,
    sequence_number: 0x80000007,
  });
  assert.equal(decoder.next()?.kind, 'pdu');
});

const SUBMIT_HEAD = '00000004 00000000 00000005';

/** Mandatory fields of a submit_sm up to sm_default_msg_id, all NULL settings. */
const NULL_FIELDS = '00 0000 00 0000 00 00 00 00 00 00 00 00 00 00';

const MALFORMED: readonly (readonly [why: string, hex: string, status: number])[] = [
  ['sm_length beyond the PDU', `00000024 ${SUBMIT_HEAD} ${NULL_FIELDS} 09 616263`, 0x01],
  ['no sm_length', `00000020 ${SUBMIT_HEAD} ${NULL_FIELDS}`, 0xc2],
  ['fields missing', `00000014 ${SUBMIT_HEAD} 00 01 01 00`, 0xc2],
  ['no body', `00000010 ${SUBMIT_HEAD}`, 0xc2],
  ['unterminated string', `00000012 ${SUBMIT_HEAD} 4142`, 0xc2],
  ['TLV beyond the PDU', `00000028 ${SUBMIT_HEAD} ${NULL_FIELDS} 00 0424 0008 616263`, 0xc0],
  ['dest_flag 3', '00000018 00000021 00000000 00000005 00 0000 00 01 03 0000', 0xc2],
  ['address count beyond the PDU', '00000019 00000021 00000000 00000005 00 0000 00 ff 02 4100 00', 0xc2],
];

for (const [why, hex, status] of MALFORMED) {
  test(`K4: ${why}: a typed error, exactly command_length octets used, the next PDU is found`, () => {
    const bytes = octets(hex);
    bytes.writeUInt32BE(bytes.length, 0);
    const decoder = new PduDecoder();
    decoder.push(Buffer.concat([bytes, octets('00000010 00000015 00000000 00000002')]));
    const decoded = decoder.next();
    assert.equal(decoded?.kind, 'malformed');
    assert.equal(decoded.status, status);
    assert.equal(decoded.sequence_number, 5);
    assert.equal(decoded.mandatory === undefined, status !== 0xc0);
    const next = decoder.next();
    assert.equal(next?.kind === 'pdu' && next.pdu.sequence_number, 2);
  });
}

test('K4: a malformed response has its status and sequence number', () => {
  const decoded = decodeOne('00000012 80000004 00000000 0a342ee1 3939');
  assert.equal(decoded?.kind, 'malformed');
  assert.deepEqual(
    [decoded.command, decoded.command_status, decoded.sequence_number],
    ['submit_sm_resp', 0, 0x0a342ee1],
  );
});

test('K4: every PDU cut short is malformed or whole, never one with missing fields', () => {
  for (const vector of WIRE_VECTORS) {
    const bytes = wireOctets(vector);
    for (let length = 16; length < bytes.length; length++) {
      const cut = Buffer.from(bytes.subarray(0, length));
      cut.writeUInt32BE(length, 0);
      const decoder = new PduDecoder();
      decoder.push(cut);
      const decoded = decoder.next();
      assert.ok(decoded !== undefined && decoded.kind !== 'broken');
      if (decoded.kind !== 'pdu' || decoded.pdu.command.endsWith('_resp')) continue;
      assert.deepEqual(Object.keys(decoded.pdu), Object.keys(makePdu(decoded.pdu.command)));
      assert.ok(Object.values(decoded.pdu).every((value) => value !== undefined));
    }
  }
});

test('K5: a response may lack its body at any status', () => {
  for (const id of ['80000001', '80000002', '80000009', '80000003', '80000004', '80000005', '80000021', '80000103']) {
    for (const status of ['00000000', '00000058']) {
      const decoded = decodeOne(`00000010 ${id} ${status} 00000001`);
      assert.equal(decoded?.kind, 'pdu');
      assert.deepEqual(decoded.problems, []);
    }
  }
});

test('K5: on errors only the header is sent', () => {
  const refusal = makePdu('submit_sm_resp', { command_status: 0x0b, sequence_number: 9 });
  assert.equal(encodePdu(refusal).toString('hex'), '00000010800000040000000b00000009');
});

test('K6: any 32-bit sequence number is taken and sent back verbatim', () => {
  for (const sequence of ['00000000', '80000000', '806a179b', 'ffffffff']) {
    const decoded = decodeOne(`00000010 00000015 00000000 ${sequence}`);
    assert.equal(decoded?.kind === 'pdu' && decoded.pdu.sequence_number, Number.parseInt(sequence, 16));
    const answer = makePdu('enquire_link_resp', { sequence_number: Number.parseInt(sequence, 16) });
    assert.equal(encodePdu(answer).toString('hex').slice(24), sequence);
  }
});

test('K7: unknown TLVs, their order and empty ones survive decode and encode', () => {
  const hex = '0000002a 80000004 00000000 00000001 343200 1403 0003 286e75 0427 0001 02 1fff 0000 0210 0001 34';
  const bytes = octets(hex);
  bytes.writeUInt32BE(bytes.length, 0);
  const decoder = new PduDecoder({ strictTlvs: true });
  decoder.push(bytes);
  const decoded = decoder.next();
  assert.equal(decoded?.kind, 'pdu');
  assert.deepEqual(
    decoded.pdu.tlvs.map((tlv) => tlv.tag),
    [0x1403, 0x0427, 0x1fff, 0x0210],
  );
  assert.deepEqual(encodePdu(decoded.pdu), bytes);
});

test('K7: an integer TLV of a wrong length is refused by a server and ignored towards carriers', () => {
  const hex = '00000019 80000004 00000000 00000001 343200 0427 0002 0002';
  const strict = decodeOne(hex, { strictTlvs: true });
  assert.equal(strict?.kind === 'malformed' && strict.status, 0xc2);
  const lenient = decodeOne(hex);
  assert.equal(lenient?.kind === 'pdu' && lenient.problems.length, 1);
});

test('one to three stray octets and an over-long password are tolerated and noted', () => {
  const stray = decodeOne('00000012 00000015 00000000 00000001 0000');
  assert.equal(stray?.kind === 'pdu' && stray.problems.length, 1);
  const long = decodeOne('0000001d 0000000b 00000000 00000001 6100 6c6f6e6770617373776f00');
  assert.equal(long?.kind === 'pdu' && long.problems.length, 1);
});
