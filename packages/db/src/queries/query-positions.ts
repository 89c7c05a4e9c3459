/**
 * Messages that a carrier may be asked about by query_sm: submitted, without a final receipt, and with the id that the
 * carrier gave. No index of `message` names a state, so they are found by batches, from the oldest on. A position for
 * each account and round is the batch up to which messages were asked about.
 */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { numberArray } from '../array-literal.ts';
import { splitByCustomer } from '../by-customer.ts';
import { isDistributed } from '../distributed.ts';
import { idBounds } from '../ids.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';
import { dbNowPlus } from './db-clock.ts';

export interface QueryPosition {
  /** As the database writes it: a Date would lose its microseconds. */
  at: string;
  batchId: bigint;
}

export interface QueryBatch extends QueryPosition {
  customerId: string;
  messageCount: number;
}

/** One part of a message that the carrier took. */
export interface OpenPart {
  messageId: bigint;
  msisdn: string;
  clientSid: string;
  part: number;
  partsDelivered: number;
  /** The id exactly as the carrier wrote it. */
  issuedId: string;
}

const BATCHES_AT_MOST = 200;
/** Messages of the batches of one step, so rows that it reads. */
const MESSAGES_AT_MOST = 1_000;

export const readQueryPosition = async (db: Db, supplierId: string, round: number): Promise<QueryPosition | null> => {
  const row = await maybe<{ at: string; batchId: string }>(
    db,
    sql`select at::text, batch_id::text as "batchId" from query_position
        where supplier_id = ${supplierId} and round = ${round}`,
  );
  return row === null ? null : { at: row.at, batchId: BigInt(row.batchId) };
};

export const saveQueryPosition = async (
  db: Db,
  supplierId: string,
  round: number,
  { at, batchId }: QueryPosition,
): Promise<void> => {
  await run(
    db,
    sql`insert into query_position (supplier_id, round, at, batch_id)
        values (${supplierId}, ${round}, ${at}::timestamptz, ${String(batchId)}::bigint)
        on conflict (supplier_id, round) do update set at = excluded.at, batch_id = excluded.batch_id`,
  );
};

/** The account's next batches after a position whose age is between the two, the oldest first; one at least. */
export const listQueryBatches = async (
  db: Db,
  supplierId: string,
  after: QueryPosition | null,
  age: { fromMs: number; toMs: number },
): Promise<QueryBatch[]> => {
  const rows = await many<Omit<QueryBatch, 'batchId'> & { batchId: string }>(
    db,
    // The instants once, not again for each row: an index can't be searched by what changes meanwhile.
    sql`select batch_id::text as "batchId", customer_id as "customerId", message_count as "messageCount",
          coalesce(receipts_from, first_sent_at, done_at)::text as at
        from batch
        where supplier_id = ${supplierId} and not receipts_closed
          and (coalesce(receipts_from, first_sent_at, done_at), batch_id)
            > (${after?.at ?? '-infinity'}::timestamptz, ${String(after?.batchId ?? 0)}::bigint)
          and coalesce(receipts_from, first_sent_at, done_at) > (select ${dbNowPlus(-age.toMs)})
          and coalesce(receipts_from, first_sent_at, done_at) <= (select ${dbNowPlus(-age.fromMs)})
        order by coalesce(receipts_from, first_sent_at, done_at), batch_id limit ${BATCHES_AT_MOST}`,
  );
  let messages = 0;
  return rows
    .filter(({ messageCount }, index) => {
      messages += messageCount;
      return index === 0 || messages <= MESSAGES_AT_MOST;
    })
    .map((row) => ({ ...row, batchId: BigInt(row.batchId) }));
};

/** Parts in these batches that wait for their last receipt and were submitted longer ago than `ageMs`. */
export const readOpenParts = async (
  db: Db,
  supplierId: string,
  batches: readonly QueryBatch[],
  ageMs: number,
): Promise<OpenPart[]> => {
  if (await isDistributed(db)) return await readOpenPartsByCustomer(db, supplierId, batches, ageMs);
  const { rows } = await db.query<Omit<OpenPart, 'messageId'> & { messageId: string }>({
    // The account is compared outside: inside it would offer the planner the index of all its ids (decision 044).
    text: `
      select m.message_id::text as "messageId", m.msisdn, m.client_sid as "clientSid", r.part,
        m.parts_delivered as "partsDelivered", r.issued_id as "issuedId"
      from unnest($2::uuid[], $3::bigint[], $4::int[]) as b(customer_id, batch_id, message_count)
      cross join lateral (
        select message_id, msisdn, client_sid, parts_delivered from message
        where customer_id = b.customer_id and message_id >= b.batch_id and message_id < b.batch_id + b.message_count
          and message_id between $6 and $7
          and send_status = ${SendStatus.Successful} and client_status = ${ClientStatus.Submitted}
          and submitted_at <= clock_timestamp() - $5::float8 * interval '1 millisecond' offset 0) m
      cross join lateral (
        select supplier_id, part, issued_id from dlr_route
        where message_id = m.message_id and message_id between $6 and $7 and issued_id is not null offset 0) r
      where r.supplier_id = $1
      order by m.message_id, r.part`,
    values: [
      supplierId,
      numberArray(batches.map((batch) => batch.customerId)),
      numberArray(batches.map((batch) => batch.batchId)),
      numberArray(batches.map((batch) => batch.messageCount)),
      ageMs,
      ...idBounds(batches.flatMap(({ batchId, messageCount }) => [batchId, batchId + BigInt(messageCount)])),
    ],
  });
  return rows.map((row) => ({ ...row, messageId: BigInt(row.messageId) }));
};

/** On Citus messages and routes are on different shards: one statement for each customer, one for the account. */
const readOpenPartsByCustomer = async (
  db: Db,
  supplierId: string,
  batches: readonly QueryBatch[],
  ageMs: number,
): Promise<OpenPart[]> => {
  type Message = Omit<OpenPart, 'messageId' | 'part' | 'issuedId'> & { messageId: string };
  const messages = new Map<string, Message>();
  for (const { customerId, rows } of await splitByCustomer(db, batches)) {
    const found = await many<Message>(
      db,
      sql`select m.message_id::text as "messageId", m.msisdn, m.client_sid as "clientSid", m.parts_delivered as "partsDelivered"
          from unnest(${numberArray(rows.map((row) => row.batchId))}::bigint[],
            ${numberArray(rows.map((row) => row.messageCount))}::int[]) as b(batch_id, message_count)
          join message m on m.customer_id = ${customerId} and m.message_id >= b.batch_id
            and m.message_id < b.batch_id + b.message_count
          where m.send_status = ${SendStatus.Successful}::smallint and m.client_status = ${ClientStatus.Submitted}::smallint
            and m.submitted_at <= statement_timestamp() - ${ageMs}::float8 * interval '1 millisecond'`,
    );
    for (const message of found) messages.set(message.messageId, message);
  }
  const parts = await many<{ messageId: string; part: number; issuedId: string }>(
    db,
    sql`select message_id::text as "messageId", part, issued_id as "issuedId" from dlr_route
        where supplier_id = ${supplierId} and message_id = any(${[...messages.keys()]}::bigint[]) and issued_id is not null`,
  );
  return parts
    .map(({ messageId, ...part }) => ({ ...messages.get(messageId)!, ...part, messageId: BigInt(messageId) }))
    .sort((a, b) => (a.messageId === b.messageId ? a.part - b.part : a.messageId < b.messageId ? -1 : 1));
};
