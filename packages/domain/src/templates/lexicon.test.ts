import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileLexicon, type LexiconEntry, matchLexicon } from './lexicon.ts';
import { DEFAULT_LEXICON } from './lexicon-seed.ts';

const entry = (phrase: string, level: LexiconEntry['level'] = 'block'): LexiconEntry => ({
  category: 'violent',
  language: 'en',
  phrase,
  level,
});
const find = (text: string, ...entries: LexiconEntry[]) =>
  matchLexicon(text, compileLexicon(entries)).map((match) => [match.entry.phrase, match.from, match.to]);

test('Latin phrases match whole words in any case and spacing', () => {
  assert.deepEqual(find('a RED-  Fox, reds', entry('red fox'), entry('red')), [['red fox', 2, 11]]);
});

test('Han phrases match across spaces and signs put between them, not across clauses', () => {
  assert.deepEqual(find('甲 * 乙', entry('甲乙')), [['甲乙', 0, 5]]);
  assert.deepEqual(find('甲，乙', entry('甲乙')), []);
  assert.deepEqual(find('甲\n乙', entry('甲乙')), []);
});

test('the longest phrase wins, and a blocked one is not hidden by a flagged one', () => {
  assert.deepEqual(find('big red fox', entry('big red', 'flag'), entry('red fox')), [['red fox', 4, 11]]);
  assert.deepEqual(find('red fox', entry('red'), entry('red fox')), [['red fox', 0, 7]]);
});

test('an exempt phrase frees what it touches and nothing else', () => {
  assert.deepEqual(find('red wine, red', entry('red'), entry('red wine', 'exempt')), [['red', 10, 13]]);
});

test('phrases beyond the basic plane and with empty rows are handled', () => {
  assert.deepEqual(find('x𠀀𠀁y', entry('𠀀𠀁'), entry('  ')), [['𠀀𠀁', 1, 5]]);
});

test('every phrase of the default table finds itself', () => {
  const lexicon = compileLexicon(DEFAULT_LEXICON);
  for (const row of DEFAULT_LEXICON) {
    const found = matchLexicon(row.phrase, lexicon);
    if (row.level === 'exempt') assert.deepEqual(found, [], row.phrase);
    else assert.ok(found.length > 0, row.phrase);
  }
});

test('the default table covers five categories in three languages on both levels', () => {
  const kinds = new Set(DEFAULT_LEXICON.map((row) => `${row.category}/${row.language}/${row.level}`));
  for (const category of ['financial', 'realEstate', 'immigrationPolitics', 'pornographic', 'violent']) {
    for (const language of ['zh', 'en', 'fil']) {
      for (const level of ['block', 'flag']) assert.ok(kinds.has(`${category}/${language}/${level}`));
    }
  }
});
