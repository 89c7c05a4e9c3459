import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusName } from './statuses.ts';
import { hasStandardLength, integerTlv, readIntegerTlv, readStringTlv, stringTlv, TLV, tlvName } from './tlvs.ts';

test('integer TLVs take the length of SMPP 3.4 §5.3.2', () => {
  assert.equal(integerTlv('sar_msg_ref_num', 0x1234).value.toString('hex'), '1234');
  assert.equal(integerTlv('message_state', 2).value.toString('hex'), '02');
  assert.equal(integerTlv('qos_time_to_live', 60).value.toString('hex'), '0000003c');
  assert.equal(readIntegerTlv([integerTlv('sar_msg_ref_num', 0x1234)], 'sar_msg_ref_num'), 0x1234);
});

test('an integer of a wrong length reads as absent', () => {
  const wrong = { tag: TLV.message_state.tag, value: Buffer.from([0, 2]) };
  assert.equal(hasStandardLength(wrong), false);
  assert.equal(readIntegerTlv([wrong], 'message_state'), undefined);
});

test('strings are read with and without their NUL', () => {
  assert.equal(readStringTlv([stringTlv('receipted_message_id', '38601fa')], 'receipted_message_id'), '38601fa');
  const bare = { tag: TLV.receipted_message_id.tag, value: Buffer.from('38601fa') };
  assert.equal(readStringTlv([bare], 'receipted_message_id'), '38601fa');
  assert.equal(readStringTlv([], 'receipted_message_id'), undefined);
});

test('tags and statuses of the standard have names, others are shown by number', () => {
  assert.equal(tlvName(0x0427), 'message_state');
  assert.equal(tlvName(0x1403), undefined);
  assert.equal(statusName(0x58), 'ESME_RTHROTTLED');
  assert.equal(statusName(0x400), '0x00000400');
});
