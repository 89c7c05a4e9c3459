/** The program's command line: reads it, hands over to the command, and turns what goes wrong into one clear line. */
import { findCommand, UsageError, usage } from './cli/commands.ts';
import { ConfigError } from './config.ts';

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

/** Says all there is to say in its message: where it was thrown helps nobody. */
function isClear(error: unknown): error is Error {
  return error instanceof Error && ['MigrationError', 'PostmasterError'].includes(error.name);
}
