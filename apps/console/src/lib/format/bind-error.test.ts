import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBindError } from './bind-error.ts';

test('carrier refusals are distinguished from network failures', () => {
  assert.equal(readBindError('ESME_RINVPASWD'), 'password');
  assert.equal(readBindError('bind refused: 0x0000000F'), 'systemId');
  assert.equal(readBindError('ESME_RBINDFAIL (0x0000000D)'), 'bindRefused');
  assert.equal(readBindError('connect ECONNREFUSED 127.0.0.1:2776'), 'notListening');
  assert.equal(readBindError('connect ETIMEDOUT'), 'timeout');
  assert.equal(readBindError('enquire_link timed out'), 'timeout');
  assert.equal(readBindError('read ECONNRESET'), 'broken');
  assert.equal(readBindError('connect_failed: self-signed certificate'), 'tls');
  assert.equal(readBindError('bind_timeout: the bind was not answered'), 'timeout');
});

test('what is neither stays as it was noted', () => {
  assert.equal(readBindError('something new'), null);
  assert.equal(readBindError('0x000000FE'), null);
});
