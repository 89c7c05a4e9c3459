/**
 * Recipients that opted out while their message waits in a batch that a sender has. It goes from the batches to the list
 * of opt-outs, number by number: an import of any size costs no more than the messages in hand.
 */
import { numberArray, textArray } from '../array-literal.ts';
import { splitByCustomer } from '../by-customer.ts';
import { isDistributed } from '../distributed.ts';
import { batchState, sendStatus, smsType } from '../literals.ts';
import { type Db, many, prepared, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';

export interface MarketingBatch {
  batchId: bigint;
  customerId: string;
  messageCount: number;
}

/** The owner's marketing batches, and those of `others`. */
export const listMarketingBatches = async (
  db: Db,
  owner: string,
  others: readonly bigint[],
): Promise<MarketingBatch[]> => {
  const rows = await many<Omit<MarketingBatch, 'batchId'> & { batchId: string }>(
    db,
    prepared(sql`select batch_id as "batchId", customer_id as "customerId", message_count as "messageCount" from batch
        where (state = ${batchState.Claimed} and owner = ${owner} or batch_id = any(${numberArray(others)}::bigint[]))
          and lane = ${smsType.Marketing}`),
  );
  return rows.map((row) => ({ ...row, batchId: BigInt(row.batchId) }));
};

export interface LatestOptOut {
  customerId: string;
  /** Of its latest opt-out, Unix milliseconds by the database's clock; null: none that is recent. */
  latestMs: number | null;
  nowMs: number;
}

/** One row for each customer. */
export const findLatestOptOuts = async (
  db: Db,
  customerIds: readonly string[],
  withinMs: number,
): Promise<LatestOptOut[]> =>
  await many<LatestOptOut>(
    db,
    prepared(sql`select i.id as "customerId", (extract(epoch from o.created_at) * 1000)::float8 as "latestMs",
          (extract(epoch from ${dbNow()}) * 1000)::float8 as "nowMs"
        from unnest(${textArray(customerIds)}::uuid[]) as i(id) left join lateral (
          select created_at from opt_out where customer_id = i.id
            and created_at > ${dbNow()} - ${withinMs}::float8 * interval '1 millisecond'
          order by created_at desc limit 1) o on true`),
  );

/** Those of the batches with a waiting recipient that opted out recently. */
export const findRefused = async (db: Db, batches: readonly MarketingBatch[], withinMs: number): Promise<bigint[]> => {
  if (await isDistributed(db)) return await findRefusedByCustomer(db, batches, withinMs);
  const rows = await many<{ batchId: string }>(
    db,
    // From each batch to its messages, and from each of those to the list, regardless of statistics (decision 044).
    sql`select i.first_id as "batchId" from unnest(${textArray(batches.map(({ customerId }) => customerId))}::uuid[],
          ${numberArray(batches.map(({ batchId }) => batchId))}::bigint[],
          ${numberArray(batches.map(({ batchId, messageCount }) => batchId + BigInt(messageCount)))}::bigint[])
          as i(customer_id, first_id, end_id)
        cross join lateral (
          select 1 from (
            select m.msisdn from message m where m.customer_id = i.customer_id and m.message_id >= i.first_id
              and m.message_id < i.end_id and m.send_status = ${sendStatus.Waiting} offset 0) waiting
          cross join lateral (
            select 1 from opt_out o where o.customer_id = i.customer_id and o.msisdn = waiting.msisdn
              and o.created_at > ${dbNow()} - ${withinMs}::float8 * interval '1 millisecond' offset 0) refusal
          limit 1) refused`,
  );
  return rows.map(({ batchId }) => BigInt(batchId));
};

/** On Citus the numbers are fetched first: opt-outs are on the coordinator. */
const findRefusedByCustomer = async (
  db: Db,
  batches: readonly MarketingBatch[],
  withinMs: number,
): Promise<bigint[]> => {
  const refused: bigint[] = [];
  for (const { customerId, rows } of await splitByCustomer(db, batches)) {
    const found = await many<{ batchId: string }>(
      db,
      sql`with waiting as materialized (
            select i.first_id, m.msisdn from unnest(${numberArray(rows.map(({ batchId }) => batchId))}::bigint[],
              ${numberArray(rows.map(({ batchId, messageCount }) => batchId + BigInt(messageCount)))}::bigint[])
              as i(first_id, end_id)
            join message m on m.customer_id = ${customerId} and m.message_id >= i.first_id and m.message_id < i.end_id
            where m.send_status = ${sendStatus.Waiting})
          select distinct w.first_id as "batchId" from waiting w
          join opt_out o on o.customer_id = ${customerId} and o.msisdn = w.msisdn
            and o.created_at > ${dbNow()} - ${withinMs}::float8 * interval '1 millisecond'`,
    );
    refused.push(...found.map(({ batchId }) => BigInt(batchId)));
  }
  return refused;
};
