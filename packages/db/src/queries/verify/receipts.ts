/** Routes back for receipts, and the receipts that waited. Both lie by supplier account, so they are read over all customers. */

import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import type pg from 'pg';
import { numberArray, textArray } from '../../array-literal.ts';
import { isDistributed } from '../../distributed.ts';
import { messageIdFloor, messageIdMs } from '../../ids.ts';
import { type Db, many, maybe, sql } from '../../sql.ts';
import type { IdRange } from './snapshot.ts';

/** 18 bits of writer and counter, 16 of milliseconds: the messages of a customer in about a minute. */
const BUCKET_BITS = 34;

export interface RouteBucket {
  customerId: string;
  bucket: string;
}

/**
 * First IDs of the remaining records of customers whose records were deleted from the front within a range: lower IDs
 * are not compared.
 */
interface Floors {
  customerIds: string[];
  ids: string[];
}

const readFloors = async (db: Db, { low }: IdRange): Promise<Floors> => {
  const rows = await many(
    db,
    sql<{ customerId: string; at: Date }>`select customer_id as "customerId", records_before as at from retention
      where records_before > ${new Date(messageIdMs(low))}`,
  );
  return {
    customerIds: rows.map((row) => row.customerId),
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
 * Minutes in which the routes do not match the parts of the accepted messages one to one. Sums by hash, one pass over
 * each table: neither is sorted, and no message is looked up. `routes`: number of routes read.
 */
export const readRouteBuckets = async (
  tx: pg.PoolClient,
  customerId: string | null,
  range: IdRange,
): Promise<{ buckets: RouteBucket[]; routes: number }> => {
  const { rows } = await tx.query<{ customerId: string | null; bucket: string; routes: string }>(
    `with r as (
       select customer_id, message_id >> ${BUCKET_BITS} as bucket, count(*) as n, sum(message_id % 65521) as w, sum(part) as p
       from dlr_route where message_id >= $1 and message_id < $2 ${ofCustomer(customerId)} and ${notDeleted('dlr_route', floorsAt(3))} group by 1, 2),
     m as (
       select customer_id, message_id >> ${BUCKET_BITS} as bucket, sum(pkg_total) as n, sum(pkg_total * (message_id % 65521)) as w,
         sum(pkg_total * (pkg_total + 1) / 2) as p
       from message where message_id >= $1 and message_id < $2
         and send_status = ${SendStatus.Successful} ${ofCustomer(customerId)}
         and ${notDeleted('message', floorsAt(3))} group by 1, 2)
     select customer_id as "customerId", bucket, 0 as routes from r full join m using (customer_id, bucket)
     where r.n is distinct from m.n or r.w is distinct from m.w or r.p is distinct from m.p
     union all select null, 0, coalesce(sum(n), 0) from r`,
    valuesOf(customerId, range, await readFloors(tx, range)),
  );
  const routes = Number(rows.find((row) => row.customerId === null)?.routes ?? 0);
  return {
    routes,
    buckets: rows.flatMap(({ customerId, bucket }) => (customerId === null ? [] : [{ customerId, bucket }])),
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
 * Faults in these minutes. A message that was in doubt may lack routes (its response never came) or have more (it was
 * sent again); a carrier with a different alphabet may take a different number of parts than are charged, but at least
 * one; and a failed part ends its message before the responses for the others have arrived. Full joins are never nested
 * loops, whatever the statistics say of a database that was restored a moment ago (decision 044).
 */
export const readRouteFaults = async (
  tx: pg.PoolClient,
  buckets: readonly RouteBucket[],
  range: IdRange,
): Promise<RouteFault[]> => {
  if (buckets.length === 0) return [];
  const floors = await readFloors(tx, range);
  const { rows } = await tx.query<Omit<RouteFault, 'messageId'> & { messageId: string }>(
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
           and message_id >= $1 and message_id < $2 and ${notDeleted('message', floorsAt(5))}) m),
     d as materialized (
       select customer_id, message_id from in_doubt where message_id >= $1 and message_id < $2)
     select customer_id as "customerId", message_id as "messageId", x.parts, coalesce(r.routed, 0) as routed
     from r full join m using (customer_id, message_id) full join d using (customer_id, message_id)
     left join supplier s on s.supplier_id = m.supplier_id
     cross join lateral (select case when m.message_id is null then null
       when coalesce(s.profile ->> 'alphabet', 'gsm7') = 'gsm7'
         and m.client_status not in (${ClientStatus.Undelivered}, ${ClientStatus.Expired}, ${ClientStatus.Rejected})
       then m.pkg_total::int else 1 end as parts) x
     where m.message_id is null and r.message_id is not null
       or m.send_status = ${SendStatus.Successful} and d.message_id is null and coalesce(r.routed, 0) < x.parts
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
  return rows.map((row) => ({ ...row, messageId: BigInt(row.messageId) }));
};

/** Returns the oldest message, and so where the routes begin; null if there is none. */
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
  /** Its number was erased, or its retention ended: it can't be checked. */
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

/** Routes of the asked ids, and their messages. On Citus, where both are on different nodes, they are fetched one after the other. */
const routedSource = (isOnCitus: boolean) => {
  const routes = `unnest($1::int[], $2::uuid[], $3::text[]) as i(n, supplier_id, form)
     join dlr_route r on r.supplier_id = i.supplier_id and r.carrier_message_id = i.form`;
  if (!isOnCitus) return { before: '', of: 'i', routes, messages: 'message m' };
  const before = `with r as materialized (
       select i.n, i.form, r.customer_id, r.message_id from ${routes} where r.supplier_id = any($2)),
     m as materialized (
       select m.* from r join message m on m.customer_id = r.customer_id and m.message_id = r.message_id)`;
  return { before, of: 'r', routes: 'r', messages: 'm' };
};

/** Messages that had one of these ids at these supplier accounts. */
export const readRoutedMessages = async (
  tx: pg.PoolClient,
  asked: readonly { index: number; supplierId: string; form: string }[],
): Promise<RoutedMessage[]> => {
  const floors = await readFloors(tx, { low: 0n, high: 0n });
  const source = routedSource(await isDistributed(tx));
  const { rows } = await tx.query<Omit<RoutedMessage, 'messageId'> & { messageId: string }>(
    `${source.before}
     select ${source.of}.n as index, ${source.of}.form as "carrierMessageId", r.customer_id as "customerId",
       r.message_id as "messageId", coalesce(m.msisdn, '') as msisdn, coalesce(m.msisdn, '') = '' as "isGone",
       m.send_status as "sendStatus", m.client_status as "clientStatus", m.pkg_total as "pkgTotal",
       m.parts_delivered as "partsDelivered"
     from ${source.routes}
     left join ${source.messages} on m.customer_id = r.customer_id and m.message_id = r.message_id
     where m.message_id is not null or not ${notDeleted('r', floorsAt(4))}`,
    [
      numberArray(asked.map((each) => each.index)),
      numberArray(asked.map((each) => each.supplierId)),
      textArray(asked.map((each) => each.form)),
      numberArray(floors.customerIds),
      numberArray(floors.ids),
    ],
  );
  return rows.map((row) => ({ ...row, messageId: BigInt(row.messageId) }));
};
