import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePdu } from '../codec/make-pdu.ts';
import { integerTlv, octetsTlv } from '../codec/tlvs.ts';
import { Reassembler } from './reassembler.ts';
import { segmentText } from './segment-text.ts';
import { type Concatenation, readUserData } from './user-data.ts';

function part(sequence: number, total = 3, reference = 9): Concatenation {
  return { reference, referenceBits: 8, total, sequence };
}

test('K11: a part is identified by an 8-bit header, and its text excludes it', () => {
  const { parts, esm_class } = segmentText('x'.repeat(200), 0x2a);
  const data = readUserData(makePdu('deliver_sm', { esm_class, short_message: parts[1]! }));
  assert.deepEqual(data.concatenation, { reference: 0x2a, referenceBits: 8, total: 2, sequence: 2 });
  assert.equal(data.octets.toString('latin1'), 'x'.repeat(47));
});

test('K11: by a 16-bit header, also behind another element', () => {
  const short_message = Buffer.from('0a2401030804123403024869', 'hex').subarray(0, 12);
  const data = readUserData(makePdu('deliver_sm', { esm_class: 0x40, short_message }));
  assert.deepEqual(data.concatenation, { reference: 0x1234, referenceBits: 16, total: 3, sequence: 2 });
});

test('K11: by SAR TLVs, with the text in message_payload', () => {
  const tlvs = [
    integerTlv('sar_msg_ref_num', 500),
    integerTlv('sar_total_segments', 2),
    integerTlv('sar_segment_seqnum', 1),
    octetsTlv('message_payload', Buffer.from('Hello')),
  ];
  const data = readUserData(makePdu('deliver_sm', { tlvs }));
  assert.deepEqual(data.concatenation, { reference: 500, referenceBits: 16, total: 2, sequence: 1 });
  assert.equal(data.octets.toString(), 'Hello');
  assert.equal(readUserData(makePdu('data_sm', { tlvs })).octets.toString(), 'Hello');
});

test('K11: part 0, part 3 of 2 and a header longer than the message make a whole message', () => {
  for (const hex of ['0500030a020041', '0500030a020341']) {
    const data = readUserData(makePdu('deliver_sm', { esm_class: 0x40, short_message: Buffer.from(hex, 'hex') }));
    assert.deepEqual([data.concatenation, data.octets.toString()], [undefined, 'A']);
  }
  const short_message = Buffer.from('ff0003', 'hex');
  assert.deepEqual(readUserData(makePdu('deliver_sm', { esm_class: 0x40, short_message })).octets, short_message);
});

test('K11: parts in any order make the message in order, once', () => {
  const reassembler = new Reassembler<string>();
  assert.deepEqual(reassembler.add('a>b', part(3), 'c'), { state: 'waiting', missing: 2 });
  assert.deepEqual(reassembler.add('a>b', part(1), 'a'), { state: 'waiting', missing: 1 });
  assert.deepEqual(reassembler.add('a>b', part(1), 'a'), { state: 'repeated' });
  assert.deepEqual(reassembler.add('a>b', part(2), 'b'), { state: 'complete', parts: ['a', 'b', 'c'] });
  assert.equal(reassembler.size, 0);
});

test('K11: senders, references and totals are kept apart', () => {
  const reassembler = new Reassembler<string>();
  reassembler.add('a>b', part(1, 2), 'A1');
  reassembler.add('c>b', part(1, 2), 'C1');
  reassembler.add('a>b', part(1, 2, 10), 'R1');
  reassembler.add('a>b', part(1, 3), 'T1');
  assert.equal(reassembler.size, 4);
  assert.deepEqual(reassembler.add('a>b', part(2, 2), 'A2'), { state: 'complete', parts: ['A1', 'A2'] });
});

test('K11: the number of incomplete messages is bounded, the oldest is dropped', () => {
  const reassembler = new Reassembler<number>({ maxMessages: 2 });
  for (let reference = 0; reference < 5; reference++) reassembler.add('a>b', part(1, 2, reference), reference);
  assert.equal(reassembler.size, 2);
  assert.deepEqual(reassembler.add('a>b', part(2, 2, 4), 9), { state: 'complete', parts: [4, 9] });
});
