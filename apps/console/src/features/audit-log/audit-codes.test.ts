import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type RouteKey, routes } from '@pahatid/contract';
import { auditActions, auditSubjects, listLabels } from './audit-codes.ts';

const texts = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../locales/en-US/audit.json'), 'utf8'),
) as Record<string, string>;

/** The server's name for an export: the list, and which part of it. */
const listOf = (key: RouteKey): string => {
  const [resource = '', ...rest] = (key.split(' ')[1] ?? '').slice(1).split('/');
  return rest.length > 1 ? `${resource}/${rest.at(-1)}` : resource;
};

/** Includes the routes that answer only in csv. */
const lists = new Set(
  (Object.keys(routes) as RouteKey[])
    .filter((key) => key.startsWith('GET ') && (routes[key].csv === true || routes[key].answer === 'csv'))
    .map(listOf),
);

test('S56 every list with csv export has a label in the audit log', () => {
  assert.ok(lists.size > 20);
  // Downloads of an export that was made in the background are separate entries.
  const unlabelled = [...lists].filter((list) => (listLabels[list] ?? texts[`audit.type.${list}`]) === undefined);
  assert.deepEqual(unlabelled, ['exports/file']);
});

test('S56 the filters offer every action and object with an audit label, except lists', () => {
  const codes = (prefix: string) =>
    Object.keys(texts).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  assert.deepEqual(codes('audit.action.').toSorted(), [...auditActions].toSorted());
  assert.deepEqual(
    codes('audit.type.')
      .filter((code) => !lists.has(code))
      .toSorted(),
    [...auditSubjects].toSorted(),
  );
});
