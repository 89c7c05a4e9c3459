/**
 * Writes of `pahatid verify --repair`. Each statement is guarded by the state it expects, and returns whether it found
 * it: the second of two calls changes nothing.
 */
import { SendStatus } from '@pahatid/contract/enums';
import type pg from 'pg';
import { uuidV7 } from '../../ids.ts';
import { batchState, sendStatus, taskStatus } from '../../literals.ts';
import { type Db, maybe, one, run, sql } from '../../sql.ts';
import { datedAt } from '../ledger-folding.ts';

/** One repair at a time; held by a separate connection until it is released. */
export const lockRepairs = async (client: pg.PoolClient): Promise<boolean> => {
  const { taken } = await one<{ taken: boolean }>(client, sql`select pg_try_advisory_lock(7240824203) as taken`);
  return taken;
};

export const unlockRepairs = async (client: pg.PoolClient): Promise<void> => {
  await run(client, sql`select pg_advisory_unlock(7240824203)`);
};

interface BatchPlace {
  customerId: string;
  taskId: string | null;
  supplierId: string;
  routeId: string;
}

/**
 * Sets the count of a batch that no sender holds to that of its messages: matching consecutive ones from its ID up to
 * the next batch. With a gap between them the batch can't be reconstructed.
 */
export const repairBatchSize = async (tx: Db, batchId: bigint, kept: number): Promise<boolean> => {
  // Locked first, and then compared: on Citus no statement joins a batch with its messages.
  const batch = await maybe<BatchPlace & { end: string }>(
    tx,
    sql`select customer_id as "customerId", task_id as "taskId", supplier_id as "supplierId", route_id as "routeId",
          least(batch_id + 1000, coalesce((select min(n.batch_id) from batch n where n.batch_id > b.batch_id), batch_id + 1000)) as end
        from batch b where b.batch_id = ${String(batchId)}::bigint and b.message_count = ${kept}
          and b.state <> ${batchState.Claimed} for update of b`,
  );
  if (batch === null) return false;
  const { customerId, taskId, supplierId, routeId, end } = batch;
  const row = await one<{ n: number; last: string | null }>(
    tx,
    sql`select count(*)::int as n, max(message_id) - ${String(batchId)}::bigint + 1 as last from message
        where customer_id = ${customerId} and message_id >= ${String(batchId)}::bigint and message_id < ${end}::bigint
          and message_id >> 10 = ${String(batchId)}::bigint >> 10
          -- what was sent keeps the route it went by when the rest of its batch moves
          and (send_status <> ${sendStatus.Waiting} or (supplier_id = ${supplierId} and route_id = ${routeId}))
          and task_id is not distinct from ${taskId}::uuid`,
  );
  if (row.n === 0 || row.n !== Number(row.last) || row.n === kept) return false;
  return (
    (await run(
      tx,
      sql`update batch set message_count = ${row.n} where batch_id = ${String(batchId)}::bigint and message_count = ${kept}`,
    )) === 1
  );
};

/**
 * Makes a batch look like one whose sender died, which is the case: the recovery puts messages that may be at the
 * carrier in doubt (or resends them, as the application is configured) and makes the rest ready. Not if its task has
 * ended: then no process would send the rest.
 */
export const giveToRecovery = async (tx: Db, batchId: bigint, mark: number): Promise<boolean> =>
  (await run(
    tx,
    sql`update batch b set state = ${batchState.Claimed}, owner = ${uuidV7()}, lease_until = '-infinity', intent_mark = ${mark}, done_at = null, receipts_closed = false,
          not_taken = array(select n from unnest(not_taken) as n where n >= 0 and n < ${mark})
        where batch_id = ${String(batchId)}::bigint and (state <> ${batchState.Claimed} or owner is null
          or lease_until is null)
          and (task_id is null or exists (select from task t where t.task_id = b.task_id
                 and (t.task_status in (${taskStatus.Preparing}, ${taskStatus.Sending})
                   or (t.task_status = ${taskStatus.Terminated} and t.ended_at is null))))`,
  )) === 1;

/** Nothing of it waits, so there is nothing to claim. */
export const closeBatch = async (tx: Db, batchId: bigint): Promise<boolean> => {
  const batch = await maybe<{ customerId: string; messageCount: number }>(
    tx,
    sql`select customer_id as "customerId", message_count as "messageCount" from batch
        where batch_id = ${String(batchId)}::bigint and state = ${batchState.Ready} for update`,
  );
  if (batch === null) return false;
  const { n } = await one<{ n: number }>(
    tx,
    sql`select count(*)::int as n from message where customer_id = ${batch.customerId}
          and message_id >= ${String(batchId)}::bigint and message_id < ${String(batchId + BigInt(batch.messageCount))}::bigint
          and send_status = ${sendStatus.Waiting}`,
  );
  if (n > 0) return false;
  return (
    (await run(
      tx,
      sql`update batch b set state = ${batchState.Done}, done_at = clock_timestamp(), owner = null, lease_until = null, not_taken = '{}'
          where batch_id = ${String(batchId)}::bigint and state = ${batchState.Ready}`,
    )) === 1
  );
};

export const markSuperseded = async (
  tx: Db,
  customerId: string,
  messageId: bigint,
  superseded: boolean,
): Promise<boolean> =>
  (await run(
    tx,
    sql`update message set superseded = ${superseded}
        where customer_id = ${customerId} and message_id = ${String(messageId)}::bigint and superseded <> ${superseded}`,
  )) === 1;

/** Runs under the lock of the message, so that its response is stored before or after, and not in between. */
export const openDoubt = async (tx: Db, customerId: string, messageId: bigint): Promise<boolean> => {
  const row = await maybe<{ supplierId: string; taskId: string | null; msisdn: string }>(
    tx,
    sql`select supplier_id as "supplierId", task_id as "taskId", msisdn from message
        where customer_id = ${customerId} and message_id = ${String(messageId)}::bigint
          and send_status = ${sendStatus.Sending} for update`,
  );
  if (row === null) return false;
  await run(
    tx,
    sql`insert into in_doubt as d (customer_id, message_id, supplier_id, task_id, msisdn, since)
        values (${customerId}, ${String(messageId)}, ${row.supplierId}, ${row.taskId}, ${row.msisdn}, ${new Date()})
        on conflict (customer_id, message_id) do update set since = excluded.since, resolved_at = null, resolution = null`,
  );
  return true;
};

export const closeDoubt = async (tx: Db, customerId: string, messageId: bigint): Promise<boolean> => {
  const key = sql`customer_id = ${customerId} and message_id = ${String(messageId)}::bigint`;
  const row = await maybe<{ sendStatus: number }>(
    tx,
    sql`select send_status as "sendStatus" from message where ${key} for update`,
  );
  if (row === null) return (await run(tx, sql`delete from in_doubt where ${key} and resolved_at is null`)) === 1;
  if (row.sendStatus === SendStatus.Sending) return false;
  // A waiting message will be resent; one with an outcome got it from a response.
  const resolution = row.sendStatus === SendStatus.Waiting ? 'resent' : 'response';
  return (
    (await run(
      tx,
      sql`update in_doubt set resolved_at = ${new Date()}, resolution = ${resolution} where ${key} and resolved_at is null`,
    )) === 1
  );
};

/** It is tried again by the sweeper. */
export const reopenReceipt = async (tx: Db, supplierId: string, receiptId: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update receipt_inbox set matched_at = null where supplier_id = ${supplierId} and receipt_id = ${receiptId}`,
  )) === 1;

/** Deletes receipt routes of a message that does not exist. */
export const dropRoutes = async (tx: Db, customerId: string, messageId: bigint): Promise<boolean> => {
  const key = sql`customer_id = ${customerId} and message_id = ${String(messageId)}::bigint`;
  if ((await maybe(tx, sql`select from message where ${key}`)) !== null) return false;
  return (await run(tx, sql`delete from dlr_route where ${key}`)) > 0;
};

/** `prepared`: what its count of written recipients lacks. Its total follows once all are written. */
export const repairTaskTotal = async (tx: Db, taskId: string, prepared: number): Promise<boolean> =>
  (await run(
    tx,
    sql`update task set prepared_count = prepared_count + ${prepared},
          total_count = case when prepared then prepared_count + ${prepared} else total_count end
        where task_id = ${taskId}`,
  )) === 1;

export const repairMemberCount = async (tx: Db, groupId: string, delta: number): Promise<boolean> =>
  (await run(
    tx,
    sql`update message_group set member_count = member_count + ${delta}
        where group_id = ${groupId} and member_count + ${delta} >= 0`,
  )) === 1;

/** Whether money is held follows from the status; an amount never stored can't be reconstructed. */
export const repairReservation = async (tx: Db, taskId: string, held: boolean): Promise<boolean> =>
  (await run(
    tx,
    held
      ? sql`update reservation r set released_at = null from task t
            where r.task_id = ${taskId} and t.task_id = r.task_id
              and t.task_status in (${taskStatus.Confirmed}, ${taskStatus.Preparing}, ${taskStatus.Sending}, ${taskStatus.PendingReview}) and r.released_at is not null`
      : sql`update reservation r set released_at = clock_timestamp() from task t
            where r.task_id = ${taskId} and t.task_id = r.task_id and r.released_at is null
              and (t.task_status not in (${taskStatus.Confirmed}, ${taskStatus.Preparing}, ${taskStatus.Sending}, ${taskStatus.Terminated}, ${taskStatus.PendingReview}) or (t.task_status = ${taskStatus.Terminated} and t.ended_at is not null))`,
  )) === 1;

/** For a batch of no task, while it is open. */
export const repairBatchCost = async (tx: Db, batchId: bigint, kept: number, cost: number): Promise<boolean> =>
  (await run(
    tx,
    sql`update batch set cost = ${cost} where batch_id = ${String(batchId)}::bigint and cost = ${kept}
      and task_id is null and state < ${batchState.Done}`,
  )) === 1;

export interface Correction {
  customerId: string;
  batchId: bigint;
  appId: string;
  taskId: string | null;
  /** 1/10,000 PHP; negative is a refund. */
  cost: number;
  segments: number;
}

/**
 * A separate entry that states its purpose: no ledger entry is ever changed, and none is added as if it had always
 * existed.
 */
export const correctCharge = async (tx: Db, fix: Correction, note: string): Promise<void> => {
  await run(
    tx,
    sql`insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id, task_id, batch_id, note)
        values (${fix.customerId}, ${uuidV7()}, ${datedAt(new Date())}, 'adjustment', ${-fix.cost}, ${fix.segments}, ${fix.appId},
                ${fix.taskId}, ${String(fix.batchId)}, ${note})`,
  );
};

/** Changes the row of the caller's own writer number, which no other process modifies. */
export const moveBalance = async (tx: Db, writer: number, customerId: string, delta: number): Promise<void> => {
  await run(
    tx,
    sql`insert into balance as b (customer_id, writer, amount) values (${customerId}, ${writer}, ${delta})
        on conflict (customer_id, writer) do update set amount = b.amount + excluded.amount`,
  );
};

export const moveParkedCost = async (tx: Db, customerId: string, delta: number): Promise<void> => {
  await run(
    tx,
    sql`insert into parked_cost as p (customer_id, amount) values (${customerId}, ${delta})
        on conflict (customer_id) do update set amount = p.amount + excluded.amount`,
  );
};
