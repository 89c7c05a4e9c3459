import { runRole } from '../roles/run-role.ts';
import { type Command, readRole } from './command.ts';
import { readOptions } from './options.ts';
import { UsageError } from './usage-error.ts';

export const runCommand: Command = async (words, env) => {
  const { role, name } = readOptions(words, ['role', 'name']);
  const known = readRole(role);
  if (name !== undefined && !/^[a-z]+-\d$/.test(name)) throw new UsageError(`--name is like ${known}-2`);
  await runRole(known, env, name);
  return 0;
};
