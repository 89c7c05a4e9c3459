/** Serves operations as tools of the Model Context Protocol, with the rights of the key. */
import { parseArgs } from 'node:util';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type OperationKey, type Pahatid, PahatidError } from '@pahatid/client';
import { connect, readLogin } from '../connect.ts';
import { operations } from '../generated/operations.ts';
import type { ToolOperation } from '../tool-operation.ts';

const isReading = ({ key }: ToolOperation): boolean => key.startsWith('GET ');

/** Messages may leave after it. */
const isSending = ({ key }: ToolOperation): boolean =>
  /^(?:POST|PATCH) \/(?:messages(?!\/preview)|tasks|verifications|inbound)\b/.test(key);

export interface ToolRights {
  readonly mayWrite: boolean;
  readonly maySend: boolean;
  readonly scopes: readonly string[];
  readonly isTest: boolean;
}

export const chooseTools = (
  all: readonly ToolOperation[],
  { mayWrite, maySend, scopes, isTest }: ToolRights,
): readonly ToolOperation[] =>
  all
    .filter(({ scope, inTestMode }) => (scope === null || scopes.includes(scope)) && (inTestMode || !isTest))
    .filter((operation) => isReading(operation) || (mayWrite && (maySend || !isSending(operation))));

interface ToolInput {
  params?: object;
  query?: object;
  body?: unknown;
}

async function run(pahatid: Pahatid, { key }: ToolOperation, input: ToolInput) {
  try {
    const response = await pahatid.request(key as OperationKey, input);
    const text = response.status === 204 ? 'done' : await response.text();
    return { content: [{ type: 'text' as const, text }] };
  } catch (error) {
    if (!(error instanceof PahatidError)) throw error;
    const { message, errors, params } = error;
    const text = JSON.stringify({ error: message, params, errors });
    return { isError: true, content: [{ type: 'text' as const, text }] };
  }
}

export async function mcp(words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values } = parseArgs({
    args: words,
    options: { write: { type: 'boolean', default: false }, live: { type: 'boolean', default: false } },
  });
  const pahatid = connect(readLogin(env));
  const { scopes, mode } = await pahatid.call('GET /key');
  const isTest = mode === 'test';
  const server = new McpServer({ name: 'pahatid', version: '0.1.0' });
  const rights = { mayWrite: values.write, maySend: values.live || isTest, scopes, isTest };
  for (const operation of chooseTools(operations, rights))
    server.registerTool(
      operation.id,
      {
        description: `${operation.summary} (${operation.key})`,
        inputSchema: fromJsonSchema<ToolInput>(operation.input),
        annotations: {
          readOnlyHint: isReading(operation),
          destructiveHint: operation.key.startsWith('DELETE '),
          openWorldHint: isSending(operation),
        },
      },
      (input) => run(pahatid, operation, input),
    );
  await server.connect(new StdioServerTransport());
}
