import type { Pool } from 'pg';
import { readMigrations } from '../migration-files.ts';
import { type Db, one, run, sql } from '../sql.ts';
import { withTransaction } from '../with-transaction.ts';

let known: number[] | null = null;

/**
 * `behind`: migrations of this release are missing. `ahead`: a newer release has applied one that this release cannot
 * run with; its other migrations don't matter to this one.
 */
export type SchemaState = 'ok' | 'behind' | 'ahead';

export const readSchemaState = async (db: Db): Promise<SchemaState> => {
  known ??= readMigrations().map(({ number }) => number);
  // As JSON: a database that no release with the column has migrated yet lacks `needs`.
  const { missing, unmet } = await one<{ missing: boolean; unmet: boolean }>(
    db,
    sql`select coalesce(not ${known}::int[] <@ array_agg(m.number), true) as missing,
          coalesce(bool_or(m.number <> all (${known}::int[])
            and (to_jsonb(m) ->> 'needs')::int <> all (${known}::int[])), false) as unmet
        from schema_migration m`,
  );
  if (unmet) return 'ahead';
  return missing ? 'behind' : 'ok';
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
