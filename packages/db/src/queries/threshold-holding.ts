/** What rules hold back and let go on again: tasks, applications, batches that wait for a volume's next period. */
import { type Db, many, maybe, run, sql } from '../sql.ts';
import type { FailingBatch } from './batch-splitting.ts';
import { dbNow } from './db-clock.ts';

/** Why a task stands still. */
export const thresholdPaused = 'THRESHOLD_PAUSED';
export const volumeLimited = 'VOLUME_LIMITED';

export interface HeldTask {
  taskId: string;
  customerId: string;
}

/** Pauses what runs in a rule's scope, save what somebody has paused already. */
export const pauseTasksOf = (
  tx: Db,
  rule: { customerId: string; thresholdId: string; appId: string | null; smsType: number | null },
): Promise<HeldTask[]> =>
  many<HeldTask>(
    tx,
    sql`update task t set paused = 1, status_reason = ${thresholdPaused}, threshold_id = ${rule.thresholdId}
        where t.customer_id = ${rule.customerId} and t.task_status in (4, 5) and t.paused = 0 and not t.demo_hold
          and (${rule.appId}::text is null or t.app_id = ${rule.appId})
          and (${rule.smsType}::int is null or t.sms_type = ${rule.smsType})
        returning t.task_id as "taskId", t.customer_id as "customerId"`,
  );

/** What a rule paused and nobody has touched since. */
export const resumeTasksOf = (tx: Db, customerId: string, thresholdId: string): Promise<HeldTask[]> =>
  many<HeldTask>(
    tx,
    sql`update task set paused = 0, status_reason = null, threshold_id = null
        where customer_id = ${customerId} and threshold_id = ${thresholdId} and task_status in (4, 5) and paused = 1
          and status_reason = ${thresholdPaused}
        returning task_id as "taskId", customer_id as "customerId"`,
  );

/** False where it is paused already. */
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

export const resumeApplicationOf = async (tx: Db, customerId: string, thresholdId: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update application set paused_by = null where customer_id = ${customerId} and paused_by = ${thresholdId}`,
  )) > 0;

const later = sql`b.state = 0 and b.not_before > ${dbNow()}`;

/**
 * Pauses running tasks all of whose open messages wait for a volume's next period: until the first of them may go.
 */
export const holdLimitedTasks = (tx: Db): Promise<HeldTask[]> =>
  many<HeldTask>(
    tx,
    sql`update task t set paused = 1, status_reason = ${volumeLimited}, held_until = w.until
        from (select b.task_id, min(b.not_before) as until from batch b where b.task_id is not null and ${later}
              group by b.task_id) w
        where w.task_id = t.task_id and t.task_status = 5 and t.paused = 0 and not t.demo_hold
          and not exists (select from batch b where b.task_id = t.task_id and b.state < 2
                          and (b.state = 1 or b.not_before is null or b.not_before <= ${dbNow()}))
        returning t.task_id as "taskId", t.customer_id as "customerId"`,
  );

/** Tasks whose volume has a new period, or whose limits have changed: they go on, and are held again if they must. */
export const releaseLimitedTasks = (tx: Db): Promise<HeldTask[]> =>
  many<HeldTask>(
    tx,
    sql`update task set paused = 0, status_reason = null, held_until = null
        where task_status in (4, 5) and paused = 1 and status_reason = ${volumeLimited} and held_until <= ${dbNow()}
        returning task_id as "taskId", customer_id as "customerId"`,
  );

/** A customer's limits have changed: what waits for one is looked at again. */
export const reviewHeldTasks = (tx: Db, customerId: string): Promise<number> =>
  run(
    tx,
    sql`update task set held_until = ${dbNow()} where customer_id = ${customerId} and task_status in (4, 5) and paused = 1
          and status_reason = ${volumeLimited}`,
  );

/** Tasks that are due to be looked at. */
export const listDueHeld = async (db: Db): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select task_id as id from task where task_status in (4, 5) and paused = 1 and status_reason = ${volumeLimited}
            and held_until <= ${dbNow()} order by held_until limit 20`,
    )
  ).map(({ id }) => id);

export interface WaitingBatch extends FailingBatch {
  notBeforeMs: number;
}

/** The first batch of a task that waits for a later period, locked; `after`: past those that were looked at. */
export const lockWaitingBatch = async (tx: Db, taskId: string, after: bigint | null): Promise<WaitingBatch | null> => {
  const row = await maybe<{
    batch_id: string;
    customer_id: string;
    lane: number;
    supplier_id: string;
    route_id: string;
    message_count: number;
    intent_mark: number;
    not_taken: number[];
    not_before: Date;
  }>(
    tx,
    sql`select b.batch_id, b.customer_id, b.lane, b.supplier_id, b.route_id, b.message_count, b.intent_mark, b.not_taken, b.not_before
        from batch b where b.task_id = ${taskId} and ${later} and b.intent_mark = 0
          and (${after === null ? null : String(after)}::bigint is null or b.batch_id > ${String(after ?? 0n)}::bigint)
        order by b.not_before, b.batch_id limit 1 for update of b`,
  );
  if (row === null) return null;
  return {
    batchId: BigInt(row.batch_id),
    customerId: row.customer_id,
    taskId,
    lane: row.lane,
    supplierId: row.supplier_id,
    routeId: row.route_id,
    messageCount: row.message_count,
    intentMark: row.intent_mark,
    notTaken: row.not_taken,
    doubtPolicy: null,
    notBeforeMs: row.not_before.getTime(),
  };
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

export const releaseBatch = async (tx: Db, batchId: bigint): Promise<void> => {
  await run(tx, sql`update batch set not_before = null where batch_id = ${String(batchId)}::bigint`);
};
