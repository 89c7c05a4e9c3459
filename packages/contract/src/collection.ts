/**
 * The operations of software as a collection of requests, in the format of Postman (Collection 2.1.0), which Bruno, Insomnia
 * and Hoppscotch import. The address and the key are its variables.
 */
import { listSoftwareOperations } from './client-types.ts';
import { makeOpenApi, type Operation } from './openapi.ts';
import { apiPrefix } from './routes.ts';

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  format?: string;
  minimum?: number;
  example?: unknown;
}

interface NamedValue {
  key: string;
  value: string;
  description?: string;
  disabled?: boolean;
}

interface CollectionRequest {
  name: string;
  request: {
    method: string;
    description: string;
    header: NamedValue[];
    url: { raw: string; host: string[]; path: string[]; query: NamedValue[]; variable: NamedValue[] };
    body?: { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } };
  };
}

export interface Collection {
  info: { name: string; description: string; schema: string };
  auth: { type: 'bearer'; bearer: { key: string; value: string; type: 'string' }[] };
  variable: { key: string; value: string }[];
  item: { name: string; item: CollectionRequest[] }[];
}

const zeroId = '00000000-0000-0000-0000-000000000000';

/** A value to start from: required fields alone, the first of several shapes. */
function exampleOf(schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const shape = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (shape !== undefined) return exampleOf(shape);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    const required = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
    return Object.fromEntries(required.map(([name, property]) => [name, exampleOf(property)]));
  }
  if (type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items)];
  if (type === 'string') return schema.format === 'uuid' ? zeroId : '';
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  return type === 'boolean' ? false : null;
}

function makeCollectionRequest(method: string, path: string, operation: Operation): CollectionRequest {
  const named = (where: 'path' | 'query'): NamedValue[] =>
    (operation.parameters ?? [])
      .filter((each) => each.in === where)
      .map(({ name, required }) => ({ key: name, value: '', ...(!required && { disabled: true }) }));
  const steps = `${apiPrefix}${path}`
    .replace(/\{(\w+)\}/g, ':$1')
    .split('/')
    .slice(1);
  const schema = operation.requestBody?.content['application/json']?.schema as Schema | undefined;
  return {
    name: operation.summary,
    request: {
      method,
      description: operation.description,
      header: schema === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      url: {
        raw: `{{baseUrl}}/${steps.join('/')}`,
        host: ['{{baseUrl}}'],
        path: steps,
        query: named('query'),
        variable: named('path'),
      },
      ...(schema !== undefined && {
        body: {
          mode: 'raw' as const,
          raw: JSON.stringify(exampleOf(schema), null, 2),
          options: { raw: { language: 'json' as const } },
        },
      }),
    },
  };
}

/** `baseUrl`: address of the installation, `https://sms.example.com`. */
export function makeCollection(baseUrl: string): Collection {
  const { info } = makeOpenApi();
  const folders = new Map<string, CollectionRequest[]>();
  for (const { method, path, operation, isForm } of listSoftwareOperations()) {
    if (isForm) continue;
    const folder = operation.tags[0] ?? '';
    folders.set(folder, [...(folders.get(folder) ?? []), makeCollectionRequest(method, path, operation)]);
  }
  return {
    info: {
      name: info.title,
      description:
        'Set the variable key to a key of your application, pk_live_…; each call needs its scope. Error codes are at /docs/errors.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'key', value: '' },
    ],
    item: [...folders].map(([name, item]) => ({ name, item })),
  };
}
