/** A request and an answer for each operation of the reference, made of the examples of the document. */

import { type CodeLabels, drawCode, drawTabs } from './code-blocks.ts';
import { escapeHtml } from './highlight.ts';
import type { Schema } from './reference-fields.ts';

interface SampleParameter {
  name: string;
  in: string;
  required: boolean;
  schema: object;
}

export interface SampledOperation {
  operationId: string;
  parameters?: SampleParameter[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

type Schemas = Readonly<Record<string, Schema>>;

const PREFIX = '#/components/schemas/';
const byFormat: Readonly<Record<string, string>> = {
  uuid: '0199f2c1-4be2-7a40-9c1d-2f6ab1c07d11',
  'date-time': '2026-11-22T01:02:03.456Z',
  date: '2026-11-22',
};
/** Entries of lists of plain text. */
const byName: Readonly<Record<string, string>> = {
  mobileNumbers: '09171234567',
  dealResults: 'UNDELIVERED',
  variables: 'Ana',
  tags: 'spring',
  exempt: 'no jackpot',
  sheetNames: 'November',
  variableNames: 'name',
  sample: '09171234567',
  values: 'Ana',
  whiteListIp: '203.0.113.7',
};
/** Objects within objects; what is deeper is left out. */
const DEPTH = 5;

/** A value that the schema accepts. `isWhole`: as answers have it; otherwise as little as a caller may send. `text`: what has no example. */
export function makeExample(schema: Schema, schemas: Schemas, isWhole: boolean, depth = 0, text = '…'): unknown {
  if (schema.$ref !== undefined)
    return makeExample(schemas[schema.$ref.slice(PREFIX.length)] ?? {}, schemas, isWhole, depth, text);
  if (schema.examples !== undefined) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [shape] = schema.anyOf ?? schema.oneOf ?? [];
  if (shape !== undefined) return makeExample(shape, schemas, isWhole, depth, text);
  const [type] = [schema.type].flat();
  if (type === 'object') return depth < DEPTH ? makeObject(schema, schemas, isWhole, depth) : {};
  if (type === 'array')
    return schema.items === undefined || depth >= DEPTH
      ? []
      : [makeExample(schema.items, schemas, isWhole, depth + 1, text)];
  if (type === 'string') return byFormat[schema.format ?? ''] ?? text;
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 0, 0);
  return type === 'boolean' ? false : null;
}

function makeObject(schema: Schema, schemas: Schemas, isWhole: boolean, depth: number): object {
  const { properties = {}, required = [] } = schema;
  // Of a change every field may be left out: one shows how it is done.
  const chosen = required.length === 0 && !isWhole ? Object.keys(properties).slice(0, 1) : required;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => (isWhole ? required.includes(name) : chosen.includes(name)))
      .map(([name, property]) => [name, makeExample(property, schemas, isWhole, depth + 1, byName[name])]),
  );
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

interface Request {
  method: string;
  path: string;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  isForm: boolean;
}

function makeRequest(method: string, path: string, operation: SampledOperation, schemas: Schemas): Request {
  const valuesIn = (where: string): Record<string, unknown> =>
    Object.fromEntries(
      (operation.parameters ?? [])
        .filter((each) => each.in === where && (where === 'path' || each.required || each.name === 'limit'))
        .map(({ name, schema }) => [name, makeExample(schema, schemas, false)]),
    );
  const content = operation.requestBody?.content ?? {};
  const body = content['application/json'];
  return {
    method,
    path,
    params: valuesIn('path'),
    query: valuesIn('query'),
    body: body && makeExample(body.schema, schemas, false),
    isForm: content['multipart/form-data'] !== undefined,
  };
}

function toCurl({ method, path, params, query, body, isForm }: Request): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const address = `{{origin}}/api/v1${filled}${search === '' ? '' : `?${search}`}`;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(address)}`,
    `-H "Authorization: Bearer $PAHATID_KEY"`,
  ];
  if (isForm) lines.push('-F file=@numbers.csv');
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${quote(toJson(body))}`);
  return lines.join(' \\\n  ');
}

function toClient({ method, path, params, query, body, isForm }: Request): string {
  const parts = { params, query, body };
  const given = Object.entries(parts).filter(
    ([, value]) => value !== undefined && (typeof value !== 'object' || Object.keys(value as object).length > 0),
  );
  const input = given.map(([name, value]) => `${name}: ${toLiteral(value)}`);
  if (isForm) input.push('body: form');
  const before = isForm
    ? `import { openAsBlob } from 'node:fs';\n\nconst form = new FormData();\nform.set('file', await openAsBlob('numbers.csv'), 'numbers.csv');\n`
    : '';
  const call = `pahatid.call('${method} ${path}'${input.length === 0 ? '' : `, { ${input.join(', ')} }`})`;
  return `${before}const answer = await ${call};`;
}

/** JSON with the names of fields as JavaScript writes them. */
const toLiteral = (value: unknown): string =>
  toJson(value)
    .replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\'\n])*)"/g, "'$1'");

/** HTML: the request as tabs, and the first answer that has a body. */
export function drawSamples(
  method: string,
  path: string,
  operation: SampledOperation,
  schemas: Schemas,
  labels: CodeLabels & { request: string; answer: string },
): string {
  const request = makeRequest(method, path, operation, schemas);
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  // The client has no streams, and no files of csv alone.
  const isCalled = answers.some(([, { content }]) => content === undefined || 'application/json' in content);
  const codes = [{ language: 'bash', label: 'curl', code: toCurl(request) }];
  if (isCalled) codes.push({ language: 'typescript', label: 'Node.js', code: toClient(request) });
  const [status, found] = answers.find(([, { content }]) => content?.['application/json'] !== undefined) ?? [];
  const schema = found?.content?.['application/json']?.schema;
  const answer =
    schema === undefined || Object.keys(schema).length === 0
      ? ''
      : `<details><summary>${escapeHtml(labels.answer)} ${status}</summary>${drawCode({ language: 'json', label: 'json', code: toJson(makeExample(schema, schemas, true)) }, labels)}</details>`;
  return `<h3>${escapeHtml(labels.request)}</h3>${drawTabs(codes, labels, operation.operationId)}${answer}`;
}
