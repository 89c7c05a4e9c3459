import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MsisdnSet } from './msisdn-set.ts';

test('knows every number once, through all its growth', () => {
  const set = new MsisdnSet();
  const reference = new Set<string>();
  let state = 1;
  for (let index = 0; index < 200_000; index += 1) {
    // A linear congruential generator replaces randomness, so that a failure can be reproduced.
    state = (state * 48_271) % 2_147_483_647;
    const msisdn = index % 3 === 0 ? `1415${state}` : `639${String(state % 100_000).padStart(9, '1')}`;
    assert.equal(set.add(msisdn), !reference.has(msisdn));
    reference.add(msisdn);
  }
  assert.equal(set.size, reference.size);
});

test('numbers with the same low digits, and the longest, are distinguished', () => {
  const set = new MsisdnSet(16);
  for (const msisdn of ['999999999999999', '999999999999998', '4294967296', '8589934592', '17179869184']) {
    assert.equal(set.add(msisdn), true);
    assert.equal(set.add(msisdn), false);
  }
  assert.equal(set.size, 5);
});
