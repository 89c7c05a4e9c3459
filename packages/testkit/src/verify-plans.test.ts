/**
 * Messages without routes, and routes without messages, are compared with a number of rows that grows as theirs does, with
 * statistics of the planner and without, as in a database that was restored a moment ago.
 */
import assert from 'node:assert/strict';
import { messageIdAt, uuidV7, withTransaction } from '@pahatid/db';
import { readRouteBuckets, readRouteFaults } from '@pahatid/db/queries/verify/receipts';
import type pg from 'pg';
import { explaining } from './explained.ts';
import { testPlans } from './test-plans.ts';

const ROWS = 6_000;
/** Of each table; each is met by a scan and a few joins. */
const MOST_ROWS = 30 * ROWS;
const first = messageIdAt(Date.now() - 3_600_000, 255);
const range = { low: first - 1n, high: first + (1n << 40n) };

const fill = async (pool: pg.Pool): Promise<void> => {
  const [customerId, supplierId] = [uuidV7(), uuidV7()];
  await pool.query('select ensure_partition(now())');
  await pool.query(
    `insert into supplier (supplier_id, supplier_account, host, port, system_id, password_sealed)
     values ($1, 'plans', 'localhost', 2775, 'plans', '')`,
    [supplierId],
  );
  const id = '($1::bigint + ((n / 1000)::bigint << 18) + n % 1000)';
  await pool.query(
    `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
       charge_type, price, route_id, supplier_id, send_status, client_status)
     select $2::uuid, ${id}, 'app', 3, '639170000001', 'PH', 'PAHATID', 'Hi', 1, 'SenderPays', 3500, $3::uuid, $3::uuid, 3, 2
     from generate_series(0, $4::int - 1) n`,
    [String(first), customerId, supplierId, ROWS],
  );
  // Every other message has its route, a third was in doubt, and as many routes have no message.
  await pool.query(
    `insert into dlr_route (supplier_id, carrier_message_id, customer_id, message_id)
     select $3::uuid, 'id' || n, $2::uuid, ${id} from generate_series(0, 2 * $4::int - 1, 2) n`,
    [String(first), customerId, supplierId, ROWS],
  );
  await pool.query(
    `insert into in_doubt (customer_id, message_id, supplier_id, msisdn, since)
     select $2::uuid, ${id}, $3::uuid, '639170000001', now() from generate_series(0, $4::int - 1, 3) n`,
    [String(first), customerId, supplierId, ROWS],
  );
};

await testPlans(
  { says: 'messages and routes are compared in one pass', name: 'verify_plans' },
  { missing: false, current: true },
  async (pool, isAnalyzed) => {
    await fill(pool);
    if (isAnalyzed) await pool.query('vacuum analyze');
    await withTransaction(pool, async (tx) => {
      const reads: number[] = [];
      const explained = explaining(tx, (read) => reads.push(read));
      const { buckets } = await readRouteBuckets(explained, null, range);
      const faults = await readRouteFaults(explained, buckets, range);
      const missing = faults.filter(({ parts }) => parts === null).length;
      assert.deepEqual([missing, faults.length - missing], [ROWS / 2, ROWS / 3]);
      assert.ok(Math.max(...reads) < MOST_ROWS, `${reads.join(', ')} rows read`);
    });
  },
);
