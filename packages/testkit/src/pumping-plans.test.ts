/**
 * The watch for pumping reads what was sent by API in its window, neither older messages nor those of tasks in it, at the
 * versions of PostgreSQL that are supported. Each statement is explained as the code sends it.
 */
import assert from 'node:assert/strict';
import { uuidV7, withTransaction } from '@pahatid/db';
import { countCodeUse, countPumping, listPumpingToWatch } from '@pahatid/db/queries/pumping';
import { listPumpingPast, notePumping, readPumpingPast } from '@pahatid/db/queries/pumping-past';
import { insertDefaultRules } from '@pahatid/db/queries/threshold-rules';
import type pg from 'pg';
import { explaining } from './explained.ts';
import { testPlans } from './test-plans.ts';

const CUSTOMERS = 200;
/** By API, of all customers, before the window. */
const OLD_BATCHES = 60_000;
/** In the window: by API of all customers, by API of one application, and of a task of the same customer. */
const WINDOW_BATCHES = 4_000;
const CODES = 300;
const TASK_BATCHES = 60;
const TASK_BATCH_SIZE = 500;
/** Each node of a plan counts the rows that it met. */
const MOST_ROWS = { list: 6 * (WINDOW_BATCHES + CODES), count: 30 * CODES + 8 * TASK_BATCHES };
const minuteMs = 60_000;

const idAt = (column: string): string =>
  `((floor(extract(epoch from ${column}) * 1000)::bigint - 1735689600000) << 18)`;

const fill = async (pool: pg.Pool): Promise<{ customerId: string; appId: string }> => {
  const customerIds = Array.from({ length: CUSTOMERS }, () => uuidV7());
  await pool.query(
    `insert into customer (customer_id, customer_name) select id, 'Plans ' || n from unnest($1::uuid[]) with ordinality as i(id, n)`,
    [customerIds],
  );
  await pool.query(
    `insert into application (app_id, customer_id, app_name, remark_info, charge_type, use_state, account, white_list_ip, created_at, updated_at)
     select 'app' || n, id, 'Plans', '', 'SenderPays', 1, 'app' || n, '{}', now(), now() from unnest($1::uuid[]) with ordinality as i(id, n)`,
    [customerIds],
  );
  for (const customerId of customerIds) await insertDefaultRules(pool, customerId);
  const supplierId = uuidV7();
  await pool.query(
    `insert into supplier (supplier_id, supplier_account, host, port, system_id, password_sealed, profile)
     values ($1, 'plans', 'localhost', 2775, 'plans', '', '{}')`,
    [supplierId],
  );
  const [customerId = ''] = customerIds;
  const taskId = uuidV7();
  await pool.query(`set session_replication_role = replica`);
  const addBatches = (of: {
    count: number;
    from: string;
    to: string;
    customers: string[];
    taskId: string | null;
    size: number;
    /** Part of the IDs, so that those of two calls differ. */
    writer: number;
  }) =>
    pool.query(
      `insert into batch (batch_id, customer_id, app_id, task_id, lane, supplier_id, route_id, message_count, state, created_at)
       select ${idAt('at')} + $9::int * 1024, ($3::uuid[])[n % $4 + 1], 'app' || n % $4 + 1, $5, 1, $6, gen_random_uuid(), $7, 2, at
       from (select n, now() - $1::interval + ($1::interval - $2::interval) * n / $8 as at from generate_series(1, $8::int) n) i`,
      [of.from, of.to, of.customers, of.customers.length, of.taskId, supplierId, of.size, of.count, of.writer],
    );
  await addBatches({
    count: OLD_BATCHES,
    from: '20 days',
    to: '1 hour',
    customers: customerIds,
    taskId: null,
    size: 1,
    writer: 1,
  });
  await addBatches({
    count: WINDOW_BATCHES,
    from: '14 min',
    to: '0',
    customers: customerIds,
    taskId: null,
    size: 1,
    writer: 2,
  });
  await addBatches({
    count: CODES,
    from: '13 min',
    to: '0',
    customers: [customerId],
    taskId: null,
    size: 1,
    writer: 3,
  });
  await addBatches({
    count: TASK_BATCHES,
    from: '12 min',
    to: '0',
    customers: [customerId],
    taskId,
    size: TASK_BATCH_SIZE,
    writer: 4,
  });
  await pool.query(
    `insert into message (customer_id, message_id, task_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
       charge_type, price, route_id, supplier_id)
     select customer_id, batch_id + n, task_id, app_id, 1, '63917' || lpad(((batch_id / 1000 + n) * 7919 % 10000000)::text, 7, '0'), 'PH', 'PLANS',
       'x', 1, 'SenderPays', 1, route_id, supplier_id
     from batch cross join lateral generate_series(0, message_count - 1) n where customer_id = $1`,
    [customerId],
  );
  await pool.query(
    `insert into message_conversion (customer_id, message_id, at) select customer_id, message_id, now() from message where task_id is null`,
  );
  await pool.query(
    `insert into pumping_past (customer_id, app_id, day, signal, key, busiest)
     select id, 'app' || n, current_date - day, 'prefix', '63917' || key, 30
     from unnest($1::uuid[]) with ordinality as i(id, n), generate_series(1, 14) day, generate_series(1, 20) key`,
    [customerIds],
  );
  return { customerId, appId: 'app1' };
};

const statistics = {
  missing: async (pool: pg.Pool) => await fill(pool),
  stale: async (pool: pg.Pool) => {
    await pool.query('vacuum analyze');
    return await fill(pool);
  },
  fresh: async (pool: pg.Pool) => {
    const filled = await fill(pool);
    await pool.query('vacuum analyze');
    return filled;
  },
} as const;

await testPlans(
  { says: 'the window is found by its batches', name: 'pumping_plans' },
  statistics,
  async (pool, make) => {
    const of = await make(pool);
    await withTransaction(pool, async (tx) => {
      const seen: string[] = [];
      const within = (most: number): pg.PoolClient =>
        explaining(tx, (read, text) => {
          if (read > most) seen.push(`${read} rows read by ${text.trim().slice(0, 160)}`);
        });
      const nowMs = Date.now();
      const watched = await listPumpingToWatch(within(MOST_ROWS.list), nowMs);
      assert.ok(watched.some(({ appId }) => appId === of.appId));
      const client = within(MOST_ROWS.count);
      const counts = await countPumping(client, of, nowMs);
      const messages = counts.find(({ signal }) => signal === 'messages')?.value ?? 0;
      assert.ok(messages >= CODES && messages < 2 * CODES, `${messages} messages`);
      const { sent, used } = await countCodeUse(client, of, nowMs + 12 * minuteMs);
      assert.ok(sent >= CODES / 2 && used === sent, `${used} of ${sent}`);
      await notePumping(client, of, counts, { sent, used }, nowMs);
      assert.equal((await readPumpingPast(client, of, nowMs)).usualOf('prefix', '639171'), 30);
      const past = await listPumpingPast(client, of, { nowMs, days: 14, limit: 100_000 });
      assert.ok(past.length >= 13 * 20);
      assert.deepEqual(seen, []);
    });
  },
);
