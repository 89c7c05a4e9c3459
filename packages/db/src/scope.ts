import type pg from 'pg';
import { run, sql } from './sql.ts';
import { type TransactionOptions, withTransaction } from './with-transaction.ts';

/**
 * The view of a request: a customer's, or the staff's, which covers all customers or one chosen customer. With `appId` it
 * is the view of an application's software: of what belongs to applications, what belongs to its own or to none.
 */
export type Scope =
  | { readonly customerId: string; readonly appId?: string }
  | { readonly staff: true; readonly lookingAt?: string };

/** Returns the customer of a scope, or null for staff working across customers. */
export const getCustomerId = (scope: Scope): string | null =>
  'customerId' in scope ? scope.customerId : (scope.lookingAt ?? null);

/**
 * Runs one transaction on behalf of a scope. A customer's runs under the role that row level security applies to, with
 * the customer in a setting of this transaction only: a query without a `where` finds no rows of others. The same holds
 * for staff who look at one customer, as in a support view.
 */
export const inScope = async <T>(
  pool: pg.Pool,
  scope: Scope,
  work: (tx: pg.PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => {
  const inside = async (tx: pg.PoolClient): Promise<T> => {
    await enterScope(tx, scope);
    return work(tx);
  };
  return withTransaction(pool, inside, options);
};

async function enterScope(tx: pg.PoolClient, scope: Scope): Promise<void> {
  const customerId = getCustomerId(scope);
  if ('appId' in scope && scope.appId !== undefined)
    await run(
      tx,
      sql`select set_config('role', 'pahatid_application', true),
            set_config('pahatid.customer_id', ${scope.customerId}, true),
            set_config('pahatid.app_id', ${scope.appId}, true)`,
    );
  else if (customerId !== null)
    await run(
      tx,
      sql`select set_config('role', 'pahatid_tenant', true), set_config('pahatid.customer_id', ${customerId}, true)`,
    );
}
