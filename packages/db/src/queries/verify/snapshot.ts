/**
 * What `pahatid verify` reads. Rows and the counters about them move in the same transactions, so in one snapshot they
 * agree at every instant, however many senders are writing.
 */
import type pg from 'pg';
import { messageIdFloor } from '../../ids.ts';
import { type Db, type Fragment, many, maybe, sql } from '../../sql.ts';

/** Past every id that 41 bits of milliseconds can make. */
export const endOfIds: bigint = messageIdFloor(Number.MAX_SAFE_INTEGER);

/**
 * Runs `read` on one snapshot. Sets planner options for facts that the planner can't know: that a batch's messages are
 * a short range of the primary key, and that none of the statements is worth compiling.
 */
export const withSnapshot = async <T>(pool: pg.Pool, read: (tx: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    await client.query(`set local jit = off`);
    await client.query(`set local work_mem = '64MB'`);
    const result = await read(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
};

/** Distinct customers of a table whose primary key begins with them: one probe for each, not a look at all rows. */
const customersOf = (table: string): Fragment => sql`
  (with recursive c as (
    (select customer_id from ${sql.ref(table)} order by customer_id limit 1)
    union all
    select (select t.customer_id from ${sql.ref(table)} t where t.customer_id > c.customer_id order by t.customer_id limit 1)
    from c where c.customer_id is not null)
  select customer_id, false from c where customer_id is not null)`;

/** All customers that any counter or amount refers to, including those without a row in `customer`. */
export const listVerifiedCustomers = async (db: Db): Promise<{ customerId: string; isKnown: boolean }[]> =>
  await many(
    db,
    sql<{ customerId: string; isKnown: boolean }>`
      select a.customer_id as "customerId", bool_or(a.is_known) as "isKnown" from (
        select customer_id, true as is_known from customer
        union all ${sql.join(['balance', 'ledger', 'report_minute'].map(customersOf), sql.raw(' union all '))}) a
      group by 1 order by 1`,
  );

/** Time before which a customer's messages are deleted, Unix milliseconds; counts from then on are complete. */
export const readRecordsBefore = async (db: Db, customerId: string): Promise<number> => {
  const row = await maybe(
    db,
    sql<{ at: Date }>`select records_before as at from retention where customer_id = ${customerId}`,
  );
  return row?.at.getTime() ?? 0;
};

/** Finds a customer by ID or by name; null if there is none. */
export const findVerifiedCustomer = async (db: Db, idOrName: string): Promise<string | null> => {
  const row = await maybe(
    db,
    sql<{ id: string }>`select customer_id as id from customer
      where customer_id::text = ${idOrName.toLowerCase()} or customer_name = ${idOrName}`,
  );
  return row?.id ?? null;
};

/** Ids from `low` up to `high`, which is left out; both begin a minute. */
export interface IdRange {
  readonly low: bigint;
  readonly high: bigint;
}

const MINUTE_IDS = 60_000n << 18n;
const HOUR_IDS = 60n * MINUTE_IDS;

/**
 * The first stretch of a customer's batches in a range: some `batches` of them, and then to the end of a minute, or of an
 * hour.
 */
export const findSlice = async (
  db: Db,
  customerId: string,
  { low, high }: IdRange,
  batches: number,
  step: 'minute' | 'hour',
): Promise<IdRange> => {
  const row = await maybe(
    db,
    sql<{ id: string }>`select batch_id as id from batch
      where customer_id = ${customerId} and batch_id >= ${String(low)} and batch_id < ${String(high)}
      order by batch_id offset ${batches - 1} limit 1`,
  );
  if (row === null) return { low, high };
  const ids = step === 'hour' ? HOUR_IDS : MINUTE_IDS;
  const end = (BigInt(row.id) / ids + 1n) * ids;
  return end < high ? { low, high: end } : { low, high };
};
