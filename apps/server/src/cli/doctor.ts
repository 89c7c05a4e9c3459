import { constants } from 'node:fs';
import { access, mkdir, statfs } from 'node:fs/promises';
import { makeClient, readMigrations } from '@pahatid/db';
import { type Config, ConfigError, readConfig } from '../process/config.ts';
import { LEAST_FREE_BYTES, listDatabaseRisks, readDatabaseState } from '../process/database-risks.ts';
import { describeSettings } from '../process/settings.ts';
import { readVersion } from '../process/version.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { withDatabase } from './with-database.ts';

const LEAST_POSTGRES = 150_000;

/** Prints every setting, then one line per check; the exit code reports whether all passed. */
export const doctorCommand: Command = async (words, env) => {
  readOptions(words, []);
  const settings = describeSettings(env);
  const width = Math.max(...settings.map(({ name }) => name.length));
  for (const { name, value, meaning } of settings)
    console.log(`${name.padEnd(width)}  ${value}\n${' '.repeat(width)}    ${meaning}`);
  console.log('');

  let wrong = 0;
  const report = (good: boolean, line: string): void => {
    if (!good) wrong++;
    console.log(`${good ? 'ok   ' : 'WRONG'} ${line}`);
  };
  report(true, `Pahatid ${readVersion()}`);
  report(Number(process.versions.node.split('.')[0]) >= 24, `Node ${process.versions.node} (24 or newer is wanted)`);
  const config = tryConfig(env, (problem) => report(false, problem));
  if (config !== null) {
    report(true, 'settings');
    await checkDataFolder(config, report);
    await checkDatabase(env, config, report).catch((error: Error) => report(false, `database: ${error.message}`));
  }
  return wrong === 0 ? 0 : 1;
};

type Report = (good: boolean, line: string) => void;

function tryConfig(env: NodeJS.ProcessEnv, onProblem: (problem: string) => void): Config | null {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) onProblem(problem);
    return null;
  }
}

async function checkDataFolder({ dataDir }: Config, report: Report): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.W_OK);
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    report(free >= LEAST_FREE_BYTES, `data folder ${dataDir}: ${Math.floor(free / 1024 ** 2)} MB free`);
  } catch (error) {
    report(false, `data folder ${dataDir}: ${(error as Error).message}`);
  }
}

async function checkDatabase(env: NodeJS.ProcessEnv, { dataDir }: Config, report: Report): Promise<void> {
  await withDatabase(env, async ({ url }) => {
    const client = makeClient({ url, applicationName: 'pahatid doctor' });
    await client.connect();
    try {
      const { rows } = await client.query<{ version: string; number: number; migrated: string | null }>(
        `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
                to_regclass('schema_migration')::text as migrated`,
      );
      const [row] = rows;
      if (row === undefined) return;
      report(row.number >= LEAST_POSTGRES, `PostgreSQL ${row.version} (15 or newer is wanted)`);
      const risks = listDatabaseRisks(await readDatabaseState(client, { databaseUrl: url, dataDir }));
      for (const { line } of risks) report(false, line);
      if (risks.length === 0) report(true, 'durability: what the database commits stays');
      const applied =
        row.migrated === null ? 0 : ((await client.query('select 1 from schema_migration')).rowCount ?? 0);
      const files = readMigrations().length;
      report(true, `migrations: ${applied} of ${files}${applied < files ? ' (the next start runs the rest)' : ''}`);
    } finally {
      await client.end();
    }
  });
}
