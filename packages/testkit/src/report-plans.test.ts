/**
 * A report over 90 days reads rows by hour and the few minutes that are not folded, at the versions of PostgreSQL that are
 * supported, with statistics of the planner and without. Each statement is explained as the code sends it.
 */
import assert from 'node:assert/strict';
import { uuidV7, withTransaction } from '@pahatid/db';
import { findFoldEnd, foldHours } from '@pahatid/db/queries/hour-folding';
import { sumByCarrier, sumTrend } from '@pahatid/db/queries/overview';
import { listSteps, sumStatistics } from '@pahatid/db/queries/statistics';
import type pg from 'pg';
import { explaining } from './explained.ts';
import { testPlans } from './test-plans.ts';

const CUSTOMERS = 30;
const HOURS = 200;
/** Of each hour. */
const MINUTES = 10;
/** Hours in 90 days, and what has not ended of all customers; each met by the scan, the union, the sum and the sort. */
const MOST_ROWS = 8 * (HOURS + CUSTOMERS * MINUTES);

const fill = async (pool: pg.Pool, end: Date): Promise<string[]> => {
  const customers = Array.from({ length: CUSTOMERS }, () => uuidV7());
  await pool.query(
    `insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
       req_total, req_success)
     select c, $2::timestamptz - h * interval '10 hours' + m * interval '6 minutes', 'app', 'PH', 'Globe', 'SHOP', 2, $5, 0, 1, 1
     from unnest($1::uuid[]) c, generate_series(0, $3 - 1) h, generate_series(0, $4 - 1) m`,
    [customers, end, HOURS, MINUTES, uuidV7()],
  );
  for (const customer of customers) await withTransaction(pool, (tx) => foldHours(tx, customer, end, HOURS * MINUTES));
  return customers;
};

await testPlans(
  { says: 'a report over 90 days reads hours', name: 'report_plans' },
  { current: true, missing: false },
  async (pool, isAnalyzed) => {
    const end = await findFoldEnd(pool, 0);
    const [customerId = ''] = await fill(pool, end);
    await pool.query(`vacuum ${isAnalyzed ? '(analyze)' : ''} report_minute, report_hour, report_hour_total`);
    const span = { from: new Date(end.getTime() - 90 * 86_400_000), to: new Date(end.getTime() + 1_800_000) };
    const read: { rows: number; text: string }[] = [];
    await withTransaction(pool, async (tx) => {
      const steps = await listSteps(tx, 'day', span.from, span.to, 'Asia/Manila');
      const client = explaining(tx, (rows, text) => read.push({ rows, text }));
      const question = { filter: { customerId }, ...span, limit: 10_000 };
      await sumStatistics(client, { ...question, steps, keys: [] });
      await sumStatistics(client, { ...question, steps: null, keys: ['carrier'] });
      await sumTrend(client, { customerId, ...span }, 'day', 'Asia/Manila');
      await sumByCarrier(client, { customerId, ...span });
      await sumStatistics(client, { ...question, filter: { customerId: null }, steps, keys: ['routeId'] });
      await sumTrend(client, { customerId: null, ...span }, 'day', 'Asia/Manila');
    });
    assert.equal(read.length, 6);
    for (const { rows, text } of read) assert.ok(rows <= MOST_ROWS, `${rows} rows, at most ${MOST_ROWS}: ${text}`);
  },
);
