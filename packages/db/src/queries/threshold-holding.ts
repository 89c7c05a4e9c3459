/** What rules hold back and let go on again: tasks, applications, batches that wait for a volume's next period. */
import { ParkReason } from '@pahatid/domain';
import { batchState, taskStatus, yesNo } from '../literals.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';
import { wakeBatches } from './batch-parking.ts';
import type { FailingBatch } from './batch-splitting.ts';
import { dbNow } from './db-clock.ts';

/** Why a task is paused. */
export const thresholdPaused = 'THRESHOLD_PAUSED';
export const volumeLimited = 'VOLUME_LIMITED';

export interface HeldTask {
  taskId: string;
  customerId: string;
}

/** Pauses running tasks in a rule's scope, except those that a user has paused already. */
export const pauseThresholdTasks = (
  tx: Db,
  rule: { customerId: string; thresholdId: string; appId: string | null; smsType: number | null },
): Promise<HeldTask[]> =>
  many<HeldTask>(
    tx,
    sql`update task t set paused = ${yesNo.Yes}, status_reason = ${thresholdPaused}, threshold_id = ${rule.thresholdId}
        where t.customer_id = ${rule.customerId}
          and t.task_status in (${taskStatus.Preparing}, ${taskStatus.Sending}) and t.paused = ${yesNo.No}
          and not t.demo_hold
          and (${rule.appId}::text is null or t.app_id = ${rule.appId})
          and (${rule.smsType}::int is null or t.sms_type = ${rule.smsType})
        returning t.task_id as "taskId", t.customer_id as "customerId"`,
  );

/** Resumes tasks paused by a rule that no user has changed since. */
export const resumeThresholdTasks = async (tx: Db, customerId: string, thresholdId: string): Promise<HeldTask[]> =>
  await wakeTasks(tx, await resumeThreshold(tx, customerId, thresholdId));

const resumeThreshold = (tx: Db, customerId: string, thresholdId: string): Promise<HeldTask[]> =>
  many<HeldTask>(
    tx,
    sql`update task set paused = ${yesNo.No}, status_reason = null, threshold_id = null
        where customer_id = ${customerId} and threshold_id = ${thresholdId}
          and task_status in (${taskStatus.Preparing}, ${taskStatus.Sending}) and paused = ${yesNo.Yes}
          and status_reason = ${thresholdPaused}
        returning task_id as "taskId", customer_id as "customerId"`,
  );

const wakeTasks = async (tx: Db, tasks: HeldTask[]): Promise<HeldTask[]> => {
  await wakeBatches(
    tx,
    ParkReason.Task,
    tasks.map(({ taskId }) => taskId),
  );
  return tasks;
};

/** Returns false if it is already paused. */
export const pauseApplication = async (
  tx: Db,
  customerId: string,
  appId: string,
  thresholdId: string,
): Promise<boolean> =>
  (await run(
    tx,
    sql`update application set paused_by = ${thresholdId}
        where customer_id = ${customerId} and app_id = ${appId} and paused_by is null`,
  )) === 1;

/** Returns their IDs. */
export const resumeThresholdApplications = async (
  tx: Db,
  customerId: string,
  thresholdId: string,
): Promise<string[]> => {
  const rows = await many<{ appId: string }>(
    tx,
    sql`update application set paused_by = null where customer_id = ${customerId} and paused_by = ${thresholdId}
        returning app_id as "appId"`,
  );
  const appIds = rows.map(({ appId }) => appId);
  await wakeBatches(tx, ParkReason.Application, appIds);
  return appIds;
};

const later = sql`b.state in (${batchState.Parked}, ${batchState.Ready}) and b.not_before > ${dbNow()}`;

/**
 * Pauses running tasks all of whose open messages wait for a volume's next period, until the first of them may be sent.
 */
export const holdLimitedTasks = (tx: Db): Promise<HeldTask[]> =>
  many<HeldTask>(
    tx,
    sql`update task t set paused = ${yesNo.Yes}, status_reason = ${volumeLimited}, held_until = w.until
        from (select b.task_id, min(b.not_before) as until from batch b where b.task_id is not null and ${later}
              group by b.task_id) w
        where w.task_id = t.task_id and t.task_status = ${taskStatus.Sending} and t.paused = ${yesNo.No} and not t.demo_hold
          and not exists (select from batch b where b.task_id = t.task_id and b.state < ${batchState.Done}
                          and (b.state = ${batchState.Claimed} or b.not_before is null or b.not_before <= ${dbNow()}))
        returning t.task_id as "taskId", t.customer_id as "customerId"`,
  );

/** Tasks whose volume has a new period, or whose limits have changed: they resume, and are held again if necessary. */
export const releaseLimitedTasks = async (tx: Db): Promise<HeldTask[]> =>
  await wakeTasks(
    tx,
    await many<HeldTask>(
      tx,
      sql`update task set paused = ${yesNo.No}, status_reason = null, held_until = null
          where task_status in (${taskStatus.Preparing}, ${taskStatus.Sending}) and paused = ${yesNo.Yes}
            and status_reason = ${volumeLimited} and held_until <= ${dbNow()}
          returning task_id as "taskId", customer_id as "customerId"`,
    ),
  );

/** A customer's limits have changed: what waits for one is looked at again. */
export const reviewHeldTasks = (tx: Db, customerId: string): Promise<number> =>
  run(
    tx,
    sql`update task set held_until = ${dbNow()} where customer_id = ${customerId}
      and task_status in (${taskStatus.Preparing}, ${taskStatus.Sending}) and paused = ${yesNo.Yes}
          and status_reason = ${volumeLimited}`,
  );

/** Tasks that are due to be looked at. */
export const listDueHeld = async (db: Db): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select task_id as id from task where task_status in (${taskStatus.Preparing}, ${taskStatus.Sending})
        and paused = ${yesNo.Yes} and status_reason = ${volumeLimited}
            and held_until <= ${dbNow()} order by held_until limit 20`,
    )
  ).map(({ id }) => id);

export interface WaitingBatch extends FailingBatch {
  notBeforeMs: number;
}

/** The first batch of a task that waits for a later period, locked; `after`: past those that were looked at. */
export const lockWaitingBatch = async (tx: Db, taskId: string, after: bigint | null): Promise<WaitingBatch | null> => {
  const row = await maybe<
    Omit<FailingBatch, 'batchId' | 'taskId' | 'doubtPolicy'> & { batchId: string; notBefore: Date }
  >(
    tx,
    sql`select b.batch_id as "batchId", b.customer_id as "customerId", b.lane, b.supplier_id as "supplierId",
          b.route_id as "routeId", b.message_count as "messageCount", b.intent_mark as "intentMark",
          b.not_taken as "notTaken", b.not_before as "notBefore"
        from batch b where b.task_id = ${taskId} and ${later} and b.intent_mark = 0
          and (${after === null ? null : String(after)}::bigint is null or b.batch_id > ${String(after ?? 0n)}::bigint)
        order by b.not_before, b.batch_id limit 1 for update of b`,
  );
  if (row === null) return null;
  const { notBefore, ...batch } = row;
  return { ...batch, batchId: BigInt(row.batchId), taskId, doubtPolicy: null, notBeforeMs: notBefore.getTime() };
};

export interface WaitingMessage {
  customerId: string;
  appId: string;
  smsType: number;
  msisdn: string;
  areaCode: string;
  carrier: string | null;
  content: string;
  pkgTotal: number;
  cost: number;
}

/** Messages of one batch, by the range of its ids. */
export const readBatchMessages = (tx: Db, batch: FailingBatch): Promise<WaitingMessage[]> =>
  many<WaitingMessage>(
    tx,
    sql`select customer_id as "customerId", app_id as "appId", sms_type as "smsType", msisdn, area_code as "areaCode", carrier,
          '' as content, pkg_total as "pkgTotal", (price::bigint * pkg_total)::float8 as cost
        from message where customer_id = ${batch.customerId} and message_id >= ${String(batch.batchId)}::bigint
          and message_id < ${String(batch.batchId + BigInt(batch.messageCount))}::bigint order by message_id`,
  );

/** The life of its messages begins now, and not when they were to be sent. */
export const releaseBatch = async (tx: Db, batchId: bigint): Promise<void> => {
  await run(
    tx,
    sql`update batch set not_before = null,
          valid_until = valid_until - greatest(not_before - ${dbNow()}, interval '0') where batch_id = ${String(batchId)}::bigint`,
  );
};
