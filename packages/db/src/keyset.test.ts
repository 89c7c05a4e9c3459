import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageBy } from './keyset.ts';
import { compileSql, sql } from './sql.ts';

const columns = [
  [sql`at`, 'timestamptz'],
  [sql`id`, 'uuid'],
] as const;

test('the first page has no condition, and all columns go the same way', () => {
  const { past, orderBy } = pageBy(columns, { isDescending: true, after: null });
  assert.deepEqual([compileSql(past).text, compileSql(orderBy).text], ['true', 'at desc, id desc']);
  assert.equal(compileSql(pageBy(columns, { isDescending: false, after: undefined }).orderBy).text, 'at, id');
});

test('a later page begins past the whole key, whose parts are parameters of the types of their columns', () => {
  const ascending = compileSql(pageBy(columns, { isDescending: false, after: ['2026-01-01', 'x'] }).past);
  assert.deepEqual(ascending, { text: '(at, id) > ($1::timestamptz, $2::uuid)', values: ['2026-01-01', 'x'] });
  const descending = compileSql(pageBy(columns, { isDescending: true, after: ['2026-01-01', 'x'] }).past);
  assert.equal(descending.text, '(at, id) < ($1::timestamptz, $2::uuid)');
});
