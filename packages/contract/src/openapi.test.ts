import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { makeOpenApi, routes } from './index.ts';

test('what is made out of the contract is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(makeOpenApi()) as unknown as Record<string, unknown>);
  assert.deepEqual(result.valid ? [] : result.errors, []);
  assert.equal(validator.version, '3.1');
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
