/**
 * Monthly partitions. Creating one takes an exclusive lock on its parent. Every later reader queues behind a process
 * waiting for that lock behind a long reader, so the wait is limited to `partitionLockMs`: the attempt fails, the
 * readers proceed, and the caller tries again later.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Db, one, run, sql } from '../sql.ts';
import { isLockTimeout, setLockTimeout, withTransaction } from '../with-transaction.ts';

const partitionLockMs = 500;
const startAttempts = 10;
const attemptEveryMs = 1_000;

/**
 * Makes the partitions of this month and of so many that follow; without them rows would land in the default one. Throws
 * when the lock does not come in time.
 */
export const ensurePartitions = async (pool: pg.Pool, monthsAhead: number): Promise<void> => {
  if (!(await isAnyMissing(pool, monthsAhead))) return;
  await withTransaction(pool, async (tx) => {
    await setLockTimeout(tx, partitionLockMs);
    // One process does it, the others find it done.
    await run(tx, sql`select pg_advisory_xact_lock(7240824202)`);
    if (!(await isAnyMissing(tx, monthsAhead))) return;
    await run(
      tx,
      sql`select ensure_partition(now() + m * interval '1 month') from generate_series(0, ${monthsAhead}::int) as m`,
    );
  });
};

/**
 * For a process that is about to create message IDs. This month's partition must exist: a row in the default partition
 * would prevent it permanently. The coming ones can wait for the maintenance job.
 */
export const ensurePartitionsAtStart = async (pool: pg.Pool): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await ensurePartitions(pool, 1);
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (!(await isAnyMissing(pool, 0))) return;
      if (attempt >= startAttempts) throw error;
      await sleep(attemptEveryMs);
    }
  }
};

const isAnyMissing = async (db: Db, monthsAhead: number): Promise<boolean> => {
  const { missing } = await one<{ missing: boolean }>(
    db,
    sql`select bool_or(to_regclass('message_' || to_char((now() + m * interval '1 month') at time zone 'UTC', 'YYYYMM')) is null) as missing
        from generate_series(0, ${monthsAhead}::int) as m`,
  );
  return missing;
};
