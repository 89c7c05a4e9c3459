import { readMigrations } from '../migrate.ts';
import { type Db, one, sql } from '../sql.ts';

let known: number | null = null;

/** Whether the database answers and has every migration of this release. */
export const isMigrated = async (db: Db): Promise<boolean> => {
  known ??= readMigrations().length;
  const { applied } = await one<{ applied: number }>(db, sql`select count(*)::int as applied from schema_migration`);
  return applied >= known;
};
