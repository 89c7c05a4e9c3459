import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadedMessage } from '@pahatid/engine';
import { readLinkProfile } from '../link-profile.ts';
import { MessageEncoder } from './encode-message.ts';

const message: LoadedMessage = {
  position: 0,
  msisdn: '639171234567',
  content: 'Your code is 123456',
  pkgTotal: 1,
  price: 1,
  chargeType: 'SenderPays',
  key: {
    customerId: '',
    minuteMs: 0,
    appId: 'app',
    areaCode: 'PH',
    carrier: 'Globe',
    clientSid: 'SHOP',
    smsType: 1,
    routeId: '',
  },
  templateId: null,
  optedOut: false,
};

const periodOf = (validForMs: number | null, profile: object = {}): string =>
  new MessageEncoder(readLinkProfile(profile)).encode(message, 1n, { part: 1, validForMs }).validity_period;

test('validity_period is what is left of the life of a message, a relative time of SMPP 3.4 §7.1.1.2', () => {
  assert.equal(periodOf(300_000), '000000000500000R');
  assert.equal(periodOf(299_999), '000000000459000R');
  assert.equal(periodOf(61_000), '000000000101000R');
  assert.equal(periodOf(86_400_000), '000001000000000R');
  assert.equal(periodOf(1), '000000000001000R');
});

test('it is never longer than the period of the carrier', () => {
  assert.equal(periodOf(null), '000002000000000R');
  assert.equal(periodOf(604_800_000), '000002000000000R');
  assert.equal(periodOf(300_000, { validityPeriod: '000000000200000R' }), '000000000200000R');
  assert.equal(periodOf(90_000, { validityPeriod: '000000000200000R' }), '000000000130000R');
  assert.equal(periodOf(null, { validityPeriod: '' }), '');
  assert.equal(periodOf(604_800_000, { validityPeriod: '' }), '000007000000000R');
});
