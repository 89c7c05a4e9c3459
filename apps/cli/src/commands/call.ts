import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type { OperationKey } from '@pahatid/client';
import { connect, readLogin } from '../connect.ts';
import { operations } from '../generated/operations.ts';
import { parseJson, print } from '../input.ts';
import { UsageError } from '../usage.ts';

const options = {
  params: { type: 'string' },
  query: { type: 'string' },
  body: { type: 'string' },
  csv: { type: 'boolean', default: false },
} as const;

/** Calls any operation: `call 'GET /templates' --query '{"limit":10}'`; a list as csv with `--csv`. */
export async function call(words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
  const key = positionals[0];
  if (positionals.length !== 1 || !operations.some((operation) => operation.key === key))
    throw new UsageError(`no such operation; there are\n${operations.map((each) => `  ${each.key}`).join('\n')}`);
  const parts = {
    params: parseJson('params', values.params) as object | undefined,
    query: parseJson('query', values.query) as object | undefined,
    body: parseJson('body', values.body),
  };
  const given = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
  const accept = values.csv ? 'text/csv' : 'application/json';
  const response = await connect(readLogin(env)).request(key as OperationKey, given, { accept });
  if (values.csv && response.body !== null) await pipeline(response.body, process.stdout, { end: false });
  else if (response.status !== 204) print(await response.json());
}
