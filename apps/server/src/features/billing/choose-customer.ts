import { getCustomerId, type Scope } from '@pahatid/db';
import { type CustomerView, findCustomerView } from '@pahatid/db/queries/customer-admin';
import type { PoolClient } from 'pg';
import type { Caller } from '../../http/call.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { zoneNamed } from '../../http/zone.ts';

/** The ledger over all customers is only for users that may move money. */
export function assertMaySeeAll(user: Caller, asked: string | undefined): void {
  if (asked === undefined && user.customerId === null && user.role !== 'admin') throw new ProblemError('FORBIDDEN');
}

/** Returns the customer whose money is read: a customer's own users see theirs, staff choose one. */
export async function chooseCustomer(tx: PoolClient, scope: Scope, asked: string | undefined): Promise<CustomerView> {
  const own = getCustomerId(scope);
  if (own !== null && asked !== undefined && asked !== own) throw new ProblemError('NOT_FOUND');
  const customerId = own ?? asked;
  if (customerId === undefined) throw fieldProblem('customerId', 'REQUIRED');
  const row = await findCustomerView(tx, customerId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

export function chooseZone(zone: string): string {
  const named = zoneNamed(zone);
  if (named === null) throw fieldProblem('zone', 'NOT_AN_OPTION');
  return named;
}
