/** Operations of software with the JSON Schema of their input, for programs that offer them as tools. */
import { isForSoftware } from './client-types.ts';
import { makeOpenApi, type Operation } from './openapi.ts';
import type { RouteDefinition } from './route.ts';
import { routes } from './routes.ts';

type JsonSchema = Record<string, unknown>;

interface ClientOperation {
  /** `GET /messages/{messageId}` */
  key: string;
  /** `getMessagesMessageId` */
  id: string;
  summary: string;
  /** An object with `params`, `query` and `body`, of those that the operation has. */
  input: JsonSchema;
}

function partOf(operation: Operation, where: 'path' | 'query'): JsonSchema | null {
  const parameters = (operation.parameters ?? []).filter((each) => each.in === where);
  if (parameters.length === 0) return null;
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function inputOf(operation: Operation): JsonSchema {
  const params = partOf(operation, 'path');
  const query = partOf(operation, 'query');
  const body = operation.requestBody?.content['application/json']?.schema ?? null;
  const properties = Object.fromEntries(
    Object.entries({ params, query, body }).filter((entry): entry is [string, JsonSchema] => entry[1] !== null),
  );
  const isQueryRequired = (query?.['required'] as string[] | undefined)?.length;
  const required = [
    ...(params ? ['params'] : []),
    ...(isQueryRequired ? ['query'] : []),
    ...(body && operation.requestBody?.required ? ['body'] : []),
  ];
  return { type: 'object', properties, required, additionalProperties: false };
}

function listOperations(): ClientOperation[] {
  const { paths } = makeOpenApi();
  return Object.entries<RouteDefinition>(routes)
    .filter(([key, definition]) => isForSoftware(key, definition) && definition.multipart !== true)
    .flatMap(([key]) => {
      const [method = 'GET', template = ''] = key.split(' ');
      const path = template.replace(/:(\w+)/g, '{$1}');
      const operation = paths[path]?.[method.toLowerCase()];
      if (operation === undefined) return [];
      return [
        { key: `${method} ${path}`, id: operation.operationId, summary: operation.summary, input: inputOf(operation) },
      ];
    });
}

/** The text of `apps/cli/src/generated/operations.ts`. */
export const makeCliOperations = (): string => {
  const lines = listOperations().map((operation) => `  ${JSON.stringify(operation)},\n`);
  return `import type { ToolOperation } from '../tool-operation.ts';\n\n/** Made by \`npm run generate\`; changes here are lost. */\nexport const operations: readonly ToolOperation[] = [\n${lines.join('')}];\n`;
};
