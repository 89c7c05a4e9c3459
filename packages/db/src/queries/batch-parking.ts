/**
 * Batches that may not be sent now, outside the ready set (decision 091). Parked by the claim that meets them, or by the
 * reroute that finds no other way; woken by the action that makes them ready, in its transaction, and by a job that looks
 * at each reason: for the clock, for what an action left, and for a claim that parked a batch during the action.
 *
 * Both move what the batches hold of their customers' balances. They lock batches that no one else has, and the customers'
 * sums after them in one order, so that two never wait for each other.
 */
import { ParkReason } from '@pahatid/domain';
import { numberArray, textArray } from '../array-literal.ts';
import { batchState, parkReason, smsType, taskStatus, useState, yesNo } from '../literals.ts';
import { type Db, type Fragment, many, one, prepared, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';
import { BINDS_FRESH_MS } from './supplier-health.ts';

/** Batches that one statement wakes: a few ten milliseconds. */
const WOKEN_AT_ONCE = 1_000;
/** Ready batches of one customer that are looked at when the first may not be sent. */
const LOOKED_AT = 500;

/**
 * Why a batch `b` may not be sent now, of customer `c`, application `a` and task `t`; null: it may. The longest first: a
 * batch that has several reasons is parked for one after the other.
 */
export const reasonToPark = (manilaHour: number): Fragment<number | null> => sql<number | null>`case
  when c.use_state <> ${useState.Enabled} then ${parkReason.Customer}
  when a.use_state <> ${useState.Enabled} or a.paused_by is not null then ${parkReason.Application}
  when t.task_status <> ${taskStatus.Sending} or t.paused <> ${yesNo.No} or t.demo_hold then ${parkReason.Task}
  when b.not_before > ${dbNow()} then ${parkReason.Time}
  when b.lane = ${smsType.Marketing} and not c.quiet_hours_exempt
    and (${manilaHour}::int < c.quiet_to or ${manilaHour}::int >= c.quiet_from) then ${parkReason.QuietHours} end`;

/** Moves what batches `moved` (customer_id, task_id, cost) hold; `sign`: 1 parked, -1 woken. */
const moveCosts = (sign: 1 | -1): Fragment =>
  sql`insert into parked_cost as p (customer_id, amount)
      select customer_id, ${sign}::int * sum(cost) from moved where task_id is null
      group by customer_id having sum(cost) <> 0 order by customer_id
      on conflict (customer_id) do update set amount = p.amount + excluded.amount`;

/** Batches of a lane, a supplier account and a customer. */
export interface ReadyQueue {
  readonly lane: number;
  readonly supplierId: string;
  readonly customerId: string;
}

/** Parks those at the head of these queues that may not be sent now, and returns how many. */
export const parkHeld = async (tx: Db, queues: readonly ReadyQueue[], manilaHour: number): Promise<number> => {
  const { n } = await one<{ n: number }>(
    tx,
    prepared(sql`with held as materialized (
          select b.batch_id, r.reason, case r.reason when ${parkReason.Application} then b.app_id
              when ${parkReason.Task} then b.task_id::text when ${parkReason.Time} then '' else b.customer_id::text end as key
          from unnest(${numberArray(queues.map(({ lane }) => lane))}::smallint[],
            ${textArray(queues.map(({ supplierId }) => supplierId))}::uuid[],
            ${textArray(queues.map(({ customerId }) => customerId))}::uuid[]) as q(lane, supplier_id, customer_id)
          cross join lateral (
            select x.batch_id, x.customer_id, x.app_id, x.task_id, x.lane, x.not_before from batch x
            where x.state = ${batchState.Ready} and x.lane = q.lane and x.supplier_id = q.supplier_id
              and x.customer_id = q.customer_id
            order by x.created_at, x.batch_id limit ${LOOKED_AT} for update skip locked) b
          join customer c on c.customer_id = b.customer_id
          left join application a on a.app_id = b.app_id
          left join task t on t.task_id = b.task_id
          cross join lateral (select ${reasonToPark(manilaHour)} as reason) r
          where r.reason is not null),
        moved as (
          update batch u set state = ${batchState.Parked}, parked_for = h.reason, parked_key = h.key
          from held h where u.batch_id = any(array[h.batch_id]) and u.state = ${batchState.Ready}
          returning u.customer_id, u.task_id, u.cost),
        costs as (${moveCosts(1)})
        select count(*)::int as n from moved`),
  );
  return n;
};

/** Names a supplier account and a routing under which its batches have no other way. */
export const toSupplierKey = (supplierId: string, routing: string): string => `${supplierId} ${routing}`;

/** Parks a ready batch that the caller has locked: its carrier can't be reached, and this routing has no other. */
export const parkForSupplier = async (tx: Db, batchId: bigint, key: string): Promise<void> => {
  await run(
    tx,
    sql`with moved as (
          update batch set state = ${batchState.Parked}, parked_for = ${parkReason.Supplier}, parked_key = ${key}
          where batch_id = ${String(batchId)}::bigint and state = ${batchState.Ready}
          returning customer_id, task_id, cost)
        ${moveCosts(1)}`,
  );
};

/**
 * Parks batches that the caller has locked, ready or parked for another reason, by their lanes. All of their messages may
 * have been written to a socket.
 */
export const parkForRestore = async (tx: Db, batchIds: readonly bigint[]): Promise<void> => {
  // What is parked already is in the sum.
  await run(
    tx,
    sql`with moved as (
          update batch set state = ${batchState.Parked}, parked_for = ${parkReason.Restore}, parked_key = lane::text,
            intent_mark = message_count, not_taken = '{}'
          where batch_id = any(${numberArray(batchIds)}::bigint[]) and state = ${batchState.Ready}
          returning customer_id, task_id, cost)
        ${moveCosts(1)}`,
  );
  await run(
    tx,
    sql`update batch set parked_for = ${parkReason.Restore}, parked_key = lane::text,
          intent_mark = message_count, not_taken = '{}'
        where batch_id = any(${numberArray(batchIds)}::bigint[]) and state = ${batchState.Parked}`,
  );
};

const wake = async (db: Db, chosen: Fragment): Promise<number> => {
  const { n } = await one<{ n: number }>(
    db,
    sql`with chosen as materialized (${chosen} for update of b skip locked),
        moved as (
          update batch u set state = ${batchState.Ready}, parked_for = null, parked_key = null
          from chosen where u.batch_id = any(array[chosen.batch_id]) and u.state = ${batchState.Parked}
          returning u.customer_id, u.task_id, u.cost),
        costs as (${moveCosts(-1)})
        select count(*)::int as n from moved`,
  );
  return n;
};

/** A reason with keys that ends automatically or by an action: not the instant, and not a restore. */
export type KeyedReason = Exclude<ParkReason, typeof ParkReason.Time | typeof ParkReason.Restore>;

/**
 * Makes batches ready that are parked for a reason and one of its keys, up to `limit`; the job wakes the rest. The
 * claim that meets one parks it again if it has another reason. Returns how many.
 */
export const wakeBatches = async (
  db: Db,
  reason: KeyedReason,
  keys: readonly string[],
  limit = WOKEN_AT_ONCE,
): Promise<number> => {
  if (keys.length === 0) return 0;
  return await wake(
    db,
    sql`select b.batch_id from unnest(${[...keys]}::text[]) as k(key) cross join lateral (
          select x.batch_id from batch x where x.state = ${batchState.Parked} and x.parked_for = ${reason}::smallint
            and x.parked_key = k.key order by x.created_at, x.batch_id limit ${limit}) h
        join batch b on b.batch_id = any(array[h.batch_id]) where b.state = ${batchState.Parked} limit ${limit}`,
  );
};

/** Makes batches ready whose instant has come. */
export const wakeDue = (db: Db): Promise<number> =>
  wake(
    db,
    // The instant once, not again for each row: an index can't be searched by what changes meanwhile.
    sql`select b.batch_id from batch b where b.state = ${batchState.Parked} and b.parked_for = ${parkReason.Time}
          and b.not_before <= (select ${dbNow()}) order by b.not_before limit ${WOKEN_AT_ONCE}`,
  );

/** Makes one batch ready, before something else is changed in it. */
export const wakeBatch = (tx: Db, batchId: bigint): Promise<number> => wakeEach(tx, [batchId]);

/** Makes those ready that are parked, before something else is changed in them. */
export const wakeEach = (tx: Db, batchIds: readonly bigint[]): Promise<number> =>
  wake(
    tx,
    sql`select b.batch_id from batch b where b.batch_id = any(${numberArray(batchIds)}::bigint[]) and b.state = ${batchState.Parked}`,
  );

/** Wakes what is parked for a supplier account, under whatever routing. */
export const wakeSupplier = async (db: Db, supplierId: string): Promise<number> => {
  const keys = await listKeys(db, ParkReason.Supplier, toSupplierKey(supplierId, ''));
  return await wakeBatches(
    db,
    ParkReason.Supplier,
    keys.filter((key) => key.startsWith(supplierId)),
  );
};

/** Why batches are parked now, each reason once. Steps from reason to reason, however many batches each has. */
export const listReasons = async (db: Db): Promise<ReadonlySet<ParkReason>> => {
  const rows = await many<{ reason: ParkReason }>(
    db,
    prepared(sql`with recursive head as (
          select (select b.parked_for from batch b where b.state = ${batchState.Parked}
            order by b.parked_for limit 1) as reason
          union all
          select (select b.parked_for from batch b where b.state = ${batchState.Parked} and b.parked_for > h.reason
            order by b.parked_for limit 1)
          from head h where h.reason is not null)
        select reason from head where reason is not null`),
  );
  return new Set(rows.map(({ reason }) => reason));
};

/** Keys read at a time. */
export const KEYS_AT_ONCE = 500;

/** Keys that batches are parked for, in order, past `after`. Steps from key to key, however many batches each has. */
export const listKeys = async (db: Db, reason: ParkReason, after: string): Promise<string[]> => {
  const rows = await many<{ key: string }>(
    db,
    prepared(sql`with recursive head as (
          select (select b.parked_key from batch b where b.state = ${batchState.Parked} and b.parked_for = ${reason}::smallint
            and b.parked_key > ${after} order by b.parked_key limit 1) as key
          union all
          select (select b.parked_key from batch b where b.state = ${batchState.Parked} and b.parked_for = ${reason}::smallint
            and b.parked_key > h.key order by b.parked_key limit 1)
          from head h where h.key is not null)
        select key from head where key is not null limit ${KEYS_AT_ONCE}`),
  );
  return rows.map(({ key }) => key);
};

/** Of the keys of a reason, those whose batches may be sent again. */
export const findEnded = async (
  db: Db,
  reason: KeyedReason,
  keys: readonly string[],
  manilaHour: number,
): Promise<string[]> => {
  if (keys.length === 0) return [];
  const rows = await many<{ key: string }>(
    db,
    prepared(sql`select k.key from unnest(${[...keys]}::text[]) as k(key) where exists (${ended(reason, manilaHour)})`),
  );
  return rows.map(({ key }) => key);
};

/** The row of key `k` in which a reason has ended. */
const ended = (reason: KeyedReason, manilaHour: number): Fragment => {
  switch (reason) {
    case ParkReason.Customer:
      return sql`select from customer c where c.customer_id = k.key::uuid and c.use_state = ${useState.Enabled}`;
    case ParkReason.Application:
      return sql`select from application a where a.app_id = k.key and a.use_state = ${useState.Enabled}
        and a.paused_by is null`;
    case ParkReason.Task:
      return sql`select from task t where t.task_id = k.key::uuid and t.task_status = ${taskStatus.Sending}
        and t.paused = ${yesNo.No} and not t.demo_hold`;
    case ParkReason.QuietHours:
      return sql`select from customer c where c.customer_id = k.key::uuid and (c.quiet_hours_exempt
        or (${manilaHour}::int >= c.quiet_to and ${manilaHour}::int < c.quiet_from))`;
    case ParkReason.Supplier:
      return sql`select from supplier s left join supplier_health h using (supplier_id)
        where s.supplier_id = left(k.key, 36)::uuid and s.use_state = ${useState.Enabled}
          and (h.failed_since is null or ${hasBind}) and not ${isSuspended}`;
  }
};

/** Whether some sender can submit to supplier `s`. Of a pair of binds the odd one submits. */
const hasBind = sql`exists (select from bind_state n where n.supplier_id = s.supplier_id and n.state = 'bound'
  and (s.bind_type = 'transceiver' or n.bind_no % 2 = 1)
  and n.seen_at > ${dbNow()} - ${BINDS_FRESH_MS}::float8 * interval '1 millisecond')`;

/** Whether supplier `s` must not be used by any sender, because of its answers. */
const isSuspended = sql`exists (select from supplier_breaker k where k.supplier_id = s.supplier_id and k.state = 'open')`;

/** Of these suppliers, those that no sender can or may submit to: what has no other way may as well be parked. */
export const listUnreachable = async (db: Db, supplierIds: readonly string[]): Promise<string[]> => {
  const rows = await many<{ id: string }>(
    db,
    sql`select s.supplier_id as id from supplier s where s.supplier_id = any(${[...supplierIds]}::uuid[])
          and (s.use_state = ${useState.Disabled} or not ${hasBind} or ${isSuspended})`,
  );
  return rows.map(({ id }) => id);
};
