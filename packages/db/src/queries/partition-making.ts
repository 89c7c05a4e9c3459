/**
 * Weekly partitions. Attaching one takes an exclusive lock on the default partition of its parent. Every later reader of
 * all partitions queues behind a process waiting for that lock behind a long reader, so the wait is limited to
 * `partitionLockMs`: the attempt fails, the readers proceed, and the caller tries again later.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Db, one, run, sql } from '../sql.ts';
import { isLockTimeout, setLockTimeout, withTransaction } from '../with-transaction.ts';
import { dbNow } from './db-clock.ts';

export const partitionLockMs = 500;
const startAttempts = 10;
const attemptEveryMs = 1_000;

/** One process changes partitions at a time, the others find it done. */
export const lockPartitions = (tx: Db) => run(tx, sql`select pg_advisory_xact_lock(7240824202)`);

/**
 * Makes the partitions of this week and of so many that follow; without them rows would land in the default one. Throws
 * when the lock does not come in time.
 */
export const ensurePartitions = async (pool: pg.Pool, weeksAhead: number, offsetMs = 0): Promise<void> => {
  if (!(await isAnyMissing(pool, weeksAhead, offsetMs))) return;
  await withTransaction(pool, async (tx) => {
    await setLockTimeout(tx, partitionLockMs);
    await lockPartitions(tx);
    if (!(await isAnyMissing(tx, weeksAhead, offsetMs))) return;
    await run(tx, sql`select ensure_partition(at) from ${weeksFrom(offsetMs, weeksAhead)} order by at`);
  });
};

/**
 * For a process that is about to create message IDs. This week's partition must exist: a row in the default partition
 * would prevent it permanently. The coming ones can wait for the maintenance job.
 */
export const ensurePartitionsAtStart = async (pool: pg.Pool): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await ensurePartitions(pool, 1);
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (!(await isAnyMissing(pool, 0, 0))) return;
      if (attempt >= startAttempts) throw error;
      await sleep(attemptEveryMs);
    }
  }
};

/** An instant of each week. */
const weeksFrom = (offsetMs: number, weeksAhead: number) =>
  sql`(select ${dbNow(offsetMs)} + n * interval '7 days' as at from generate_series(0, ${weeksAhead}::int) as n) as weeks`;

const isAnyMissing = async (db: Db, weeksAhead: number, offsetMs: number): Promise<boolean> => {
  const { missing } = await one<{ missing: boolean }>(
    db,
    sql`select exists (
          select from ${weeksFrom(offsetMs, weeksAhead)} cross join unnest('{message,dlr_route}'::regclass[]) as parent
          where not exists (select from partition_bounds(parent) b
            where b.low <= id_floor(at) and id_floor(at) < b.high)) as missing`,
  );
  return missing;
};
