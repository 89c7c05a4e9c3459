import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseKeywordRule, isKeyword, isOptOutKeyword, matchesKeyword } from './keyword-rules.ts';

test('a keyword is the whole text, in any case, width and spacing, and with marks at its ends', () => {
  for (const text of ['HOURS', ' hours ', 'Hours?', 'ｈｏｕｒｓ', 'hours!!'])
    assert.equal(matchesKeyword('Hours', text), true, text);
  for (const text of ['hour', 'your hours', 'hours today', ''])
    assert.equal(matchesKeyword('Hours', text), false, text);
  assert.equal(matchesKeyword('opening  hours', 'Opening\nhours.'), true);
  assert.equal(matchesKeyword('营业时间', '营业时间？'), true);
});

test('a star stands for any text, none included, and each part is used once', () => {
  assert.equal(matchesKeyword('*hours*', 'What are your hours today?'), true);
  assert.equal(matchesKeyword('price*', 'PRICE of rice'), true);
  assert.equal(matchesKeyword('price*', 'the price'), false);
  assert.equal(matchesKeyword('a*a', 'a'), false);
  assert.equal(matchesKeyword('a*a', 'aa'), true);
  assert.equal(matchesKeyword('*b*a', 'ab'), false);
  assert.equal(matchesKeyword('*ab*ab*', 'xabx'), false);
  assert.equal(matchesKeyword('*', 'anything'), true);
  for (const text of ['[a-z]+', 'a.c', '(', '\\']) assert.equal(matchesKeyword(text, 'abc'), false, text);
});

test('a long text against many stars ends', () => {
  const text = 'a'.repeat(100_000);
  assert.equal(matchesKeyword(`${'*a'.repeat(19)}*b`, text), false);
});

test('opt-out words come first: nothing answers them, and they are no keywords', () => {
  const rules = [{ keywords: ['*'], hours: null }];
  for (const text of ['STOP', ' t ', '退订']) assert.equal(chooseKeywordRule(rules, text, 0), null, text);
  assert.equal(chooseKeywordRule(rules, 'please stop', 0)?.keyword, '*');
  for (const keyword of ['Stop', 'T', 'stop!']) assert.equal(isOptOutKeyword(keyword), true, keyword);
  assert.equal(isOptOutKeyword('stop*'), false);
  assert.equal(isKeyword(' . '), false);
});

test('the first active rule answers; hours are of Manila and go over midnight', () => {
  const day = { keywords: ['hours'], hours: { from: 8, to: 20 } };
  const night = { keywords: ['*'], hours: { from: 20, to: 8 } };
  const at = (hour: number) => chooseKeywordRule([day, night], 'Hours', Date.UTC(2026, 10, 29, hour - 8))?.rule;
  assert.deepEqual([at(8), at(19), at(20), at(23), at(24), at(31)], [day, day, night, night, night, night]);
  assert.equal(chooseKeywordRule([day], 'x', Date.UTC(2026, 10, 29, 2)), null);
});
