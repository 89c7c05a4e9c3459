/**
 * A suspended customer: its sends stop, its data stays. Senders and APIs check the customer's state themselves; this
 * file adds what users see of it and stops what must not continue automatically.
 */
import { ParkReason } from '@pahatid/domain';
import { taskStatus, useState, yesNo } from '../literals.ts';
import { type Db, many, run, sql } from '../sql.ts';
import { wakeBatches } from './batch-parking.ts';

/** Returns false if it is already suspended. */
export const suspendCustomer = async (db: Db, customerId: string, reason: string, now: Date): Promise<boolean> =>
  (await run(
    db,
    sql`update customer set use_state = ${useState.Disabled}, suspended_at = ${now}, suspend_reason = ${reason}, version = version + 1
        where customer_id = ${customerId} and use_state = ${useState.Enabled} and not internal`,
  )) === 1;

/** Returns false if it is not suspended. */
export const resumeCustomer = async (db: Db, customerId: string): Promise<boolean> => {
  const resumed = await run(
    db,
    sql`update customer set use_state = ${useState.Enabled}, suspended_at = null, suspend_reason = null, version = version + 1
        where customer_id = ${customerId} and use_state = ${useState.Disabled} and not internal`,
  );
  if (resumed === 1) await wakeBatches(db, ParkReason.Customer, [customerId]);
  return resumed === 1;
};

/** Pauses running tasks as staff do, and marks them as stopped only by the suspension; returns the tasks. */
export const pauseSuspended = async (db: Db, customerId: string, reason: string): Promise<string[]> => {
  const rows = await many<{ taskId: string }>(
    db,
    sql`update task set paused = ${yesNo.Yes}, status_reason = ${reason}, suspended = true
        where customer_id = ${customerId} and task_status in (${taskStatus.Preparing}, ${taskStatus.Sending})
          and paused = ${yesNo.No} returning task_id as "taskId"`,
  );
  return rows.map(({ taskId }) => taskId);
};

/** Resumes tasks that the suspension paused and no user has paused or resumed since; returns the tasks. */
export const resumeSuspended = async (db: Db, customerId: string, reason: string): Promise<string[]> => {
  const rows = await many<{ taskId: string }>(
    db,
    sql`update task set paused = ${yesNo.No}, status_reason = null
        where customer_id = ${customerId} and suspended
          and task_status in (${taskStatus.Preparing}, ${taskStatus.Sending}) and paused = ${yesNo.Yes}
          and status_reason = ${reason}
        returning task_id as "taskId"`,
  );
  const taskIds = rows.map(({ taskId }) => taskId);
  await wakeBatches(db, ParkReason.Task, taskIds);
  await run(db, sql`update task set suspended = false where customer_id = ${customerId} and suspended`);
  return taskIds;
};

/** Signs all people of a customer out. */
export const deleteSessionsOfCustomer = (db: Db, customerId: string): Promise<number> =>
  run(db, sql`delete from session where user_id in (select user_id from app_user where customer_id = ${customerId})`);
