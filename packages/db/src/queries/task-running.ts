/**
 * From the clock to the batches: tasks that are due, preparing them block by block, retrying, and the end. What makes
 * a crash harmless is that `next_block` (or `retry_cursor`) moves in the very transaction that writes the messages.
 */
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus, isFree } from './db-clock.ts';
import type { FrozenPrices } from './routing.ts';
import type { LeaseTerms, TaskLease } from './task-checking.ts';

export interface DueTask {
  task_id: string;
  customer_id: string;
  /** Why it may not run after all. */
  obstacle: 'TASK_TOO_LATE' | 'APP_DISABLED' | 'CUSTOMER_SUSPENDED' | null;
}

/** Confirmed tasks whose time has come, locked; a few at a time. */
export const lockDueTasks = async (tx: Db, offsetMs: number): Promise<DueTask[]> =>
  many(
    tx,
    sql<DueTask>`select t.task_id, t.customer_id,
        case when t.plan_flag = 1 and t.plan_time + t.latest_start < ${dbNow(offsetMs)} then 'TASK_TOO_LATE'
             when c.use_state = 0 then 'CUSTOMER_SUSPENDED' when a.use_state = 0 then 'APP_DISABLED' end as obstacle
      from task t join customer c on c.customer_id = t.customer_id join application a on a.app_id = t.app_id
      where t.task_status = 3 and not t.demo_hold and (t.plan_flag = 0 or t.plan_time <= ${dbNow(offsetMs)})
      order by t.plan_time nulls first limit 20 for no key update of t skip locked`,
  );

/** Preparing or sending tasks of a disabled application: they end like terminated ones. */
export const lockDisabledTasks = async (tx: Db): Promise<{ task_id: string; customer_id: string }[]> =>
  many(
    tx,
    sql<{ task_id: string; customer_id: string }>`select t.task_id, t.customer_id from task t
      join application a on a.app_id = t.app_id
      where t.task_status in (4, 5) and not t.demo_hold and a.use_state = 0 limit 20 for no key update of t skip locked`,
  );

/**
 * Leases a task that has recipients left to write: one whose sender is not far behind, the one served longest ago
 * first. Terminated tasks write theirs down as never sent, whatever waits.
 */
export const claimPreparing = async (db: Db, terms: LeaseTerms, maxBatchesAhead: number): Promise<TaskLease | null> => {
  const row = await maybe(
    db,
    sql<{ task_id: string; customer_id: string }>`update task set owner = ${terms.owner},
        lease_until = ${dbNowPlus(terms.leaseMs, terms.offsetMs)}
      where task_id = (
        select t.task_id from task t join customer c on c.customer_id = t.customer_id
        where ${isFree(sql.ref('t.lease_until'), terms.offsetMs)}
          and ((t.task_status in (4, 5) and not t.prepared and not t.demo_hold and t.paused = 0 and c.use_state = 1
                and (select count(*) from batch b where b.task_id = t.task_id and b.state < 2) < ${maxBatchesAhead})
            or (t.task_status = 9 and t.ended_at is null and not t.prepared))
        order by t.lease_until nulls first limit 1 for no key update of t skip locked)
      returning task_id, customer_id`,
  );
  return row === null ? null : { taskId: row.task_id, customerId: row.customer_id, owner: terms.owner };
};

export interface PreparingTask {
  task_id: string;
  customer_id: string;
  task_status: number;
  app_id: string;
  sms_type: 1 | 2 | 3;
  sender_id: string;
  content: string;
  charge_type: 'SenderPays' | 'ReceiverPays';
  file_id: string;
  file_generation: number;
  /** The rows are those of a frozen audience: their values stand in the order of the variables. */
  is_audience: boolean;
  prices: FrozenPrices | null;
  mapping: { variables: number[] } | null;
  next_block: number;
  retry_count: number;
  retry_cursor: string | null;
  /** What the round repeats. */
  retry_what: 'failed' | 'unconfirmed';
  /** Of those that failed, the results that were chosen; null: all. */
  retry_reasons: string[] | null;
}

/**
 * The task as it stands now, locked until the transaction ends; null when the lease is lost. Not against a flush that
 * begins to count for it: its rows refer to the task, and it has messages in hand that preparing may want.
 */
export const lockPreparing = async (tx: Db, lease: TaskLease): Promise<PreparingTask | null> =>
  maybe(
    tx,
    sql<PreparingTask>`select task_id, customer_id, task_status, app_id, sms_type, sender_id, content, charge_type,
        coalesce(audience_id, file_id) as file_id, audience_id is not null as is_audience,
        file_generation, prices, mapping, next_block, retry_count, retry_cursor::text, retry_what, retry_reasons
      from task where task_id = ${lease.taskId} and owner = ${lease.owner} and task_status in (4, 5, 9) and not prepared
      for no key update`,
  );

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
  step: { taskId: string; nextBlock: number; recipients: number; optedOut: number; isLast: boolean },
): Promise<void> => {
  await run(
    tx,
    sql`update task set next_block = ${step.nextBlock}, prepared_count = prepared_count + ${step.recipients},
          opted_out_count = opted_out_count + ${step.optedOut}, prepared = ${step.isLast},
          status_reason = nullif(nullif(status_reason, 'NO_ROUTE'), 'VOLUME_LIMITED'),
          -- who opted out since the check is no recipient any more
          total_count = case when ${step.isLast} then prepared_count + ${step.recipients} else total_count end
        where task_id = ${step.taskId}`,
  );
};

export interface RetryRow {
  message_id: string;
  msisdn: string;
  area_code: string;
  range_holder: string | null;
  carrier: string | null;
  content: string;
  pkg_total: number;
}

/** Which of the failed messages a retry repeats. */
export interface RetryChoice {
  /** Results that nothing can mend. */
  readonly never: readonly string[];
  /** Null: all the others. */
  readonly only: readonly string[] | null;
  /** What a failed message without a stored result is called. */
  readonly unnamed: string;
}

/** Of a message `m`: the request failed, it was not repeated yet, its number is there still, and its result is chosen. */
export const isRetryable = ({ never, only, unnamed }: RetryChoice): Fragment<boolean> =>
  sql<boolean>`m.send_status = 2 and not m.superseded and m.msisdn <> ''
    and coalesce(m.deal_result, ${unnamed}) <> all(${never}::text[])
    and (${only === null} or coalesce(m.deal_result, ${unnamed}) = any(${only ?? []}::text[]))`;

/**
 * Failed messages of the next batches of earlier rounds, and the last of these batches; null when none is left.
 * The key ranges of the batches find the rows; those whose number was erased are nobody's any more.
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
      batch_id: string;
    }>`select batch_id from batch where task_id = ${task.taskId} and batch_id > ${task.cursor}::bigint
      and round < ${task.round} order by batch_id limit ${batches}`,
  );
  const last = found.at(-1);
  if (last === undefined) return null;
  const rows = await many(
    db,
    sql<RetryRow>`select m.message_id::text, m.msisdn, m.area_code, m.range_holder, m.carrier, m.content, m.pkg_total
      from batch b join message m on m.customer_id = ${task.customerId} and m.message_id >= b.batch_id
        and m.message_id < b.batch_id + b.message_count
      where b.task_id = ${task.taskId} and b.batch_id = any(${found.map((row) => row.batch_id)}::bigint[])
        and ${isRetryable(which)}
      order by m.message_id`,
  );
  return { rows, cursor: last.batch_id };
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

/** A sending task all of whose recipients have an outcome, locked; `except`: those that are passed over. */
export const lockCompleted = async (
  tx: Db,
  except: readonly string[],
): Promise<{ task_id: string; customer_id: string } | null> =>
  maybe(
    tx,
    sql<{ task_id: string; customer_id: string }>`select t.task_id, t.customer_id from task t
      where t.task_status = 5 and t.prepared and not t.demo_hold
        and not exists (select from batch b where b.task_id = t.task_id and b.state < 2)
        and t.total_count = (select coalesce(sum(success_count + failed_count + unconfirmed_count), 0)
                             from task_progress p where p.task_id = t.task_id)
      and t.task_id <> all(${except}::uuid[])
      limit 1 for no key update of t skip locked`,
  );

/** Terminated tasks some of whose messages are still open. */
export const listStopping = async (db: Db): Promise<string[]> => {
  const rows = await many(
    db,
    sql<{ task_id: string }>`select t.task_id from task t where t.task_status = 9 and t.ended_at is null
      and exists (select from batch b where b.task_id = t.task_id and b.state = 0) limit 100`,
  );
  return rows.map((row) => row.task_id);
};

/** A terminated task of which nothing is open any more, locked; `except`: those that are passed over. */
export const lockStopped = async (
  tx: Db,
  except: readonly string[],
): Promise<{ task_id: string; customer_id: string } | null> =>
  maybe(
    tx,
    sql<{ task_id: string; customer_id: string }>`select t.task_id, t.customer_id from task t
      where t.task_status = 9 and t.ended_at is null and t.prepared
        and not exists (select from batch b where b.task_id = t.task_id and b.state < 2)
      and t.task_id <> all(${except}::uuid[])
      limit 1 for no key update of t skip locked`,
  );

export const endStopped = async (tx: Db, taskId: string, offsetMs: number): Promise<void> => {
  await run(tx, sql`update task set ended_at = ${dbNow(offsetMs)} where task_id = ${taskId} and ended_at is null`);
};

export interface QuietTask {
  task_id: string;
  customer_id: string;
  /** The customer's quiet hours. */
  from: number;
  to: number;
  /** False: they are over for it. */
  is_held: boolean;
}

/**
 * Marks marketing tasks that their customer's quiet hours hold at an hour of the Manila day, and unmarks those that they
 * no longer do; answers those that changed.
 */
export const markQuietHours = async (db: Db, manilaHour: number): Promise<QuietTask[]> =>
  many(
    db,
    sql<QuietTask>`update task t set status_reason = case when q.is_held then 'QUIET_HOURS' end
        from (select c.customer_id, c.quiet_from, c.quiet_to,
                not c.quiet_hours_exempt and (${manilaHour} >= c.quiet_from or ${manilaHour} < c.quiet_to) as is_held
              from customer c) q
        where q.customer_id = t.customer_id and t.task_status in (4, 5)
          and case when q.is_held then t.sms_type = 3 and t.status_reason is null and not t.demo_hold
                else t.status_reason = 'QUIET_HOURS' end
        returning t.task_id, t.customer_id, q.quiet_from as from, q.quiet_to as to, q.is_held`,
  );

/** The database's instant, Unix milliseconds. */
export const readDbMs = async (db: Db, offsetMs: number): Promise<number> => {
  const row = await maybe(db, sql<{ at: Date }>`select ${dbNow(offsetMs)} as at`);
  return row?.at.getTime() ?? 0;
};
