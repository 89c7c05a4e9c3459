import type pg from 'pg';
import { run, sql } from './sql.ts';
import { withTransaction } from './with-transaction.ts';

/** Whose eyes a request looks through: a customer's, or the staff's, who see all. */
export type Scope = { readonly customerId: string } | { readonly staff: true };

/** The customer of a scope, or null for staff. */
export const customerOf = (scope: Scope): string | null => ('customerId' in scope ? scope.customerId : null);

/**
 * One transaction on behalf of a scope. A customer's runs under the role that row level security applies to, with
 * the customer in a setting of this transaction alone: a query that forgets its `where` finds nothing of others.
 */
export const inScope = async <T>(pool: pg.Pool, scope: Scope, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> =>
  withTransaction(pool, async (tx) => {
    if ('customerId' in scope)
      await run(
        tx,
        sql`select set_config('role', 'pahatid_tenant', true), set_config('pahatid.customer_id', ${scope.customerId}, true)`,
      );
    return work(tx);
  });
