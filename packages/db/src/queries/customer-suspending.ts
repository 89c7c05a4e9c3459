/**
 * A suspended customer: its sends stop, its data stays. Senders and doors look at the customer's state themselves; what
 * is done here besides is what people see of it, and what must not go on by itself.
 */
import { type Db, many, run, sql } from '../sql.ts';

/** False where it is suspended already. */
export const suspendCustomer = async (db: Db, customerId: string, reason: string, now: Date): Promise<boolean> =>
  (await run(
    db,
    sql`update customer set use_state = 0, suspended_at = ${now}, suspend_reason = ${reason}, version = version + 1
        where customer_id = ${customerId} and use_state = 1 and not internal`,
  )) === 1;

/** False where it is not suspended. */
export const resumeCustomer = async (db: Db, customerId: string): Promise<boolean> =>
  (await run(
    db,
    sql`update customer set use_state = 1, suspended_at = null, suspend_reason = null, version = version + 1
        where customer_id = ${customerId} and use_state = 0 and not internal`,
  )) === 1;

/** Pauses what runs as staff do, and marks it as stopped by this alone; answers the tasks. */
export const pauseSuspended = async (db: Db, customerId: string, reason: string): Promise<string[]> => {
  const rows = await many<{ taskId: string }>(
    db,
    sql`update task set paused = 1, status_reason = ${reason}, suspended = true
        where customer_id = ${customerId} and task_status in (4, 5) and paused = 0 returning task_id as "taskId"`,
  );
  return rows.map(({ taskId }) => taskId);
};

/** Lets go on what the suspension paused and nobody has paused or let go since; answers the tasks. */
export const resumeSuspended = async (db: Db, customerId: string, reason: string): Promise<string[]> => {
  const rows = await many<{ taskId: string }>(
    db,
    sql`update task set paused = 0, status_reason = null
        where customer_id = ${customerId} and suspended and task_status in (4, 5) and paused = 1 and status_reason = ${reason}
        returning task_id as "taskId"`,
  );
  await run(db, sql`update task set suspended = false where customer_id = ${customerId} and suspended`);
  return rows.map(({ taskId }) => taskId);
};

/** Signs all people of a customer out. */
export const deleteSessionsOfCustomer = (db: Db, customerId: string): Promise<number> =>
  run(db, sql`delete from session where user_id in (select user_id from app_user where customer_id = ${customerId})`);
