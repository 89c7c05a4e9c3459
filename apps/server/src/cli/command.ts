import { ROLE_NAMES, type RoleName } from '../process/config.ts';
import { UsageError } from './usage-error.ts';

/** Returns the exit code. */
export type Command = (words: string[], env: NodeJS.ProcessEnv) => Promise<number>;

export function readRole(text: string | undefined): RoleName {
  const role = ROLE_NAMES.find((each) => each === text);
  if (role === undefined) throw new UsageError(`--role is one of ${ROLE_NAMES.join(', ')}`);
  return role;
}
