import { migrate } from '@pahatid/db';
import { ConfigError } from '../process/config.ts';
import { seed } from '../roles/seed.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { withDatabase } from './with-database.ts';

export const seedCommand: Command = async (words, env) => {
  readOptions(words, []);
  return withDatabase(env, async ({ config, url, secret }) => {
    if (!config.demo) throw new ConfigError(['PAHATID_DEMO: is off, so no demo accounts are made']);
    await migrate({ url });
    const made = await seed(url, secret, config);
    console.log(made ? 'The demo was made.' : 'The demo is there already.');
    return 0;
  });
};
