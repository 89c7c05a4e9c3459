import { runRole } from '../run-role.ts';
import { type Command, readRole } from './command.ts';
import { readOptions } from './options.ts';

export const runCommand: Command = async (words, env) => {
  await runRole(readRole(readOptions(words, ['role']).role), env);
  return 0;
};
