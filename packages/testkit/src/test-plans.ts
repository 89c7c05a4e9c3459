import { test } from 'node:test';
import { makePool, migrate } from '@pahatid/db';
import pg from 'pg';
import { oldestPostgresUrl } from './oldest-postgres.ts';
import { testClusterUrl } from './test-cluster.ts';

/**
 * A test of what statements read, on PostgreSQL 15 and as embedded, for each kind of statistics: each with a new, migrated
 * database. `says`: what is shown. `name`: of the databases, unique among the files.
 */
export const testPlans = async <Kind>(
  { says, name }: { readonly says: string; readonly name: string },
  statistics: Readonly<Record<string, Kind>>,
  work: (pool: pg.Pool, kind: Kind) => Promise<void>,
): Promise<void> => {
  const servers = { '15': await oldestPostgresUrl(), 'as embedded': await testClusterUrl() };
  for (const [version, server] of Object.entries(servers))
    for (const [kind, value] of Object.entries(statistics))
      test(
        `PostgreSQL ${version}, ${kind} statistics: ${says}`,
        {
          skip: server === null ? 'PostgreSQL 15 is not installed here' : false,
        },
        async () => await onDatabase(server!, `${name}_${kind}_${process.pid}`, (pool) => work(pool, value)),
      );
};

/** On a slow machine it would come between two steps, and make statistics of half the rows where a test wants none. */
const WITHOUT_AUTOVACUUM = `do $$
  declare name regclass;
  begin
    for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = off)', name);
    end loop;
  end $$`;

const onDatabase = async (server: string, name: string, work: (pool: pg.Pool) => Promise<void>): Promise<void> => {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name} template template0`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const pool = makePool({ url, applicationName: 'pahatid test', max: 2 });
  try {
    await migrate({ url });
    await pool.query(WITHOUT_AUTOVACUUM);
    await work(pool);
  } finally {
    await pool.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
};
