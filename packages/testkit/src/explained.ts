/** Counts the rows that statements read, by `explain analyze`. */
import type pg from 'pg';

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Plan[];
  readonly [detail: string]: unknown;
}

/** Rows that the nodes of a plan met, those that they dropped included. */
const countRows = (plan: Plan): number => {
  const dropped = Object.entries(plan).filter(([name]) => name.startsWith('Rows Removed by'));
  const each = plan['Actual Rows'] + dropped.reduce((sum, [, count]) => sum + Number(count), 0);
  return each * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, inner) => sum + countRows(inner), 0);
};

/** A client that explains each statement before it runs it, in a transaction, and reports the rows that it read. */
export const explaining = (tx: pg.PoolClient, onRead: (rows: number, text: string) => void): pg.PoolClient =>
  new Proxy(tx, {
    get: (target, key) =>
      key !== 'query'
        ? Reflect.get(target, key)
        : async (query: string | { text: string; values: unknown[] }, values: unknown[] = []) => {
            const { text, values: bound } = typeof query === 'string' ? { text: query, values } : query;
            await target.query('savepoint explained');
            const { rows } = await target.query(`explain (analyze, buffers, format json) ${text}`, bound);
            await target.query('rollback to savepoint explained');
            onRead(countRows(rows[0]['QUERY PLAN'][0].Plan), text);
            return typeof query === 'string' ? await target.query(text, bound) : await target.query(query);
          },
  });
