import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locales } from './locales.ts';
import { directionOf, localeCodes, nearestLocale } from './nearest-locale.ts';

test('there are 54 locales and Filipino, each once, each with its packs', () => {
  assert.equal(locales.length, 55);
  assert.equal(new Set(locales.map((row) => row.locale)).size, 55);
  assert.deepEqual(
    localeCodes,
    locales.map((row) => row.locale),
  );
});

test('right-to-left is for he, ar, fa and ku only', () => {
  assert.deepEqual(
    locales.filter((row) => directionOf(row.locale) === 'rtl').map((row) => row.locale),
    ['ar-EG', 'fa-IR', 'he-IL', 'ku-IQ'],
  );
  for (const row of locales) assert.equal(row.dir, directionOf(row.locale));
});

test('a browser language finds the nearest locale', () => {
  assert.equal(nearestLocale('en-PH'), 'en-US');
  assert.equal(nearestLocale('en-GB'), 'en-GB');
  assert.equal(nearestLocale('zh'), 'zh-CN');
  assert.equal(nearestLocale('zh-Hant-HK'), 'zh-TW');
  assert.equal(nearestLocale('de'), 'de-DE');
  assert.equal(nearestLocale('fil'), 'fil-PH');
  assert.equal(nearestLocale('tl-PH'), 'fil-PH');
  assert.equal(nearestLocale('fi'), 'fi-FI');
  assert.equal(nearestLocale('eo'), null);
});
