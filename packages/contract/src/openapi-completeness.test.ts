/** Whatever software may call is described whole: each field and parameter has a meaning, and an example where one helps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePublishedOpenApi } from './index.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  examples?: unknown[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  prefixItems?: Schema[];
  additionalProperties?: Schema | boolean;
}

const api = makePublishedOpenApi();
const schemas = api.components.schemas as Record<string, Schema>;

/** The format says how it is written: an id, an instant, a day; the content of a file has no example. */
const formats = ['uuid', 'date-time', 'date', 'binary'];

/** Free text or a number: what enumerations, constants, true and false, and ids may be is seen without an example. */
function isFree(schema: Schema): boolean {
  if (schema.$ref !== undefined || schema.enum !== undefined || 'const' in schema) return false;
  const shapes = schema.anyOf ?? schema.oneOf;
  if (shapes !== undefined) return shapes.some(isFree);
  const types = [schema.type ?? []].flat();
  if (types.includes('string')) return !formats.includes(schema.format ?? '');
  return types.includes('integer') || types.includes('number');
}

interface Found {
  properties: number;
  readonly silent: string[];
  readonly withoutExample: string[];
}

/** What occurs more than once is described where its name leads. */
const describe = ({ $ref, description }: Schema): string | undefined =>
  description ?? ($ref === undefined ? undefined : schemas[$ref.split('/').at(-1) ?? '']?.description);

function walk(schema: Schema, place: string, found: Found, seen: Set<string>): void {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    if (seen.has(name)) return;
    seen.add(name);
    walk(schemas[name] ?? {}, name, found, seen);
    return;
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    found.properties++;
    if (!describe(property)) found.silent.push(`${place}.${name}`);
    if (isFree(property) && property.examples === undefined) found.withoutExample.push(`${place}.${name}`);
    walk(property, `${place}.${name}`, found, seen);
  }
  const inner = [schema.items, schema.additionalProperties, schema.anyOf, schema.oneOf, schema.prefixItems].flat();
  for (const each of inner) if (typeof each === 'object') walk(each, place, found, seen);
}

const operations = Object.entries(api.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, { security }]) => security.some((way) => 'bearer' in way))
    .map(([method, operation]) => ({ key: `${method.toUpperCase()} ${path}`, operation })),
);

test('every field of what software calls, gets and is sent has a description, and free ones an example', () => {
  const found: Found = { properties: 0, silent: [], withoutExample: [] };
  const seen = new Set<string>();
  for (const { key, operation } of operations)
    for (const { content = {} } of [operation.requestBody ?? {}, ...Object.values(operation.responses)])
      for (const { schema } of Object.values(content)) walk(schema, key, found, seen);
  for (const [type, { post }] of Object.entries(api.webhooks))
    walk(
      (post as { requestBody: { content: { 'application/json': { schema: Schema } } } }).requestBody.content[
        'application/json'
      ].schema,
      type,
      found,
      seen,
    );
  assert.deepEqual(found.silent, []);
  assert.deepEqual(found.withoutExample, []);
  assert.ok(found.properties > 1_000, `${found.properties} fields`);
});

test('every parameter of software has a description, and a free one an example', () => {
  const parameters = operations.flatMap(({ key, operation }) =>
    (operation.parameters ?? []).map((parameter) => ({ ...parameter, place: `${key} ${parameter.name}` })),
  );
  assert.deepEqual(
    parameters.filter(({ description }) => !description).map(({ place }) => place),
    [],
  );
  const free = parameters.filter(({ schema }) => isFree(schema as Schema) && schema['examples'] === undefined);
  assert.deepEqual(
    free.map(({ place }) => place),
    [],
  );
});

test('the document, as it is served, is less than 2 MB', () => {
  assert.ok(JSON.stringify(api).length < 2_000_000, `${JSON.stringify(api).length} characters`);
});
