/** Customers and their money. */
import { batchState } from '../literals.ts';
import { type Db, maybe, one, sql } from '../sql.ts';

export interface CustomerSummary {
  customerId: string;
  customerName: string;
  useState: 0 | 1;
  /** Below this the first screen warns, 1/10,000 PHP. */
  lowBalance: number;
  exemptSmsTypes: number[];
}

export const hasCustomer = async (db: Db, customerId: string): Promise<boolean> =>
  (await maybe(db, sql`select 1 from customer where customer_id = ${customerId}`)) !== null;

export const findCustomer = async (db: Db, customerId: string): Promise<CustomerSummary | null> => {
  const row = await maybe<CustomerSummary>(
    db,
    sql`select customer_id as "customerId", customer_name as "customerName", use_state as "useState",
               low_balance as "lowBalance", exempt_sms_types as "exemptSmsTypes"
        from customer where customer_id = ${customerId}`,
  );
  return row === null ? null : { ...row, lowBalance: Number(row.lowBalance) };
};

/**
 * Money of a customer, 1/10,000 PHP: the ledger's sum, and the amount held for confirmed tasks, for open messages
 * without a task, and for messages of ReceiverPays until their receipts.
 */
export const getFunds = async (db: Db, customerId: string): Promise<{ balance: number; reserved: number }> => {
  // Two plain sums instead of a join: balance is a data table, reservation and task_progress are control tables. The
  // amount held for tasks and batches is read first, without what is held for their messages: money that moves between
  // the two makes the result too small for a moment, never too large.
  const { reserved } = await one<{ reserved: string }>(
    db,
    sql`select (select coalesce(sum(greatest(r.amount - coalesce(p.spent, 0), 0)), 0)
          from reservation r
          left join lateral (select sum(charged_cost + awaited_cost) as spent from task_progress where task_id = r.task_id) p on true
          where r.customer_id = ${customerId} and r.released_at is null)
        + (select coalesce(sum(b.cost), 0) from batch b
          where b.customer_id = ${customerId} and b.task_id is null and b.state in (${batchState.Ready}, ${batchState.Claimed}))
        + coalesce((select amount from parked_cost where customer_id = ${customerId}), 0) as reserved`,
  );
  const { balance, held } = await one<{ balance: string; held: string }>(
    db,
    sql`select coalesce(sum(amount), 0) as balance, coalesce(sum(held), 0) as held from balance where customer_id = ${customerId}`,
  );
  return { balance: Number(balance), reserved: Number(reserved) + Number(held) };
};
