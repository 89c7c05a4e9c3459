#!/usr/bin/env node
/** The command line of the API. Each command is a file; see `usage`. */
import { PahatidError } from '@pahatid/client';
import { UsageError, usage } from './usage.ts';

type Command = (words: string[], env: NodeJS.ProcessEnv) => Promise<void>;
/** Loaded when it is used: the assistant's protocol is large. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  login: async () => (await import('./commands/login.ts')).login,
  send: async () => (await import('./commands/send.ts')).send,
  watch: async () => (await import('./commands/watch.ts')).watch,
  listen: async () => (await import('./commands/listen.ts')).listen,
  call: async () => (await import('./commands/call.ts')).call,
  'verify-callback': async () => (await import('./commands/verify-callback.ts')).verify,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
};

const [name = 'help', ...words] = process.argv.slice(2);
const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
try {
  if (load !== undefined) await (await load())(words, process.env);
  else if (['help', '--help', '-h'].includes(name)) process.stdout.write(usage);
  else throw new UsageError(`unknown command: ${name}`);
} catch (error) {
  process.exitCode = isUsage(error) ? 2 : 1;
  process.stderr.write(`${describe(error)}\n`);
  if (isUsage(error)) process.stderr.write(`\n${usage}`);
}

/** Also what `parseArgs` refuses. */
function isUsage(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof UsageError || (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'));
}

function describe(error: unknown): string {
  if (error instanceof PahatidError) {
    const fields = error.errors.map(({ field, code }) => `\n  ${field}: ${code}`).join('');
    return `${error.message}${fields}${error.requestId ? `\n  request ${error.requestId}` : ''}`;
  }
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
