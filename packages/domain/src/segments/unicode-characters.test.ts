import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGsmText } from './gsm7.ts';
import { findGsmSubstitute, listUnicodeCharacters } from './unicode-characters.ts';

test('names the characters that force UCS-2 with their places', () => {
  assert.deepEqual(listUnicodeCharacters('Pay ₱5 — 😀'), [
    { character: '₱', from: 4, to: 5, substitute: 'PHP' },
    { character: '—', from: 7, to: 8, substitute: '-' },
    { character: '😀', from: 9, to: 11, substitute: null },
  ]);
});

test('finds nothing in a text of the default and extension tables', () => {
  assert.deepEqual(listUnicodeCharacters('Señor, {1} [€5] ~ à 100%\n'), []);
});

test('every substitute is itself in GSM 03.38', () => {
  for (const character of '‘’“”–—…、。《》×÷₱á í ó ú ç Á ａ９ \u00a0\u3000œ') {
    const substitute = findGsmSubstitute(character);
    if (substitute !== null) assert.ok(isGsmText(substitute), `${character} → ${substitute}`);
  }
  assert.equal(findGsmSubstitute('á'), 'a');
  assert.equal(findGsmSubstitute('Ａ'), 'A');
  assert.equal(findGsmSubstitute('\u00a0'), ' ');
  assert.equal(findGsmSubstitute('中'), null);
});
