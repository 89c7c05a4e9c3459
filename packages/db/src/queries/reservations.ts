/**
 * Money of a customer's balance held for confirmed tasks: an amount less what the task has been charged since, and less
 * what is held separately for its messages of ReceiverPays (decision 045), until the task ends. Reserving locks the
 * customer's row, so that two tasks can't both take the last peso.
 */
import { type Db, one, run, sql } from '../sql.ts';
import { getFunds } from './customers.ts';

/** Serialises reservations of one customer; key-share locks of rows that refer to the customer pass. */
export const lockCustomerFunds = async (tx: Db, customerId: string): Promise<void> => {
  await run(tx, sql`select 1 from customer where customer_id = ${customerId} for no key update`);
};

/** What may still be spent, 1/10,000 PHP. */
export const getAvailable = async (db: Db, customerId: string): Promise<number> => {
  const { balance, reserved } = await getFunds(db, customerId);
  return balance - reserved;
};

/** Holds back `cost` beyond what the task has been charged, or may yet be, for an earlier round. */
export const reserve = async (tx: Db, hold: { taskId: string; customerId: string; cost: number }): Promise<void> => {
  await run(
    tx,
    sql`insert into reservation (task_id, customer_id, amount)
        select ${hold.taskId}, ${hold.customerId}, ${hold.cost}::bigint + coalesce(sum(charged_cost + awaited_cost), 0)::bigint
        from task_progress where task_id = ${hold.taskId}
        on conflict (task_id) do update set amount = excluded.amount, released_at = null`,
  );
};

/** Releases the remainder; does nothing if nothing is held. */
export const releaseReservation = async (tx: Db, taskId: string): Promise<void> => {
  await run(
    tx,
    sql`update reservation set released_at = clock_timestamp() where task_id = ${taskId} and released_at is null`,
  );
};

/**
 * Returns the amount held for a task: from its reservation while it runs, and for the messages whose receipts it
 * awaits.
 */
export const getReserved = async (db: Db, taskId: string): Promise<number> => {
  const { reserved } = await one(
    db,
    sql<{ reserved: number }>`select (coalesce(p.awaited, 0) + case when r.released_at is null
          then greatest(coalesce(r.amount, 0) - coalesce(p.spent, 0), 0) else 0 end)::float8 as reserved
      from (select sum(awaited_cost) as awaited, sum(charged_cost + awaited_cost) as spent
            from task_progress where task_id = ${taskId}) p
      left join reservation r on r.task_id = ${taskId}`,
  );
  return reserved;
};
