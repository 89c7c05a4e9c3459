import assert from 'node:assert/strict';
import type { OpenApi, Operation } from '@pahatid/contract';

export const operationOf = (paths: OpenApi['paths'], key: string): Operation => {
  const [method = '', template = ''] = key.split(' ');
  const operation = paths[template.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  assert.ok(operation, `${key} is not in the OpenAPI document`);
  return operation;
};

interface Schema {
  readonly type?: string;
  readonly properties?: Record<string, Schema>;
  readonly anyOf?: readonly Schema[];
}

const takesText = ({ type, anyOf }: Schema): boolean => type === 'string' || (anyOf?.some(takesText) ?? false);

export const bodySchemaOf = (operation: Operation): Schema | undefined =>
  operation.requestBody?.content['application/json']?.schema;

/** Returns the caller's inputs: path segments, query parameters, and body fields that take text. */
export function inputsOf(paths: OpenApi['paths'], key: string): { path: string[]; query: string[]; text: string[] } {
  const operation = operationOf(paths, key);
  const named = (where: 'path' | 'query') =>
    (operation.parameters ?? []).filter((each) => each.in === where).map((each) => each.name);
  const schema = bodySchemaOf(operation);
  const fields = {
    ...schema?.properties,
    ...Object.assign({}, ...(schema?.anyOf ?? []).map((each) => each.properties)),
  };
  const text = Object.entries(fields as Record<string, Schema>)
    .filter(([, field]) => takesText(field))
    .map(([name]) => name);
  return { path: named('path'), query: named('query'), text };
}
