/**
 * Rows of `message`, one per recipient. Statements on many of them go from the IDs to the rows, by the primary key and
 * in no other order (decision 044): `lateral (… offset 0)` in a select, `= any(array[…])` in an update, which no hash
 * or merge join can use. They are unnamed, so that the weeks they are not about are left out when they are planned.
 */
import { ClientStatus, SendStatus, SmsType } from '@pahatid/contract/enums';
import type pg from 'pg';
import { numberArray, textArray } from '../array-literal.ts';
import { type CustomerRows, ofShard, splitByCustomer } from '../by-customer.ts';
import type { CopyValue } from '../copy-lines.ts';
import { isKnownDistributed } from '../distributed.ts';
import { idBounds, messageIdFloor } from '../ids.ts';
import { together } from '../pipelined.ts';
import { type Db, many, one, sql } from '../sql.ts';
import { makeRowWriter } from '../write-rows.ts';
import { supersedeArchived } from './archive-superseding.ts';
import { assertVisible } from './batch-visibility.ts';
import { findNotifiedEndpoints, writeStatusEvents } from './callback-events.ts';
import { findErasedOptOuts, listErasedOptOuts } from './erased-opt-outs.ts';
import { codes, codesKeptMs, ended } from './shown-messages.ts';
import { findBoundCustomers, writeSmppReceipts } from './smpp-deliveries.ts';

export interface NewMessage {
  customerId: string;
  messageId: bigint;
  taskId: string | null;
  /** Null if its task has one. */
  templateId: string | null;
  appId: string;
  smsType: number;
  msisdn: string;
  areaCode: string;
  rangeHolder: string | null;
  carrier: string | null;
  clientSid: string;
  content: string;
  pkgTotal: number;
  chargeType: string;
  /** 1/10,000 PHP a segment. */
  price: number;
  routeId: string;
  supplierId: string;
  retryOf: bigint | null;
  sendStatus: number;
  clientStatus: number;
  dealResult: string | null;
  /** How it was submitted by SMPP; null: it was not. */
  smpp: string | null;
}

const valuesOf = (row: NewMessage): CopyValue[] => [
  row.customerId,
  row.messageId,
  row.taskId,
  row.appId,
  row.smsType,
  row.msisdn,
  row.areaCode,
  row.rangeHolder,
  row.carrier,
  row.clientSid,
  row.content,
  row.pkgTotal,
  row.chargeType,
  row.price,
  row.routeId,
  row.supplierId,
  row.retryOf,
  row.sendStatus,
  row.clientStatus,
  row.dealResult,
  row.templateId,
  row.smpp,
];

const writeMessages = makeRowWriter(
  'message',
  {
    customer_id: 'uuid',
    message_id: 'bigint',
    task_id: 'uuid',
    app_id: 'text',
    sms_type: 'smallint',
    msisdn: 'text',
    area_code: 'text',
    range_holder: 'text',
    carrier: 'text',
    client_sid: 'text',
    content: 'text',
    pkg_total: 'int',
    charge_type: 'text',
    price: 'bigint',
    route_id: 'uuid',
    supplier_id: 'uuid',
    retry_of: 'bigint',
    send_status: 'smallint',
    client_status: 'smallint',
    deal_result: 'text',
    template_id: 'uuid',
    smpp: 'text',
  },
  valuesOf,
);

export const insertMessages = async (tx: pg.PoolClient, rows: readonly NewMessage[]): Promise<void> => {
  await writeMessages(tx, rows);
  // Those that end immediately, unsent.
  const ended = rows.filter(({ clientStatus }) => clientStatus !== ClientStatus.Accepted);
  await writeStatusEvents(
    tx,
    ended.map(({ customerId, messageId, clientStatus: after }) => ({ customerId, messageId, before: null, after })),
  );
};

/**
 * Marks messages as superseded by a later one and returns the previous state of each, once: a message already marked is
 * omitted, so that follow-up work based on the result is done only once.
 */
export const supersedeMessages = async (
  tx: pg.PoolClient,
  customerId: string,
  messageIds: readonly bigint[],
): Promise<{ sendStatus: number; clientStatus: number }[]> => {
  const ids = messageIds.map(String);
  const rows = await many<{ sendStatus: number; clientStatus: number }>(
    tx,
    sql`update message set superseded = true
        where customer_id = ${customerId} and message_id = any(${ids}::bigint[]) and not superseded
        returning send_status as "sendStatus", client_status as "clientStatus"`,
  );
  return rows.length === ids.length ? rows : [...rows, ...(await supersedeArchived(tx, customerId, ids))];
};

export interface WaitingMessage {
  messageId: bigint;
  templateId: string | null;
  appId: string;
  smsType: number;
  msisdn: string;
  areaCode: string;
  carrier: string | null;
  clientSid: string;
  content: string;
  pkgTotal: number;
  chargeType: string;
  price: number;
  routeId: string;
  optedOut: boolean;
}

export interface BatchRange {
  customerId: string;
  batchId: bigint;
  messageCount: number;
  /** Marketing: whether each recipient refused is looked up. */
  checkOptOut: boolean;
}

type WaitingRow = Omit<WaitingMessage, 'messageId'> & { messageId: string; batchNo: string };

/** Messages without an outcome of each of these batches, in order. */
export const loadWaitingMessages = async (db: Db, batches: readonly BatchRange[]): Promise<WaitingMessage[][]> => {
  const loaded = batches.map((): WaitingMessage[] => []);
  const numbered = batches.map((batch, place) => ({ ...batch, place }));
  for (const group of await splitByCustomer(db, numbered))
    for (const { batchNo, ...row } of await readWaiting(db, group))
      loaded[group.rows[Number(batchNo) - 1]!.place]!.push({ ...row, messageId: BigInt(row.messageId) });
  await markErased(db, batches, loaded);
  return loaded;
};

const readWaiting = async (db: Db, { customerId, rows: batches }: CustomerRows<BatchRange>): Promise<WaitingRow[]> => {
  const values = [
    textArray(batches.map((batch) => batch.customerId)),
    numberArray(batches.map(({ batchId }) => batchId)),
    numberArray(batches.map(({ batchId, messageCount }) => batchId + BigInt(messageCount))),
    batches.map(({ checkOptOut }) => checkOptOut),
    ...idBounds(batches.flatMap(({ batchId, messageCount }) => [batchId, batchId + BigInt(messageCount)])),
  ];
  const owner = ofShard('message.customer_id', customerId, values);
  const waiting = `
      select i.batch_no, i.is_checked, m.* from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::boolean[]) with ordinality
        as i(customer_id, first_id, end_id, is_checked, batch_no)
      cross join lateral (select * from message where message.customer_id = i.customer_id
        and message.message_id >= i.first_id and message.message_id < i.end_id
        and message.message_id between $5 and $6${owner.text}
        and message.send_status = ${SendStatus.Waiting} offset 0) m`;
  // On Citus the rows are fetched before opt-outs, which the coordinator has, are looked for.
  const { rows } = await db.query<WaitingRow>(
    `with w as ${customerId ? 'materialized ' : ''}(${waiting})
      select w.batch_no as "batchNo", w.message_id as "messageId", w.template_id as "templateId", w.app_id as "appId",
        w.sms_type as "smsType", w.msisdn, w.area_code as "areaCode", w.carrier, w.client_sid as "clientSid", w.content,
        w.pkg_total as "pkgTotal", w.charge_type as "chargeType", w.price, w.route_id as "routeId",
        o.msisdn is not null as "optedOut"
      from w
      left join lateral (select o.msisdn from opt_out o
        where w.is_checked and o.customer_id = w.customer_id and o.msisdn = w.msisdn offset 0) o on true
      order by w.batch_no, w.message_id`,
    owner.values as unknown[],
  );
  return rows;
};

/** Marks those that opted out before their numbers were erased. */
async function markErased(db: Db, batches: readonly BatchRange[], loaded: readonly WaitingMessage[][]): Promise<void> {
  const checked = batches.flatMap(({ customerId, checkOptOut }, index) =>
    checkOptOut ? (loaded[index] ?? []).map((message) => ({ customerId, message })) : [],
  );
  const byCustomer = Map.groupBy(checked, ({ customerId }) => customerId);
  for (const customerId of await listErasedOptOuts(db, [...byCustomer.keys()])) {
    const messages = (byCustomer.get(customerId) ?? []).map(({ message }) => message);
    const msisdns = [...new Set(messages.map(({ msisdn }) => msisdn))];
    const erased = await findErasedOptOuts(db, customerId, msisdns);
    for (const message of messages) message.optedOut ||= erased.has(message.msisdn);
  }
}

export interface OutcomeRow {
  customerId: string;
  messageId: bigint;
  before: { sendStatus: number; clientStatus: number; partsDelivered: number };
  after: { sendStatus: number; clientStatus: number };
  /** null preserves the stored value; the same applies to the instants. */
  dealResult: string | null;
  carrierCode: string | null;
  submittedMs: number | null;
  answeredMs: number | null;
  reportMs: number | null;
  /** Parts that are delivered then: bit n - 1 for part n. */
  partsDelivered: number;
}

/**
 * Writes outcomes to the rows that are as expected, and returns the indexes of those that were not. Rows are in key
 * order, which is the order they are locked in. A message as old as `codesKeptMs` loses its code with its result
 * (`endedWithCode`).
 */
export const writeOutcomes = async (tx: Db, rows: readonly OutcomeRow[]): Promise<number[]> => {
  if (rows.length === 0) return [];
  const notified = rows.map(({ customerId, messageId, before, after }) => ({
    ...{ customerId, messageId, before: before.clientStatus, after: after.clientStatus },
  }));
  const [missed, endpoints, bound] = await together(tx, [
    () => updateOutcomes(tx, rows),
    () => findNotifiedEndpoints(tx, notified),
    () => findBoundCustomers(tx, notified),
  ]);
  const isMissed = new Set(missed);
  const changes = notified.filter(({ before, after }, index) => before !== after && !isMissed.has(index));
  await writeStatusEvents(tx, changes, endpoints);
  await writeSmppReceipts(tx, changes, bound);
  return missed;
};

/** In a transaction, which knows whether it is on Citus. Elsewhere the statement is sent before this returns. */
const updateOutcomes = async (tx: Db, rows: readonly OutcomeRow[]): Promise<number[]> => {
  if (!isKnownDistributed()) return await updateOutcomesOf(tx, { customerId: null, rows });
  const places = new Map(rows.map((row, place) => [row, place]));
  const missed: number[] = [];
  for (const group of await splitByCustomer(tx, rows))
    for (const place of await updateOutcomesOf(tx, group)) missed.push(places.get(group.rows[place]!)!);
  return missed;
};

const AS_BEFORE = 'm.send_status = i.old_send and m.client_status = i.old_client and m.parts_delivered = i.old_parts';

/**
 * On a node of Citus BY_KEY is not in force: by equal states PostgreSQL joined each message of a customer with each row by
 * hash, a thousand times a thousand. An array can't be hashed.
 */
const AS_BEFORE_ON_SHARD = `m.send_status = any(array[i.old_send]) and m.client_status = any(array[i.old_client])
            and m.parts_delivered = any(array[i.old_parts])`;

const updateOutcomesOf = async (tx: Db, { customerId, rows }: CustomerRows<OutcomeRow>): Promise<number[]> => {
  const owner = ofShard('m.customer_id', customerId, [
    numberArray(rows.map((row) => row.customerId)),
    numberArray(rows.map((row) => row.messageId)),
    numberArray(rows.map((row) => row.before.sendStatus)),
    numberArray(rows.map((row) => row.before.clientStatus)),
    numberArray(rows.map((row) => row.after.sendStatus)),
    numberArray(rows.map((row) => row.after.clientStatus)),
    textArray(rows.map((row) => row.dealResult)),
    textArray(rows.map((row) => row.carrierCode)),
    numberArray(rows.map((row) => row.submittedMs)),
    numberArray(rows.map((row) => row.answeredMs)),
    numberArray(rows.map((row) => row.reportMs)),
    numberArray(rows.map((row) => row.partsDelivered)),
    numberArray(rows.map((row) => row.before.partsDelivered)),
    String(messageIdFloor(Date.now() - codesKeptMs)),
    numberArray(ended),
    SmsType.Verification,
    codes,
    ...idBounds(rows.map((row) => row.messageId)),
  ]);
  const asBefore = owner.text === '' ? AS_BEFORE : AS_BEFORE_ON_SHARD;
  const { rows: answer } = await tx.query<{ missed: number[] }>({
    // The range leaves other weeks out of the plan. By its alternative it is no condition of an index scan, which would
    // look good where statistics are missing: only a bitmap could use it, and BY_KEY has none. The alternative also keeps
    // the default partition in the plan: with a single one, PostgreSQL 18 forgets that a plan reads what it should not.
    text: `
      with i as (
        select * from unnest($1::uuid[], $2::bigint[], $3::smallint[], $4::smallint[], $5::smallint[], $6::smallint[],
          $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::bigint[], $12::int[], $13::int[]) with ordinality
          as t(customer_id, message_id, old_send, old_client, send, client, deal, code, submitted, answered, report, parts, old_parts, n)
      ), changed as (
        update message m set send_status = i.send, client_status = i.client,
          deal_result = coalesce(i.deal, m.deal_result), carrier_code = coalesce(i.code, m.carrier_code),
          submitted_at = coalesce(to_timestamp(i.submitted / 1000.0), m.submitted_at),
          answered_at = coalesce(to_timestamp(i.answered / 1000.0), m.answered_at),
          report_at = coalesce(to_timestamp(i.report / 1000.0), m.report_at),
          parts_delivered = i.parts,
          content = case when m.message_id < $14 and i.send = any($15::smallint[]) and m.sms_type = $16 and m.task_id is null
            then regexp_replace(m.content, $17, '******', 'g') else m.content end
        from i
        where m.customer_id = any(array[i.customer_id]) and m.message_id = any(array[i.message_id])
          and (m.message_id between $18 and $19 or m.message_id = -1)${owner.text}
          and ${asBefore}
        returning i.n
      )
      select coalesce(array_agg((i.n - 1)::int), '{}') as missed from i where i.n not in (select n from changed)`,
    values: owner.values as unknown[],
  });
  return answer[0]!.missed;
};

export interface LockedMessage {
  customerId: string;
  messageId: bigint;
  taskId: string | null;
  templateId: string | null;
  appId: string;
  smsType: number;
  msisdn: string;
  areaCode: string;
  carrier: string | null;
  clientSid: string;
  pkgTotal: number;
  chargeType: string;
  price: number;
  routeId: string;
  supplierId: string;
  sendStatus: number;
  clientStatus: number;
  partsDelivered: number;
  submittedAt: Date | null;
}

const lockedColumns = `customer_id as "customerId", message_id as "messageId", task_id as "taskId", template_id as "templateId",
  app_id as "appId", sms_type as "smsType", msisdn, area_code as "areaCode", carrier, client_sid as "clientSid",
  pkg_total as "pkgTotal", charge_type as "chargeType", price, route_id as "routeId", supplier_id as "supplierId",
  send_status as "sendStatus", client_status as "clientStatus", parts_delivered as "partsDelivered",
  submitted_at as "submittedAt"`;

type LockedRow = Omit<LockedMessage, 'messageId'> & { messageId: string };

const readLocked = (row: LockedRow): LockedMessage => ({ ...row, messageId: BigInt(row.messageId) });

export interface MessageKey {
  readonly customerId: string;
  readonly messageId: bigint;
}

/** Locks messages in the one order that all keep: by customer and id. */
export const lockMessages = async (tx: Db, keys: readonly MessageKey[]): Promise<LockedMessage[]> => {
  const groups = Map.groupBy(keys, ({ customerId }) => customerId);
  const sorted = [...groups.keys()].sort().flatMap((customerId) => sortIds(groups.get(customerId)!));
  const locked: LockedMessage[] = [];
  for (const group of await splitByCustomer(tx, sorted)) locked.push(...(await lockSorted(tx, group)));
  return locked;
};

const sortIds = (keys: readonly MessageKey[]): MessageKey[] => {
  const byId = new Map(keys.map((key) => [key.messageId, key]));
  return [...byId.values()].sort((a, b) => (a.messageId < b.messageId ? -1 : 1));
};

const lockSorted = async (tx: Db, group: CustomerRows<MessageKey>): Promise<LockedMessage[]> => {
  const ids = group.rows.map(({ messageId }) => messageId);
  const owner = ofShard('message.customer_id', group.customerId, [
    numberArray(group.rows.map(({ customerId }) => customerId)),
    numberArray(ids),
    ...idBounds(ids),
  ]);
  const { rows } = await tx.query<LockedRow>(
    `select m.* from unnest($1::uuid[], $2::bigint[]) as i(customer_id, message_id) cross join lateral (
       select ${lockedColumns} from message where message.customer_id = i.customer_id and message.message_id = i.message_id
         and message.message_id between $3 and $4${owner.text} offset 0 for update) m`,
    owner.values as unknown[],
  );
  return rows.map(readLocked);
};

/**
 * Locks those messages of a batch that are in a state. The caller has the batch's row, which a flush that has the messages
 * comes to last: so this one does not wait for them, and its transaction is run again a moment later. So it is if the
 * messages are not visible yet (decision 183).
 */
export const lockBatchMessages = async (
  tx: Db,
  batch: { customerId: string; batchId: bigint; messageCount: number },
  state: { sendStatus: number; clientStatus: number },
): Promise<LockedMessage[]> => {
  // An open batch has all its messages; of one that is done, they may be archived.
  if (state.sendStatus === SendStatus.Waiting) await assertVisible(tx, batch);
  const { rows } = await tx.query<LockedRow>(
    `select ${lockedColumns} from message
     where customer_id = $1 and message_id >= $2 and message_id < $3 and send_status = $4 and client_status = $5
     order by message_id for update nowait`,
    [
      batch.customerId,
      String(batch.batchId),
      String(batch.batchId + BigInt(batch.messageCount)),
      state.sendStatus,
      state.clientStatus,
    ],
  );
  return rows.map(readLocked);
};

/** Messages of a batch in a state that were submitted before `before`; those without an instant count by `fallback`. */
export const lockSubmittedBefore = async (
  tx: Db,
  batch: { customerId: string; batchId: bigint; messageCount: number },
  state: { sendStatus: number; clientStatus: number },
  before: Date,
  fallback: Date | null,
): Promise<LockedMessage[]> => {
  const rows = await many<LockedRow>(
    tx,
    sql`select ${sql.raw(lockedColumns)} from message
        where customer_id = ${batch.customerId} and message_id >= ${String(batch.batchId)}::bigint
          and message_id < ${String(batch.batchId + BigInt(batch.messageCount))}::bigint
          and send_status = ${state.sendStatus}::smallint and client_status = ${state.clientStatus}::smallint
          and coalesce(submitted_at, ${fallback}::timestamptz) < ${before}
        order by message_id for update`,
  );
  return rows.map(readLocked);
};

/** When the first message of a batch in a given state was submitted; null if there is none. */
export const readFirstSubmitted = async (
  db: Db,
  batch: { customerId: string; batchId: bigint; messageCount: number },
  state: { sendStatus: number; clientStatus: number },
  fallback: Date | null,
): Promise<Date | null> => {
  const row = await one<{ at: Date | null }>(
    db,
    sql`select min(coalesce(submitted_at, ${fallback}::timestamptz)) as at from message
        where customer_id = ${batch.customerId} and message_id >= ${String(batch.batchId)}::bigint
          and message_id < ${String(batch.batchId + BigInt(batch.messageCount))}::bigint
          and send_status = ${state.sendStatus}::smallint and client_status = ${state.clientStatus}::smallint`,
  );
  return row.at;
};
