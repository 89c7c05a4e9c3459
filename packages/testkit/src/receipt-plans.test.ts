/**
 * The search for overdue batches reads one batch, however many are open and wait for their receipts, at the versions of
 * PostgreSQL that are supported. Each statement is explained as the code sends it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOverdueSuppliers, lockOverdueBatch, makePool, migrate, uuidV7, withTransaction } from '@pahatid/db';
import pg from 'pg';
import { explaining } from './explained.ts';
import { oldestPostgresUrl } from './oldest-postgres.ts';
import { testClusterUrl } from './test-cluster.ts';

const BATCHES = 30_000;
const ACCOUNTS = 30;
/** A probe of the index for each account, and the batch itself. */
const MOST_ROWS = 5 * ACCOUNTS;

/** Open batches of all accounts, sent in the last 20 hours, none of them overdue. */
const fill = async (pool: pg.Pool): Promise<{ supplierIds: string[] }> => {
  const customerId = uuidV7();
  await pool.query(`insert into customer (customer_id, customer_name) values ($1, 'Plans')`, [customerId]);
  const supplierIds = Array.from({ length: ACCOUNTS }, () => uuidV7());
  await pool.query(
    `insert into supplier (supplier_id, supplier_account, host, port, system_id, password_sealed, profile)
     select id, 'account ' || n, 'localhost', 2775, 'plans', '', jsonb_build_object('receiptHours', 24)
     from unnest($1::uuid[]) with ordinality as i(id, n)`,
    [supplierIds],
  );
  await pool.query(
    `insert into batch (batch_id, customer_id, lane, supplier_id, route_id, message_count, state, intent_mark,
       success_count, created_at, first_sent_at, done_at)
     select n, $1, 2, ($2::uuid[])[n % $3 + 1], gen_random_uuid(), 1, 2, 1, 1, at, at, at
     from (select n, now() - n * interval '20 hours' / $4 as at from generate_series(1, $4) n) i`,
    [customerId, supplierIds, ACCOUNTS, BATCHES],
  );
  return { supplierIds };
};

const statistics = {
  missing: async (pool: pg.Pool) => await fill(pool),
  stale: async (pool: pg.Pool) => {
    await pool.query('vacuum analyze batch');
    return await fill(pool);
  },
  fresh: async (pool: pg.Pool) => {
    const filled = await fill(pool);
    await pool.query('vacuum analyze');
    return filled;
  },
} as const;

const [oldest, embedded] = [await oldestPostgresUrl(), await testClusterUrl()];
for (const [version, server] of [
  ['15', oldest],
  ['as embedded', embedded],
] as const)
  for (const [kind, make] of Object.entries(statistics))
    test(`PostgreSQL ${version}, ${kind} statistics: overdue batches are found by their account and instant`, {
      skip: server === null ? 'PostgreSQL 15 is not installed here' : false,
    }, async () => {
      const name = `receipt_plans_${kind}_${process.pid}`;
      const admin = new pg.Client({ connectionString: server! });
      await admin.connect();
      await admin.query(`create database ${name} template template0`);
      const url = Object.assign(new URL(server!), { pathname: `/${name}` }).href;
      const pool = makePool({ url, applicationName: 'pahatid test', max: 2 });
      try {
        await migrate({ url });
        await pool.query('alter table batch set (autovacuum_enabled = false)');
        const { supplierIds } = await make(pool);
        const seen: string[] = [];
        const report = (read: number, text: string): void => {
          if (read > MOST_ROWS) seen.push(`${read} rows read by ${text.trim().slice(0, 160)}`);
        };
        await withTransaction(pool, async (tx) => {
          const client = explaining(tx, report);
          assert.deepEqual(await listOverdueSuppliers(client, new Date()), []);
          const [last] = supplierIds;
          await tx.query(`update supplier set profile = jsonb_build_object('receiptHours', 1) where supplier_id = $1`, [
            last,
          ]);
          const [deadline, ...more] = await listOverdueSuppliers(client, new Date());
          assert.deepEqual([deadline?.supplierId, more], [last, []]);
          assert.ok((await lockOverdueBatch(client, deadline!)) !== null);
        });
        assert.deepEqual(seen, []);
      } finally {
        await pool.end();
        await admin.query(`drop database ${name} with (force)`);
        await admin.end();
      }
    });
