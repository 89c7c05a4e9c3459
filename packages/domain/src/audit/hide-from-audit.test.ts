import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideFromAudit, hidePhones } from './hide-from-audit.ts';

test('S56 phones are masked in every spelling, at any position', () => {
  for (const phone of ['639171234567', '+639171234567', '09171234567', '0917 123 4567', '+63 917-123-4567'])
    assert.doesNotMatch(hidePhones(`to ${phone}, please`), /123[ -]?4567/, phone);
  assert.equal(hidePhones('639171234567'), '63******4567');
  assert.equal(hidePhones('+14155550123'), '14*****0123');
});

test('ids, sums and times are left as they are', () => {
  for (const text of [
    '123456789012345678',
    '019a0917-1234-7567-8901-091712345678',
    '2026-11-21T09:17:12.345Z',
    '1000000000',
  ])
    assert.equal(hidePhones(text), text);
});

test('S56 secret values never pass, statements about them do', () => {
  assert.deepEqual(
    hideFromAudit({
      password: 'x',
      deep: [{ appSecret: 'y', smppPassword: 'z' }],
      tokens: ['a'],
      passwordHash: 'b',
      passwordChanged: true,
      secretHint: 'ab…yz',
      phone: '09171234567',
      useState: 1,
      none: null,
    }),
    {
      password: '•••',
      deep: [{ appSecret: '•••', smppPassword: '•••' }],
      tokens: ['•••'],
      passwordHash: '•••',
      passwordChanged: true,
      secretHint: 'ab…yz',
      phone: '*******4567',
      useState: 1,
      none: null,
    },
  );
});
