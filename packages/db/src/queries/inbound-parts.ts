/** Long texts of phones, from their first part until a day after they were stored. */
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';
import type { ReplyOwner } from './inbound.ts';

/** What parts of one text have in common. */
export interface PartsKey {
  supplierId: string;
  msisdn: string;
  destination: string;
  referenceBits: number;
  reference: number;
  total: number;
}

export interface PartsRow extends Omit<ReplyOwner, 'customerId'> {
  /** Null: no customer owns the address it was sent to. */
  customerId: string | null;
  inboundId: string;
  /** In order, UTF-16; null: has not come. */
  parts: (Buffer | null)[];
  receivedMs: number;
  isStored: boolean;
}

const isOf = (key: PartsKey): Fragment<unknown> =>
  sql`supplier_id = ${key.supplierId} and msisdn = ${key.msisdn} and destination = ${key.destination}
    and reference_bits = ${key.referenceBits} and reference = ${key.reference} and total = ${key.total}`;

/** By the clock of the database's transaction, which tables that lie on several nodes can be compared with and written by. */
const inMs = (ms: number): Fragment<Date> => sql<Date>`(now() + ${ms}::float8 * interval '1 millisecond')`;

/** Locked to the end of the transaction: a process with another part of the text waits. */
export const lockParts = async (tx: Db, key: PartsKey, offsetMs = 0): Promise<(PartsRow & { isDue: boolean }) | null> =>
  maybe(
    tx,
    sql<PartsRow & { isDue: boolean }>`select customer_id as "customerId", message_id::text as "messageId",
        app_id as "appId", task_id as "taskId", inbound_id as "inboundId", parts,
        (extract(epoch from received_at) * 1000)::float8 as "receivedMs", is_stored as "isStored",
        due_at <= ${inMs(offsetMs)} as "isDue"
      from inbound_part where ${isOf(key)} for update`,
  );

/** False: another has just begun it. */
export const insertParts = async (tx: Db, key: PartsKey, row: PartsRow, dueInMs: number): Promise<boolean> => {
  const inserted = await run(
    tx,
    sql`insert into inbound_part (supplier_id, msisdn, destination, reference_bits, reference, total, customer_id, message_id,
          app_id, task_id, inbound_id, parts, received_at, is_stored, due_at)
        values (${key.supplierId}, ${key.msisdn}, ${key.destination}, ${key.referenceBits}, ${key.reference}, ${key.total},
          ${row.customerId}, ${row.messageId}::bigint, ${row.appId}, ${row.taskId}, ${row.inboundId}, ${row.parts}::bytea[],
          ${new Date(row.receivedMs)}, ${row.isStored}, ${inMs(dueInMs)})
        on conflict do nothing`,
  );
  return inserted === 1;
};

/** All of a row that is locked. */
export const saveParts = async (tx: Db, key: PartsKey, row: PartsRow, dueInMs: number): Promise<void> => {
  await run(
    tx,
    sql`update inbound_part set customer_id = ${row.customerId}, message_id = ${row.messageId}::bigint, app_id = ${row.appId},
          task_id = ${row.taskId}, inbound_id = ${row.inboundId}, parts = ${row.parts}::bytea[],
          received_at = ${new Date(row.receivedMs)}, is_stored = ${row.isStored}, due_at = ${inMs(dueInMs)}
        where ${isOf(key)}`,
  );
};

export const deleteParts = async (tx: Db, key: PartsKey): Promise<void> => {
  await run(tx, sql`delete from inbound_part where ${isOf(key)}`);
};

/** Returns texts that are due, to be stored as they are or discarded; longest waiting first. */
export const listDueParts = async (db: Db, limit: number, offsetMs: number): Promise<PartsKey[]> =>
  many(
    db,
    sql<PartsKey>`select supplier_id as "supplierId", msisdn, destination, reference_bits as "referenceBits", reference, total
      from inbound_part where due_at <= ${inMs(offsetMs)} order by due_at limit ${limit}`,
  );
