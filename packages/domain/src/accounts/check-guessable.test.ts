import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkGuessable } from './check-guessable.ts';
import { commonPasswords } from './common-passwords.ts';

test('S21 the 4,000 most common passwords are refused, in any case and with what people change in them', () => {
  assert.ok(commonPasswords.size >= 3_000, String(commonPasswords.size));
  for (const word of commonPasswords) assert.equal(checkGuessable(word.toUpperCase(), []), 'COMMON', word);
  for (const password of ['123456', 'Password', 'P@ssw0rd', 'Password1!', 'PASSWORD!!', 'qwerty123'])
    assert.equal(checkGuessable(password, []), 'COMMON', password);
});

test('S21 a word associated with the user is rejected, with any prefix or suffix', () => {
  const words = ['maria.santos', 'maria.santos@tindahan.ph', 'Maria Santos', 'Tindahan'];
  for (const password of ['Santos@2026', 'tindahan1!', 'Maria.Santos', 'Pahatid#1', 'P@hatid2026!', '!!T1ndahan9'])
    assert.equal(checkGuessable(password, words), 'CONTEXT', password);
});

test('S21 other passwords pass, also with a short or a common word in them', () => {
  const words = ['demo', 'demo@pahatid.test', 'Demo'];
  for (const password of [
    'Demo@1234',
    'Rf7!kxm2Qz',
    'green rice field road',
    'Santol-42-bahay',
    'Changed@1234',
    'Ünïcode-9x',
  ])
    assert.equal(checkGuessable(password, words), null, password);
});
