/**
 * Ready batches whose supplier is failing, and how batches are split. A batch is a range of IDs, so its remainder from
 * position p becomes the batch `batch_id + p`, and positions in it are reduced by p. All of it runs under the lock of
 * the batch's row, and only on ready batches: no process is sending their unsent messages.
 */

import { SmsType } from '@pahatid/contract/enums';
import { BatchState } from '@pahatid/domain';
import type pg from 'pg';
import { numberArray, textArray } from '../array-literal.ts';
import { batchState, clientStatus, sendStatus } from '../literals.ts';
import { type Db, maybe, one, run, sql } from '../sql.ts';
import type { FailingSupplier } from './supplier-health.ts';

export interface FailingBatch {
  batchId: bigint;
  customerId: string;
  taskId: string | null;
  lane: number;
  supplierId: string;
  routeId: string;
  messageCount: number;
  intentMark: number;
  notTaken: number[];
  /** By send type, of the application. */
  doubtPolicy: Record<string, string> | null;
}

/** The first batches of each account and lane that are tried: more than there are senders that lock one of them. */
const TRIED = 16;

/**
 * A ready batch of one of these suppliers that should be rerouted, locked, the most urgent first; `except`: those that were looked at already.
 * Reads the first of each account and lane, however many wait there.
 */
export const lockFailingBatch = async (
  tx: Db,
  suppliers: readonly FailingSupplier[],
  except: readonly bigint[],
): Promise<FailingBatch | null> => {
  const all = suppliers.filter(({ codesOnly }) => !codesOnly).map(({ supplierId }) => supplierId);
  const row = await maybe<Omit<FailingBatch, 'batchId'> & { batchId: string }>(
    tx,
    sql`select b.batch_id as "batchId", b.customer_id as "customerId", b.task_id as "taskId", b.lane,
          b.supplier_id as "supplierId", b.route_id as "routeId", b.message_count as "messageCount",
          b.intent_mark as "intentMark", b.not_taken as "notTaken", a.doubt_policy as "doubtPolicy"
        from (
          select h.batch_id from unnest(${textArray(suppliers.map(({ supplierId }) => supplierId))}::uuid[]) as s(supplier_id)
          join unnest('{1,2,3}'::smallint[]) as l(lane)
            on l.lane = ${SmsType.Verification}::smallint or s.supplier_id = any(${textArray(all)}::uuid[])
          cross join lateral (
            select x.lane, x.created_at, x.batch_id from batch x
            where x.state = ${batchState.Ready} and x.supplier_id = s.supplier_id and x.lane = l.lane
              and x.batch_id <> all(${numberArray(except)}::bigint[])
            order by x.created_at, x.batch_id limit ${TRIED}) h
          order by h.lane, h.created_at, h.batch_id limit ${TRIED}) first
        join batch b on b.batch_id = any(array[first.batch_id])
        left join application a on a.app_id = b.app_id
        where b.state = ${batchState.Ready}
        order by b.lane, b.created_at, b.batch_id limit 1 for update of b skip locked`,
  );
  return row === null ? null : { ...row, batchId: BigInt(row.batchId) };
};

export interface BatchPart {
  /** First position in the batch that is cut. */
  from: number;
  /** Past the last one. */
  to: number;
  supplierId: string;
  routeId: string;
}

interface Outcomes {
  /** Of all its messages, 1/10,000 PHP. */
  cost: string;
  waiting: number;
  accepted: number;
  failed: number;
}

/**
 * Splits a locked ready batch into consecutive parts from 0 to its end. The first keeps the ID. Outcome counts move with the
 * messages; a part without waiting messages is done.
 */
export const splitBatch = async (
  tx: pg.PoolClient,
  batch: FailingBatch,
  parts: readonly BatchPart[],
  at: Date,
): Promise<void> => {
  const pieces: { part: BatchPart; counts: Outcomes }[] = [];
  for (const part of parts) pieces.push({ part, counts: await countOutcomes(tx, batch, part) });
  // From last to first: the first changes the row that the others are copied from.
  for (const { part, counts } of pieces.reverse()) {
    const id = String(batch.batchId + BigInt(part.from));
    const mark = Math.min(Math.max(batch.intentMark - part.from, 0), part.to - part.from);
    const notTaken = batch.notTaken
      .filter((position) => position >= part.from && position < part.to)
      .map((position) => position - part.from);
    const isDone = counts.waiting === 0;
    const done = isDone ? at : null;
    if (part.from > 0) {
      await run(
        tx,
        sql`insert into batch (batch_id, customer_id, task_id, app_id, lane, supplier_id, route_id, message_count, state,
              round, not_before, valid_until, intent_mark, not_taken, success_count, failed_count, created_at, first_sent_at, done_at, cost)
            select ${id}::bigint, customer_id, task_id, app_id, lane, ${part.supplierId}::uuid, ${part.routeId}::uuid,
              ${part.to - part.from}::int, ${isDone ? BatchState.Done : BatchState.Ready}::smallint, round, not_before, valid_until, ${mark}::int,
              ${notTaken}::smallint[], ${counts.accepted}::int, ${counts.failed}::int, created_at,
              case when ${mark}::int > 0 then first_sent_at end, ${done}::timestamptz,
              case when task_id is null then ${counts.cost}::bigint else 0 end
            from batch where batch_id = ${String(batch.batchId)}::bigint`,
      );
      continue;
    }
    const changed = await run(
      tx,
      sql`update batch set supplier_id = ${part.supplierId}, route_id = ${part.routeId}, message_count = ${part.to},
            state = ${isDone ? BatchState.Done : BatchState.Ready}, intent_mark = ${mark}, not_taken = ${notTaken}::smallint[],
            success_count = ${counts.accepted}, failed_count = ${counts.failed}, done_at = ${done}::timestamptz,
            cost = case when task_id is null then ${counts.cost}::bigint else 0 end
          where batch_id = ${id}::bigint and state = ${batchState.Ready}`,
    );
    if (changed !== 1) throw new Error(`batch ${id} is not ready`);
  }
};

const idAt = (batch: FailingBatch, position: number): string => String(batch.batchId + BigInt(position));

const countOutcomes = (tx: Db, batch: FailingBatch, { from, to }: BatchPart): Promise<Outcomes> =>
  one<Outcomes>(
    tx,
    sql`select count(*) filter (where send_status = ${sendStatus.Waiting})::int as waiting, count(*) filter (where send_status = ${sendStatus.Successful})::int as accepted,
          count(*) filter (where send_status = ${sendStatus.Failed})::int as failed, coalesce(sum(price::bigint * pkg_total), 0) as cost
        from message where customer_id = ${batch.customerId} and message_id >= ${idAt(batch, from)}::bigint
          and message_id < ${idAt(batch, to)}::bigint`,
  );

/**
 * Reroutes the waiting messages of a part: two columns that no index contains, so the updates stay HOT. The price
 * stays.
 */
export const rerouteMessages = (tx: Db, batch: FailingBatch, part: BatchPart): Promise<number> =>
  run(
    tx,
    sql`update message set supplier_id = ${part.supplierId}, route_id = ${part.routeId}
        where customer_id = ${batch.customerId} and message_id >= ${idAt(batch, part.from)}::bigint
          and message_id < ${idAt(batch, part.to)}::bigint and send_status = ${sendStatus.Waiting}
            and client_status = ${clientStatus.Accepted}`,
  );
