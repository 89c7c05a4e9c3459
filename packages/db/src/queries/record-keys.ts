/** Keys of records found directly by an index. */
import { isDistributed } from '../distributed.ts';
import { type Db, type Fragment, many, sql } from '../sql.ts';
import { isReal } from './real-customers.ts';
import { readsBatches } from './record-filter.ts';
import { allOf } from './status-counts.ts';

export interface IdRange {
  readonly low: bigint;
  readonly high: bigint;
}

export interface RecordKey {
  customerId: string;
  messageId: string;
}

/** What one round found, newest first, and the id below which nothing was looked at; null: nothing is left below. */
export interface Round {
  readonly keys: RecordKey[];
  readonly floor: bigint | null;
}

/** Sorts after every number with this beginning, under any collation: letters come after digits. */
export const afterPrefix = (digits: string): string => `${digits}a`;

/** The table `c` of these customers; null: of all real ones. */
export const customersIn = (readers: readonly string[] | null): Fragment =>
  readers === null
    ? sql`(select customer_id from customer where test_of is null) c`
    : sql`unnest(${readers}::uuid[]) as c(customer_id)`;

/** The newest by the index of numbers. */
export const readByNumber = async (
  db: Db,
  readers: readonly string[] | null,
  prefix: string,
  conditions: readonly Fragment[],
  ids: IdRange,
  limit: number,
): Promise<RecordKey[]> =>
  readEach(
    db,
    readers,
    sql`m.msisdn >= ${prefix} and m.msisdn < ${afterPrefix(prefix)}
      and m.message_id >= ${String(ids.low)}::bigint and m.message_id < ${String(ids.high)}::bigint`,
    conditions,
    limit,
  );

/** The newest of few customers, or of a range of few ids. */
export const readNewest = async (
  db: Db,
  readers: readonly string[] | null,
  conditions: readonly Fragment[],
  ids: IdRange,
  limit: number,
): Promise<RecordKey[]> =>
  readEach(
    db,
    readers,
    sql`m.message_id >= ${String(ids.low)}::bigint and m.message_id < ${String(ids.high)}::bigint`,
    conditions,
    limit,
  );

const readEach = async (
  db: Db,
  readers: readonly string[] | null,
  range: Fragment,
  conditions: readonly Fragment[],
  limit: number,
): Promise<RecordKey[]> =>
  (await isDistributed(db))
    ? readFrom(db, sql`message m where ${ofReaders(readers)} and ${range}`, conditions, limit)
    : many(
        db,
        sql<RecordKey>`select r.customer_id as "customerId", r.message_id::text as "messageId"
      from ${customersIn(readers)} cross join lateral (
        select s.customer_id, s.message_id from (
          select m.* from message m where m.customer_id = c.customer_id and ${range}) s
        where ${allOf(conditions)}
        order by s.message_id desc limit ${limit}) r
      order by r.message_id desc limit ${limit}`,
      );

const ofReaders = (readers: readonly string[] | null): Fragment =>
  readers === null ? isReal(sql`m.customer_id`) : sql`m.customer_id = any(${readers}::uuid[])`;

/**
 * On Citus, whose shards each return their newest: of rows `m`, none of them for each customer. Conditions that read batches
 * apply to rows that were fetched.
 */
export const readFrom = (
  db: Db,
  rows: Fragment,
  conditions: readonly Fragment[],
  limit: number,
): Promise<RecordKey[]> =>
  many(
    db,
    sql<RecordKey>`select s.customer_id as "customerId", s.message_id::text as "messageId"
      from (select m.* from ${rows} ${conditions.some(readsBatches) ? sql`offset 0` : sql``}) s
      where ${allOf(conditions)} order by s.message_id desc limit ${limit}`,
  );
