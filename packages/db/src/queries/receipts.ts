/** From a carrier's message id back to ours, receipts that match nothing yet, and messages in doubt. */
import { numberArray, textArray } from '../array-literal.ts';
import { ofShard } from '../by-customer.ts';
import { isDistributed } from '../distributed.ts';
import { idBounds, messageIdFloor } from '../ids.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';
import { withdrawConsents } from './consents.ts';

/** Receipts of older messages are not looked for: carriers give up after days, and their ids wrap. */
export const routeAgeMs = 40 * 86_400_000;

const compare = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order in which rows of messages, and what belongs to one, are locked everywhere. */
const byKey = <R extends { customerId: string; messageId: bigint }>(a: R, b: R): number =>
  compare(a.customerId, b.customerId) || compare(a.messageId, b.messageId);

export interface RouteEntry {
  supplierId: string;
  carrierMessageId: string;
  customerId: string;
  messageId: bigint;
  part: number;
}

export interface NewRoute extends RouteEntry {
  /** The id as the carrier wrote it, if the carrier may be asked about the part. */
  issuedId?: string | undefined;
}

export const insertRoutes = async (tx: Db, rows: readonly NewRoute[]): Promise<void> => {
  if (rows.length === 0) return;
  await tx.query({
    name: 'insert_routes',
    text: `insert into dlr_route (supplier_id, carrier_message_id, customer_id, message_id, part, issued_id)
           select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bigint[], $5::smallint[], $6::text[])`,
    values: routeArrays(rows),
  });
};

/** Inserts those that do not exist yet: used when it is unknown whether an earlier attempt was committed. */
export const insertMissingRoutes = async (tx: Db, rows: readonly NewRoute[]): Promise<void> => {
  if (rows.length === 0) return;
  if (await isDistributed(tx)) {
    await insertRoutes(tx, await leaveOutStored(tx, rows));
    return;
  }
  await tx.query(
    `insert into dlr_route (supplier_id, carrier_message_id, customer_id, message_id, part, issued_id)
     select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bigint[], $5::smallint[], $6::text[]) as i(s, c, u, m, p, o)
     where not exists (
       select from dlr_route r where r.supplier_id = i.s and r.carrier_message_id = i.c and r.message_id = i.m
         and r.message_id between $7 and $8 offset 0)`,
    [...routeArrays(rows), ...idBounds(rows.map((row) => row.messageId))],
  );
};

/** Routes of an account are on one shard. */
const leaveOutStored = async (tx: Db, rows: readonly NewRoute[]): Promise<NewRoute[]> => {
  const missing: NewRoute[] = [];
  for (const [supplierId, group] of Map.groupBy(rows, (row) => row.supplierId)) {
    const stored = await many<{ id: string; messageId: string }>(
      tx,
      sql`select carrier_message_id as id, message_id::text as "messageId" from dlr_route
          where supplier_id = ${supplierId} and carrier_message_id = any(${group.map((row) => row.carrierMessageId)}::text[])
            and message_id = any(${group.map((row) => String(row.messageId))}::bigint[])`,
    );
    const names = new Set(stored.map(({ id, messageId }) => `${messageId} ${id}`));
    missing.push(...group.filter((row) => !names.has(`${row.messageId} ${row.carrierMessageId}`)));
  }
  return missing;
};

const routeArrays = (rows: readonly NewRoute[]): string[] => [
  numberArray(rows.map((row) => row.supplierId)),
  textArray(rows.map((row) => row.carrierMessageId)),
  numberArray(rows.map((row) => row.customerId)),
  numberArray(rows.map((row) => row.messageId)),
  numberArray(rows.map((row) => row.part)),
  textArray(rows.map((row) => row.issuedId ?? null)),
];

/** An id that a carrier gave a part, at one supplier account. */
export interface CarrierId {
  supplierId: string;
  carrierMessageId: string;
}

/** All messages that had one of these ids at its supplier account, the newest first. */
export const findRoutes = async (db: Db, ids: readonly CarrierId[]): Promise<RouteEntry[]> => {
  // Routes of several accounts are on several nodes of Citus.
  if (!(await isDistributed(db))) return await findRoutesOf(db, null, ids);
  const found: RouteEntry[] = [];
  for (const [supplierId, ofSupplier] of Map.groupBy(ids, (each) => each.supplierId))
    found.push(...(await findRoutesOf(db, supplierId, ofSupplier)));
  return found;
};

/** `supplierId`: of all of them; null: of any. */
const findRoutesOf = async (db: Db, supplierId: string | null, ids: readonly CarrierId[]): Promise<RouteEntry[]> => {
  if (ids.length === 0) return [];
  const owner = ofShard('dlr_route.supplier_id', supplierId, [
    numberArray(ids.map((each) => each.supplierId)),
    textArray(ids.map(({ carrierMessageId }) => carrierMessageId)),
    String(messageIdFloor(Date.now() - routeAgeMs)),
    // IDs may lie a little ahead of the clock; the weeks to come are left out.
    String(messageIdFloor(Date.now() + 86_400_000)),
  ]);
  const { rows } = await db.query<Omit<RouteEntry, 'messageId'> & { messageId: string }>({
    // From the IDs to the routes, regardless of statistics on an account's (decision 044).
    text: `select i.supplier_id as "supplierId", r.carrier_message_id as "carrierMessageId", r.customer_id as "customerId",
             r.message_id as "messageId", r.part
           from unnest($1::uuid[], $2::text[]) as i(supplier_id, id) cross join lateral (
             select carrier_message_id, customer_id, message_id, part from dlr_route
             where supplier_id = i.supplier_id and carrier_message_id = i.id and message_id >= $3 and message_id < $4${owner.text} offset 0) r
           order by r.message_id desc`,
    values: owner.values as unknown[],
  });
  return rows.map((row) => ({ ...row, messageId: BigInt(row.messageId) }));
};

export interface InboxReceipt {
  supplierId: string;
  receiptId: string;
  carrierMessageId: string;
  msisdn: string;
  clientSid: string;
  clientStatus: number;
  final: boolean;
  carrierCode: string | null;
  reportMs: number | null;
  receivedMs: number;
}

/** Keeps receipts waiting for their response; storing one twice leaves one. */
export const insertInbox = async (tx: Db, rows: readonly InboxReceipt[]): Promise<void> => {
  if (rows.length === 0) return;
  await tx.query({
    name: 'insert_inbox',
    text: `insert into receipt_inbox (supplier_id, receipt_id, carrier_message_id, msisdn, client_sid, client_status, final,
       carrier_code, report_at, received_at)
     select s, r, c, m, sid, st, f, code, to_timestamp(rep / 1000.0), to_timestamp(rec / 1000.0)
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::bool[], $8::text[],
       $9::bigint[], $10::bigint[]) as i(s, r, c, m, sid, st, f, code, rep, rec)
     on conflict do nothing`,
    values: [
      numberArray(rows.map((row) => row.supplierId)),
      numberArray(rows.map((row) => row.receiptId)),
      textArray(rows.map((row) => row.carrierMessageId)),
      textArray(rows.map((row) => row.msisdn)),
      textArray(rows.map((row) => row.clientSid)),
      numberArray(rows.map((row) => row.clientStatus)),
      rows.map((row) => row.final),
      textArray(rows.map((row) => row.carrierCode)),
      numberArray(rows.map((row) => row.reportMs)),
      numberArray(rows.map((row) => row.receivedMs)),
    ],
  });
};

export const markMatched = async (
  tx: Db,
  receipts: readonly { supplierId: string; receiptId: string }[],
): Promise<void> => {
  if (receipts.length === 0) return;
  const rows = [...receipts].sort((a, b) => compare(a.supplierId, b.supplierId) || compare(a.receiptId, b.receiptId));
  // The first instant stays. As a condition it would offer the planner the index of all that waits (decision 044).
  await tx.query({
    name: 'mark_matched',
    text: `update receipt_inbox r set matched_at = coalesce(r.matched_at, $3::timestamptz)
     from unnest($1::uuid[], $2::uuid[]) as i(supplier_id, receipt_id)
     where r.supplier_id = any(array[i.supplier_id]) and r.receipt_id = any(array[i.receipt_id])`,
    values: [numberArray(rows.map((row) => row.supplierId)), numberArray(rows.map((row) => row.receiptId)), new Date()],
  });
};

/** Waiting receipts in order of their coming, after a place reached before. */
export const listInbox = async (
  db: Db,
  after: { receivedMs: number; receiptId: string } | null,
  limit: number,
): Promise<InboxReceipt[]> => {
  const rows = await many<
    Omit<InboxReceipt, 'reportMs' | 'receivedMs'> & { reportMs: string | null; receivedMs: string }
  >(
    db,
    sql`select supplier_id as "supplierId", receipt_id as "receiptId", carrier_message_id as "carrierMessageId", msisdn,
          client_sid as "clientSid", client_status as "clientStatus", final, carrier_code as "carrierCode",
          (extract(epoch from report_at) * 1000)::bigint as "reportMs",
          (extract(epoch from received_at) * 1000)::bigint as "receivedMs"
        from receipt_inbox
        where matched_at is null
          and (received_at, receipt_id) > (${after === null ? new Date(0) : new Date(after.receivedMs)}, ${after?.receiptId ?? '00000000-0000-0000-0000-000000000000'}::uuid)
        order by received_at, receipt_id limit ${limit}`,
  );
  return rows.map((row) => ({
    ...row,
    reportMs: row.reportMs === null ? null : Number(row.reportMs),
    receivedMs: Number(row.receivedMs),
  }));
};

export interface DoubtRow {
  customerId: string;
  messageId: bigint;
  supplierId: string;
  taskId: string | null;
  msisdn: string;
}

export const insertDoubts = async (
  tx: Db,
  doubts: readonly DoubtRow[],
  at: Date,
  resolution: 'resent' | null,
): Promise<void> => {
  if (doubts.length === 0) return;
  const rows = [...doubts].sort(byKey);
  await tx.query({
    name: 'insert_doubts',
    text: `insert into in_doubt as d (customer_id, message_id, supplier_id, task_id, msisdn, since, resolved_at, resolution)
     select u, m, s, t, p, $6::timestamptz, $7::timestamptz, $8::text
     from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::uuid[], $5::text[]) as i(u, m, s, t, p)
     on conflict (customer_id, message_id) do update set since = excluded.since, resolved_at = excluded.resolved_at,
       resolution = excluded.resolution`,
    values: [
      numberArray(rows.map((row) => row.customerId)),
      numberArray(rows.map((row) => row.messageId)),
      numberArray(rows.map((row) => row.supplierId)),
      numberArray(rows.map((row) => row.taskId)),
      textArray(rows.map((row) => row.msisdn)),
      at,
      resolution === null ? null : at,
      resolution,
    ],
  });
};

export const resolveDoubts = async (
  tx: Db,
  doubts: readonly { customerId: string; messageId: bigint }[],
  resolution: 'receipt' | 'response' | 'resent' | 'released',
  at: Date,
): Promise<void> => {
  if (doubts.length === 0) return;
  const rows = [...doubts].sort(byKey);
  // Resolved doubts stay unchanged; as a condition it would offer the planner the index of all doubts (decision 044).
  await tx.query({
    name: 'resolve_doubts',
    text: `update in_doubt d set resolved_at = coalesce(d.resolved_at, $3::timestamptz),
       resolution = case when d.resolved_at is null then $4::text else d.resolution end
     from unnest($1::uuid[], $2::bigint[]) as i(customer_id, message_id)
     where d.customer_id = any(array[i.customer_id]) and d.message_id = any(array[i.message_id])`,
    values: [
      numberArray(rows.map((row) => row.customerId)),
      numberArray(rows.map((row) => row.messageId)),
      at,
      resolution,
    ],
  });
};

/** Supplier accounts whose receipts match only together with the MSISDN. */
export const listStrictSuppliers = async (db: Db): Promise<string[]> => {
  const rows = await many<{ id: string }>(
    db,
    sql`select supplier_id as id from supplier where profile ->> 'receiptMatch' = 'phone'`,
  );
  return rows.map(({ id }) => id);
};

/**
 * The oldest message in doubt to one of these phones at a supplier account that was accepted before an instant, or after
 * one that has not come yet: by a clock that was put back since.
 */
export const findDoubt = async (
  db: Db,
  supplierId: string,
  msisdns: readonly string[],
  { beforeMs, aheadMs }: { beforeMs: number; aheadMs: number },
  except: readonly bigint[],
): Promise<{ customerId: string; messageId: bigint } | null> => {
  const row = await maybe<{ customerId: string; messageId: string }>(
    db,
    sql`select customer_id as "customerId", message_id as "messageId" from in_doubt
        where supplier_id = ${supplierId} and msisdn = any(${msisdns}::text[]) and resolved_at is null
          and (message_id < ${String(messageIdFloor(beforeMs))}::bigint or message_id >= ${String(messageIdFloor(aheadMs))}::bigint)
          and message_id <> all(${except.map(String)}::bigint[])
        order by message_id limit 1`,
  );
  return row === null ? null : { ...row, messageId: BigInt(row.messageId) };
};

export const insertOptOut = async (
  tx: Db,
  row: { customerId: string; msisdn: string; source: string; evidence: string; at: Date },
): Promise<void> => {
  await run(
    tx,
    sql`insert into opt_out (customer_id, msisdn, source, evidence, created_at)
        values (${row.customerId}, ${row.msisdn}, ${row.source}, ${row.evidence}, ${row.at}) on conflict do nothing`,
  );
  await withdrawConsents(tx, row.customerId, [row.msisdn], row.at);
};
