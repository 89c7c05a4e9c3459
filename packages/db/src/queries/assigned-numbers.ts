/** Short codes and long numbers that staff assigned to an application; each has one owner. */

import type { UseState } from '@pahatid/contract';
import { pageBy } from '../keyset.ts';
import { taskStatus } from '../literals.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';

export interface AssignedNumberRow {
  numberId: string;
  customerId: string;
  customerName: string;
  appId: string;
  appName: string;
  number: string;
  remarkInfo: string;
  useState: UseState;
  assignTime: Date;
}

export interface AssignedNumberFilter {
  /** null looks across customers: staff. */
  customerId: string | null;
  search?: string | undefined;
  appId?: string | undefined;
  useState?: UseState | undefined;
  /** The last number of the page before. */
  after: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

const columns = sql.raw(
  `n.number_id as "numberId", n.customer_id as "customerId", c.customer_name as "customerName", n.app_id as "appId",
   a.app_name as "appName", n.number, n.remark_info as "remarkInfo", n.use_state as "useState", n.assigned_at as "assignTime"`,
);
const joins = sql.raw(
  `assigned_number n join application a on a.app_id = n.app_id join customer c on c.customer_id = n.customer_id`,
);

const ofCustomer = (customerId: string | null): Fragment<unknown> =>
  customerId === null ? sql`true` : sql`n.customer_id = ${customerId}`;

const conditionsOf = (filter: AssignedNumberFilter): Fragment<unknown>[] => {
  const conditions = [ofCustomer(filter.customerId)];
  if (filter.search) {
    const part = `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push(sql`(n.number like ${part} or n.remark_info ilike ${part})`);
  }
  if (filter.appId !== undefined) conditions.push(sql`n.app_id = ${filter.appId}`);
  if (filter.useState !== undefined) conditions.push(sql`n.use_state = ${filter.useState}`);
  return conditions;
};

export const listAssignedNumbers = (db: Db, filter: AssignedNumberFilter): Promise<AssignedNumberRow[]> => {
  const order = { isDescending: filter.isReversed === true, after: filter.after };
  const { past, orderBy } = pageBy([[sql`n.number`, 'text']], order);
  const conditions = [...conditionsOf(filter), past];
  return many<AssignedNumberRow>(
    db,
    sql`select ${columns} from ${joins} where ${sql.join(conditions, sql` and `)} order by ${orderBy} limit ${filter.limit}`,
  );
};

export const countAssignedNumbers = async (db: Db, filter: AssignedNumberFilter): Promise<number> => {
  const { total } = await one<{ total: number }>(
    db,
    sql`select count(*)::int as total from ${joins} where ${sql.join(conditionsOf(filter), sql` and `)}`,
  );
  return total;
};

export const findAssignedNumber = (db: Db, customerId: string | null, numberId: string) =>
  maybe<AssignedNumberRow>(
    db,
    sql`select ${columns} from ${joins} where n.number_id = ${numberId} and ${ofCustomer(customerId)}`,
  );

/** Throws a unique violation of `assigned_number_number_key` if the number has an owner. */
export const insertAssignedNumber = async (
  tx: Db,
  row: Pick<AssignedNumberRow, 'numberId' | 'customerId' | 'appId' | 'number' | 'remarkInfo'> & { assignedBy: string },
): Promise<void> => {
  await run(
    tx,
    sql`insert into assigned_number (number_id, customer_id, app_id, number, remark_info, assigned_by)
        values (${row.numberId}, ${row.customerId}, ${row.appId}, ${row.number}, ${row.remarkInfo}, ${row.assignedBy})`,
  );
};

export const setAssignedNumberUse = async (
  tx: Db,
  customerId: string,
  numberId: string,
  useState: UseState,
): Promise<boolean> =>
  (await run(
    tx,
    sql`update assigned_number set use_state = ${useState} where customer_id = ${customerId} and number_id = ${numberId}`,
  )) === 1;

/** Returns the name of a task that will send or is sending from the number. */
export const findTaskOfNumber = async (
  tx: Db,
  { customerId, number }: Pick<AssignedNumberRow, 'customerId' | 'number'>,
): Promise<string | null> => {
  const row = await maybe<{ taskName: string }>(
    tx,
    sql`select task_name as "taskName" from task where customer_id = ${customerId} and sender_id = ${number}
          and (task_status in (${taskStatus.Initialized}, ${taskStatus.ValidationPassed}, ${taskStatus.Confirmed}, ${taskStatus.Preparing}, ${taskStatus.PendingReview}) or (task_status = ${taskStatus.Sending} and not prepared)) order by created_at limit 1`,
  );
  return row?.taskName ?? null;
};

export const removeAssignedNumber = async (tx: Db, customerId: string, numberId: string): Promise<boolean> =>
  (await run(tx, sql`delete from assigned_number where customer_id = ${customerId} and number_id = ${numberId}`)) === 1;
