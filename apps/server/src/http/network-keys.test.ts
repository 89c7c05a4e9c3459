import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkKeys } from './network-keys.ts';

test('S14 addresses of one line are counted as one, however they are written', () => {
  assert.deepEqual(networkKeys('203.0.113.7'), {
    address: '203.0.113.7',
    network: '203.0.113.0/24',
    block: '203.0.0.0/16',
  });
  assert.deepEqual(networkKeys('::ffff:203.0.113.7'), networkKeys('203.0.113.7'));
  const keys = { address: '2001:db8:1:2::/64', network: '2001:db8:1::/48', block: '2001:db8::/32' };
  for (const ip of ['2001:db8:1:2::1', '2001:0db8:0001:0002:ffff::', '2001:DB8:1:2:3:4:5:6'])
    assert.deepEqual(networkKeys(ip), keys, ip);
  assert.deepEqual(networkKeys('::1'), { address: '0:0:0:0::/64', network: '0:0:0::/48', block: '0:0::/32' });
});
