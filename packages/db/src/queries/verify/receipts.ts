/** Routes back for receipts, and the receipts that waited. Both lie by supplier account, so they are read over all customers. */
import type pg from 'pg';
import { numberArray, textArray } from '../../array-literal.ts';
import { messageIdFloor, messageIdMs } from '../../ids.ts';
import { type Db, many, maybe, sql } from '../../sql.ts';
import type { IdRange } from './snapshot.ts';

/** 18 bits of writer and counter, 16 of milliseconds: the messages of a customer in about a minute. */
const BUCKET_BITS = 34;

export interface RouteBucket {
  customerId: string;
  bucket: string;
}

/** Where customers' records begin that were deleted from the front within a range: ids below are not compared. */
interface Floors {
  customerIds: string[];
  ids: string[];
}

const readFloors = async (db: Db, { low }: IdRange): Promise<Floors> => {
  const rows = await many(
    db,
    sql<{ customer_id: string; at: Date }>`select customer_id, records_before as at from retention
      where records_before > ${new Date(messageIdMs(low))}`,
  );
  return {
    customerIds: rows.map((row) => row.customer_id),
    ids: rows.map((row) => String(messageIdFloor(row.at.getTime()))),
  };
};

const notDeleted = (table: string, at: string): string =>
  `not exists (select from unnest(${at}) as f(customer_id, floor) where f.customer_id = ${table}.customer_id and ${table}.message_id < f.floor)`;
const floorsAt = (first: number): string => `$${first}::uuid[], $${first + 1}::bigint[]`;

const ofCustomer = (customerId: string | null): string => (customerId === null ? '' : 'and customer_id = $5');
const valuesOf = (customerId: string | null, { low, high }: IdRange, floors: Floors): string[] => {
  const values = [String(low), String(high), numberArray(floors.customerIds), numberArray(floors.ids)];
  return customerId === null ? values : [...values, customerId];
};

/**
 * Minutes in which the routes are not one for each part of each accepted message. Sums by hash, one pass over each
 * table: neither is sorted, and no message is looked up. `routes`: how many were read.
 */
export const readRouteBuckets = async (
  tx: pg.PoolClient,
  customerId: string | null,
  range: IdRange,
): Promise<{ buckets: RouteBucket[]; routes: number }> => {
  const { rows } = await tx.query<{ customer_id: string | null; bucket: string; routes: string }>(
    `with r as (
       select customer_id, message_id >> ${BUCKET_BITS} as bucket, count(*) as n, sum(message_id % 65521) as w, sum(part) as p
       from dlr_route where message_id >= $1 and message_id < $2 ${ofCustomer(customerId)} and ${notDeleted('dlr_route', floorsAt(3))} group by 1, 2),
     m as (
       select customer_id, message_id >> ${BUCKET_BITS} as bucket, sum(pkg_total) as n, sum(pkg_total * (message_id % 65521)) as w,
         sum(pkg_total * (pkg_total + 1) / 2) as p
       from message where message_id >= $1 and message_id < $2 and send_status = 3 ${ofCustomer(customerId)} and ${notDeleted('message', floorsAt(3))} group by 1, 2)
     select customer_id, bucket, 0 as routes from r full join m using (customer_id, bucket)
     where r.n is distinct from m.n or r.w is distinct from m.w or r.p is distinct from m.p
     union all select null, 0, coalesce(sum(n), 0) from r`,
    valuesOf(customerId, range, await readFloors(tx, range)),
  );
  const routes = Number(rows.find((row) => row.customer_id === null)?.routes ?? 0);
  return {
    routes,
    buckets: rows.flatMap((row) =>
      row.customer_id === null ? [] : [{ customerId: row.customer_id, bucket: row.bucket }],
    ),
  };
};

export interface RouteFault {
  customerId: string;
  messageId: bigint;
  /** Of an accepted message that was never in doubt; null: the message does not exist. */
  parts: number | null;
  /** Those that have a route. */
  routed: number;
}

/**
 * What is wrong in these minutes. A message that was in doubt may lack routes (its answer never came) or have more (it
 * was sent again); a carrier with an alphabet of its own may take other parts than are charged, but at least one; and a
 * part that failed ends its message before the answers for the others are in.
 */
export const readRouteFaults = async (
  tx: pg.PoolClient,
  buckets: readonly RouteBucket[],
  range: IdRange,
): Promise<RouteFault[]> => {
  if (buckets.length === 0) return [];
  const floors = await readFloors(tx, range);
  const { rows } = await tx.query<{ customer_id: string; message_id: string; parts: number | null; routed: number }>(
    `with k as materialized (
       select customer_id, bucket from unnest($3::uuid[], $4::bigint[]) as t(customer_id, bucket)),
     r as materialized (
       select r.customer_id, r.message_id, count(distinct r.part)::int as routed
       from dlr_route r join k on k.customer_id = r.customer_id and k.bucket = r.message_id >> ${BUCKET_BITS}
       where r.message_id >= $1 and r.message_id < $2 and ${notDeleted('r', floorsAt(5))} group by 1, 2),
     m as materialized (
       select m.customer_id, m.message_id, m.send_status, m.client_status, m.supplier_id, m.pkg_total
       from k cross join lateral (
         select customer_id, message_id, send_status, client_status, supplier_id, pkg_total from message
         where customer_id = k.customer_id and message_id >= k.bucket << ${BUCKET_BITS} and message_id < (k.bucket + 1) << ${BUCKET_BITS}
           and message_id >= $1 and message_id < $2 and ${notDeleted('message', floorsAt(5))}) m)
     select r.customer_id, r.message_id, null::int as parts, r.routed
     from r left join m using (customer_id, message_id) where m.message_id is null
     union all
     select m.customer_id, m.message_id, x.parts, coalesce(r.routed, 0)
     from m join supplier s on s.supplier_id = m.supplier_id
     cross join lateral (select case when coalesce(s.profile ->> 'alphabet', 'gsm7') = 'gsm7' and m.client_status not in (3, 4, 5) then m.pkg_total::int else 1 end as parts) x
     left join r using (customer_id, message_id)
     left join in_doubt d using (customer_id, message_id)
     where m.send_status = 3 and d.message_id is null and coalesce(r.routed, 0) < x.parts
     order by 1, 2`,
    [
      String(range.low),
      String(range.high),
      numberArray(buckets.map((each) => each.customerId)),
      numberArray(buckets.map((each) => each.bucket)),
      numberArray(floors.customerIds),
      numberArray(floors.ids),
    ],
  );
  return rows.map((row) => ({
    customerId: row.customer_id,
    messageId: BigInt(row.message_id),
    parts: row.parts,
    routed: row.routed,
  }));
};

/** The oldest message, and so where the routes begin; null where there is none. */
export const findFirstMessage = async (db: Db): Promise<bigint | null> => {
  const row = await maybe(
    db,
    sql<{
      id: string | null;
    }>`select least((select min(batch_id) from batch), (select min(message_id) from dlr_route)) as id`,
  );
  return row?.id == null ? null : BigInt(row.id);
};

export interface KeptReceipt {
  supplierId: string;
  receiptId: string;
  carrierMessageId: string;
  msisdn: string;
  clientSid: string;
  clientStatus: number;
  final: boolean;
  isMatched: boolean;
  ageMs: number;
}

/** All receipts that waited, a thousand at a time, in no order: nothing is sorted and nothing held. */
export async function* readKeptReceipts(tx: pg.PoolClient, since: Date): AsyncGenerator<KeptReceipt[]> {
  await tx.query(
    `declare kept_receipts no scroll cursor for
     select supplier_id as "supplierId", receipt_id as "receiptId", carrier_message_id as "carrierMessageId", msisdn,
       client_sid as "clientSid", client_status as "clientStatus", final, matched_at is not null as "isMatched",
       (extract(epoch from now() - received_at) * 1000)::float8 as "ageMs"
     from receipt_inbox where received_at >= $1`,
    [since],
  );
  for (;;) {
    const { rows } = await tx.query<KeptReceipt>('fetch 1000 from kept_receipts');
    if (rows.length === 0) break;
    yield rows;
  }
  await tx.query('close kept_receipts');
}

export interface RoutedMessage {
  /** Its number was erased, or it was kept long enough: nothing can be told of it. */
  isGone: boolean;
  /** Index of the receipt asked about. */
  index: number;
  customerId: string;
  messageId: bigint;
  /** The carrier's id by which it was found. */
  carrierMessageId: string;
  msisdn: string;
  sendStatus: number;
  clientStatus: number;
  pkgTotal: number;
  partsDelivered: number;
}

/** Messages that had one of these ids at these supplier accounts. */
export const readRoutedMessages = async (
  tx: pg.PoolClient,
  asked: readonly { index: number; supplierId: string; form: string }[],
): Promise<RoutedMessage[]> => {
  const floors = await readFloors(tx, { low: 0n, high: 0n });
  const { rows } = await tx.query(
    `select i.n, i.form, r.customer_id, r.message_id, coalesce(m.msisdn, '') as msisdn, coalesce(m.msisdn, '') = '' as is_gone,
       m.send_status, m.client_status, m.pkg_total, m.parts_delivered
     from unnest($1::int[], $2::uuid[], $3::text[]) as i(n, supplier_id, form)
     join dlr_route r on r.supplier_id = i.supplier_id and r.carrier_message_id = i.form
     left join message m on m.customer_id = r.customer_id and m.message_id = r.message_id
     where m.message_id is not null or not ${notDeleted('r', floorsAt(4))}`,
    [
      numberArray(asked.map((each) => each.index)),
      numberArray(asked.map((each) => each.supplierId)),
      textArray(asked.map((each) => each.form)),
      numberArray(floors.customerIds),
      numberArray(floors.ids),
    ],
  );
  return rows.map((row) => ({
    isGone: row.is_gone,
    index: Number(row.n),
    customerId: row.customer_id,
    messageId: BigInt(row.message_id),
    carrierMessageId: row.form,
    msisdn: row.msisdn,
    sendStatus: row.send_status,
    clientStatus: row.client_status,
    pkgTotal: row.pkg_total,
    partsDelivered: row.parts_delivered,
  }));
};
