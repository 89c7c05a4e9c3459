/**
 * Migrations: numbered SQL files, each run once, in order, by one process at a time: in a separate transaction, or
 * step by step if it builds indexes concurrently. A file that has changed since it was run is refused: the database
 * would no longer match the files. Files of a newer release are accepted unless one names a migration that this program
 * lacks: so the previous release keeps running, and can be started again, on a database that was migrated.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { readIndexSteps, runIndexStep } from './concurrent-indexes.ts';
import { makeClient } from './connect.ts';
import { type Migration, MigrationError, readMigrations } from './migration-files.ts';
import { isLockTimeout, setLockTimeout } from './with-transaction.ts';

export interface MigrateOptions {
  /** Coordinator on Citus. */
  readonly url: string;
  readonly folder?: string;
  /** Run after the migrations each time; null: none. */
  readonly distributeFile?: string | null;
  /** Called when a file could not lock a table in time and is tried again. */
  readonly onBusy?: (name: string) => void;
}

export const DISTRIBUTE_FILE = path.join(import.meta.dirname, '../distribute.sql');
/**
 * A file that waits for a strong lock behind a long transaction is waited for by every later reader of the table. So
 * none waits longer than this: it is rolled back, the readers pass, and it is tried again.
 */
const LOCK_TIMEOUT_MS = 1_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
/** Longer than any transaction of this program; the owner of one that lasts longer has to end it. */
const BUSY_LIMIT_MS = 600_000;
/** Any number, as long as every release uses the same. */
const LOCK_KEY = 7_240_824_201;
const LOCK_EVERY_MS = 100;

/** Brings the database up to date and returns the names of the files that were run. */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(options.folder);
  // Citus would send the whole text of a file to its other nodes, because of the settings in it.
  const settings = { statementTimeoutMs: 0, forwardsSettings: false };
  const client = makeClient({ url: options.url, applicationName: 'pahatid migrate', ...settings });
  await client.connect();
  try {
    await waitForTurn(client);
    const pending = await findPending(client, migrations);
    for (const migration of pending) await apply(client, migration, options.onBusy);
    const distributeFile = options.distributeFile === undefined ? DISTRIBUTE_FILE : options.distributeFile;
    if (distributeFile !== null) await client.query(readFileSync(distributeFile, 'utf8'));
    return pending.map(({ name }) => name);
  } finally {
    // Closing the connection releases the lock.
    await client.end();
  }
}

/** Asks again and again: a statement that waits keeps a snapshot, which a concurrent index build would wait for. */
async function waitForTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK_KEY]);
    if (rows[0]?.locked === true) return;
    await sleep(LOCK_EVERY_MS);
  }
}

interface Applied {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly needs: number | null;
}

async function findPending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  await client.query(
    `create table if not exists schema_migration (
       number integer primary key, name text not null, checksum text not null,
       applied_at timestamptz not null default now(), needs integer)`,
  );
  await addNeeds(client);
  const { rows } = await client.query<Applied>(
    'select number, name, checksum, needs from schema_migration order by number',
  );
  for (const row of rows) assertRunsOn(row, migrations);
  return migrations.filter(({ number }) => !rows.some((row) => row.number === number));
}

/** Databases of before the column; each process reads the table, so it is locked only when the column is missing. */
async function addNeeds(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = 'schema_migration'::regclass and attname = 'needs'`,
  );
  if (rowCount === 0) await client.query('alter table schema_migration add column needs integer');
}

/** Throws unless a program with these files can run on a database with this one. */
function assertRunsOn(row: Applied, migrations: readonly Migration[]): void {
  const file = migrations.find(({ number }) => number === row.number);
  if (file === undefined) {
    if (row.needs === null || migrations.some(({ number }) => number === row.needs)) return;
    throw new MigrationError(
      `the database has ${row.name}, which needs migration ${row.needs}, which this release lacks: start a newer one`,
    );
  }
  if (file.checksum !== row.checksum)
    throw new MigrationError(
      `${file.name} was changed after it had been run: this database belongs to another release (a demo's data folder may be removed)`,
    );
}

function apply(client: pg.Client, migration: Migration, onBusy: MigrateOptions['onBusy']): Promise<void> {
  return migration.inTransaction
    ? whenFree(migration, onBusy, () => applyWhole(client, migration))
    : applySteps(client, migration, onBusy);
}

/** Repeats what could not lock a table in time. */
async function whenFree(
  migration: Migration,
  onBusy: MigrateOptions['onBusy'],
  work: () => Promise<void>,
): Promise<void> {
  const deadline = performance.now() + BUSY_LIMIT_MS;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isLockTimeout((error as Error).cause) || performance.now() > deadline) throw error;
      onBusy?.(migration.name);
      await sleep(waitMs);
    }
  }
}

async function applyWhole(client: pg.Client, migration: Migration): Promise<void> {
  await inShortTransaction(client, migration, async () => {
    await client.query(migration.text);
    await noteApplied(client, migration);
  });
}

/** After an interruption the file is run again from its start; steps that were complete do nothing. */
async function applySteps(client: pg.Client, migration: Migration, onBusy: MigrateOptions['onBusy']): Promise<void> {
  const runShortly = (text: string) =>
    whenFree(migration, onBusy, () =>
      inShortTransaction(client, migration, async () => {
        await client.query(text);
      }),
    );
  try {
    // A concurrent build waits for old transactions; writers don't queue behind it.
    await client.query("select set_config('lock_timeout', $1, false)", [String(BUSY_LIMIT_MS)]);
    for (const step of readIndexSteps(migration.name, migration.text)) await runIndexStep(client, step, runShortly);
    await noteApplied(client, migration);
    await client.query('reset lock_timeout');
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    throw new MigrationError(`${migration.name}: ${(error as Error).message}`, { cause: error });
  }
}

async function noteApplied(client: pg.Client, { number, name, checksum, needs }: Migration): Promise<void> {
  await client.query('insert into schema_migration (number, name, checksum, needs) values ($1, $2, $3, $4)', [
    number,
    name,
    checksum,
    needs,
  ]);
}

async function inShortTransaction(client: pg.Client, migration: Migration, work: () => Promise<void>): Promise<void> {
  try {
    await client.query('begin');
    await setLockTimeout(client, LOCK_TIMEOUT_MS);
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    const { message, position } = error as { message: string; position?: string };
    const line = position === undefined ? '' : `:${migration.text.slice(0, Number(position)).split('\n').length}`;
    throw new MigrationError(`${migration.name}${line}: ${message}`, { cause: error });
  }
}
