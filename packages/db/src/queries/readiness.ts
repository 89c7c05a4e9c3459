import type { Pool } from 'pg';
import { readMigrations } from '../migrate.ts';
import { type Db, one, run, sql } from '../sql.ts';
import { withTransaction } from '../with-transaction.ts';

let known: number | null = null;

/** Whether the database responds and has every migration of this release. */
export const isMigrated = async (db: Db): Promise<boolean> => {
  known ??= readMigrations().length;
  const { applied } = await one<{ applied: number }>(db, sql`select count(*)::int as applied from schema_migration`);
  return applied >= known;
};

/**
 * Whether the database can still write to its disk. Makes it spill about 300 kB into a temporary file, which is deleted
 * with the statement: a table created for it would leave rows in the catalogue at each probe.
 */
export async function hasDiskSpace(pool: Pool): Promise<boolean> {
  try {
    await withTransaction(pool, async (tx) => {
      await run(tx, sql`set local work_mem = '64kB'`);
      await run(tx, sql`select count(*) from generate_series(1, 20000)`);
    });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === diskFull) return false;
    throw error;
  }
}

const diskFull = '53100';
