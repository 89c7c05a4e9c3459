import { type Db, one, sql } from './sql.ts';

let known: Promise<boolean> | null = null;

/**
 * Whether the tables are distributed with Citus. Asked once: a process works with one database, and no database becomes
 * distributed while processes run.
 */
export const isDistributed = async (db: Db): Promise<boolean> => {
  known ??= askDistributed(db);
  try {
    return await known;
  } catch (error) {
    known = null;
    throw error;
  }
};

/** The same where no client is at hand: false before the first transaction of the process. */
export const isKnownDistributed = (): boolean => found;

let found = false;

const askDistributed = async (db: Db): Promise<boolean> => {
  const text = sql<{ found: boolean }>`select exists (select from pg_extension where extname = 'citus') as found`;
  found = (await one(db, text)).found;
  return found;
};
