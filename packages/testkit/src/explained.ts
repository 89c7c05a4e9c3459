/** Counts the rows that statements read, by `explain analyze`. */
import pg from 'pg';

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

type Explained = readonly { readonly 'QUERY PLAN': readonly { readonly Plan: Plan }[] }[];

/**
 * A client that explains each statement before it runs it, in a transaction, and reports the rows that it read: with the
 * plan for its values, and a prepared one also with the plan for all values.
 */
export const explaining = (tx: pg.PoolClient, onRead: (rows: number, text: string) => void): pg.PoolClient =>
  new Proxy(tx, {
    get: (target, key) =>
      key !== 'query'
        ? Reflect.get(target, key)
        : async (query: string | { text: string; values: unknown[]; name?: string }, values: unknown[] = []) => {
            const { text, values: bound, name } = typeof query === 'string' ? { text: query, values } : query;
            for (const explain of name === undefined ? [explainValues] : [explainValues, explainPrepared]) {
              await target.query('savepoint explained');
              const [row] = await explain(target, text, bound);
              await target.query('rollback to savepoint explained');
              onRead(countRows(row!['QUERY PLAN'][0]!.Plan), text);
            }
            return typeof query === 'string' ? await target.query(text, bound) : await target.query(query);
          },
  });

const explainValues = async (tx: pg.PoolClient, text: string, values: unknown[]): Promise<Explained> =>
  (await tx.query(`explain (analyze, buffers, format json) ${text}`, values)).rows as Explained;

const explainPrepared = async (tx: pg.PoolClient, text: string, values: unknown[]): Promise<Explained> => {
  await tx.query('set local plan_cache_mode = force_generic_plan');
  await tx.query(`prepare explained as ${text}`);
  const known = await tx.query<{ types: string[] }>(
    `select parameter_types::text[] as types from pg_prepared_statements where name = 'explained'`,
  );
  const literals = (known.rows[0]?.types ?? []).map((type, index) => `${toLiteral(values[index])}::${type}`);
  const called = literals.length === 0 ? 'explained' : `explained(${literals.join(', ')})`;
  const { rows } = await tx.query(`explain (analyze, buffers, format json) execute ${called}`);
  await tx.query('deallocate explained');
  return rows as Explained;
};

/** As text that the type of the parameter reads. */
const toLiteral = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `array[${value.map(toLiteral).join(', ')}]`;
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : `${value as string | number | boolean}`);
};
