/**
 * Migrations: numbered SQL files, each run once in a separate transaction, in order, by one process at a time. A file
 * that has changed since it was run is refused: the database would no longer match the files.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { makeClient } from './connect.ts';
import { isLockTimeout, setLockTimeout } from './with-transaction.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

export interface MigrateOptions {
  /** Coordinator on Citus. */
  readonly url: string;
  readonly folder?: string;
  /** Run after the migrations each time; null: none. */
  readonly distributeFile?: string | null;
  /** Called when a file could not lock a table in time and is tried again. */
  readonly onBusy?: (name: string) => void;
}

const HOME = path.join(import.meta.dirname, '..');
export const MIGRATIONS_FOLDER = path.join(HOME, 'migrations');
export const DISTRIBUTE_FILE = path.join(HOME, 'distribute.sql');
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

class MigrationError extends Error {
  override name = 'MigrationError';
}

/**
 * Reads `0001_name.sql`, `0002_…` in the order of their numbers, each number once. A gap is fine: changes made side by
 * side land with the numbers they were made with, and one that lands late is run late.
 */
export function readMigrations(folder = MIGRATIONS_FOLDER): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  let last = 0;
  return files.map((file) => {
    const match = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file);
    if (match === null) throw new MigrationError(`${file}: a migration is named like 0001_customers.sql`);
    const number = Number(match[1]);
    if (number <= last) throw new MigrationError(`${file}: number ${number} is taken`);
    last = number;
    const text = readFileSync(path.join(folder, file), 'utf8');
    return { number, name: file, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

/** Brings the database up to date and returns the names of the files that were run. */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(options.folder);
  const client = makeClient({ url: options.url, applicationName: 'pahatid migrate', statementTimeoutMs: 0 });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    const pending = await findPending(client, migrations);
    for (const migration of pending) await applyWhenFree(client, migration, options.onBusy);
    const distributeFile = options.distributeFile === undefined ? DISTRIBUTE_FILE : options.distributeFile;
    if (distributeFile !== null) await client.query(readFileSync(distributeFile, 'utf8'));
    return pending.map(({ name }) => name);
  } finally {
    // Closing the connection releases the lock.
    await client.end();
  }
}

async function findPending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  await client.query(
    `create table if not exists schema_migration (
       number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`,
  );
  const { rows } = await client.query<{ number: number; name: string; checksum: string }>(
    'select number, name, checksum from schema_migration order by number',
  );
  for (const row of rows) {
    const file = migrations.find(({ number }) => number === row.number);
    if (file === undefined) {
      throw new MigrationError(`the database knows ${row.name}, which this release does not: it is of a newer one`);
    }
    if (file.checksum !== row.checksum)
      throw new MigrationError(
        `${file.name} was changed after it had been run: this database belongs to another release (a demo's data folder may be removed)`,
      );
  }
  return migrations.filter(({ number }) => !rows.some((row) => row.number === number));
}

async function applyWhenFree(client: pg.Client, migration: Migration, onBusy: MigrateOptions['onBusy']): Promise<void> {
  const deadline = performance.now() + BUSY_LIMIT_MS;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
    try {
      await apply(client, migration);
      return;
    } catch (error) {
      if (!isLockTimeout((error as Error).cause) || performance.now() > deadline) throw error;
      onBusy?.(migration.name);
      await sleep(waitMs);
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await setLockTimeout(client, LOCK_TIMEOUT_MS);
    await client.query(migration.text);
    await client.query('insert into schema_migration (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    const { message, position } = error as { message: string; position?: string };
    const line = position === undefined ? '' : `:${migration.text.slice(0, Number(position)).split('\n').length}`;
    throw new MigrationError(`${migration.name}${line}: ${message}`, { cause: error });
  }
}
