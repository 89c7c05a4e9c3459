import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { makePublishedOpenApi } from './index.ts';
import { nameSchemas } from './openapi-names.ts';

const api = makePublishedOpenApi();
const operations = Object.entries(api.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ key: `${method} ${path}`, operation })),
);

test('the published document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(api) as unknown as Record<string, unknown>);
  assert.deepEqual(result.valid ? [] : result.errors, []);
});

test('every tag and parameter is described', () => {
  assert.deepEqual(
    api.tags.filter(({ description }) => !description).map(({ name }) => name),
    [],
  );
  const silent = operations.flatMap(({ key, operation }) =>
    (operation.parameters ?? [])
      .filter((each) => !each.description && !each.schema['description'])
      .map(({ name }) => `${key}: ${name}`),
  );
  assert.deepEqual(silent, []);
});

test('every reference leads to a schema, and every schema is referred to', () => {
  const text = JSON.stringify(api);
  const referred = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
  assert.deepEqual([...referred].sort(), Object.keys(api.components.schemas).sort());
});

test('a template is one schema in lists, answers and bodies of others', () => {
  const list = api.paths['/templates']?.get?.responses['200']?.content?.['application/json']?.schema;
  assert.deepEqual(list, { $ref: '#/components/schemas/TemplateList' });
  const { properties } = api.components.schemas['TemplateList'] as { properties: { items: { items: unknown } } };
  assert.deepEqual(properties.items.items, { $ref: '#/components/schemas/Template' });
});

test('messages and new tasks name the header that makes a repeat safe', () => {
  const names = (key: string) =>
    operations.find((each) => each.key === key)?.operation.parameters?.map(({ name }) => name) ?? [];
  assert.ok(names('post /messages').includes('Idempotency-Key'));
  assert.ok(names('post /tasks').includes('Idempotency-Key'));
});

test('equal schemas get one name, others with the same name a number', () => {
  const thing = (value: object) => ({ type: 'object', properties: { a: value, b: {} } });
  const list = {
    schema: { type: 'object', properties: { items: { type: 'array', items: thing({ type: 'string' }) }, x: {} } },
  };
  const one = { schema: thing({ type: 'string' }) };
  const other = { schema: thing({ type: 'integer' }) };
  const named = nameSchemas(
    [
      { holder: list, name: 'ThingList' },
      { holder: one, name: 'Thing' },
      { holder: other, name: 'Thing' },
    ],
    ['Problem'],
  );
  assert.deepEqual(Object.keys(named), ['Thing', 'Thing2', 'ThingList']);
  assert.deepEqual(
    [list, one, other].map(({ schema }) => schema),
    [
      { $ref: '#/components/schemas/ThingList' },
      { $ref: '#/components/schemas/Thing' },
      { $ref: '#/components/schemas/Thing2' },
    ],
  );
});
