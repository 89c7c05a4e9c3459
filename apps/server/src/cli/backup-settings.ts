import { type Config, ConfigError } from '../process/config.ts';
import { readMasterKey } from '../secrets/master-key.ts';
import { UsageError } from './usage-error.ts';

export const refuseExternal = (databaseUrl: string | null): void => {
  if (databaseUrl !== null)
    throw new UsageError(
      'this is for the embedded database; for one of yours see docs/operations.md (DATABASE_URL is set)',
    );
};

/** Makes no key: what was sealed with another one can't be opened. */
export const findMasterKey = ({ secret, dataDir }: Config): Buffer => {
  const key = secret ?? readMasterKey(dataDir);
  if (key !== null) return key;
  throw new ConfigError([
    `PAHATID_SECRET: is not set, and ${dataDir} has no master-key: a backup opens with its key alone`,
  ]);
};
