/** What is read of all customers together is read of real ones: test customers (decision 146) are looked at one by one. */
import { FIRST_TEST_CUSTOMER } from '@pahatid/domain';
import { type Fragment, sql } from '../sql.ts';

/** Whether a row is of a real customer, or of none; of test customers the ids are the greatest. */
export const isReal = (column: Fragment): Fragment => sql`(${column} >= ${FIRST_TEST_CUSTOMER}::uuid) is not true`;

/** Whether a row is of this customer; null: of any real one. */
export const ofCustomer = (column: Fragment, customerId: string | null): Fragment =>
  customerId === null ? isReal(column) : sql`${column} = ${customerId}`;
