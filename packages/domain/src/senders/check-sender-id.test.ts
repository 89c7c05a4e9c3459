import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSenderId } from './check-sender-id.ts';

const cases: Record<string, string[]> = {
  ok: ['SARISARI', 'Bangko1', 'abc', 'A1B', 'SUNRISE', 'SMARTCART', 'GLOBETROT', 'DITOBOUT', 'TESTAMENT', 'INFOGRAPH'],
  LENGTH: ['', 'AB', 'ABCDEFGHIJKL'],
  CHARACTERS: ['SARI SARI', 'SARI-SARI', 'ÑANDU', '短信', 'SARI_1', 'SARI.PH', '+639171234'],
  NO_LETTER: ['123', '09171234567'],
  GENERIC: ['TEST', 'sms', 'Info', 'OTP', 'N0TICE', 'M5G', 'TEST1'],
  CARRIER: [
    'GLOBE',
    'Smart',
    'TNT',
    'DITO',
    'GOMO',
    'Gl0be',
    'SMARTINFO',
    'MYSMART',
    'GLOBE1',
    'SUNPROMO',
    'TMALERT',
    'GOLBE',
    'SMRAT',
    'NUS',
    'NTT',
    'GMOO',
  ],
};

for (const [verdict, senderIds] of Object.entries(cases))
  test(`sender IDs judged ${verdict}`, () => {
    for (const senderId of senderIds) assert.equal(checkSenderId(senderId) ?? 'ok', verdict, senderId);
  });
