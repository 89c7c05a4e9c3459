import type pg from 'pg';
import { isDistributed } from './distributed.ts';
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
  if (customerId !== null) await enter(tx, customerId, 'appId' in scope ? (scope.appId ?? null) : null);
}

const enter = async (tx: pg.PoolClient, customerId: string, appId: string | null): Promise<void> => {
  const role = appId === null ? 'pahatid_tenant' : 'pahatid_application';
  const settings = { 'pahatid.customer_id': customerId, ...(appId === null ? {} : { 'pahatid.app_id': appId }), role };
  if (await isDistributed(tx)) await setOnAllNodes(tx, settings);
  else
    await run(
      tx,
      sql`select ${sql.join(Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`))}`,
    );
};

/** Citus forwards SET LOCAL alone, one to a statement: by it the policies hold where the rows are. */
const setOnAllNodes = async (tx: pg.PoolClient, settings: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, value] of Object.entries(settings))
    await run(tx, sql`set local ${sql.raw(name)} = ${sql.lit(value)}`);
};
