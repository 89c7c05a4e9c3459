/**
 * From the clock to the batches: tasks that are due, preparing them block by block, retrying, and the end. What makes
 * a crash harmless is that `next_block` (or `retry_cursor`) moves in the very transaction that writes the messages.
 */
import { batchState, sendStatus, smsType, taskStatus, useState, yesNo } from '../literals.ts';
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';
import { findPart, type TaskPart } from './ab-tests.ts';
import { dbNow, dbNowPlus, isFree } from './db-clock.ts';
import { archivedIn } from './message-archive.ts';
import type { FrozenPrices } from './routing.ts';
import type { LeaseTerms, TaskLease } from './task-checking.ts';

export interface DueTask {
  taskId: string;
  customerId: string;
  /** Why it may not run after all. */
  obstacle: 'TASK_TOO_LATE' | 'APP_DISABLED' | 'CUSTOMER_SUSPENDED' | null;
  /** The variants of its A/B test come first. */
  hasVariants: boolean;
}

/**
 * Locks confirmed tasks that are due, those without a plan once their grace is over; a few at a time. One whose A/B test
 * is under way is due when it is decided.
 */
export const lockDueTasks = async (tx: Db, offsetMs: number): Promise<DueTask[]> =>
  many(
    tx,
    sql<DueTask>`select t.task_id as "taskId", t.customer_id as "customerId",
        case when coalesce(t.latest_start_at, case when t.plan_flag = ${yesNo.Yes} then t.plan_time + t.latest_start end)
               < ${dbNow(offsetMs)} then 'TASK_TOO_LATE'
             when c.use_state = ${useState.Disabled} then 'CUSTOMER_SUSPENDED'
               when a.use_state = ${useState.Disabled} then 'APP_DISABLED' end as obstacle,
        ab.task_id is not null and ab.started_at is null as "hasVariants"
      from task t join customer c on c.customer_id = t.customer_id join application a on a.app_id = t.app_id
        left join ab_test ab on ab.task_id = t.task_id
      where (ab.started_at is null or ab.decided_at is not null) and t.task_status = ${taskStatus.Confirmed} and not t.demo_hold and case when t.plan_flag = ${yesNo.No}
        then coalesce(t.grace_ends_at <= ${dbNow(offsetMs)}, true) else t.plan_time <= ${dbNow(offsetMs)} end
      order by t.plan_time nulls first limit 20 for no key update of t skip locked`,
  );

/** Preparing or sending tasks of a disabled application: they end like terminated ones. */
export const lockDisabledTasks = async (tx: Db): Promise<{ taskId: string; customerId: string }[]> =>
  many(
    tx,
    sql<{ taskId: string; customerId: string }>`select t.task_id as "taskId", t.customer_id as "customerId" from task t
      join application a on a.app_id = t.app_id
      where t.task_status in (${taskStatus.Preparing}, ${taskStatus.Sending}) and not t.demo_hold
        and a.use_state = ${useState.Disabled} limit 20 for no key update of t skip locked`,
  );

/**
 * Leases a task that has recipients left to write: one whose sender is not far behind, least recently served first.
 * Terminated tasks write theirs as never sent, regardless of what is waiting.
 */
export const claimPreparing = async (db: Db, terms: LeaseTerms, maxBatchesAhead: number): Promise<TaskLease | null> => {
  const row = await maybe(
    db,
    sql<{ taskId: string; customerId: string }>`update task set owner = ${terms.owner},
        lease_until = ${dbNowPlus(terms.leaseMs, terms.offsetMs)}
      where task_id = (
        select t.task_id from task t join customer c on c.customer_id = t.customer_id
        where ${isFree(sql.ref('t.lease_until'), terms.offsetMs)}
          and ((t.task_status in (${taskStatus.Preparing}, ${taskStatus.Sending}) and not t.prepared
            and not t.demo_hold and t.paused = ${yesNo.No} and c.use_state = ${useState.Enabled}
                and (select count(*) from batch b where b.task_id = t.task_id
                  and b.state < ${batchState.Done}) < ${maxBatchesAhead})
            or (t.task_status = ${taskStatus.Terminated} and t.ended_at is null and not t.prepared))
        order by t.lease_until nulls first limit 1 for no key update of t skip locked)
      returning task_id as "taskId", customer_id as "customerId"`,
  );
  return row === null ? null : { ...row, owner: terms.owner };
};

export interface PreparingTask {
  taskId: string;
  customerId: string;
  taskStatus: number;
  appId: string;
  smsType: 1 | 2 | 3;
  senderId: string;
  content: string;
  chargeType: 'SenderPays' | 'ReceiverPays';
  fileId: string;
  fileGeneration: number;
  /** Whether the rows are those of a frozen audience: their values follow the order of the variables. */
  isAudience: boolean;
  leaveOutCarriers: string[];
  prices: FrozenPrices | null;
  mapping: { variables: number[] } | null;
  nextBlock: number;
  /** Those of the recipients that it writes; null: all. */
  part: TaskPart | null;
  retryCount: number;
  retryCursor: string | null;
  /** What the round repeats. */
  retryWhat: 'failed' | 'unconfirmed';
  /** Of those that failed, the results that were chosen; null: all. */
  retryReasons: string[] | null;
}

/**
 * Returns the current task, locked until the transaction ends; null if the lease is lost. The lock does not block a
 * flush that begins to count for it: its rows refer to the task, and it holds message locks that preparing may need.
 */
export const lockPreparing = async (tx: Db, lease: TaskLease): Promise<PreparingTask | null> => {
  const task = await maybe(
    tx,
    sql<
      Omit<PreparingTask, 'part'>
    >`select task_id as "taskId", customer_id as "customerId", task_status as "taskStatus", app_id as "appId",
        sms_type as "smsType", sender_id as "senderId", content, charge_type as "chargeType",
        coalesce(audience_id, file_id) as "fileId", audience_id is not null as "isAudience",
        file_generation as "fileGeneration", prices, mapping, left_out_carriers as "leaveOutCarriers", next_block as "nextBlock", retry_count as "retryCount",
        retry_cursor::text as "retryCursor", retry_what as "retryWhat", retry_reasons as "retryReasons"
      from task where task_id = ${lease.taskId} and owner = ${lease.owner}
        and task_status in (${taskStatus.Preparing}, ${taskStatus.Sending}, ${taskStatus.Terminated}) and not prepared
      for no key update`,
  );
  return task && { ...task, part: await findPart(tx, task.taskId) };
};

/** Lines of these blocks that the check dropped. */
export const readDroppedLines = async (
  db: Db,
  taskId: string,
  fromSeq: number,
  count: number,
): Promise<Set<number>> => {
  const rows = await many(
    db,
    sql<{ line: number }>`select (r.value ->> 0)::int as line from task_reject, jsonb_array_elements(rows) as r(value)
      where task_id = ${taskId} and seq >= ${fromSeq} and seq < ${fromSeq + count}`,
  );
  return new Set(rows.map((row) => row.line));
};

/** In the transaction that wrote the recipients of these blocks. */
export const advancePreparing = async (
  tx: Db,
  step: {
    taskId: string;
    nextBlock: number;
    recipients: number;
    optedOut: number;
    noConsent: number;
    leftOut: number;
    isLast: boolean;
  },
): Promise<void> => {
  await run(
    tx,
    sql`update task set next_block = ${step.nextBlock}, prepared_count = prepared_count + ${step.recipients},
          opted_out_count = opted_out_count + ${step.optedOut},
          no_consent_count = no_consent_count + ${step.noConsent},
          left_out_count = left_out_count + ${step.leftOut}, prepared = ${step.isLast},
          status_reason = nullif(nullif(status_reason, 'NO_ROUTE'), 'VOLUME_LIMITED'),
          -- who opted out since the check is no recipient any more
          total_count = case when ${step.isLast} then prepared_count + ${step.recipients} else total_count end
        where task_id = ${step.taskId}`,
  );
};

export interface RetryRow {
  messageId: string;
  msisdn: string;
  areaCode: string;
  rangeHolder: string | null;
  carrier: string | null;
  content: string;
  pkgTotal: number;
}

/** Which of the failed messages a retry repeats. */
export interface RetryChoice {
  /** Results that a retry can't fix. */
  readonly never: readonly string[];
  /** Null: all others. */
  readonly only: readonly string[] | null;
  /** Name of a failed message without a stored result. */
  readonly unnamed: string;
}

/** Of a message `m`: the request failed, it was not repeated yet, its number is there still, and its result is chosen. */
export const isRetryable = ({ never, only, unnamed }: RetryChoice): Fragment<boolean> =>
  sql<boolean>`m.send_status = ${sendStatus.Failed} and not m.superseded and m.msisdn <> ''
    and coalesce(m.deal_result, ${unnamed}) <> all(${never}::text[])
    and (${only === null} or coalesce(m.deal_result, ${unnamed}) = any(${only ?? []}::text[]))`;

/**
 * Failed messages of the next batches of earlier rounds, archived ones included, and the last of these batches; null if none is left. The key
 * ranges of the batches find the rows; those whose number was erased are excluded.
 */
export const readRetryable = async (
  db: Db,
  task: { taskId: string; customerId: string; round: number; cursor: string },
  batches: number,
  which: RetryChoice,
): Promise<{ rows: RetryRow[]; cursor: string } | null> => {
  const found = await many(
    db,
    sql<{
      batchId: string;
    }>`select batch_id as "batchId" from batch where task_id = ${task.taskId} and batch_id > ${task.cursor}::bigint
      and round < ${task.round} order by batch_id limit ${batches}`,
  );
  const last = found.at(-1);
  if (last === undefined) return null;
  const isFound = sql`batch_id = any(${found.map((row) => row.batchId)}::bigint[])`;
  const rows = await many(
    db,
    sql<RetryRow>`with b as materialized (
        select batch_id, message_count from batch where task_id = ${task.taskId} and ${isFound})
      select m.message_id::text as "messageId", m.msisdn, m.area_code as "areaCode", m.range_holder as "rangeHolder", m.carrier, m.content,
          m.pkg_total as "pkgTotal"
      from (
        select m.* from b join message m on m.customer_id = ${task.customerId} and m.message_id >= b.batch_id
          and m.message_id < b.batch_id + b.message_count
        where ${isRetryable(which)}
        union all
        select m.* from (
          select min(batch_id) as low, max(batch_id + message_count) as high from b) r
        cross join lateral (${archivedIn(sql`${task.customerId}::uuid`, sql`r.low`, sql`r.high`)}) m
        where m.task_id = ${task.taskId} and ${isRetryable(which)}) m
      order by m.message_id`,
  );
  return { rows, cursor: last.batchId };
};

export const advanceRetry = async (
  tx: Db,
  step: { taskId: string; cursor: string | null; isLast: boolean },
): Promise<void> => {
  await run(
    tx,
    sql`update task set retry_cursor = ${step.cursor}::bigint, prepared = ${step.isLast},
          status_reason = nullif(nullif(status_reason, 'NO_ROUTE'), 'VOLUME_LIMITED') where task_id = ${step.taskId}`,
  );
};

/** Locks a sending task all of whose recipients have an outcome; `except`: tasks to skip. */
export const lockCompleted = async (
  tx: Db,
  except: readonly string[],
): Promise<{ taskId: string; customerId: string } | null> =>
  maybe(
    tx,
    sql<{ taskId: string; customerId: string }>`select t.task_id as "taskId", t.customer_id as "customerId" from task t
      where t.task_status = ${taskStatus.Sending} and t.prepared and not t.demo_hold
        and not exists (select from batch b where b.task_id = t.task_id and b.state < ${batchState.Done})
        and t.total_count = (select coalesce(sum(success_count + failed_count + unconfirmed_count), 0)
                             from task_progress p where p.task_id = t.task_id)
      and t.task_id <> all(${except}::uuid[])
      limit 1 for no key update of t skip locked`,
  );

/** Terminated tasks that still have open messages. */
export const listStopping = async (db: Db): Promise<string[]> => {
  const rows = await many(
    db,
    sql<{ taskId: string }>`select t.task_id as "taskId" from task t where t.task_status = ${taskStatus.Terminated}
      and t.ended_at is null
      and exists (select from batch b where b.task_id = t.task_id
        and b.state in (${batchState.Parked}, ${batchState.Ready})) limit 100`,
  );
  return rows.map(({ taskId }) => taskId);
};

/** A terminated task of which nothing is open any more, locked; `except`: those that are passed over. */
export const lockStopped = async (
  tx: Db,
  except: readonly string[],
): Promise<{ taskId: string; customerId: string } | null> =>
  maybe(
    tx,
    sql<{ taskId: string; customerId: string }>`select t.task_id as "taskId", t.customer_id as "customerId" from task t
      where t.task_status = ${taskStatus.Terminated} and t.ended_at is null and t.prepared
        and not exists (select from batch b where b.task_id = t.task_id and b.state < ${batchState.Done})
      and t.task_id <> all(${except}::uuid[])
      limit 1 for no key update of t skip locked`,
  );

export const endStopped = async (tx: Db, taskId: string, offsetMs: number): Promise<void> => {
  await run(tx, sql`update task set ended_at = ${dbNow(offsetMs)} where task_id = ${taskId} and ended_at is null`);
};

export interface QuietTask {
  taskId: string;
  customerId: string;
  /** The customer's quiet hours. */
  from: number;
  to: number;
  /** False: they are over for it. */
  isHeld: boolean;
}

/**
 * Marks marketing tasks held by their customer's quiet hours at an hour of the Manila day, and unmarks those no longer
 * held; returns those that changed.
 */
export const markQuietHours = async (db: Db, manilaHour: number): Promise<QuietTask[]> =>
  many(
    db,
    sql<QuietTask>`update task t set status_reason = case when q.is_held then 'QUIET_HOURS' end
        from (select c.customer_id, c.quiet_from, c.quiet_to,
                not c.quiet_hours_exempt and (${manilaHour} >= c.quiet_from or ${manilaHour} < c.quiet_to) as is_held
              from customer c) q
        where q.customer_id = t.customer_id and t.task_status in (${taskStatus.Preparing}, ${taskStatus.Sending})
          and case when q.is_held then t.sms_type = ${smsType.Marketing} and t.status_reason is null and not t.demo_hold
                else t.status_reason = 'QUIET_HOURS' end
        returning t.task_id as "taskId", t.customer_id as "customerId", q.quiet_from as from, q.quiet_to as to, q.is_held as "isHeld"`,
  );

/** The database's instant, Unix milliseconds. */
export const readDbMs = async (db: Db, offsetMs: number): Promise<number> => {
  const row = await maybe(db, sql<{ at: Date }>`select ${dbNow(offsetMs)} as at`);
  return row?.at.getTime() ?? 0;
};
