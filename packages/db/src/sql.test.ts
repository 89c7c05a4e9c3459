import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileSql, sql } from './sql.ts';

test('values are parameters, numbered across all fragments, in order of appearance', () => {
  const condition = sql`a = ${1} and b = any(${[2, 3]})`;
  const { text, values } = compileSql(sql`select ${'x'}::text from t where ${condition} and c = ${null}`);
  assert.equal(text, 'select $1::text from t where a = $2 and b = any($3) and c = $4');
  assert.deepEqual(values, ['x', 1, [2, 3], null]);
});

test('a fragment can be used several times, and be empty', () => {
  const one = sql`${1}`;
  const { text, values } = compileSql(sql`${one}${sql``} + ${one}`);
  assert.equal(text, '$1 + $2');
  assert.deepEqual(values, [1, 1]);
});

test('lists are joined by commas, or by what is given; values in them stay parameters', () => {
  assert.deepEqual(compileSql(sql`(${sql.join([1, sql.ref('t.a'), 'b'])})`), {
    text: '($1, "t"."a", $2)',
    values: [1, 'b'],
  });
  assert.deepEqual(compileSql(sql.join([sql`a`, sql`b = ${1}`], sql` and `)), { text: 'a and b = $1', values: [1] });
  assert.deepEqual(compileSql(sql`${sql.join([])}`), { text: '', values: [] });
});

test('no name and no literal breaks out of its quotes', () => {
  assert.equal(compileSql(sql.ref('a"; drop table x; --.b')).text, '"a""; drop table x; --"."b"');
  assert.equal(compileSql(sql.lit("it's")).text, "'it''s'");
  assert.equal(compileSql(sql.raw('now()')).text, 'now()');
});

test('numbers of a constant object are in the text, so that a plan knows them', () => {
  const state = sql.literals({ Ready: 0, Done: 2 });
  assert.deepEqual(compileSql(sql`select from t where state in (${state.Ready}, ${state.Done}) and a = ${2}`), {
    text: 'select from t where state in (0, 2) and a = $1',
    values: [2],
  });
});

test('what looks like a piece of SQL but is not made by the template is a parameter', () => {
  const forged = { texts: ['now()'], values: [] };
  assert.deepEqual(compileSql(sql`select ${forged}`), { text: 'select $1', values: [forged] });
});
