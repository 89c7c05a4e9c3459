import type pg from 'pg';
import { run, sql } from './sql.ts';

/** Errors after which a whole transaction may be tried again: nothing of it happened. */
const retriable = new Set(['40001', '40P01', '57P01', '57P02', '57P03']);

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** Serialisation failure, deadlock, lost connection (class 08) or a server that went away, before COMMIT was sent. */
export const isRetriable = (error: unknown): boolean => {
  const code = codeOf(error);
  return retriable.has(code) || code.startsWith('08') || code === 'ECONNRESET' || code === 'ECONNREFUSED';
};

/**
 * Runs `work` in one transaction. A connection that fails is thrown away, never given back to the pool.
 * A lost COMMIT is not retried here: only the caller knows how to find out whether it happened.
 */
export const inTransaction = async <T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    try {
      await client.query('rollback');
    } catch (failure) {
      broken = failure instanceof Error ? failure : new Error(String(failure));
    }
    throw error;
  } finally {
    client.release(broken);
  }
};

/** Whose eyes a request looks through: a customer's, or the staff's, who see all. */
export type Scope = { readonly customerId: string } | { readonly staff: true };

/** The customer of a scope, or null for staff. */
export const customerOf = (scope: Scope): string | null => ('customerId' in scope ? scope.customerId : null);

/**
 * One transaction on behalf of a scope. A customer's runs under the role that row level security applies to, with
 * the customer in a setting of this transaction alone: a query that forgets its `where` finds nothing of others.
 */
export const inScope = async <T>(pool: pg.Pool, scope: Scope, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (tx) => {
    if ('customerId' in scope)
      await run(
        tx,
        sql`select set_config('role', 'pahatid_tenant', true), set_config('pahatid.customer_id', ${scope.customerId}, true)`,
      );
    return work(tx);
  });
