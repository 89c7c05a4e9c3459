/**
 * The search for overdue batches reads one batch, and that for messages to ask about a few, however many are open and
 * wait for their receipts, at the versions of PostgreSQL that are supported. Each statement is explained as the code
 * sends it.
 */
import assert from 'node:assert/strict';
import { BY_KEY, listOverdueSuppliers, lockOverdueBatch, messageIdAt, uuidV7, withTransaction } from '@pahatid/db';
import {
  listQueryBatches,
  readOpenParts,
  readQueryPosition,
  saveQueryPosition,
} from '@pahatid/db/queries/query-positions';
import type pg from 'pg';
import { explaining } from './explained.ts';
import { testPlans } from './test-plans.ts';

const BATCHES = 30_000;
const ACCOUNTS = 30;
/** A probe of the index for each account, and the batch itself. */
const MOST_ROWS = 5 * ACCOUNTS;
/** Batches of a step of queries, each read with its message, its id and a join or two. */
const MOST_QUERY_ROWS = 200 * 12;
const hourMs = 3_600_000;

/** Open batches of all accounts, sent in the last 20 hours, none of them overdue. */
const fill = async (pool: pg.Pool): Promise<{ supplierIds: string[] }> => {
  await pool.query('select ensure_partition(now())');
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
     select $5::bigint + (n::bigint << 18), $1, 2, ($2::uuid[])[n % $3 + 1], gen_random_uuid(), 1, 2, 1, 1, at, at, at
     from (select n, now() - n * interval '20 hours' / $4 as at from generate_series(1, $4) n) i`,
    [customerId, supplierIds, ACCOUNTS, BATCHES, String(messageIdAt(Date.now() - hourMs, 255))],
  );
  // Nearly all have their receipt.
  await pool.query(
    `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
       charge_type, price, route_id, supplier_id, send_status, client_status, submitted_at)
     select customer_id, batch_id, 'app', 2, '639170000001', 'PH', 'PAHATID', 'Hi', 1, 'SenderPays', 3500, route_id,
       supplier_id, 3, case (batch_id >> 18) / $1 % 50 when 0 then 1 else 2 end, first_sent_at
     from batch`,
    [ACCOUNTS],
  );
  await pool.query(
    `insert into dlr_route (supplier_id, carrier_message_id, customer_id, message_id, issued_id)
     select supplier_id, 'id' || batch_id, customer_id, batch_id, 'ID' || batch_id from batch`,
  );
  return { supplierIds };
};

const tables = ['batch', 'message', 'dlr_route'] as const;

const statistics = {
  missing: async (pool: pg.Pool) => await fill(pool),
  stale: async (pool: pg.Pool) => {
    for (const table of tables) await pool.query(`vacuum analyze ${table}`);
    return await fill(pool);
  },
  fresh: async (pool: pg.Pool) => {
    const filled = await fill(pool);
    await pool.query('vacuum analyze');
    return filled;
  },
} as const;

await testPlans(
  { says: 'overdue batches and open messages are found by account and instant', name: 'receipt_plans' },
  statistics,
  async (pool, make) => {
    // Statistics stay as the test makes them.
    const { rows } = await pool.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    for (const each of rows) await pool.query(`alter table ${each.name} set (autovacuum_enabled = false)`);
    const { supplierIds } = await make(pool);
    const seen: string[] = [];
    const report = (most: number) => (read: number, text: string) => {
      if (read > most) seen.push(`${read} rows read by ${text.trim().slice(0, 160)}`);
    };
    await withTransaction(pool, async (tx) => {
      const client = explaining(tx, report(MOST_ROWS));
      assert.deepEqual(await listOverdueSuppliers(client, new Date()), []);
      const [last] = supplierIds;
      await tx.query(`update supplier set profile = jsonb_build_object('receiptHours', 1) where supplier_id = $1`, [
        last,
      ]);
      const [deadline, ...more] = await listOverdueSuppliers(client, new Date());
      assert.deepEqual([deadline?.supplierId, more], [last, []]);
      assert.ok((await lockOverdueBatch(client, deadline!)) !== null);
    });
    const [asked] = supplierIds;
    await withTransaction(
      pool,
      async (tx) => {
        const client = explaining(tx, report(MOST_QUERY_ROWS));
        const age = { fromMs: 2 * hourMs, toMs: 18 * hourMs };
        const batches = await listQueryBatches(client, asked!, null, age);
        assert.equal(batches.length, 200);
        const parts = await readOpenParts(client, asked!, batches, hourMs);
        assert.ok(parts.length > 0 && parts.length < 50, `${parts.length} parts`);
        assert.ok(parts.every(({ issuedId, messageId }) => issuedId === `ID${messageId}`));
        const end = batches.at(-1)!;
        await saveQueryPosition(client, asked!, 0, end);
        const position = await readQueryPosition(client, asked!, 0);
        assert.deepEqual(position, { at: end.at, batchId: end.batchId });
        const next = await listQueryBatches(client, asked!, position, age);
        assert.equal(next.length, 200);
        assert.ok(next.every(({ batchId }) => batches.every((batch) => batch.batchId !== batchId)));
        assert.ok(Date.parse(next[0]!.at) >= Date.parse(end.at));
      },
      BY_KEY,
    );
    assert.deepEqual(seen, []);
  },
);
