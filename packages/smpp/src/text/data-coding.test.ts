import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText, encodeText, readDataCoding } from './data-coding.ts';

test('K9: data_coding 0 uses the alphabet of the connection', () => {
  for (const alphabet of ['gsm7', 'latin1', 'ascii'] as const) {
    assert.deepEqual(readDataCoding(0, alphabet), { alphabet, messageClass: undefined });
  }
});

test('K9: 1 is IA5, 3 Latin-1, 8 UTF-16BE, 2, 4 and all reserved ones are raw', () => {
  assert.equal(readDataCoding(1).alphabet, 'ascii');
  assert.equal(readDataCoding(3).alphabet, 'latin1');
  assert.equal(readDataCoding(8).alphabet, 'ucs2');
  for (const raw of [2, 4, 5, 6, 7, 9, 0x0e, 0x20, 0xc0, 0xef]) assert.equal(readDataCoding(raw).alphabet, 'octets');
});

test('K9: 0xF0–0xFF and 0x10–0x1F follow the data coding scheme and keep the class', () => {
  assert.deepEqual(readDataCoding(0xf0), { alphabet: 'gsm7', messageClass: 0 });
  assert.deepEqual(readDataCoding(0xf1), { alphabet: 'gsm7', messageClass: 1 });
  assert.deepEqual(readDataCoding(0xf6), { alphabet: 'octets', messageClass: 2 });
  assert.deepEqual(readDataCoding(0x10), { alphabet: 'gsm7', messageClass: 0 });
  assert.deepEqual(readDataCoding(0x15), { alphabet: 'octets', messageClass: 1 });
  assert.deepEqual(readDataCoding(0x18), { alphabet: 'ucs2', messageClass: 0 });
});

test('UTF-16BE keeps surrogate pairs, and half a unit at the end becomes U+FFFD', () => {
  const octets = encodeText('中😀', 'ucs2');
  assert.equal(octets.toString('hex'), '4e2dd83dde00');
  assert.equal(decodeText(octets, 'ucs2'), '中😀');
  assert.equal(decodeText(Buffer.from('4e2d4e', 'hex'), 'ucs2'), '中\ufffd');
});

test('Latin-1 and IA5 replace what they lack', () => {
  assert.equal(encodeText('é₱', 'latin1').toString('hex'), 'e93f');
  assert.equal(encodeText('é', 'ascii').toString('latin1'), '?');
  assert.equal(decodeText(Buffer.from('c1e1', 'hex'), 'latin1'), 'Áá');
  assert.equal(decodeText(Buffer.from('41c1', 'hex'), 'ascii'), 'A\ufffd');
  assert.equal(decodeText(Buffer.from('41c1', 'hex'), 'octets'), undefined);
});
