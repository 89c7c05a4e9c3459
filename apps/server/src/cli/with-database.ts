import { startEmbedded } from '@pahatid/db/embedded';
import { type Config, readConfig } from '../process/config.ts';
import { ensureMasterKey } from '../secrets/master-key.ts';

export interface Surroundings {
  readonly config: Config;
  /** Of the coordinator on Citus. */
  readonly url: string;
  readonly secret: Buffer;
}

/** For a command with or without a running program: the embedded database is adopted, or started for its duration. */
export async function withDatabase<T>(env: NodeJS.ProcessEnv, work: (found: Surroundings) => Promise<T>): Promise<T> {
  const config = readConfig(env);
  const secret = config.secret ?? ensureMasterKey(config.dataDir);
  if (config.databaseUrl !== null) return work({ config, url: config.controlUrl ?? config.databaseUrl, secret });
  const embedded = await startEmbedded({ dataDir: config.dataDir });
  try {
    return await work({ config, url: embedded.url, secret });
  } finally {
    await embedded.stop();
  }
}
