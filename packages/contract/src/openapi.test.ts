import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { callbackBodies } from './callback-bodies.ts';
import { callbackTypes } from './callbacks-values.ts';
import { makeOpenApi, routes } from './index.ts';

test('what is made out of the contract is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(makeOpenApi()) as unknown as Record<string, unknown>);
  assert.deepEqual(result.valid ? [] : result.errors, []);
  assert.equal(validator.version, '3.1');
});

test('every type of callback is a webhook, whose example is what its schema says', () => {
  const { webhooks } = makeOpenApi();
  assert.deepEqual(Object.keys(webhooks), [...callbackTypes]);
  for (const type of callbackTypes) {
    const { data, example } = callbackBodies[type];
    assert.deepEqual(data.parse(example), example, type);
  }
});

test('every route is in it once, with a unique id', () => {
  const { paths } = makeOpenApi();
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  assert.equal(operations.length, Object.keys(routes).length);
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
});

test('query parameters follow the schema: numbers are numbers, closed sets patterns or enums', () => {
  const parameters = makeOpenApi().paths['/tasks']?.get?.parameters ?? [];
  const schemaOf = (name: string) => parameters.find((each) => each.name === name)?.schema;
  assert.equal(schemaOf('limit')?.type, 'integer');
  assert.equal(schemaOf('limit')?.maximum, 200);
  assert.equal(schemaOf('taskStatus')?.type, 'string');
  assert.deepEqual(schemaOf('sort')?.enum, ['-createTime', 'createTime']);
});

/** Small lists of a person's own things, which no page is needed for. */
const own = ['/account/passkeys', '/account/sessions', '/charts', '/exports', '/notices', '/saved-filters', '/staff'];
/** Reports, a person's settings and what is read for one screen: no lists, though they have items. */
const noLists = [
  '/billing/charges',
  '/dev/outbox',
  '/files/{fileId}/rows',
  '/notices/settings',
  '/routes/notices',
  '/search',
  '/short-links/statistics',
  '/statistics',
  '/view-settings',
];
const bounded = ['/holidays', '/opt-outs/imports'];

test('every list is read in pages by limit and cursor, returns the next cursor, and is there as csv', () => {
  const problems: string[] = [];
  for (const [path, { get }] of Object.entries(makeOpenApi().paths)) {
    const content = get?.responses['200']?.content ?? {};
    const properties = content['application/json']?.schema.properties as Record<string, unknown> | undefined;
    if (properties?.items === undefined || noLists.includes(path)) continue;
    if (!('nextCursor' in properties)) problems.push(`${path}: no nextCursor`);
    if ([...own, ...bounded].includes(path)) continue;
    const names = (get?.parameters ?? []).map(({ name }) => name);
    for (const name of ['limit', 'cursor']) if (!names.includes(name)) problems.push(`${path}: no ${name}`);
    if (!('text/csv' in content)) problems.push(`${path}: no csv`);
  }
  assert.deepEqual(problems, []);
});
