/**
 * SQL as text with values kept apart: Kysely's `sql` template composes and numbers the parameters, any pg client
 * runs the result. Every query function takes the client first, so that a transaction cannot be bypassed.
 */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely';
import type pg from 'pg';

export { type RawBuilder, sql } from 'kysely';

/** A pool, or one client of it with a transaction open. */
export type Db = pg.Pool | pg.PoolClient | pg.Client;

const compiler = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const send = async (db: Db, query: RawBuilder<unknown>) => {
  const compiled = query.compile(compiler);
  return await db.query(compiled.sql, [...compiled.parameters]);
};

/** All rows. */
export const many = async <R>(db: Db, query: RawBuilder<R>): Promise<R[]> => (await send(db, query)).rows as R[];

/** The first row, or null. */
export const maybe = async <R>(db: Db, query: RawBuilder<R>): Promise<R | null> =>
  ((await send(db, query)).rows[0] as R | undefined) ?? null;

/** Exactly one row; anything else is a defect. */
export const one = async <R>(db: Db, query: RawBuilder<R>): Promise<R> => {
  const { rows } = await send(db, query);
  if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return rows[0] as R;
};

/** Runs a statement and says how many rows it touched: how a guarded transition tells who won. */
export const run = async (db: Db, query: RawBuilder<unknown>): Promise<number> => (await send(db, query)).rowCount ?? 0;
