import { migrate } from '@pahatid/db';
import { seedPlatformData } from '../roles/seed.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { withDatabase } from './with-database.ts';

export const migrateCommand: Command = async (words, env) => {
  readOptions(words, []);
  return withDatabase(env, async ({ url }) => {
    const files = await migrate({
      url,
      onBusy: (file) => console.error(`${file} waits for a long transaction, will retry`),
    });
    await seedPlatformData(url);
    console.log(files.length === 0 ? 'The database is up to date.' : `Ran ${files.join(', ')}.`);
    return 0;
  });
};
