/**
 * Messages in the archive, as rows of the type of `message` (decision 144). Queries that may meet old messages read both:
 * in one statement, or rows before blocks. A message moves from rows to a block in one transaction, so none is missed.
 */
import { rowsOfMessages } from '../by-customer.ts';
import { type Db, type Fragment, maybe, sql } from '../sql.ts';

/** Messages of a block `a`, as rows of the type of `message`. */
export const messagesOfBlock = sql.raw(
  `archived_messages(a.customer_id, a.first_id, a.kinds, a.offsets, a.kind, a.msisdns, a.contents, a.submitted, a.answered, a.reported, a.retries)`,
);

/** Where message ids begin. */
const epoch = sql.raw(`timestamptz '2025-01-01 00:00:00+00'`);

/** Ids of one day: no block is longer. */
export const dayIds = 86_400_000n << 18n;

const ofDays = (low: Fragment, high: Fragment): Fragment =>
  sql`a.first_id < ${high} and a.first_id > ${low} - ${String(dayIds)}::bigint and a.last_id >= ${low}`;

/** Archived messages of a customer from `low` up to `high`, which is left out. */
export const archivedIn = (customerId: Fragment, low: Fragment, high: Fragment): Fragment =>
  sql`select m.* from message_archive a cross join lateral ${messagesOfBlock} m
    where a.customer_id = ${customerId} and ${ofDays(low, high)} and m.message_id >= ${low} and m.message_id < ${high}`;

/** Messages of a customer in a range of ids, of rows and of blocks. */
export const messagesIn = (customerId: Fragment, low: Fragment, high: Fragment): Fragment =>
  sql`(select m.* from message m where m.customer_id = ${customerId} and m.message_id >= ${low} and m.message_id < ${high}
    union all ${archivedIn(customerId, low, high)})`;

/** The place of the number's beginning in the filter of a block, as `h`. Shorter than 9 digits, it has none. */
export const numberHashes = (prefix: string): Fragment =>
  sql`archive_hashes(${prefix.slice(0, prefix.length < 12 ? 9 : 12)}) h`;

/** Whether a block `a` may have numbers with the beginning that `numberHashes` is about. */
export const mayHoldNumber = sql`archive_may_hold(a.numbers, h.h1, h.h2)`;

/** Archived messages of a customer to a number. */
export const archivedTo = (customerId: string, msisdn: string): Fragment =>
  sql`select m.* from archive_hashes(${msisdn.slice(0, 12)}) h
    join message_archive a on a.customer_id = ${customerId} and ${mayHoldNumber}
    cross join lateral ${messagesOfBlock} m where m.msisdn = ${msisdn}`;

/** Messages of a customer to a number, of rows and of blocks. */
export const messagesTo = (customerId: string, msisdn: string): Fragment =>
  sql`(select * from message where customer_id = ${customerId} and msisdn = ${msisdn}
    union all ${archivedTo(customerId, msisdn)})`;

/**
 * The last archived message to each of these numbers, as (msisdn, message_id, send_status, client_status, deal_result,
 * submitted_at). Reads the numbers of all blocks of the customer, if there are numbers: less than 1 ms a block. `msisdns`: a query.
 */
export const lastArchivedTo = (customerId: string, msisdns: Fragment): Fragment =>
  sql`select distinct on (u.msisdn) u.msisdn::text as msisdn, i.message_id,
      (k.kind ->> 'send_status')::smallint as send_status, (k.kind ->> 'client_status')::smallint as client_status,
      k.kind ->> 'deal_result' as deal_result,
      ${epoch} + (i.message_id >> 18) * interval '1 millisecond' + u.submitted * interval '1 microsecond' as submitted_at
    from message_archive a cross join lateral unnest(a.offsets, a.kind, a.msisdns, a.submitted) as u(id, kind, msisdn, submitted)
    cross join lateral (select a.first_id + u.id as message_id) i
    cross join lateral (select a.kinds -> (u.kind - 1) as kind) k
    where a.customer_id = ${customerId} and u.msisdn in (${msisdns}) order by u.msisdn, i.message_id desc`;

/**
 * Archived messages with these keys; each block is unpacked once. `keys`: a table of customer_id and message_id; `ids`: an
 * array of the latter, which are hashed.
 */
export const archivedWith = (keys: Fragment, ids: Fragment): Fragment =>
  sql`select m.* from (
      select distinct f.customer_id, f.first_id from ${keys} as k(customer_id, message_id) cross join lateral (
        select a.customer_id, a.first_id, a.last_id from message_archive a
        where a.customer_id = k.customer_id and a.first_id <= k.message_id order by a.first_id desc limit 1) f
      where f.last_id >= k.message_id) b
    join message_archive a on a.customer_id = b.customer_id and a.first_id = b.first_id
    cross join lateral ${messagesOfBlock} m where m.message_id = any(${ids})`;

/** Messages of one customer with these ids, of rows and of blocks. */
export const messagesWith = (customerId: string, ids: readonly string[]): Fragment =>
  sql`(select * from ${rowsOfMessages(customerId, ids)} m
    union all ${archivedWith(sql`(select ${customerId}::uuid, i from unnest(${ids}::bigint[]) i)`, sql`${ids}::bigint[]`)})`;

/** Whether a block of the customer has IDs from `first` to `last`. */
export const isAnyArchived = async (db: Db, customerId: string, first: string, last: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`select from message_archive a
        where a.customer_id = ${customerId} and ${ofDays(sql`${first}::bigint`, sql`(${last}::bigint + 1)`)} limit 1`,
  )) !== null;

/** The highest ID that is archived, of these customers, or of all (null); null: none is. */
export const findArchiveTop = async (db: Db, readers: readonly string[] | null): Promise<bigint | null> => {
  const row = await maybe(
    db,
    readers === null
      ? sql<{ top: string | null }>`select max(last_id)::text as top from message_archive`
      : sql<{ top: string | null }>`select max(a.last_id)::text as top from unnest(${readers}::uuid[]) as c(customer_id)
          cross join lateral (select last_id from message_archive where customer_id = c.customer_id
            order by first_id desc limit 1) a`,
  );
  return row?.top == null ? null : BigInt(row.top);
};
