/** The program's command line: parses it, runs the command, and turns errors into one clear line. */
import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { compiledFolder } from './process/compiled-folder.ts';

// Before the program is loaded, and only if a start has created the folder: other commands leave no files behind.
const compiled = compiledFolder(process.env.PAHATID_DATA ?? './data');
if (existsSync(compiled)) enableCompileCache(compiled);
const { findCommand, UsageError, usage } = await import('./cli/commands.ts');
const { ConfigError } = await import('./process/config.ts');
setImmediate(() => flushCompileCache());

const [name = 'help', ...rest] = process.argv.slice(2);
try {
  const command = findCommand(name);
  process.exitCode = await command(rest, process.env);
} catch (error) {
  if (error instanceof ConfigError) for (const problem of error.problems) console.error(problem);
  else if (error instanceof UsageError) console.error(`${error.message}\n\n${usage()}`);
  else if (isClear(error)) console.error(error.message);
  else console.error(error);
  // An exit code alone would not end a role: the channel to its supervisor keeps the process alive.
  process.exit(1);
}

/** Whether the message explains the error fully: a stack trace would not help. */
function isClear(error: unknown): error is Error {
  return (
    error instanceof Error && ['MigrationError', 'PostmasterError', 'RestoreError', 'SealedError'].includes(error.name)
  );
}
