import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAccountSid, readContentSid, readMessageSid, toAccountSid, toMessageSid } from './twilio-ids.ts';

test('ids are read back as they were, and nothing else is one', () => {
  for (const id of ['abc', 'app4kz7w2qxmd', 'A_b-c_d-e_f-g_h']) assert.equal(readAccountSid(toAccountSid(id)), id);
  for (const id of ['1', '15772582012787737', '999999999999999999']) assert.equal(readMessageSid(toMessageSid(id)), id);
  for (const sid of ['', 'AC', 'ACzz', `AC${'0'.repeat(32)}`, `AC${'f'.repeat(32)}`, `SM${'0'.repeat(32)}`])
    assert.equal(readAccountSid(sid), null, sid);
  for (const sid of ['', 'SM1', `SM${'f'.repeat(32)}`, `AC${'0'.repeat(32)}`])
    assert.equal(readMessageSid(sid), null, sid);
  const templateId = '01a2216f-c362-7692-951e-14e2c0b28dbd';
  assert.equal(readContentSid(`HX${templateId.replaceAll('-', '')}`), templateId);
  assert.equal(readContentSid('HX12'), null);
});
