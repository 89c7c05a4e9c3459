import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DISTRIBUTE_FILE, makePool, migrate, readMigrations } from '@pahatid/db';
import type pg from 'pg';
import { testClusterUrl } from './test-cluster.ts';
import { cloneDatabase, closeTemplate, createDatabase, dropDatabase, urlOf, withAdmin } from './test-nodes.ts';

export interface TestDatabase {
  readonly name: string;
  /** For the programs under test; superuser, so row level security does not apply until a role is set. */
  readonly url: string;
  readonly pool: pg.Pool;
  /** To be ended before the database is dropped: pools and programs of the test's own. Last registered, first ended. */
  beforeClose(work: () => void | Promise<void>): void;
  /**
   * Called automatically after the file's last test. Fails if a client was not returned or a connection was left open.
   */
  close(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** false: an empty database, no migrations. */
  readonly migrated?: boolean;
  /** Connections of `pool`. */
  readonly max?: number;
  /** false: left connections are cut instead of being a failure (for tests that kill processes). */
  readonly strict?: boolean;
  /** How long a connection may still be there at the end. */
  readonly graceMs?: number;
}

/** A program that was just stopped needs a moment to disappear from the list, on a slow machine a long one. */
const LEAK_GRACE_MS = 60_000;

/**
 * A database of the test file's own, cloned from a migrated template in some 50 ms. Call it at the top of the file (or
 * inside a test): `const db = await testDatabase();`
 */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = await testClusterUrl();
  const name = `test_${fileMark()}_${process.pid}_${randomBytes(4).toString('hex')}`;
  if (options.migrated === false) await createDatabase(server, name);
  else await cloneDatabase(server, name, await withAdmin(server, (admin) => ensureTemplate(admin, server)));
  const url = urlOf(server, name);
  const pool = makePool({ url, applicationName: 'pahatid test', max: options.max ?? 10 });
  let closing: Promise<void> | null = null;
  const works: (() => void | Promise<void>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const work of works.reverse()) await work();
    await closeDatabase(server, name, pool, options.strict ?? true, options.graceMs ?? LEAK_GRACE_MS);
  };
  const database: TestDatabase = {
    name,
    url,
    pool,
    beforeClose: (work) => {
      works.push(work);
    },
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
  after(async () => {
    if (closing === null) await database.close();
  });
  return database;
}

async function closeDatabase(
  server: string,
  name: string,
  pool: pg.Pool,
  strict: boolean,
  graceMs: number,
): Promise<void> {
  const deadline = performance.now() + (strict ? graceMs : 0);
  const countLent = (): number => pool.totalCount - pool.idleCount;
  // Work of the last test that is no longer awaited comes to its end, a client that leaked does not.
  while (countLent() > 0 && performance.now() < deadline) await sleep(20);
  const lent = countLent();
  // Ending a pool waits forever for clients that were never returned.
  if (lent === 0) await pool.end();
  await withAdmin(server, async (admin) => {
    const left = async (): Promise<string[]> => {
      // Without those of the database itself: Citus connects its nodes to each other.
      const { rows } = await admin.query<{ application_name: string; query: string }>(
        `select application_name, query from pg_stat_activity
         where datname = $1 and backend_type = 'client backend' and application_name not like 'citus_internal%'`,
        [name],
      );
      return rows.map((row) => `${row.application_name}: ${row.query}`);
    };
    let connections = await left();
    while (lent === 0 && connections.length > 0 && performance.now() < deadline) {
      await sleep(20);
      connections = await left();
    }
    await dropDatabase(server, name);
    const list = connections.join('\n');
    if (strict && lent > 0) throw new Error(`${lent} clients of the pool were not given back:\n${list}`);
    if (strict && connections.length > 0) throw new Error(`connections were left open:\n${list}`);
  });
}

/** One template per content of the migrations; created by the first process that needs it, while the others wait. */
async function ensureTemplate(admin: pg.Client, server: string): Promise<string> {
  const hash = createHash('sha256');
  for (const { checksum } of readMigrations()) hash.update(checksum);
  hash.update(readFileSync(DISTRIBUTE_FILE));
  const name = `template_${hash.digest('hex').slice(0, 16)}`;
  const isReady = async (): Promise<boolean> => {
    const found = await admin.query('select 1 from pg_database where datname = $1 and datistemplate', [name]);
    return found.rowCount !== 0;
  };
  if (await isReady()) return name;
  await admin.query('select pg_advisory_lock(hashtext($1))', ['pahatid test template']);
  try {
    if (await isReady()) return name;
    await dropDatabase(server, name);
    await createDatabase(server, name);
    await migrate({ url: urlOf(server, name) });
    await closeTemplate(server, name);
    return name;
  } finally {
    await admin.query('select pg_advisory_unlock(hashtext($1))', ['pahatid test template']);
  }
}

/** Returns the test file's name, so that the origin of a left-over database is visible. */
function fileMark(): string {
  const file = path.basename(process.argv[1] ?? 'test').replace(/\.test\.ts$/, '');
  return file
    .replaceAll(/[^a-z0-9]+/gi, '_')
    .toLowerCase()
    .slice(0, 24);
}
