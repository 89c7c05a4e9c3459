/** The hours of the Manila day between which a customer's marketing waits. */
import { ParkReason } from '@pahatid/domain';
import { type Db, maybe, one, sql } from '../sql.ts';
import { wakeBatches } from './batch-parking.ts';

export interface QuietHoursRow {
  from: number;
  to: number;
  /** By the staff: its marketing is sent at any hour. */
  isExempt: boolean;
}

export const readQuietHours = (db: Db, customerId: string): Promise<QuietHoursRow> =>
  one(
    db,
    sql<QuietHoursRow>`select quiet_from as "from", quiet_to as "to", quiet_hours_exempt as "isExempt"
      from customer where customer_id = ${customerId}`,
  );

/** Null: marketing of the customer is sent at any hour. */
export const findQuietHours = async (db: Db, customerId: string): Promise<{ from: number; to: number } | null> => {
  const { from, to, isExempt } = await readQuietHours(db, customerId);
  return isExempt ? null : { from, to };
};

/** Returns the previous ones; null if there is no such customer. What still has to wait is parked again. */
export const setQuietHours = async (
  db: Db,
  customerId: string,
  hours: { from: number; to: number },
): Promise<{ from: number; to: number } | null> => {
  const before = await writeQuietHours(db, customerId, hours);
  await wakeBatches(db, ParkReason.QuietHours, [customerId]);
  return before;
};

const writeQuietHours = (
  db: Db,
  customerId: string,
  { from, to }: { from: number; to: number },
): Promise<{ from: number; to: number } | null> =>
  maybe(
    db,
    sql<{ from: number; to: number }>`update customer c set quiet_from = ${from}, quiet_to = ${to}
      from (select quiet_from, quiet_to from customer where customer_id = ${customerId} for update) before
      where c.customer_id = ${customerId} returning before.quiet_from as "from", before.quiet_to as "to"`,
  );
