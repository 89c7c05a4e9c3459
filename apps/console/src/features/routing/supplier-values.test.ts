import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Supplier, type SupplierProfile, supplierProfile } from '@pahatid/contract';
import { findWrongStatus, offsetName, profileOf, validityOfHours, valuesOf, zoneOffsets } from './supplier-values.ts';

const whole: Required<SupplierProfile> = {
  idBase: 'hex',
  alphabet: 'latin1',
  sourceTon: 5,
  sourceNpi: 0,
  destinationTon: 1,
  destinationNpi: 1,
  serviceType: 'VMA',
  systemType: 'ESME',
  validityPeriod: '000001120000000R',
  receiptZoneMinutes: -210,
  acceptdIsFinal: true,
  receiptMatch: 'phone',
  receiptHours: 1,
  query: true,
  queueFull: 'account',
  statusClasses: { '0x401': 'permanent', '1032': 'throttled' },
  tls: true,
  responseTimeoutMs: 2_500,
};
const withProfile = (profile: SupplierProfile) => valuesOf({ profile } as Supplier);

test('every field of a profile is in the form, and comes out of it as it went in', () => {
  assert.deepEqual(Object.keys(whole).sort(), Object.keys(supplierProfile.shape).sort());
  assert.deepEqual(profileOf(withProfile(whole)), whole);
});

test('an untouched form gives a profile that the contract accepts, with no optional address fields', () => {
  const profile = profileOf(valuesOf(null));
  assert.deepEqual(supplierProfile.parse(profile), profile);
  assert.equal('sourceTon' in profile, false);
  assert.equal('idBase' in profile, false);
});

test('lengths of validity are relative times of whole days and hours', () => {
  assert.deepEqual([...validityOfHours].slice(0, 5), [
    ['000000010000000R', 1],
    ['000000060000000R', 6],
    ['000000120000000R', 12],
    ['000001000000000R', 24],
    ['000002000000000R', 48],
  ]);
  for (const validityPeriod of validityOfHours.keys()) supplierProfile.parse({ validityPeriod });
});

test('a status that is none, or that another row has in another writing, is found', () => {
  const rows = (...statuses: string[]) => statuses.map((status, key) => ({ key, status, class: 'permanent' as const }));
  assert.equal(findWrongStatus(rows('0x401', '1026', ' 8 ')), null);
  assert.deepEqual(findWrongStatus(rows('0x401', 'ESME_ROK')), { key: 1, isTwice: false });
  assert.deepEqual(findWrongStatus(rows('')), { key: 0, isTwice: false });
  assert.deepEqual(findWrongStatus(rows('0x401', '0x402', '1025')), { key: 2, isTwice: true });
});

test('offsets are named, and all of them are within the contract', () => {
  assert.equal(offsetName(480), 'UTC+08:00');
  assert.equal(offsetName(-210), 'UTC−03:30');
  for (const receiptZoneMinutes of zoneOffsets) supplierProfile.parse({ receiptZoneMinutes });
});
