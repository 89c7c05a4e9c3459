import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeGsm7, encodeGsm7, gsm7Septets, isGsm7 } from './gsm7.ts';

test('K9: all 127 characters of the default alphabet round trip, one octet each', () => {
  const characters = new Set<string>();
  for (let septet = 0; septet < 128; septet++) {
    if (septet === 0x1b) continue;
    const character = decodeGsm7(Buffer.from([septet]));
    assert.deepEqual([...encodeGsm7(character)], [septet]);
    characters.add(character);
  }
  assert.equal(characters.size, 127);
});

test('K9: the ten characters of the extension table round trip as escape pairs', () => {
  const text = '\f^{}\\[~]|€';
  assert.equal(encodeGsm7(text).toString('hex'), '1b0a1b141b281b291b2f1b3c1b3d1b3e1b401b65');
  assert.equal(decodeGsm7(encodeGsm7(text)), text);
  assert.equal(gsm7Septets(text), 20);
});

test('K9: positions of 3GPP TS 23.038 §6.2.1 by sample', () => {
  assert.equal(encodeGsm7('@£$Δ_Ω ¡Ä§¿äñüà').toString('hex'), '0001021011152040' + '5b5f607b7d7e7f');
  assert.equal(decodeGsm7(Buffer.from('48656c6c6f', 'hex')), 'Hello');
});

test('K9: a dangling escape and octets of 0x80 and more become U+FFFD, and nothing throws', () => {
  assert.equal(decodeGsm7(Buffer.from('31321b', 'hex')), '12\ufffd');
  assert.equal(decodeGsm7(Buffer.from('8081ff', 'hex')), '\ufffd\ufffd\ufffd');
  assert.equal(decodeGsm7(Buffer.from('1b80', 'hex')), '\ufffd');
});

test('K9: an escape pair the table lacks is shown as the default character', () => {
  assert.equal(decodeGsm7(Buffer.from('1b00', 'hex')), '@');
  assert.equal(decodeGsm7(Buffer.from('1b41', 'hex')), 'A');
});

test('a character in neither table is reported, and encoded as a question mark', () => {
  assert.equal(isGsm7('Kumusta ka? ñ'), true);
  assert.equal(isGsm7('₱100'), false);
  assert.equal(isGsm7('`'), false);
  assert.equal(encodeGsm7('₱1').toString('latin1'), '?1');
});
