/**
 * OpenAPI 3.1 generated from the routes: `generated/openapi.json` is this function's result, verified by the checks.
 */
import { z } from 'zod';
import { approvalRoutes, pendingApproval } from './approvals.ts';
import { callbackBodies, callbackEventOf } from './callback-bodies.ts';
import { type CallbackType, callbackTypes } from './callbacks-values.ts';
import { type ErrorCode, errorCatalogue } from './errors.ts';
import type { RouteDefinition } from './route.ts';
import { apiPrefix, routes } from './routes.ts';
import { findScope, isForSoftware, worksInTestMode } from './scopes.ts';
import { type StepUpRoute, stepUpRoutes } from './step-up.ts';

type JsonSchema = Record<string, unknown>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface Header {
  description: string;
  schema: JsonSchema;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<
    string,
    {
      /** To `components.responses`, instead of the rest. */
      $ref?: string;
      description?: string;
      headers?: Record<string, Header | { $ref: string }>;
      content?: Record<string, { schema: JsonSchema }>;
    }
  >;
}

export interface OpenApi {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    description: string;
    contact?: { name: string; url: string; email: string };
    license: { name: string; url: string };
  };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: JsonSchema }>;
  components: {
    schemas: Record<string, JsonSchema>;
    headers?: Record<string, Header>;
    responses?: Record<string, Operation['responses'][string]>;
    securitySchemes: Record<string, JsonSchema>;
  };
}

/** Errors that any call with a session may return. */
const common: readonly ErrorCode[] = ['BAD_REQUEST', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'];

/** Additional errors of calls of software. */
const softwareCodes: readonly ErrorCode[] = [
  'APP_CREDENTIALS_INVALID',
  'ADDRESS_NOT_ALLOWED',
  'APP_NO_HTTP_ACCESS',
  'APP_DISABLED',
  'CUSTOMER_SUSPENDED',
];

export function makeOpenApi(): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const [key, definition] of Object.entries<RouteDefinition>(routes)) {
    const [method = 'GET', template = ''] = key.split(' ');
    const path = template.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: makeOperation(key, definition) };
  }
  const tags = [...new Set(Object.keys(routes).map(tagOf))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pahatid API',
      version: '1',
      description:
        'Everything the console does. Times are UTC, money is an integer of 1/10,000 PHP, ids are text. ' +
        'Errors are application/problem+json with a code of the catalogue. Unsafe calls from another origin are refused.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: apiPrefix }],
    tags: tags.map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries(callbackTypes.map((type) => [type, { post: webhookOf(type) }])),
    components: {
      schemas: { Problem: problemSchema() },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'pahatid' },
        basic: { type: 'http', scheme: 'basic', description: 'appId and appSecret of an application: every scope.' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'pk_live_…',
          description: 'A key of an application, with the scopes that it was made with.',
        },
      },
    },
  };
}

/** A callback as an operation of the customer's server. */
function webhookOf(type: CallbackType): JsonSchema {
  const { summary, example } = callbackBodies[type];
  const event = callbackEventOf(type);
  const timestamp = '2026-11-22T01:02:03.456Z';
  const header = (name: string, description: string) => ({
    ...{ name, in: 'header', required: true, description },
    schema: { type: 'string' },
  });
  return {
    operationId: `callback${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary,
    description: 'Signed as in Standard Webhooks. An address that receives events in arrays gets one of up to 500.',
    security: [],
    parameters: [
      header('webhook-id', 'The same at every try'),
      header('webhook-timestamp', 'Seconds since 1970, of this try'),
      header(
        'webhook-signature',
        'v1, and the HMAC-SHA256 of id, time and body in base64; several during a change of secrets',
      ),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            oneOf: [
              jsonSchema(event, 'output'),
              { type: 'array', maxItems: 500, items: jsonSchema(event.extend({ id: z.string() }), 'output') },
            ],
          },
          example: { type, timestamp, data: example },
        },
      },
    },
    responses: { '2XX': { description: 'Received. A test is answered with its challenge as the body.' } },
  };
}

/** What is read of a task in addition to its fields; sending and results are separate pages of the reference. */
const resultsOfTasks = /^GET \/tasks\/(?:estimate|events|:taskId\/(?:breakdown|details|estimate|events|log|rejects))$/;
/** What is done with a task that is there. */
const controlOfTasks = /^POST \/tasks\/:taskId\/(?:test|cancel|terminate|pause|resume|retry|resend)$/;

const tagOf = (key: string): string => {
  if (key.includes('/ab-test')) return 'ab-tests';
  if (controlOfTasks.test(key)) return 'task-control';
  return resultsOfTasks.test(key) ? 'task-results' : (key.split(/[ /]/)[2] ?? '');
};

/** `GET /tasks/:taskId/log` is `getTasksTaskIdLog`. */
const operationIdOf = (key: string): string =>
  key
    .toLowerCase()
    .split(' ')[0]!
    .concat(
      ...key
        .split(' ')[1]!
        .split(/[/:-]+/)
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1)),
    );

const callers = {
  public: 'Anybody.',
  session: 'Anybody signed in.',
  application: 'Software of an application.',
} as const;

function makeOperation(key: string, definition: RouteDefinition): Operation {
  const parameters = [...parametersOf('path', definition.params), ...parametersOf('query', definition.query)];
  const body = bodyOf(definition);
  return {
    operationId: operationIdOf(key),
    tags: [tagOf(key)],
    summary: definition.summary,
    description: describeCallers(key, definition),
    security: listSecurity(key, definition),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...successOf(definition), ...pendingOf(key), ...failuresOf(key, definition) },
  };
}

function describeCallers(key: string, definition: RouteDefinition): string {
  const { access } = definition;
  const people = typeof access === 'string' ? callers[access] : `Roles: ${access.join(', ')}.`;
  const scope = findScope(key, definition);
  if (scope === null)
    return isForSoftware(key, definition) ? `${people} The password of an application, or any key.` : people;
  return `${people} Software: the password of an application, or a key with the scope \`${scope}\`.`;
}

/** OpenAPI 3.1 allows roles of any security scheme: of a key it is the scope that it must have. */
function listSecurity(key: string, definition: RouteDefinition): Operation['security'] {
  const { access } = definition;
  if (access === 'public') return [];
  const scope = findScope(key, definition);
  return [
    ...(access === 'application' ? [] : [{ session: [] }]),
    ...(isForSoftware(key, definition) ? [{ basic: [] }, { bearer: scope === null ? [] : [scope] }] : []),
  ];
}

/** Draft 2020-12, which OpenAPI 3.1 takes as it is. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
  return rest;
}

function parametersOf(where: 'path' | 'query', schema: z.ZodType | undefined): Parameter[] {
  if (schema === undefined) return [];
  const given = jsonSchema(schema, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
  const read = jsonSchema(schema, 'output') as { properties?: Record<string, JsonSchema> };
  return Object.entries(given.properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || (given.required?.includes(name) ?? false),
    // Numbers in a query are parsed from text: the schema describes the parsed number.
    schema:
      'type' in property || 'enum' in property || 'anyOf' in property ? property : (read.properties?.[name] ?? {}),
  }));
}

function bodyOf(definition: RouteDefinition): Operation['requestBody'] {
  if (definition.multipart === true) {
    const schema = { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] };
    return { required: true, content: { 'multipart/form-data': { schema } } };
  }
  if (definition.body === undefined) return undefined;
  return {
    required: !definition.body.safeParse(undefined).success,
    content: { 'application/json': { schema: jsonSchema(definition.bodyShapes ?? definition.body, 'input') } },
  };
}

function successOf(definition: RouteDefinition): Operation['responses'] {
  const answer = definition.answer ?? 'json';
  const status = String(definition.status ?? (answer === 'empty' ? 204 : 200));
  if (answer === 'empty') return { [status]: { description: 'Done.' } };
  if (answer === 'csv') return { [status]: { description: 'A csv file.', content: csvContent } };
  const schema = definition.response === undefined ? {} : jsonSchema(definition.response, 'output');
  if (answer === 'events')
    return {
      [status]: { description: 'Events; each data line is this.', content: { 'text/event-stream': { schema } } },
    };
  return {
    [status]: {
      description: 'Done.',
      content: { 'application/json': { schema }, ...(definition.csv === true && csvContent) },
    },
  };
}

function pendingOf(key: string): Operation['responses'] {
  if (!(approvalRoutes as readonly string[]).includes(key)) return {};
  const content = { 'application/json': { schema: jsonSchema(pendingApproval, 'output') } };
  return { 202: { description: 'Nothing has changed: another member of staff must approve it.', content } };
}

const csvContent = { 'text/csv': { schema: { type: 'string' } } };

function failuresOf(key: string, definition: RouteDefinition): Operation['responses'] {
  const codes = new Set<ErrorCode>([...common, ...(definition.errors ?? [])]);
  if (Object.hasOwn(stepUpRoutes, key) && stepUpRoutes[key as StepUpRoute] !== 'byBody') codes.add('STEP_UP_REQUIRED');
  const isPublic = definition.access === 'public';
  if (!isPublic) codes.add('NOT_SIGNED_IN');
  if (isForSoftware(key, definition)) for (const code of softwareCodes) codes.add(code);
  const scope = findScope(key, definition);
  if (scope !== null) codes.add('SCOPE_MISSING');
  if (scope !== null && !worksInTestMode(key, scope)) codes.add('NOT_IN_TEST_MODE');
  if (typeof definition.access !== 'string') codes.add('FORBIDDEN').add('NOT_FOUND');
  if (definition.query || definition.body) codes.add('VALIDATION_FAILED');
  // An id in a path may not exist.
  if (definition.params !== undefined) codes.add('NOT_FOUND');
  // Lists by application are of the caller's own.
  if (parametersOf('query', definition.query).some(({ name }) => name === 'appId')) codes.add('APP_NOT_FOUND');
  if (definition.body || definition.multipart === true) codes.add('MEDIA_TYPE_UNSUPPORTED').add('BODY_TOO_LARGE');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return Object.fromEntries(
    [...byStatus].map(([status, found]) => [String(status), { description: found.join(', '), content }]),
  );
}

function problemSchema(): JsonSchema {
  const params = { type: 'object', additionalProperties: { type: ['string', 'number'] } };
  return {
    type: 'object',
    required: ['type', 'title', 'status', 'code', 'requestId'],
    properties: {
      type: { type: 'string', format: 'uri', description: 'Opens a page about the code.' },
      title: { type: 'string' },
      status: { type: 'integer' },
      code: { type: 'string', enum: Object.keys(errorCatalogue) },
      params,
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['field', 'code'],
          properties: { field: { type: 'string' }, code: { type: 'string' }, params },
        },
      },
      requestId: { type: 'string' },
    },
  };
}
