/**
 * Claims: which customers have something ready, and their batches under a lease. Both read the index of ready batches
 * alone (decision 091), from customer to customer, so they cost the same with any number of batches that are parked, of
 * other accounts, or of a customer that has a million.
 */
import { numberArray, textArray } from '../array-literal.ts';
import { batchState } from '../literals.ts';
import { type Db, many, prepared, sql } from '../sql.ts';
import { type ReadyQueue, reasonToPark } from './batch-parking.ts';
import { dbNow, dbNowPlus } from './db-clock.ts';
import { isLanePaused } from './restores.ts';

/** Queues of one lane that one look returns. */
const QUEUES_AT_ONCE = 700;
const LANES = [1, 2, 3] as const;
const FIRST_CUSTOMER = '00000000-0000-0000-0000-000000000000';

const nameOf = ({ lane, supplierId }: Pick<ReadyQueue, 'lane' | 'supplierId'>): string => `${lane} ${supplierId}`;

/**
 * Returns the queues of these supplier accounts that have something ready, and the database's instant. If there are more
 * than one look returns, the next one continues after them: `cursors` has the last customer by lane and account. In a
 * transaction `BY_KEY`, for which its plan is kept.
 */
export const findReadyQueues = async (
  db: Db,
  supplierIds: readonly string[],
  cursors: Map<string, string>,
): Promise<{ queues: ReadyQueue[]; nowMs: number }> => {
  const starts = LANES.flatMap((lane) => supplierIds.map((supplierId) => ({ lane, supplierId })));
  const rows = await many<ReadyQueue & { nowMs: string }>(
    db,
    // By the whole key and in its order, which no other index has.
    prepared(sql`with start as materialized (
          select * from unnest(${numberArray(starts.map(({ lane }) => lane))}::smallint[],
            ${textArray(starts.map(({ supplierId }) => supplierId))}::uuid[],
            ${textArray(starts.map((start) => cursors.get(nameOf(start)) ?? FIRST_CUSTOMER))}::uuid[])
            as s(lane, supplier_id, customer_id)
            where not ${isLanePaused(sql`s.lane`)})
        select q.lane, q.supplier_id as "supplierId", q.customer_id as "customerId",
          (extract(epoch from ${dbNow()}) * 1000)::bigint as "nowMs"
        from unnest(${numberArray(LANES)}::smallint[]) as l(lane) cross join lateral (
          with recursive head as (
            select s.lane, s.supplier_id, n.customer_id from start s cross join lateral (
              select b.lane, b.supplier_id, b.customer_id from batch b where b.state = ${batchState.Ready}
                and (b.lane, b.supplier_id, b.customer_id) > (s.lane, s.supplier_id, s.customer_id)
              order by b.lane, b.supplier_id, b.customer_id limit 1) n
            where s.lane = l.lane and n.lane = s.lane and n.supplier_id = s.supplier_id
            union all
            select h.lane, h.supplier_id, n.customer_id from head h cross join lateral (
              select b.lane, b.supplier_id, b.customer_id from batch b where b.state = ${batchState.Ready}
                and (b.lane, b.supplier_id, b.customer_id) > (h.lane, h.supplier_id, h.customer_id)
              order by b.lane, b.supplier_id, b.customer_id limit 1) n
            where n.lane = h.lane and n.supplier_id = h.supplier_id)
          select * from head limit ${QUEUES_AT_ONCE}) q`),
  );
  for (const lane of LANES) moveCursors(cursors, lane, supplierIds, rows);
  return {
    queues: rows.map(({ lane, supplierId, customerId }) => ({ lane, supplierId, customerId })),
    nowMs: Number(rows[0]?.nowMs ?? 0),
  };
};

function moveCursors(
  cursors: Map<string, string>,
  lane: number,
  supplierIds: readonly string[],
  rows: readonly ReadyQueue[],
): void {
  const found = rows.filter((row) => row.lane === lane);
  for (const supplierId of supplierIds) {
    const last = found.findLast((row) => row.supplierId === supplierId);
    if (found.length === QUEUES_AT_ONCE && last !== undefined) cursors.set(nameOf(last), last.customerId);
    else cursors.delete(nameOf({ lane, supplierId }));
  }
}

/** How many batches of a queue are claimed at most. */
export interface ClaimTurn extends ReadyQueue {
  batches: number;
}

export interface ClaimSpec {
  owner: string;
  /** The first ones first; each queue once. */
  turns: readonly ClaimTurn[];
  /** Messages in all, after which no further batch is claimed. */
  messages: number;
  except: readonly bigint[];
  /** Hour of the Manila day: in a customer's quiet hours its marketing is not sent, unless it is exempt. */
  manilaHour: number;
  leaseMs: number;
}

export interface ClaimedRow {
  batchId: bigint;
  customerId: string;
  taskId: string | null;
  appId: string;
  lane: number;
  supplierId: string;
  messageCount: number;
  intentMark: number;
  /** From now, milliseconds; null: without end. */
  validForMs: number | null;
  /** By send type, of the application. */
  doubtPolicy: Record<string, string> | null;
}

export interface ClaimResult {
  rows: ClaimedRow[];
  /** Queues whose head may not be sent now, to be parked. */
  held: ReadyQueue[];
}

type HeadRow = Omit<ClaimedRow, 'batchId'> & { batchId: string; isHeld: boolean };

/**
 * Claims ready batches of many queues: of tasks that are being sent and not paused, of enabled customers and
 * applications, whose time has come, in lanes that are not paused. Rows that another sender is claiming at this moment are skipped. In a transaction
 * `BY_KEY`, for which its plan is kept.
 */
export const claimBatches = async (tx: Db, spec: ClaimSpec): Promise<ClaimResult> => {
  const { turns } = spec;
  const rows = await many<HeadRow>(
    tx,
    prepared(sql`with head as materialized (
          select q.turn_no, b.batch_id, b.created_at, b.message_count, b.lane, b.supplier_id, b.customer_id,
            ${reasonToPark(spec.manilaHour)} is not null as is_held, a.doubt_policy
          from unnest(${numberArray(turns.map(({ lane }) => lane))}::smallint[],
            ${textArray(turns.map(({ supplierId }) => supplierId))}::uuid[],
            ${textArray(turns.map(({ customerId }) => customerId))}::uuid[],
            ${numberArray(turns.map(({ batches }) => batches))}::int[]) with ordinality
            as q(lane, supplier_id, customer_id, batches, turn_no)
          cross join lateral (
            select * from batch x
            where x.state = ${batchState.Ready} and x.lane = q.lane and x.supplier_id = q.supplier_id
              and x.customer_id = q.customer_id and x.batch_id <> all(${numberArray(spec.except)}::bigint[])
            order by x.created_at, x.batch_id limit q.batches for update skip locked) b
          join customer c on c.customer_id = b.customer_id
          left join application a on a.app_id = b.app_id
          left join task t on t.task_id = b.task_id
          where not ${isLanePaused(sql`q.lane`)}),
        room as (
          select batch_id, doubt_policy, sum(message_count) over (order by turn_no, created_at, batch_id) - message_count as before
          from head where not is_held),
        claimed as (
          update batch u set state = ${batchState.Claimed}, owner = ${spec.owner}, lease_until = ${dbNowPlus(spec.leaseMs)}
          from room r
          where r.before < ${spec.messages} and u.batch_id = any(array[r.batch_id]) and u.state = ${batchState.Ready}
          returning u.*, r.doubt_policy)
        select batch_id as "batchId", customer_id as "customerId", task_id as "taskId", app_id as "appId", lane,
          supplier_id as "supplierId", message_count as "messageCount", intent_mark as "intentMark",
          (extract(epoch from valid_until - ${dbNow()}) * 1000)::float8 as "validForMs", doubt_policy as "doubtPolicy", false as "isHeld" from claimed
        union all
        select batch_id, customer_id, null, null, lane, supplier_id, message_count, 0, null, null, true from head where is_held`),
  );
  // A plan may return them in any order.
  const places = new Map(turns.map((turn, place) => [nameOfQueue(turn), place]));
  const placeOf = (queue: ReadyQueue): number => places.get(nameOfQueue(queue)) ?? turns.length;
  return {
    rows: rows
      .filter(({ isHeld }) => !isHeld)
      .map(({ isHeld: _, batchId, ...row }) => ({ ...row, batchId: BigInt(batchId) }))
      .sort((a, b) => placeOf(a) - placeOf(b) || (a.batchId < b.batchId ? -1 : 1)),
    held: rows.filter(({ isHeld }) => isHeld),
  };
};

const nameOfQueue = (queue: ReadyQueue): string => `${nameOf(queue)} ${queue.customerId}`;
