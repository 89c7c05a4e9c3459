/** The types of `packages/client`, made out of the OpenAPI document: a program needs neither zod nor the schemas. */
import { AuditStatus, ClientStatus, SmsType, TaskStatus } from './enums.ts';
import { makeOpenApi, type Operation } from './openapi.ts';
import type { RouteDefinition } from './route.ts';
import { routes } from './routes.ts';
import { type ApiScope, findScope, isForSoftware } from './scopes.ts';

export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
}

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

const commentOf = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'never';

/** A type for a JSON Schema as zod makes it. */
function typeOf(schema: Schema, indent: string): string {
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return union(options.map((each) => typeOf(each, indent)));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  if (schema.type === 'array') return arrayOf(schema, indent);
  if (schema.type === 'object') return objectOf(schema, indent);
  return primitives[schema.type ?? ''] ?? 'unknown';
}

function arrayOf({ items, prefixItems }: Schema, indent: string): string {
  if (prefixItems !== undefined) return `[${prefixItems.map((each) => typeOf(each, indent)).join(', ')}]`;
  const item = items === undefined ? 'unknown' : typeOf(items, indent);
  return /^[\w'"]+$/.test(item) ? `${item}[]` : `(${item})[]`;
}

function objectOf({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined || Object.keys(properties).length === 0)
    return typeof additionalProperties === 'object'
      ? `Record<string, ${typeOf(additionalProperties, indent)}>`
      : 'Record<string, unknown>';
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, property]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const type = typeOf(property, inner);
    const isRequired = required.includes(name);
    return `${commentOf(property.description, inner)}${inner}${key}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

/** Whether software can call it and gets JSON, or nothing. */
const isCalledForJson = (key: string, definition: RouteDefinition): boolean =>
  isForSoftware(key, definition) &&
  (definition.answer === undefined || definition.answer === 'json' || definition.answer === 'empty');

export interface SoftwareOperation {
  readonly method: string;
  /** `/messages/{messageId}` */
  readonly path: string;
  readonly operation: Operation;
  /** A form is sent instead of JSON. */
  readonly isForm: boolean;
  /** null: any credentials. */
  readonly scope: ApiScope | null;
}

/** Operations that software can call, in the order of the routes. */
export function listSoftwareOperations(): SoftwareOperation[] {
  const { paths } = makeOpenApi();
  return Object.entries<RouteDefinition>(routes).flatMap(([key, definition]) => {
    const [method = 'GET', template = ''] = key.split(' ');
    const path = template.replace(/:(\w+)/g, '{$1}');
    const operation = paths[path]?.[method.toLowerCase()];
    if (operation === undefined || !isCalledForJson(key, definition)) return [];
    return [{ method, path, operation, isForm: definition.multipart === true, scope: findScope(key, definition) }];
  });
}

/** The parameters of the path or of the query as one object; null: there are none. */
export function parametersOf(operation: Operation, where: 'path' | 'query'): Schema | null {
  const parameters = (operation.parameters ?? []).filter((each) => each.in === where);
  if (parameters.length === 0) return null;
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema as Schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function makeTypes(key: string, operation: Operation): string {
  const indent = '    ';
  const part = (name: string, schema: Schema | null, isRequired: boolean): string =>
    schema === null
      ? ''
      : `${indent}${name}${isRequired ? '' : '?'}: ${typeOf(schema, indent)}${isRequired ? '' : ' | undefined'};\n`;
  const query = parametersOf(operation, 'query');
  const body = operation.requestBody;
  const json = body?.content['application/json']?.schema as Schema | undefined;
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  const result = success?.content?.['application/json']?.schema as Schema | undefined;
  const form = body !== undefined && json === undefined ? `${indent}body: FormData;\n` : '';
  return [
    commentOf(operation.summary, '  '),
    `  '${key}': {\n`,
    part('params', parametersOf(operation, 'path'), true),
    part('query', query, (query?.required ?? []).length > 0),
    form,
    part('body', json ?? null, body?.required ?? false),
    `${indent}result: ${result === undefined ? 'void' : typeOf(result, indent)};\n`,
    '  };\n',
  ].join('');
}

/** The text of `packages/client/src/generated/operations.ts`. */
export function makeClientTypes(): string {
  const operations = listSoftwareOperations().map(({ method, path, operation }) =>
    makeTypes(`${method} ${path}`, operation),
  );
  return `/** Operations that software can call, by method and path. Made by \`npm run generate\`; changes here are lost. */\nexport interface Operations {\n${operations.join('')}}\n`;
}

const named = { SmsType, ClientStatus, TaskStatus, AuditStatus };

/** The text of `packages/client/src/generated/enums.ts`: names for the numbers of requests and answers. */
export const makeClientEnums = (): string =>
  Object.entries(named)
    .map(([name, values]) => {
      const fields = Object.entries(values).map(([key, value]) => `  ${key}: ${value},\n`);
      return `export const ${name} = {\n${fields.join('')}} as const;\nexport type ${name} = (typeof ${name})[keyof typeof ${name}];\n`;
    })
    .join('\n');
