/** The unit of work: claims, leases, intent marks. */
import type pg from 'pg';
import { numberArray, textArray } from '../array-literal.ts';
import { copyLine, copyLines } from '../copy-lines.ts';
import { type Db, maybe, one, run, sql } from '../sql.ts';
import { dbNowPlus, LONGEST_LEASE_MS } from './db-clock.ts';

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
  /** Its messages are final already: nothing is to be sent. */
  done: boolean;
  /** Messages that are final already. */
  failedCount: number;
  /** Held back of the balance until it is done, 1/10,000 PHP. */
  cost: number;
}

export const insertBatches = async (tx: pg.PoolClient, rows: readonly NewBatch[], at: Date): Promise<void> => {
  let lines = '';
  for (const row of rows) {
    lines += copyLine([
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
      at,
      row.done ? 2 : 0,
      row.done ? at : null,
      row.failedCount,
      row.cost,
    ]);
  }
  await copyLines(
    tx,
    `batch (batch_id, customer_id, task_id, app_id, lane, supplier_id, route_id, message_count, round, not_before,
            created_at, state, done_at, failed_count, cost)`,
    lines,
  );
};

export interface ClaimedRow {
  batchId: bigint;
  customerId: string;
  taskId: string | null;
  appId: string;
  lane: number;
  supplierId: string;
  messageCount: number;
  intentMark: number;
  /** By send type, of the application. */
  doubtPolicy: Record<string, string> | null;
}

/** Customers with something ready for these suppliers, by lane, and the database's instant. */
export const findWaitingCustomers = async (
  db: Db,
  supplierIds: readonly string[],
): Promise<{ waiting: { customerId: string; lane: number }[]; nowMs: number }> => {
  // Steps from customer to customer on the index of ready batches, instead of reading all of a giant's.
  const { rows } = await db.query<{ lane: number; customer_id: string | null; now_ms: string }>({
    name: 'find_waiting_customers',
    text: `
      with recursive heads as (
        select lane, (select b.customer_id from batch b where b.state = 0 and b.lane = l.lane order by b.customer_id limit 1) as customer_id
        from (values (1::smallint), (2::smallint), (3::smallint)) as l(lane)
        union all
        select h.lane, (select b.customer_id from batch b where b.state = 0 and b.lane = h.lane and b.customer_id > h.customer_id
                        order by b.customer_id limit 1)
        from heads h where h.customer_id is not null)
      select h.lane, h.customer_id, (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
      from heads h
      where h.customer_id is not null and exists (
        select from batch b where b.state = 0 and b.lane = h.lane and b.customer_id = h.customer_id and b.supplier_id = any($1::uuid[]))
      limit 2000`,
    values: [textArray(supplierIds)],
  });
  return {
    waiting: rows.map((row) => ({ customerId: row.customer_id!, lane: row.lane })),
    nowMs: Number(rows[0]?.now_ms ?? 0),
  };
};

export interface ClaimSpec {
  owner: string;
  customerId: string;
  lane: number;
  supplierIds: readonly string[];
  limit: number;
  except: readonly bigint[];
  /** Hour of the Manila day: in a customer's quiet hours its marketing is not sent, unless it is exempt. */
  manilaHour: number;
  leaseMs: number;
}

/**
 * Takes ready batches: of tasks that are being sent and not paused, of customers and applications in use, whose time has
 * come. Rows that another sender is taking at this moment are passed over.
 */
export const claimBatches = async (tx: Db, spec: ClaimSpec): Promise<ClaimedRow[]> => {
  const { rows } = await tx.query<Record<string, string | number> & { doubt_policy: Record<string, string> | null }>({
    name: 'claim_batches',
    text: `
      update batch u set state = 1, owner = $1, lease_until = clock_timestamp() + $8 * interval '1 millisecond'
      from (
        select b.batch_id, a.doubt_policy
        from batch b
        join customer c on c.customer_id = b.customer_id and c.use_state = 1
        left join application a on a.app_id = b.app_id
        left join task t on t.task_id = b.task_id
        where b.state = 0 and b.lane = $3 and b.customer_id = $2 and b.supplier_id = any($4::uuid[])
          and (b.not_before is null or b.not_before <= clock_timestamp())
          and (a.app_id is null or (a.use_state = 1 and a.paused_by is null))
          and (t.task_id is null or (t.task_status = 5 and t.paused = 0 and not t.demo_hold))
          and (b.lane <> 3 or c.quiet_hours_exempt or ($7 >= c.quiet_to and $7 < c.quiet_from))
          and b.batch_id <> all($6::bigint[])
        order by b.batch_id limit $5 for update of b skip locked) as ready
      where u.batch_id = ready.batch_id
      returning u.batch_id, u.customer_id, u.task_id, u.app_id, u.lane, u.supplier_id, u.message_count, u.intent_mark, ready.doubt_policy`,
    values: [
      spec.owner,
      spec.customerId,
      spec.lane,
      textArray(spec.supplierIds),
      spec.limit,
      numberArray(spec.except),
      spec.manilaHour,
      spec.leaseMs,
    ],
  });
  return rows.map((row) => ({
    batchId: BigInt(row['batch_id']!),
    customerId: String(row['customer_id']),
    taskId: row['task_id'] as string | null,
    appId: String(row['app_id']),
    lane: Number(row['lane']),
    supplierId: String(row['supplier_id']),
    messageCount: Number(row['message_count']),
    intentMark: Number(row['intent_mark']),
    doubtPolicy: row.doubt_policy,
  }));
};

/** Answers those that are still the owner's. */
export const renewBatches = async (
  db: Db,
  owner: string,
  batchIds: readonly bigint[],
  leaseMs: number,
): Promise<bigint[]> => {
  const { rows } = await db.query<{ batch_id: string }>({
    name: 'renew_batches',
    text: `update batch set lease_until = clock_timestamp() + $3 * interval '1 millisecond'
           where batch_id = any($2::bigint[]) and owner = $1 and state = 1 returning batch_id`,
    values: [owner, numberArray(batchIds), leaseMs],
  });
  return rows.map((row) => BigInt(row.batch_id));
};

/**
 * The owner's marketing batches, and of `others`, with a waiting recipient who refused of late: given back and claimed
 * again, they lose that recipient. Earlier refusals were seen when the batch was loaded, or by a look before. Three plain
 * steps, of which the second mostly ends it: batches and messages do not lie on the same machines everywhere.
 */
export const findRefusedBatches = async (
  db: Db,
  owner: string,
  others: readonly bigint[],
  withinMs: number,
): Promise<bigint[]> => {
  const { rows: held } = await db.query<{ batch_id: string; customer_id: string; message_count: number }>({
    name: 'find_marketing_batches',
    text: `select batch_id, customer_id, message_count from batch
           where (state = 1 and owner = $1 or batch_id = any($2::bigint[])) and lane = 3`,
    values: [owner, numberArray(others)],
  });
  if (held.length === 0) return [];
  const { rows: refusals } = await db.query<{ customer_id: string; msisdn: string }>({
    name: 'find_recent_opt_outs',
    text: `select customer_id, msisdn from opt_out
           where customer_id = any($1::uuid[]) and created_at > clock_timestamp() - $2 * interval '1 millisecond'`,
    values: [textArray([...new Set(held.map((batch) => batch.customer_id))]), withinMs],
  });
  const phonesOf = Map.groupBy(refusals, (refusal) => refusal.customer_id);
  const found: bigint[] = [];
  for (const { batch_id, customer_id, message_count } of held) {
    const phones = phonesOf.get(customer_id);
    if (phones === undefined) continue;
    const { rowCount } = await db.query({
      // The batch is read, whatever is known of how many messages these phones had (decision 044).
      text: `select 1 from (
               select msisdn from message where customer_id = $1 and message_id >= $2 and message_id < $3 and send_status = 0
               order by message_id offset 0) as waiting
             where msisdn = any($4::text[]) limit 1`,
      values: [
        customer_id,
        batch_id,
        String(BigInt(batch_id) + BigInt(message_count)),
        textArray(phones.map(({ msisdn }) => msisdn)),
      ],
    });
    if ((rowCount ?? 0) > 0) found.push(BigInt(batch_id));
  }
  return found;
};

export interface StoppedBatch {
  batchId: bigint;
  /** The quiet hours in which alone it stops; null: at any time. */
  onlyIn: { from: number; to: number } | null;
  nowMs: number;
}

/**
 * The owner's batches, and of `others`, that must stop: task paused or ended, customer suspended, application or supplier
 * disabled, supplier failing and out of this owner's reach, quiet hours.
 */
export const findStoppedBatches = async (
  db: Db,
  owner: string,
  others: readonly bigint[] = [],
): Promise<StoppedBatch[]> => {
  const { rows } = await db.query<{
    batch_id: string;
    only_if_quiet: boolean;
    quiet_from: number;
    quiet_to: number;
    now_ms: string;
  }>({
    name: 'find_stopped_batches',
    text: `
      select batch_id, not is_stopped as only_if_quiet, quiet_from, quiet_to, (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms from (
        select b.batch_id, c.quiet_from, c.quiet_to, b.lane = 3 and not c.quiet_hours_exempt as may_be_quiet,
          (c.use_state = 0 or coalesce(a.use_state = 0, false) or coalesce(t.task_status <> 5 or t.paused = 1, false)
            or s.use_state = 0
            or (h.failed_since is not null and not exists (
              select from bind_state n where n.supplier_id = b.supplier_id and n.owner = $1 and n.state = 'bound'))) as is_stopped
        from batch b join customer c on c.customer_id = b.customer_id
        join supplier s on s.supplier_id = b.supplier_id
        left join supplier_health h on h.supplier_id = b.supplier_id
        left join application a on a.app_id = b.app_id
        left join task t on t.task_id = b.task_id
        where b.state = 1 and b.owner = $1 or b.batch_id = any($2::bigint[])) as owned
      where is_stopped or may_be_quiet`,
    values: [owner, numberArray(others)],
  });
  return rows.map((row) => ({
    batchId: BigInt(row.batch_id),
    onlyIn: row.only_if_quiet ? { from: row.quiet_from, to: row.quiet_to } : null,
    nowMs: Number(row.now_ms),
  }));
};

export interface MarkRow {
  batchId: bigint;
  mark: number;
  notTaken: readonly number[];
  end: 'done' | 'release' | null;
}

/**
 * Moves intent marks of batches that are still the owner's, and answers those that are not. Positions below the mark
 * may be written to a socket as soon as this is committed.
 */
export const markBatches = async (tx: Db, owner: string, marks: readonly MarkRow[]): Promise<bigint[]> => {
  if (marks.length === 0) return [];
  const rows = [...marks].sort((a, b) => (a.batchId < b.batchId ? -1 : 1));
  const { rows: moved } = await tx.query<{ batch_id: string }>({
    name: 'mark_batches',
    text: `
      update batch b set intent_mark = i.mark,
        not_taken = case when i.not_taken = '' then '{}' else string_to_array(i.not_taken, ' ')::smallint[] end,
        first_sent_at = case when i.mark > 0 then coalesce(b.first_sent_at, $6) else b.first_sent_at end,
        state = case i.fate when 'done' then 2 when 'release' then 0 else 1 end,
        owner = case when i.fate is null then b.owner end,
        lease_until = case when i.fate is null then b.lease_until end,
        done_at = case when i.fate = 'done' then $6 end
      from unnest($2::bigint[], $3::int[], $4::text[], $5::text[]) as i(batch_id, mark, not_taken, fate)
      where b.batch_id = i.batch_id and b.owner = $1 and b.state = 1
      returning b.batch_id`,
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
  const held = new Set(moved.map((row) => BigInt(row.batch_id)));
  return rows.map((row) => row.batchId).filter((batchId) => !held.has(batchId));
};

/** In order of their ids, before several statements change some of them each. */
export const lockBatches = async (tx: Db, batchIds: readonly bigint[]): Promise<void> => {
  const ids = [...new Set(batchIds)].sort((a, b) => (a < b ? -1 : 1));
  await tx.query({
    text: `select from unnest($1::bigint[]) as i(batch_id) cross join lateral (
             select from batch b where b.batch_id = i.batch_id offset 0 for update) b`,
    values: [numberArray(ids)],
  });
};

/** Outcomes counted on their batches, whoever owns those. */
export const countOnBatches = async (
  tx: Db,
  moves: ReadonlyMap<bigint, { success: number; failed: number }>,
): Promise<void> => {
  if (moves.size === 0) return;
  const rows = [...moves].sort(([a], [b]) => (a < b ? -1 : 1));
  await tx.query({
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
export const findBatchesOf = async (tx: Db, messageIds: readonly bigint[]): Promise<Map<bigint, bigint>> => {
  if (messageIds.length === 0) return new Map();
  const { rows } = await tx.query<{ message_id: string; batch_id: string | null }>(
    `select i.message_id, (select b.batch_id from batch b where b.batch_id <= i.message_id order by b.batch_id desc limit 1) as batch_id
     from unnest($1::bigint[]) as i(message_id)`,
    [numberArray(messageIds)],
  );
  return new Map(
    rows.flatMap((row) => (row.batch_id === null ? [] : [[BigInt(row.message_id), BigInt(row.batch_id)] as const])),
  );
};

export interface ExpiredRow extends ClaimedRow {
  notTaken: number[];
}

/**
 * Leases that end later than any may, the clock having been set back, end like those renewed now: who lives renews, and
 * the batches of who is dead come back in time.
 */
const shortenLeases = async (tx: Db): Promise<void> => {
  await run(
    tx,
    sql`update batch set lease_until = ${dbNowPlus(LEASE_MS)}
        where batch_id in (select batch_id from batch where state = 1 and lease_until > ${dbNowPlus(LONGEST_LEASE_MS)}
                           order by batch_id for update skip locked)`,
  );
};

/** Batches whose owner let the lease run out, locked; `except`: those that this process knows as its own. */
export const lockExpiredBatches = async (tx: Db, except: readonly bigint[], limit: number): Promise<ExpiredRow[]> => {
  await shortenLeases(tx);
  const { rows } = await tx.query(
    `select b.batch_id, b.customer_id, b.task_id, b.app_id, b.lane, b.supplier_id, b.message_count, b.intent_mark, b.not_taken, a.doubt_policy
     from batch b left join application a on a.app_id = b.app_id
     where b.state = 1 and b.lease_until < clock_timestamp() and b.batch_id <> all($1::bigint[])
     order by b.batch_id limit $2 for update of b skip locked`,
    [numberArray(except), limit],
  );
  return rows.map((row) => ({
    batchId: BigInt(row.batch_id),
    customerId: row.customer_id,
    taskId: row.task_id,
    appId: row.app_id,
    lane: row.lane,
    supplierId: row.supplier_id,
    messageCount: row.message_count,
    intentMark: row.intent_mark,
    doubtPolicy: row.doubt_policy,
    notTaken: row.not_taken,
  }));
};

/** Ready again with what is left of it, or done where nothing is. `notTaken`: what below the mark is to be sent again. */
export const returnBatch = async (
  tx: Db,
  batchId: bigint,
  isDone: boolean,
  notTaken: readonly number[] = [],
): Promise<void> => {
  await run(
    tx,
    sql`update batch set state = ${isDone ? 2 : 0}, owner = null, lease_until = null, not_taken = ${[...notTaken]}::smallint[],
          done_at = ${isDone ? new Date() : null}
        where batch_id = ${String(batchId)}`,
  );
};

/** A ready batch of a task, locked. */
export const lockReadyBatch = async (
  tx: Db,
  taskId: string,
): Promise<{ batchId: bigint; customerId: string; messageCount: number } | null> => {
  const row = await maybe<{ batch_id: string; customer_id: string; message_count: number }>(
    tx,
    sql`select batch_id, customer_id, message_count from batch where task_id = ${taskId} and state = 0
        order by batch_id limit 1 for update skip locked`,
  );
  if (row === null) return null;
  return { batchId: BigInt(row.batch_id), customerId: row.customer_id, messageCount: row.message_count };
};

/** Batches of a task that are not done. */
export const countOpenBatches = async (db: Db, taskId: string): Promise<number> => {
  const { n } = await one<{ n: string }>(
    db,
    sql`select count(*) as n from batch where task_id = ${taskId} and state < 2`,
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

/** A batch that may have messages submitted before `before`, without their last receipt, locked. */
export const lockOverdueBatch = async (tx: Db, before: Date): Promise<OverdueBatch | null> => {
  const row = await maybe<{
    batch_id: string;
    customer_id: string;
    message_count: number;
    state: number;
    done_at: Date | null;
  }>(
    tx,
    sql`select batch_id, customer_id, message_count, state, done_at from batch
        where not receipts_closed and coalesce(receipts_from, first_sent_at, done_at) < ${before}
        order by coalesce(receipts_from, first_sent_at, done_at) limit 1 for update skip locked`,
  );
  if (row === null) return null;
  return {
    batchId: BigInt(row.batch_id),
    customerId: row.customer_id,
    messageCount: row.message_count,
    isDone: row.state === 2,
    doneAt: row.done_at,
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
