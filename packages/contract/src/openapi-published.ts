/**
 * The document as it is served: that of `openapi.ts` with named schemas, and a description for each tag, parameter, header
 * and known field.
 */

import { type Header, makeOpenApi, type OpenApi, type Operation } from './openapi.ts';
import { describeField, describeParameter, exemplifyParameter, tagDescriptions } from './openapi-descriptions.ts';
import { type JsonSchema, nameSchemas, pascal, type SchemaPlace, singular } from './openapi-names.ts';
import { shareRefusals } from './openapi-responses.ts';

interface TaggedPlace extends SchemaPlace {
  readonly tag: string;
}

/** Operations that act once for an `Idempotency-Key`. */
const keyed: ReadonlySet<string> = new Set(['POST /messages', 'POST /tasks', 'POST /tasks/{taskId}/copy']);
const waits = ['429', '503'];

/** Whom to ask: the operator of the installation at `publicUrl`. */
const contactOf = (publicUrl: string, email: string) => ({
  name: 'The operator of this installation',
  url: `${publicUrl}/docs`,
  email,
});
const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/** `publicUrl` and `email`: address of the installation, and from which it sends mail. */
export function makePublishedOpenApi({
  publicUrl = 'https://sms.example.com',
  email = 'support@example.com',
} = {}): OpenApi {
  const api = structuredClone(makeOpenApi());
  api.info.contact = contactOf(publicUrl, email);
  api.components.headers = { ...everyAnswer, 'Retry-After': retryAfter, 'Idempotent-Replayed': replayed };
  api.tags = api.tags.map(({ name }) => ({ name, description: tagDescriptions[name] ?? '' })).toSorted(byName);
  const places: TaggedPlace[] = [];
  for (const [path, item] of Object.entries(api.paths))
    for (const [method, operation] of Object.entries(item)) {
      describeOperation(`${method.toUpperCase()} ${path}`, operation);
      places.push(...listPlaces(path, method, operation));
    }
  for (const { holder, tag } of places) describeFields(holder.schema, tag);
  describeFields(api.webhooks, 'webhooks');
  describeFields(api.components.schemas['Problem'], 'problem');
  api.components.schemas = {
    ...api.components.schemas,
    ...nameSchemas(sortPlaces(places), Object.keys(api.components.schemas), better),
  };
  shareRefusals(api);
  return api;
}

/** Names of what most programs use. */
const better = {
  PostMessagesBody: 'OwnTextMessage',
  PostMessagesBody2: 'TemplateMessage',
  PostMessagesAccepted: 'AcceptedMessage',
  PostMessagesAccepted2: 'AcceptedMessages',
};

/** What messages share with other resources is named after messages. */
const sortPlaces = (places: readonly SchemaPlace[]): SchemaPlace[] =>
  places.toSorted((a, b) => Number(b.name.startsWith('PostMessages')) - Number(a.name.startsWith('PostMessages')));

function describeOperation(key: string, operation: Operation): void {
  for (const parameter of operation.parameters ?? []) {
    tidy(parameter.schema);
    const description = parameter.description ?? describeParameter(parameter.name, parameter.in);
    if (description !== undefined) parameter.description = description;
    const example = exemplifyParameter(parameter.name).find(
      (each) => each !== undefined && fits(parameter.schema, each),
    );
    if (example !== undefined) parameter.schema['examples'] ??= [example];
  }
  operation.security = operation.security.map((way) => moveScopes(operation, way));
  if (keyed.has(key)) operation.parameters = [...(operation.parameters ?? []), idempotencyKey];
  for (const [status, response] of Object.entries(operation.responses)) {
    response.headers = { ...response.headers, ...refer(everyAnswer) };
    if (waits.includes(status)) Object.assign(response.headers, refer({ 'Retry-After': retryAfter }));
    if (keyed.has(key) && status.startsWith('2'))
      Object.assign(response.headers, refer({ 'Idempotent-Replayed': replayed }));
  }
  operation.parameters = [...(operation.parameters ?? []), requestId];
}

/** Headers are described once for the document. */
const refer = (headers: Record<string, Header>): Record<string, { $ref: string }> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Scopes are listed as OpenAPI 3.1 allows it, which linters refuse for any scheme but OAuth 2. */
function moveScopes(operation: Operation, way: Record<string, string[]>): Record<string, string[]> {
  const scopes = Object.values(way).flat();
  if (scopes.length > 0) Object.assign(operation, { 'x-required-scopes': scopes });
  return Object.fromEntries(Object.keys(way).map((scheme) => [scheme, []]));
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description: 'A repeat with the same body gets the first answer. For at least 24 hours.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$', examples: ['order-4417-shipped'] },
};

const requestId = {
  name: 'X-Request-Id',
  in: 'header' as const,
  required: false,
  description: 'Your own id of the request, returned and logged.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', examples: ['order-4417'] },
};

const everyAnswer = {
  'X-Request-Id': {
    description: 'The id of the request: yours, or one that was made. Name it to the support.',
    schema: { type: 'string', examples: ['order-4417'] },
  },
  'RateLimit-Policy': {
    description: 'Calls in a burst (q), and seconds in which as many are allowed again (w).',
    schema: { type: 'string', examples: ['"calls";q=400;w=4'] },
  },
  RateLimit: {
    description: 'Calls that are left (r), and seconds until the burst is whole again (t).',
    schema: { type: 'string', examples: ['"calls";r=399;t=1'] },
  },
};

const replayed = {
  description: 'The answer to an earlier call with the same Idempotency-Key: nothing was done again.',
  schema: { type: 'string', enum: ['true'] },
};

const retryAfter = {
  description: 'Seconds to wait before the call is repeated.',
  schema: { type: 'integer', examples: [1] },
};

function listPlaces(
  path: string,
  method: string,
  { operationId, tags, requestBody, responses }: Operation,
): TaggedPlace[] {
  const [tag = ''] = tags;
  const resource = pascal(
    singular(
      path
        .split('/')
        .filter((part) => part !== '' && !part.startsWith('{'))
        .join('-'),
    ),
  );
  const found: TaggedPlace[] = [];
  for (const content of Object.values(requestBody?.content ?? {}))
    found.push({ holder: content, tag, name: `${pascal(operationId)}Body` });
  for (const [status, { content = {} }] of Object.entries(responses))
    for (const [type, holder] of Object.entries(content)) {
      if (!/^(?:application\/json|text\/event-stream)$/.test(type)) continue;
      const isList = 'items' in ((holder.schema['properties'] as object | undefined) ?? {});
      const name = method === 'get' || status === '201' ? `${resource}${isList ? 'List' : ''}` : pascal(operationId);
      found.push({ holder, tag, name: status === '202' && method !== 'get' ? `${pascal(operationId)}Accepted` : name });
    }
  return found;
}

/** What zod writes correctly but linters and generators misread. */
function tidy(schema: JsonSchema): void {
  const { anyOf, required, propertyNames, prefixItems } = schema;
  // 180 characters in hundreds of places, which say what the format says.
  if (schema['format'] === 'uuid') delete schema['pattern'];
  // Anything, or null.
  if (Array.isArray(anyOf) && anyOf.some((each) => Object.keys(each as object).length === 0)) delete schema['anyOf'];
  // A record of a closed set of keys.
  if (Array.isArray(required) && propertyNames !== undefined && schema['properties'] === undefined) {
    const each = schema['additionalProperties'];
    schema['properties'] = Object.fromEntries(required.map((name) => [name, structuredClone(each)]));
    delete schema['propertyNames'];
    schema['additionalProperties'] = false;
  }
  // Linters take `items: false` for a missing one.
  if (Array.isArray(prefixItems) && !schema['items'])
    Object.assign(schema, { items: {}, minItems: prefixItems.length, maxItems: prefixItems.length });
}

/**
 * Adds what a field means where its schema does not say it. `parent`: the property that holds the schema, or the tag of its
 * operation; the entries of a list are held by what holds the list.
 */
function describeFields(schema: unknown, parent: string): void {
  if (Array.isArray(schema)) for (const each of schema) describeFields(each, parent);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  tidy(schema as JsonSchema);
  for (const [key, value] of Object.entries(schema)) {
    if (key !== 'properties') describeFields(value, parent);
    else
      for (const [name, property] of Object.entries(value as Record<string, JsonSchema>)) {
        describeFields(property, name === 'items' ? parent : name);
        describe(property, describeField(name, parent));
      }
  }
}

function describe(property: JsonSchema, known: ReturnType<typeof describeField>): void {
  if (known === undefined) return;
  property['description'] ??= known.description;
  if (known.example !== undefined && fits(property, known.example)) property['examples'] ??= [known.example];
}

/** Whether the schema accepts the example; of alternatives, one of them. */
function fits(schema: JsonSchema, example: string | number): boolean {
  const { type, pattern, anyOf, oneOf, minimum, maximum, maxLength, format } = schema;
  const shapes = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (shapes !== undefined) return shapes.some((shape) => fits(shape, example));
  if ('const' in schema) return schema['const'] === example;
  if (schema['enum'] !== undefined) return (schema['enum'] as unknown[]).includes(example);
  const types = [type].flat();
  if (typeof example === 'number') {
    if (!types.includes('number') && !(types.includes('integer') && Number.isInteger(example))) return false;
    return example >= Number(minimum ?? example) && example <= Number(maximum ?? example);
  }
  if (!types.includes('string') || example.length > Number(maxLength ?? example.length)) return false;
  if (format === 'date-time' || format === 'date') return !Number.isNaN(Date.parse(example));
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(example);
}
