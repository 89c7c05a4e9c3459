/** Operations of software with the JSON Schema of their input, for programs that offer them as tools. */
import { listSoftwareOperations, parametersOf } from './client-types.ts';
import type { Operation } from './openapi.ts';
import { type ApiScope, worksInTestMode } from './scopes.ts';

type JsonSchema = Record<string, unknown>;

interface ClientOperation {
  /** `GET /messages/{messageId}` */
  key: string;
  /** `getMessagesMessageId` */
  id: string;
  summary: string;
  /** null: any credentials. */
  scope: ApiScope | null;
  /** Whether a test key can call it. */
  inTestMode: boolean;
  /** An object with `params`, `query` and `body`, of those that the operation has. */
  input: JsonSchema;
}

function partOf(operation: Operation, where: 'path' | 'query'): JsonSchema | null {
  const parameters = parametersOf(operation, where);
  return parameters === null ? null : { ...parameters, additionalProperties: false };
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

const listOperations = (): ClientOperation[] =>
  listSoftwareOperations()
    .filter(({ isForm }) => !isForm)
    .map(({ method, path, operation, scope }) => ({
      key: `${method} ${path}`,
      id: operation.operationId,
      summary: operation.summary,
      scope,
      inTestMode: worksInTestMode(`${method} ${path}`, scope),
      input: inputOf(operation),
    }));

/** The text of `apps/cli/src/generated/operations.ts`. */
export const makeCliOperations = (): string => {
  const lines = listOperations().map((operation) => `  ${JSON.stringify(operation)},\n`);
  return `import type { ToolOperation } from '../tool-operation.ts';\n\n/** Made by \`npm run generate\`; changes here are lost. */\nexport const operations: readonly ToolOperation[] = [\n${lines.join('')}];\n`;
};
