import { readVersion } from '../process/version.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';

export const versionCommand: Command = async (words) => {
  readOptions(words, []);
  console.log(readVersion());
  return 0;
};
