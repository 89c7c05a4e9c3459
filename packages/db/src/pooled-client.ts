/**
 * Connections through PgBouncer in transaction mode: a server's connection is ours for one transaction at a time. So
 * nothing may depend on the session: settings are set for each transaction, statements have no names (PgBouncer before 1.21
 * knows none), and LISTEN and locks of a session have a direct connection (`connectDirectly`).
 */
import pg from 'pg';

/** What one connection sends. A text, a query of the driver, or what reads and writes a COPY itself. */
type Query = string | { readonly text: string; readonly name?: string; readonly submit?: unknown };

/** `settings`: of each transaction. */
export function makePooledClient(settings: Readonly<Record<string, string>>): typeof pg.Client {
  const setLocal = Object.entries(settings)
    .map(([name, value]) => `; set local ${name} = '${value}'`)
    .join('');
  const withoutSession = (query: Query): Query => {
    if (typeof query === 'string') return /^begin\b/.test(query) ? query + setLocal : query;
    if (query.name === undefined || 'submit' in query) return query;
    const { name: _, ...unnamed } = query;
    return unnamed;
  };
  const PooledClient = class extends pg.Client {};
  const query = pg.Client.prototype.query as (this: pg.Client, query: Query, ...rest: unknown[]) => unknown;
  PooledClient.prototype.query = function (this: pg.Client, first: Query, ...rest: unknown[]) {
    return query.call(this, withoutSession(first), ...rest);
  } as typeof pg.Client.prototype.query;
  return PooledClient;
}
