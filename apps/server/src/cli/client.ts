import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from './command.ts';
import { UsageError } from './usage-error.ts';

const program = path.join(import.meta.dirname, '../../../cli/src/main.ts');
/** As a shell reports a process that a signal ended. */
const SIGNALLED = 128;

/** Runs the command line of the API, which customers install alone: it is no part of a release of the server. */
export const clientCommand: Command = async (words, env) => {
  if (!existsSync(program)) throw new UsageError('client is in a checkout and in the package @pahatid/cli');
  const child = spawn(process.execPath, [program, ...words], { env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? SIGNALLED;
};
