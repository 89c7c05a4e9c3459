import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makeSecrets } from './secrets.ts';

const secrets = makeSecrets(randomBytes(32));

test('a sealed secret opens to the same text, and reveals nothing of it', () => {
  for (const text of ['', 'demopass', 'mật khẩu 密码', 'x'.repeat(5000)]) {
    const sealed = secrets.seal('carrier-password', text);
    assert.equal(secrets.open('carrier-password', sealed), text);
    if (text !== '') assert.ok(!sealed.includes(text) && !sealed.includes(Buffer.from(text).toString('base64url')));
  }
});

test('the same text sealed twice gives two values', () => {
  assert.notEqual(secrets.seal('totp-seed', 'a'), secrets.seal('totp-seed', 'a'));
});

test('a sealed secret does not open for another purpose, with another key, altered or cut short', () => {
  const sealed = secrets.seal('carrier-password', 'demopass');
  assert.throws(() => secrets.open('webhook-secret', sealed));
  assert.throws(() => makeSecrets(randomBytes(32)).open('carrier-password', sealed));
  assert.throws(() => secrets.open('carrier-password', sealed.slice(0, -4)));
  assert.throws(() => secrets.open('carrier-password', 'demopass'));
  const [version, nonce, body] = sealed.split('.') as [string, string, string];
  const bytes = Buffer.from(body, 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes);
    altered[at] = (altered[at] as number) ^ 1;
    assert.throws(() => secrets.open('carrier-password', `${version}.${nonce}.${altered.toString('base64url')}`));
  }
});

test('an SMPP password is known by its keyed hash alone', () => {
  const hash = secrets.hashSmppPassword('demoapp', 'demopass');
  assert.equal(hash.length, 32);
  assert.ok(secrets.verifySmppPassword('demoapp', 'demopass', hash));
  assert.ok(!secrets.verifySmppPassword('demoapp', 'demopasS', hash));
  assert.ok(!secrets.verifySmppPassword('otherapp', 'demopass', hash));
  assert.ok(!secrets.verifySmppPassword('demoapp', 'demopass', hash.subarray(1)));
  assert.ok(!makeSecrets(randomBytes(32)).verifySmppPassword('demoapp', 'demopass', hash));
});

test('a master key of another length is refused', () => {
  assert.throws(() => makeSecrets(randomBytes(16)), /32 bytes/);
});
