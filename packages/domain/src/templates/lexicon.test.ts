import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compileLexicon, type LexiconEntry, matchLexicon } from './lexicon.ts';
import { defaultLexicon, lexiconEditions } from './lexicon-seed.ts';

const entry = (term: string, level: LexiconEntry['level'] = 'block', exempt: string[] = []): LexiconEntry => ({
  term,
  lang: 'en',
  category: 'violent',
  level,
  exempt,
});
const find = (text: string, ...entries: LexiconEntry[]) =>
  matchLexicon(text, compileLexicon(entries)).map((match) => [match.entry.term, match.from, match.to]);

test('Latin terms match whole words in any case and spacing', () => {
  assert.deepEqual(find('a RED-  Fox, reds', entry('red fox'), entry('red')), [['red fox', 2, 11]]);
});

test('Han terms match across spaces and signs put between them, not across clauses', () => {
  assert.deepEqual(find('甲 * 乙', entry('甲乙')), [['甲乙', 0, 5]]);
  assert.deepEqual(find('甲，乙', entry('甲乙')), []);
  assert.deepEqual(find('甲\n乙', entry('甲乙')), []);
});

test('the longest term wins, and a blocked one is not hidden by a flagged one', () => {
  assert.deepEqual(find('big red fox', entry('big red', 'flag'), entry('red fox')), [['red fox', 4, 11]]);
  assert.deepEqual(find('red fox', entry('red'), entry('red fox')), [['red fox', 0, 7]]);
  assert.deepEqual(find('red foxes', entry('red'), entry('red foxes', 'flag')), [['red', 0, 3]]);
});

test('an exempt phrase exempts what it overlaps and nothing else', () => {
  assert.deepEqual(find('red wine, red', entry('red', 'block', ['red wine'])), [['red', 10, 13]]);
  assert.deepEqual(find('購買房間', entry('買房', 'block', ['房間'])), []);
});

test('terms beyond the basic plane and empty rows are handled', () => {
  assert.deepEqual(find('x𠀀𠀁y', entry('𠀀𠀁'), entry('  ')), [['𠀀𠀁', 1, 5]]);
});

test('every term of the default table finds something in itself and is freed by its exempt phrases', () => {
  const lexicon = compileLexicon(defaultLexicon);
  for (const row of defaultLexicon) {
    assert.ok(matchLexicon(row.term, lexicon).length > 0, row.term);
    for (const phrase of row.exempt ?? []) assert.deepEqual(matchLexicon(phrase, lexicon), [], phrase);
  }
});

test('the default table names no term twice and covers five categories in three languages on both levels', () => {
  const names = defaultLexicon.map((row) => `${row.lang}/${row.term}`);
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  );
  const kinds = new Set(defaultLexicon.map((row) => `${row.category}/${row.lang}/${row.level}`));
  for (const category of ['financial', 'realEstate', 'immigrationPolitics', 'pornographic', 'violent']) {
    for (const lang of ['zh', 'en', 'fil']) {
      for (const level of ['block', 'flag']) assert.ok(kinds.has(`${category}/${lang}/${level}`));
    }
  }
});

test('the second edition has 200 terms and more a language, each with a neighbour in spelling that passes', () => {
  const lexicon = compileLexicon(defaultLexicon);
  const innocent = new Map(
    readFileSync(new URL('lexicon-innocent.tsv', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([lang, term, sentence]) => [`${lang}/${term}`, sentence ?? '']),
  );
  const [, added = []] = lexiconEditions;
  assert.equal(innocent.size, added.length);
  const wrong: string[] = [];
  for (const { lang, term } of added) {
    const sentence = innocent.get(`${lang}/${term}`) ?? '';
    const found = matchLexicon(sentence, lexicon).map(({ entry: { term: hit } }) => hit);
    if (sentence.length < 3 || found.length > 0) wrong.push(`${lang}/${term}: ${sentence} [${found.join()}]`);
    if (matchLexicon(lang === 'zh' ? `限时${term}，详询` : `Now: ${term}!`, lexicon).length === 0)
      wrong.push(`${term} is not found`);
  }
  assert.deepEqual(wrong, []);
  for (const lang of ['zh', 'en', 'fil'])
    assert.ok(added.filter((row) => row.lang === lang).length >= 200, `${lang} has fewer than 200 new terms`);
});

test('terms that passed the first edition are found', () => {
  const lexicon = compileLexicon(defaultLexicon);
  for (const [text, term] of [
    ['低门槛信贷，当天办理', '信贷'],
    ['Libre ang pagsusugal ngayon', 'pagsusugal'],
    ['Panoorin ang bold na video', 'bold na video'],
  ] as const)
    assert.deepEqual(
      matchLexicon(text, lexicon).map(({ entry }) => [entry.term, entry.level]),
      [[term, 'block']],
    );
});
