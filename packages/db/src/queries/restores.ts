/** Restores of the database from a backup, and the lanes that they paused (decision 127). */
import { numberArray } from '../array-literal.ts';
import { batchState, parkReason, taskStatus } from '../literals.ts';
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';
import type { BatchRange } from './messages.ts';

export type RestoreDecision = 'release' | 'hold';

/** Whether a person has not decided yet about lane `lane`: nothing of it may be claimed. */
export const isLanePaused = (lane: Fragment<unknown>): Fragment<boolean> =>
  // Read once for a statement, not joined: a join would change the order in which a claim takes its turns.
  sql<boolean>`${lane} = any(array(select r.lane from restore_lane r where r.decision is null))`;

export const listPausedLanes = async (db: Db): Promise<number[]> => {
  const rows = await many(
    db,
    sql<{ lane: number }>`select lane from restore_lane where decision is null order by lane`,
  );
  return rows.map(({ lane }) => lane);
};

/** Pauses all lanes. What an earlier restore had left open is decided with it: messages that it left in doubt stay so. */
export const pauseLanes = async (tx: Db, restoreId: string, backupAt: Date, restoredAt: Date): Promise<void> => {
  await run(
    tx,
    sql`update restore_lane set decision = coalesce(decision, 'hold'), decided_at = coalesce(decided_at, ${restoredAt}), done_at = ${restoredAt} where done_at is null`,
  );
  await run(
    tx,
    sql`insert into restore (restore_id, backup_at, restored_at) values (${restoreId}, ${backupAt}, ${restoredAt})`,
  );
  await run(
    tx,
    sql`insert into restore_lane (restore_id, lane) select ${restoreId}, lane from generate_series(1, 3) lane`,
  );
};

/** Ends the leases of all senders: none of them runs any more. */
export const endLeases = async (tx: Db): Promise<void> => {
  await run(
    tx,
    sql`update batch set lease_until = clock_timestamp() - interval '1 second' where state = ${batchState.Claimed}`,
  );
};

/** From when on messages are in doubt because of the restore; returns the counts of what was in doubt before. */
export const beginDoubts = async (tx: Db, restoreId: string, at: Date): Promise<void> => {
  const counts = await many(
    tx,
    sql<{ lane: number; n: string }>`select m.sms_type as lane, count(*) as n from in_doubt d
      join message m on m.customer_id = d.customer_id and m.message_id = d.message_id
      where d.resolved_at is null group by 1`,
  );
  await run(tx, sql`update restore set restored_at = ${at} where restore_id = ${restoreId}`);
  await run(
    tx,
    sql`update restore_lane l set
          doubt_count = coalesce((select n from unnest(${counts.map((row) => row.lane)}::smallint[],
            ${counts.map((row) => row.n)}::bigint[]) as c(lane, n) where c.lane = l.lane), 0),
          task_count = (select count(*) from task t
            where t.sms_type = l.lane and t.task_status in (${taskStatus.Preparing}, ${taskStatus.Sending})
              and t.total_count > (select coalesce(sum(b.message_count), 0) from batch b where b.task_id = t.task_id and b.round = 0))
        where l.restore_id = ${restoreId}`,
  );
};

interface OpenBatch extends Omit<BatchRange, 'checkOptOut'> {
  readonly lane: number;
}

type BatchRow<T extends { readonly batchId: bigint }> = Omit<T, 'batchId'> & { batchId: string };

/** The next batches that are not done, past `after`, locked. */
export const lockOpenBatches = async (tx: Db, after: bigint, limit: number): Promise<OpenBatch[]> => {
  const rows = await many<BatchRow<OpenBatch>>(
    tx,
    sql`select batch_id as "batchId", customer_id as "customerId", message_count as "messageCount", lane from batch
        where state < ${batchState.Done} and batch_id > ${String(after)}::bigint order by batch_id limit ${limit} for update`,
  );
  return rows.map((row) => ({ ...row, batchId: BigInt(row.batchId) }));
};

export const addUnsure = async (tx: Db, restoreId: string, counts: ReadonlyMap<number, number>): Promise<void> => {
  await run(
    tx,
    sql`update restore_lane l set unsure_count = l.unsure_count + i.n
        from unnest(${numberArray([...counts.keys()])}::smallint[], ${numberArray([...counts.values()])}::int[]) as i(lane, n)
        where l.restore_id = ${restoreId} and l.lane = i.lane`,
  );
};

export interface RestoreLane {
  lane: number;
  unsureCount: number;
  doubtCount: number;
  taskCount: number;
  decision: RestoreDecision | null;
  decidedBy: string | null;
  decidedAt: Date | null;
  doneAt: Date | null;
}

export interface RestoreRow {
  restoreId: string;
  backupAt: Date;
  restoredAt: Date;
  lanes: RestoreLane[];
}

/** The last restore, while something of it is to be decided or carried out. */
export const findOpenRestore = async (db: Db): Promise<RestoreRow | null> => {
  const restore = await maybe(
    db,
    sql<
      Omit<RestoreRow, 'lanes'>
    >`select restore_id as "restoreId", backup_at as "backupAt", restored_at as "restoredAt"
      from restore r where exists (select from restore_lane l where l.restore_id = r.restore_id and l.done_at is null)
      order by restored_at desc limit 1`,
  );
  if (restore === null) return null;
  const lanes = await many(
    db,
    sql<RestoreLane>`select lane, unsure_count as "unsureCount", doubt_count as "doubtCount", task_count as "taskCount",
        decision, u.name as "decidedBy", decided_at as "decidedAt", done_at as "doneAt"
      from restore_lane l left join app_user u on u.user_id = l.decided_by
      where l.restore_id = ${restore.restoreId} order by lane`,
  );
  return { ...restore, lanes };
};

/** How many of the messages that the restore left in doubt are so still, by lane. Read batch by batch. */
export const countUnsure = async (db: Db, restoredAt: Date): Promise<Map<number, number>> => {
  const rows = await many(
    db,
    sql<{ lane: number; n: number }>`
      select b.lane, coalesce(sum(d.n), 0)::int as n from batch b cross join lateral (
        select count(*) as n from in_doubt d where d.customer_id = b.customer_id and d.message_id >= b.batch_id
          and d.message_id < b.batch_id + b.message_count and d.since = ${restoredAt} and d.resolved_at is null) d
      where b.state = ${batchState.Parked} and b.parked_for = ${parkReason.Restore} group by b.lane`,
  );
  return new Map(rows.map(({ lane, n }) => [lane, n]));
};

/** False: it was decided already. */
export const decideLane = async (
  tx: Db,
  decided: { restoreId: string; lane: number; decision: RestoreDecision; userId: string; at: Date },
): Promise<boolean> =>
  (await run(
    tx,
    sql`update restore_lane set decision = ${decided.decision}, decided_by = ${decided.userId}, decided_at = ${decided.at}
        where restore_id = ${decided.restoreId} and lane = ${decided.lane} and decision is null`,
  )) === 1;

/** Lanes whose decision is not carried out yet. */
export const listDecidedLanes = (
  db: Db,
): Promise<{ restoreId: string; lane: number; decision: RestoreDecision; restoredAt: Date }[]> =>
  many(
    db,
    sql`select l.restore_id as "restoreId", l.lane, l.decision, r.restored_at as "restoredAt"
        from restore_lane l join restore r on r.restore_id = l.restore_id
        where l.decision is not null and l.done_at is null order by r.restored_at, l.lane`,
  );

interface RestoredBatch extends OpenBatch {
  /** Whether its messages may not be sent any more. */
  readonly isOver: boolean;
}

/** Batches of a lane that the restore left in doubt, locked; another process may have others. */
export const lockRestoredBatches = async (tx: Db, lane: number, limit: number): Promise<RestoredBatch[]> => {
  const rows = await many<BatchRow<RestoredBatch>>(
    tx,
    sql`select batch_id as "batchId", customer_id as "customerId", message_count as "messageCount", lane,
          coalesce(valid_until <= clock_timestamp(), false) as "isOver"
        from batch where state = ${batchState.Parked} and parked_for = ${parkReason.Restore} and parked_key = ${String(lane)}
        order by created_at, batch_id limit ${limit} for update skip locked`,
  );
  return rows.map((row) => ({ ...row, batchId: BigInt(row.batchId) }));
};

/** Of the messages of a batch, those in doubt because of the restore alone. */
export const listRestoredDoubts = async (
  tx: Db,
  batch: Omit<BatchRange, 'checkOptOut'>,
  restoredAt: Date,
): Promise<bigint[]> => {
  const rows = await many(
    tx,
    sql<{ id: string }>`select message_id as id from in_doubt
      where customer_id = ${batch.customerId} and message_id >= ${String(batch.batchId)}::bigint
        and message_id < ${String(batch.batchId + BigInt(batch.messageCount))}::bigint
        and since = ${restoredAt} and resolved_at is null`,
  );
  return rows.map(({ id }) => BigInt(id));
};

/** False: another process still has batches of the lane. */
export const endLane = async (tx: Db, restoreId: string, lane: number, at: Date): Promise<boolean> =>
  (await run(
    tx,
    sql`update restore_lane set done_at = ${at} where restore_id = ${restoreId} and lane = ${lane} and done_at is null
      and not exists (select from batch where state = ${batchState.Parked} and parked_for = ${parkReason.Restore}
        and parked_key = ${String(lane)})`,
  )) === 1;

/** Null: the state that came back does not know the user yet. */
export const findUserName = async (db: Db, userId: string): Promise<string | null> =>
  (await maybe(db, sql<{ name: string }>`select name from app_user where user_id = ${userId}`))?.name ?? null;

/** The last commit that recovery repeated; null if there was none, or the server was restarted since. */
export const readRecoveredAt = async (db: Db): Promise<Date | null> =>
  (await maybe(db, sql<{ at: Date | null }>`select pg_last_xact_replay_timestamp() as at`))?.at ?? null;
