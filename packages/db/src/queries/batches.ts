/** The unit of work: leases, intent marks, counts, ends. How batches are claimed: `batch-claims.ts`. */

import { SmsType, TaskStatus, UseState, YesNo } from '@pahatid/contract/enums';
import { BatchState } from '@pahatid/domain';
import type pg from 'pg';
import { numberArray, textArray } from '../array-literal.ts';
import { batchState } from '../literals.ts';
import { type Db, many, maybe, one, prepared, run, sql } from '../sql.ts';
import { makeRowWriter } from '../write-rows.ts';
import type { ClaimedRow } from './batch-claims.ts';
import { dbNow, dbNowPlus, LONGEST_LEASE_MS } from './db-clock.ts';
import { receiptDeadline } from './receipt-deadline.ts';

/** Of a batch, from its renewal: what senders use outside tests. */
const LEASE_MS = 7_000;

export interface NewBatch {
  batchId: bigint;
  customerId: string;
  taskId: string | null;
  appId: string;
  lane: number;
  supplierId: string;
  routeId: string;
  messageCount: number;
  round: number;
  notBefore: Date | null;
  /** From this instant of the database's clock its messages are not sent any more; null: without end. */
  validUntil: Date | null;
  /** Whether its messages are already final: there is nothing to send. */
  done: boolean;
  /** Messages that are final already. */
  failedCount: number;
  /** Held back of the balance until it is done, 1/10,000 PHP. */
  cost: number;
}

const writeBatches = makeRowWriter<NewBatch & { at: Date }>(
  'batch',
  {
    batch_id: 'bigint',
    customer_id: 'uuid',
    task_id: 'uuid',
    app_id: 'text',
    lane: 'smallint',
    supplier_id: 'uuid',
    route_id: 'uuid',
    message_count: 'int',
    round: 'smallint',
    not_before: 'timestamptz',
    valid_until: 'timestamptz',
    created_at: 'timestamptz',
    state: 'smallint',
    done_at: 'timestamptz',
    failed_count: 'int',
    cost: 'bigint',
  },
  (row) => [
    row.batchId,
    row.customerId,
    row.taskId,
    row.appId,
    row.lane,
    row.supplierId,
    row.routeId,
    row.messageCount,
    row.round,
    row.notBefore,
    row.validUntil,
    row.at,
    row.done ? BatchState.Done : BatchState.Ready,
    row.done ? row.at : null,
    row.failedCount,
    row.cost,
  ],
);

export const insertBatches = (tx: pg.PoolClient, rows: readonly NewBatch[], at: Date): Promise<void> =>
  writeBatches(
    tx,
    rows.map((row) => ({ ...row, at })),
  );

/** Returns those that still belong to the owner. */
export const renewBatches = async (
  db: Db,
  owner: string,
  batchIds: readonly bigint[],
  leaseMs: number,
): Promise<bigint[]> => {
  const { rows } = await db.query<{ batchId: string }>({
    name: 'renew_batches',
    text: `update batch set lease_until = clock_timestamp() + $3 * interval '1 millisecond'
           where batch_id = any($2::bigint[]) and owner = $1 and state = ${BatchState.Claimed} returning batch_id as "batchId"`,
    values: [owner, numberArray(batchIds), leaseMs],
  });
  return rows.map(({ batchId }) => BigInt(batchId));
};

export interface StoppedBatch {
  batchId: bigint;
  /** The quiet hours in which alone it stops; null: at any time. */
  onlyIn: { from: number; to: number } | null;
  nowMs: number;
}

/**
 * Returns the owner's batches, and those of `others`, that must stop: task paused or ended, customer suspended,
 * application or supplier disabled, supplier failing and unreachable for this owner, quiet hours.
 */
export const findStoppedBatches = async (
  db: Db,
  owner: string,
  others: readonly bigint[] = [],
): Promise<StoppedBatch[]> => {
  const { rows } = await db.query<{
    batchId: string;
    onlyIfQuiet: boolean;
    quietFrom: number;
    quietTo: number;
    nowMs: string;
  }>({
    name: 'find_stopped_batches',
    // Most batches share a customer, an application or an account with others: each is looked up once.
    text: `
      with owned as materialized (
        select batch_id, customer_id, supplier_id, app_id, task_id, lane from batch
        where state = ${BatchState.Claimed} and owner = $1
        union
        select batch_id, customer_id, supplier_id, app_id, task_id, lane from batch where batch_id = any($2::bigint[])),
      customers as materialized (
        select c.customer_id, c.quiet_from, c.quiet_to, c.quiet_hours_exempt, c.use_state = ${UseState.Disabled} as is_off
        from (select distinct customer_id from owned) o cross join lateral (
          select * from customer where customer.customer_id = o.customer_id offset 0) c),
      suppliers as materialized (
        select s.supplier_id from (select distinct supplier_id from owned) o cross join lateral (
          select * from supplier where supplier.supplier_id = o.supplier_id offset 0) s
        left join supplier_health h on h.supplier_id = s.supplier_id
        where s.use_state = ${UseState.Disabled} or (h.failed_since is not null and not exists (
          select from bind_state n where n.supplier_id = s.supplier_id and n.owner = $1 and n.state = 'bound'))),
      applications as materialized (
        select a.app_id from (select distinct app_id from owned) o cross join lateral (
          select * from application where application.app_id = o.app_id and application.use_state = ${UseState.Disabled} offset 0) a),
      tasks as materialized (
        select t.task_id from (select distinct task_id from owned where task_id is not null) o cross join lateral (
          select * from task where task.task_id = o.task_id
            and (task.task_status <> ${TaskStatus.Sending} or task.paused = ${YesNo.Yes}) offset 0) t)
      select batch_id as "batchId", not is_stopped as "onlyIfQuiet", quiet_from as "quietFrom", quiet_to as "quietTo",
        (extract(epoch from clock_timestamp()) * 1000)::bigint as "nowMs" from (
        select b.batch_id, c.quiet_from, c.quiet_to,
          b.lane = ${SmsType.Marketing} and not c.quiet_hours_exempt as may_be_quiet,
          c.is_off or b.supplier_id in (select supplier_id from suppliers)
            or b.app_id in (select app_id from applications)
            or coalesce(b.task_id in (select task_id from tasks), false) as is_stopped
        from owned b join customers c on c.customer_id = b.customer_id) as seen
      where is_stopped or may_be_quiet`,
    values: [owner, numberArray(others)],
  });
  return rows.map((row) => ({
    batchId: BigInt(row.batchId),
    onlyIn: row.onlyIfQuiet ? { from: row.quietFrom, to: row.quietTo } : null,
    nowMs: Number(row.nowMs),
  }));
};

export interface MarkRow {
  batchId: bigint;
  mark: number;
  notTaken: readonly number[];
  end: 'done' | 'release' | null;
}

/**
 * Moves intent marks of batches that still belong to the owner, and returns those that do not. Positions below the mark
 * may be written to a socket as soon as this is committed.
 */
export const markBatches = async (tx: Db, owner: string, marks: readonly MarkRow[]): Promise<bigint[]> => {
  if (marks.length === 0) return [];
  const rows = [...marks].sort((a, b) => (a.batchId < b.batchId ? -1 : 1));
  const { rows: moved } = await tx.query<{ batchId: string }>({
    name: 'mark_batches',
    text: `
      update batch b set intent_mark = i.mark,
        not_taken = case when i.not_taken = '' then '{}' else string_to_array(i.not_taken, ' ')::smallint[] end,
        first_sent_at = case when i.mark > 0 then coalesce(b.first_sent_at, $6) else b.first_sent_at end,
        state = case i.fate when 'done' then ${BatchState.Done} when 'release' then ${BatchState.Ready}
          else ${BatchState.Claimed} end,
        owner = case when i.fate is null then b.owner end,
        lease_until = case when i.fate is null then b.lease_until end,
        done_at = case when i.fate = 'done' then $6 end
      from unnest($2::bigint[], $3::int[], $4::text[], $5::text[]) as i(batch_id, mark, not_taken, fate)
      where b.batch_id = i.batch_id and b.owner = $1 and b.state = ${BatchState.Claimed}
      returning b.batch_id as "batchId"`,
    values: [
      owner,
      numberArray(rows.map((row) => row.batchId)),
      numberArray(rows.map((row) => row.mark)),
      textArray(rows.map((row) => row.notTaken.join(' '))),
      textArray(rows.map((row) => row.end)),
      new Date(),
    ],
  });
  if (moved.length === rows.length) return [];
  const held = new Set(moved.map(({ batchId }) => BigInt(batchId)));
  return rows.map((row) => row.batchId).filter((batchId) => !held.has(batchId));
};

/** In order of their ids, before several statements change some of them each. */
export const lockBatches = async (tx: Db, batchIds: readonly bigint[]): Promise<void> => {
  const ids = [...new Set(batchIds)].sort((a, b) => (a < b ? -1 : 1));
  await tx.query({
    name: 'lock_batches',
    text: `select from unnest($1::bigint[]) as i(batch_id) cross join lateral (
             select from batch b where b.batch_id = i.batch_id offset 0 for update) b`,
    values: [numberArray(ids)],
  });
};

/** Counts outcomes on their batches, regardless of owner. */
export const countOnBatches = async (
  tx: Db,
  moves: ReadonlyMap<bigint, { success: number; failed: number }>,
): Promise<void> => {
  if (moves.size === 0) return;
  const rows = [...moves].sort(([a], [b]) => (a < b ? -1 : 1));
  await tx.query({
    name: 'count_on_batches',
    text: `update batch b set success_count = b.success_count + i.success, failed_count = b.failed_count + i.failed
           from unnest($1::bigint[], $2::int[], $3::int[]) as i(batch_id, success, failed)
           where b.batch_id = any(array[i.batch_id])`,
    values: [
      numberArray(rows.map(([batchId]) => batchId)),
      numberArray(rows.map(([, move]) => move.success)),
      numberArray(rows.map(([, move]) => move.failed)),
    ],
  });
};

/** The batch of each message: the one that begins at or before it. */
export const findBatchIds = async (tx: Db, messageIds: readonly bigint[]): Promise<Map<bigint, bigint>> => {
  if (messageIds.length === 0) return new Map();
  const { rows } = await tx.query<{ messageId: string; batchId: string | null }>({
    name: 'find_batch_ids',
    text: `select i.message_id as "messageId",
       (select b.batch_id from batch b where b.batch_id <= i.message_id order by b.batch_id desc limit 1) as "batchId"
     from unnest($1::bigint[]) as i(message_id)`,
    values: [numberArray(messageIds)],
  });
  return new Map(
    rows.flatMap(({ messageId, batchId }) => (batchId === null ? [] : [[BigInt(messageId), BigInt(batchId)] as const])),
  );
};

export interface ExpiredRow extends Omit<ClaimedRow, 'validForMs'> {
  notTaken: number[];
}

/**
 * Shortens leases that end later than any lease may, because the clock was set back, to the end of one renewed now:
 * live owners renew, and the batches of dead ones become available in time.
 */
const shortenLeases = async (tx: Db): Promise<void> => {
  await run(
    tx,
    sql`update batch set lease_until = ${dbNowPlus(LEASE_MS)}
        where batch_id in (select batch_id from batch where state = ${batchState.Claimed}
          and lease_until > (select ${dbNowPlus(LONGEST_LEASE_MS)}) for update skip locked)`,
  );
};

/** Locks and returns batches whose lease has expired; `except`: those that this process knows as its own. */
export const lockExpiredBatches = async (tx: Db, except: readonly bigint[], limit: number): Promise<ExpiredRow[]> => {
  // Mostly there is none: one look at the claimed ones, with a plan that is kept, instead of two with new ones.
  const { some } = await one<{ some: boolean }>(
    tx,
    prepared(sql`select exists (select from batch where state = ${batchState.Claimed}
          and (lease_until < n.now or lease_until > n.longest)) as some
        from (select ${dbNow()} as now, ${dbNowPlus(LONGEST_LEASE_MS)} as longest offset 0) n`),
  );
  if (!some) return [];
  await shortenLeases(tx);
  const { rows } = await tx.query<Omit<ExpiredRow, 'batchId'> & { batchId: string }>(
    `select b.batch_id as "batchId", b.customer_id as "customerId", b.task_id as "taskId", b.app_id as "appId", b.lane,
       b.supplier_id as "supplierId", b.message_count as "messageCount", b.intent_mark as "intentMark",
       b.not_taken as "notTaken", a.doubt_policy as "doubtPolicy"
     from batch b left join application a on a.app_id = b.app_id
     where b.state = ${BatchState.Claimed} and b.lease_until < (select clock_timestamp())
       and b.batch_id <> all($1::bigint[])
     order by b.lease_until, b.batch_id limit $2 for update of b skip locked`,
    [numberArray(except), limit],
  );
  return rows.map((row) => ({ ...row, batchId: BigInt(row.batchId) }));
};

/**
 * Returns a batch to ready with its remaining messages, or to done if there are none. `notTaken`: messages below the
 * mark that must be sent again.
 */
export const returnBatch = async (
  tx: Db,
  batchId: bigint,
  isDone: boolean,
  notTaken: readonly number[] = [],
): Promise<void> => {
  await run(
    tx,
    sql`update batch set state = ${isDone ? BatchState.Done : BatchState.Ready}, owner = null, lease_until = null, parked_for = null, parked_key = null, not_taken = ${[...notTaken]}::smallint[],
          done_at = ${isDone ? new Date() : null}
        where batch_id = ${String(batchId)} and state < ${batchState.Done}`,
  );
};

/** Frees a part of what a batch of no task holds, 1/10,000 PHP: a message of it will not be sent. It must not be parked. */
export const releaseCost = async (tx: Db, batchId: bigint, amount: number): Promise<void> => {
  await run(
    tx,
    sql`update batch set cost = greatest(cost - ${amount}::bigint, 0)
        where batch_id = ${String(batchId)} and task_id is null and state = ${batchState.Ready}`,
  );
};

/** A batch of a task that no sender has, ready or parked, locked. */
export const lockUnclaimedBatch = async (
  tx: Db,
  taskId: string,
): Promise<{ batchId: bigint; customerId: string; messageCount: number } | null> => {
  const row = await maybe<{ batchId: string; customerId: string; messageCount: number }>(
    tx,
    sql`select batch_id as "batchId", customer_id as "customerId", message_count as "messageCount" from batch
        where task_id = ${taskId} and state in (${batchState.Parked}, ${batchState.Ready})
        order by batch_id limit 1 for update skip locked`,
  );
  if (row === null) return null;
  return { ...row, batchId: BigInt(row.batchId) };
};

/** A batch whose time is over. */
export interface OutdatedBatch {
  batchId: bigint;
  customerId: string;
  taskId: string | null;
  messageCount: number;
}

/** Batches that no sender has, ready or parked, and whose messages may not be sent any more, locked. */
export const lockOutdatedBatches = async (tx: Db, limit: number): Promise<OutdatedBatch[]> => {
  const rows = await many<Omit<OutdatedBatch, 'batchId'> & { batchId: string }>(
    tx,
    // The instant once, not again for each row: an index can't be searched by what changes meanwhile.
    sql`select batch_id as "batchId", customer_id as "customerId", task_id as "taskId", message_count as "messageCount"
        from batch where state in (${batchState.Parked}, ${batchState.Ready}) and valid_until <= (select ${dbNow()})
        order by valid_until limit ${limit} for update skip locked`,
  );
  return rows.map((row) => ({ ...row, batchId: BigInt(row.batchId) }));
};

/** Batches of a task that are not done. */
export const countOpenBatches = async (db: Db, taskId: string): Promise<number> => {
  const { n } = await one<{ n: string }>(
    db,
    sql`select count(*) as n from batch where task_id = ${taskId} and state < ${batchState.Done}`,
  );
  return Number(n);
};

export interface OverdueBatch {
  batchId: bigint;
  customerId: string;
  messageCount: number;
  isDone: boolean;
  doneAt: Date | null;
}

/** The instant before which an account's messages without their last receipt are overdue. */
export interface ReceiptDeadline {
  supplierId: string;
  before: Date;
}

/** Deadlines of the accounts that have a batch to check; one probe of the index each. */
export const listOverdueSuppliers = async (db: Db, now: Date): Promise<ReceiptDeadline[]> =>
  await many<ReceiptDeadline>(
    db,
    sql`select s.supplier_id as "supplierId", d.before
        from supplier s cross join lateral (select ${now}::timestamptz - ${receiptDeadline} as before) d
        cross join lateral (
          select from batch b where b.supplier_id = s.supplier_id and not b.receipts_closed
            and coalesce(b.receipts_from, b.first_sent_at, b.done_at) < d.before
          order by coalesce(b.receipts_from, b.first_sent_at, b.done_at) limit 1) overdue`,
  );

/** A batch of an account that may have messages submitted before `before`, without their last receipt, locked. */
export const lockOverdueBatch = async (
  tx: Db,
  { supplierId, before }: ReceiptDeadline,
): Promise<OverdueBatch | null> => {
  const row = await maybe<{
    batchId: string;
    customerId: string;
    messageCount: number;
    state: number;
    doneAt: Date | null;
  }>(
    tx,
    sql`select batch_id as "batchId", customer_id as "customerId", message_count as "messageCount", state, done_at as "doneAt"
        from batch
        where supplier_id = ${supplierId} and not receipts_closed
          and coalesce(receipts_from, first_sent_at, done_at) < ${before}
        order by coalesce(receipts_from, first_sent_at, done_at) limit 1 for update skip locked`,
  );
  if (row === null) return null;
  return {
    batchId: BigInt(row.batchId),
    customerId: row.customerId,
    messageCount: row.messageCount,
    isDone: row.state === BatchState.Done,
    doneAt: row.doneAt,
  };
};

/** No receipt of this batch is waited for any more. */
export const closeReceipts = async (tx: Db, batchId: bigint): Promise<void> => {
  await run(tx, sql`update batch set receipts_closed = true where batch_id = ${String(batchId)}`);
};

/** Nothing of this batch was submitted before `from` and still waits for its last receipt. */
export const deferReceipts = async (tx: Db, batchId: bigint, from: Date): Promise<void> => {
  await run(tx, sql`update batch set receipts_from = ${from} where batch_id = ${String(batchId)}`);
};

/** The batch of a message that no sender has or had written, ready or parked, locked; null: it is locked or claimed. */
export const lockUnclaimedBatchOf = async (
  tx: Db,
  messageId: bigint,
): Promise<{ batchId: bigint; customerId: string } | null> => {
  const row = await maybe<{ batchId: string; customerId: string }>(
    tx,
    sql`select batch_id as "batchId", customer_id as "customerId" from batch
        where batch_id = (select max(batch_id) from batch where batch_id <= ${String(messageId)}::bigint)
          and batch_id + message_count > ${String(messageId)}::bigint
          and state in (${batchState.Parked}, ${batchState.Ready})
          and (intent_mark <= ${String(messageId)}::bigint - batch_id
            or (${String(messageId)}::bigint - batch_id)::smallint = any(not_taken))
        for update skip locked`,
  );
  return row === null ? null : { ...row, batchId: BigInt(row.batchId) };
};

/** All of its messages have an outcome. */
export const isBatchFinished = async (tx: Db, batchId: bigint): Promise<boolean> =>
  (await maybe(
    tx,
    sql`select 1 from batch where batch_id = ${String(batchId)} and success_count + failed_count >= message_count`,
  )) !== null;
