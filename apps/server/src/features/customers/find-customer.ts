import type { Db } from '@pahatid/db';
import { type CustomerView, findCustomerView } from '@pahatid/db/queries/customer-admin';
import { ProblemError } from '../../http/problem.ts';

/** Throws NOT_FOUND for one that does not exist, and for the provider's own. */
export async function mustFindCustomer(tx: Db, customerId: string): Promise<CustomerView> {
  const row = await findCustomerView(tx, customerId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}
