/** Keys of records found directly by an index. */
import { type Db, type Fragment, many, sql } from '../sql.ts';

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
    sql`select m.* from message m where m.customer_id = c.customer_id
      and m.msisdn >= ${prefix} and m.msisdn < ${afterPrefix(prefix)}
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
    sql`select m.* from message m where m.customer_id = c.customer_id
      and m.message_id >= ${String(ids.low)}::bigint and m.message_id < ${String(ids.high)}::bigint`,
    conditions,
    limit,
  );

const readEach = async (
  db: Db,
  readers: readonly string[] | null,
  rows: Fragment,
  conditions: readonly Fragment[],
  limit: number,
): Promise<RecordKey[]> =>
  many(
    db,
    sql<RecordKey>`select r.customer_id as "customerId", r.message_id::text as "messageId" 
      from ${customersIn(readers)} cross join lateral (
        select s.customer_id, s.message_id from (${rows}) s
        where ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)}
        order by s.message_id desc limit ${limit}) r
      order by r.message_id desc limit ${limit}`,
  );
