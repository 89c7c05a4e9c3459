/**
 * Partitions whose rows have all expired are dropped whole: no row is deleted, and the space is free immediately. Dropping
 * one locks its parent for milliseconds, and waits for those that read it as making one does (partition-making.ts). Not
 * detached concurrently before, because PostgreSQL refuses that where there is a default partition.
 */
import type pg from 'pg';
import { messageIdFloor, messageIdMs } from '../ids.ts';
import { type Db, many, one, run, sql } from '../sql.ts';
import { isLockTimeout, setLockTimeout, withTransaction } from '../with-transaction.ts';
import { moveKeptSince } from './kept-since.ts';
import { openBatches } from './open-batches.ts';
import { lockPartitions, partitionLockMs } from './partition-making.ts';
import { routeAgeMs } from './receipts.ts';

/** For readers that began before: a drop is not part of any snapshot. */
const graceMs = 86_400_000;

/** Longer than `deadlock_timeout` (1 s), after which the server cancels an autovacuum that a lock waits for. */
const vacuumLockMs = 5_000;

export interface Partition {
  name: string;
  low: bigint;
  high: bigint;
}

/** Partitions that end at or before an id, the oldest first. */
const listEnded = async (db: Db, parent: 'message' | 'dlr_route', before: bigint): Promise<Partition[]> => {
  const rows = await many<{ name: string; low: string; high: string }>(
    db,
    sql`select name, low::text, high::text from partition_bounds(${parent}::regclass)
        where high <= ${String(before)}::bigint order by low`,
  );
  return rows.map(({ name, low, high }) => ({ name, low: BigInt(low), high: BigInt(high) }));
};

/**
 * Keeps autovacuum from the partition to the end of the transaction. The lock conflicts with no reader or writer of rows,
 * so none waits behind it; the one that a drop needs could not wait long enough.
 */
const stopVacuum = async (tx: pg.PoolClient, { name }: Partition): Promise<void> => {
  await setLockTimeout(tx, vacuumLockMs);
  await run(tx, sql`lock table only ${sql.ref(name)} in share update exclusive mode`);
  await setLockTimeout(tx, partitionLockMs);
};

/** By the catalogue's rows: `to_regclass` still knows a table that another process has dropped during the wait for its turn. */
const exists = async (db: Db, { name }: Partition): Promise<boolean> =>
  (await one<{ found: boolean }>(db, sql`select exists (select from pg_class where relname = ${name}) as found`)).found;

/** Runs `work` and drops the partition in one transaction. Throws if the lock does not come in time. */
const dropPartition = async (
  pool: pg.Pool,
  partition: Partition,
  work: (tx: pg.PoolClient) => Promise<void> = async () => {},
): Promise<void> => {
  await withTransaction(pool, async (tx) => {
    await setLockTimeout(tx, partitionLockMs);
    await lockPartitions(tx);
    await work(tx);
    if (!(await exists(tx, partition))) return;
    await stopVacuum(tx, partition);
    await run(tx, sql`drop table ${sql.ref(partition.name)}`);
  });
};

/**
 * Drops messages whose time is over for every customer: by `records_before`, which retention moves, so all of them are
 * deleted or belong to customers that keep them longest. Not those that a sender may still hold. Returns the names of
 * the partitions.
 */
export const dropOldMessages = async (pool: pg.Pool): Promise<string[]> => {
  const { before, open } = await one<{ before: Date | null; open: string | null }>(
    pool,
    sql`select (select min(coalesce(r.records_before, to_timestamp(0))) from customer c
            left join retention r on r.customer_id = c.customer_id) as before,
          (select min(batch_id) from ${openBatches} as b)::text as open`,
  );
  const high = messageIdFloor((before?.getTime() ?? 0) - graceMs);
  const ended = await listEnded(pool, 'message', open !== null && BigInt(open) < high ? BigInt(open) : high);
  for (const partition of ended) await dropPartition(pool, partition);
  return ended.map(({ name }) => name);
};

/**
 * Drops weeks of messages that ended before an instant and of which nothing is left, because all was archived, deleted or
 * expired; returns the names of the partitions. While the table is busy, or another process drops them, they wait for the
 * next time.
 */
export const dropEmptyMessages = async (pool: pg.Pool, beforeMs: number): Promise<string[]> => {
  const dropped: string[] = [];
  for (const partition of await listEnded(pool, 'message', messageIdFloor(beforeMs - graceMs))) {
    if ((await isEmpty(pool, partition)) && (await dropEmpty(pool, partition))) dropped.push(partition.name);
  }
  return dropped;
};

const dropEmpty = async (pool: pg.Pool, partition: Partition): Promise<boolean> => {
  try {
    return await withTransaction(pool, async (tx) => {
      await setLockTimeout(tx, partitionLockMs);
      await lockPartitions(tx);
      if (!(await exists(tx, partition))) return false;
      await stopVacuum(tx, partition);
      // The parent first, as readers do.
      await run(tx, sql`lock table only message in access exclusive mode`);
      if (!(await isEmpty(tx, partition))) return false;
      await run(tx, sql`drop table ${sql.ref(partition.name)}`);
      return true;
    });
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
};

/** False also if it is not there any more. By its bounds, because a table's name fails when it was dropped. */
const isEmpty = async (db: Db, { name, low, high }: Partition): Promise<boolean> => {
  const { isEmpty: empty } = await one<{ isEmpty: boolean }>(
    db,
    sql`select to_regclass(${name}) is not null and not exists (
          select from message where message_id >= ${String(low)}::bigint and message_id < ${String(high)}::bigint) as "isEmpty"`,
  );
  return empty;
};

/** Drops routes that no receipt is matched by any more; returns the names of the partitions. */
export const dropOldRoutes = async (pool: pg.Pool, nowMs: number): Promise<string[]> => {
  const ended = await listEnded(pool, 'dlr_route', messageIdFloor(nowMs - routeAgeMs - graceMs));
  for (const partition of ended)
    await dropPartition(pool, partition, (tx) => moveKeptSince(tx, 'dlr_route', new Date(messageIdMs(partition.high))));
  return ended.map(({ name }) => name);
};
