import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type RouteKey, routes } from '@pahatid/contract';
import { auditActions, auditSubjects, listWords } from './audit-words.ts';

const words = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../locales/en-US/audit.json'), 'utf8'),
) as Record<string, string>;

/** As the server names what is taken out: the list, and what of it. */
const listOf = (key: RouteKey): string => {
  const [resource = '', ...rest] = (key.split(' ')[1] ?? '').slice(1).split('/');
  return rest.length > 1 ? `${resource}/${rest.at(-1)}` : resource;
};

/** Of the routes that answer in csv alone too. */
const lists = new Set(
  (Object.keys(routes) as RouteKey[])
    .filter((key) => key.startsWith('GET ') && (routes[key].csv === true || routes[key].answer === 'csv'))
    .map(listOf),
);

test('S56 every list that can be taken out as csv has its word in the log', () => {
  assert.ok(lists.size > 20);
  // Downloads of an export that was made in the background are entries of their own.
  const wordless = [...lists].filter((list) => (listWords[list] ?? words[`audit.type.${list}`]) === undefined);
  assert.deepEqual(wordless, ['exports/file']);
});

test('S56 the filters offer every act and every object that has a word there, but for lists', () => {
  const codes = (prefix: string) =>
    Object.keys(words).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  assert.deepEqual(codes('audit.action.').toSorted(), [...auditActions].toSorted());
  assert.deepEqual(
    codes('audit.type.')
      .filter((code) => !lists.has(code))
      .toSorted(),
    [...auditSubjects].toSorted(),
  );
});
