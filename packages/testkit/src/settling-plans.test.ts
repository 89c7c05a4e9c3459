/**
 * The statements of a flush read only their own rows, whatever the planner assumes about the tables: with statistics
 * that are missing, or were collected when a young partition was nearly empty. Each is explained as the code sends it.
 */
import assert from 'node:assert/strict';
import {
  BY_KEY,
  findRoutes,
  insertMissingRoutes,
  loadWaitingMessages,
  lockBatchMessages,
  lockMessages,
  markMatched,
  messageIdAt,
  type OutcomeRow,
  resolveDoubts,
  uuidV7,
  withTransaction,
  writeOutcomes,
} from '@pahatid/db';
import type pg from 'pg';
import { explaining } from './explained.ts';
import { testPlans } from './test-plans.ts';

/** Rows of one customer in the partition, and how many of them a flush is about, spread over all. */
const ROWS = 20_000;
const FLUSHED = 500;
const first = messageIdAt(Date.now(), 255);
const [customerId, supplierId, routeId] = [uuidV7(), uuidV7(), uuidV7()];
const idAt = (position: number): bigint =>
  first + (BigInt(Math.floor(position / 1000)) << 18n) + BigInt(position % 1000);
const flushed = Array.from({ length: FLUSHED }, (_, index) => idAt(index * (ROWS / FLUSHED)));
const tables = ['message', 'dlr_route', 'receipt_inbox', 'in_doubt', 'opt_out'] as const;

/** Maximum rows a statement reads per row it concerns: a probe, the row itself, and a join or two of both. */
const ROWS_EACH = 12;

const fill = async (pool: pg.Pool): Promise<void> => {
  const id = '($1::bigint + ((n / 1000)::bigint << 18) + n % 1000)';
  await pool.query(
    `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
       charge_type, price, route_id, supplier_id)
     select $2::uuid, ${id}, 'app', 3, '639' || lpad(n::text, 9, '0'), 'PH', 'PAHATID',
       'A text of the length that most have.', 1, 'SenderPays', 3500, $3::uuid, $4::uuid from generate_series(0, $5::int - 1) n`,
    [String(first), customerId, routeId, supplierId, ROWS],
  );
  await pool.query(
    `insert into dlr_route (supplier_id, carrier_message_id, customer_id, message_id)
     select $3::uuid, 'id' || n, $2::uuid, ${id} from generate_series(0, $4::int - 1) n`,
    [String(first), customerId, supplierId, ROWS],
  );
  await pool.query(
    `insert into in_doubt (customer_id, message_id, supplier_id, msisdn, since)
     select $2::uuid, ${id}, $3::uuid, '639' || lpad(n::text, 9, '0'), now() from generate_series(0, $4::int - 1) n`,
    [String(first), customerId, supplierId, ROWS],
  );
  await pool.query(
    `insert into receipt_inbox (supplier_id, receipt_id, carrier_message_id, msisdn, client_sid, client_status, final, received_at)
     select $1::uuid, lpad(n::text, 32, '0')::uuid, 'waiting' || n, '639', '', 2, true, now() from generate_series(0, $2::int - 1) n`,
    [supplierId, ROWS],
  );
  await pool.query(
    `insert into opt_out (customer_id, msisdn, source, created_at)
     select $1::uuid, '63' || lpad(n::text, 10, '0'), 'list', now() from generate_series(0, $2::int - 1) n`,
    [customerId, ROWS],
  );
};

/** A few rows of others: the basis of the statistics. */
const fillFew = async (pool: pg.Pool): Promise<void> => {
  const few = 'generate_series(1, 60) n';
  await pool.query(
    `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
       charge_type, price, route_id, supplier_id)
     select gen_random_uuid(), $1::bigint - n, 'app', 1, '639' || n, 'PH', 'PAHATID', 'Short.', 1, 'SenderPays', 3500, $2, $3 from ${few}`,
    [String(first), routeId, uuidV7()],
  );
  await pool.query(
    `insert into dlr_route (supplier_id, carrier_message_id, customer_id, message_id)
     select gen_random_uuid(), 'few' || n, $2::uuid, $1::bigint - n from ${few}`,
    [String(first), uuidV7()],
  );
  await pool.query(
    `insert into in_doubt (customer_id, message_id, supplier_id, msisdn, since, resolved_at)
     select gen_random_uuid(), $1::bigint - n, $2, '639', now(), now() from ${few}`,
    [String(first), uuidV7()],
  );
  await pool.query(
    `insert into receipt_inbox (supplier_id, receipt_id, carrier_message_id, msisdn, client_sid, client_status, final, received_at, matched_at)
     select gen_random_uuid(), gen_random_uuid(), 'few' || n, '639', '', 2, true, now(), now() from ${few}`,
  );
  await pool.query(
    `insert into opt_out (customer_id, msisdn, source, created_at) select gen_random_uuid(), '639', 'list', now() from ${few}`,
  );
};

const outcomes: OutcomeRow[] = flushed.map((messageId) => ({
  customerId,
  messageId,
  before: { sendStatus: 0, clientStatus: 0, partsDelivered: 0 },
  after: { sendStatus: 3, clientStatus: 1 },
  dealResult: 'Submitted',
  carrierCode: null,
  submittedMs: 1,
  answeredMs: 2,
  reportMs: null,
  partsDelivered: 0,
}));
const doubts = flushed.map((messageId) => ({ customerId, messageId }));
const receiptIds = flushed.map((_, index) => ({
  supplierId,
  receiptId: `00000000-0000-0000-0000-${String(index * (ROWS / FLUSHED)).padStart(12, '0')}`,
}));
const carrierIds = flushed.map((_, index) => `id${index * (ROWS / FLUSHED)}`);

/** Changes that a flush, a sweep of receipts and an expiry make to messages. */
const settle = async (tx: pg.PoolClient): Promise<void> => {
  assert.deepEqual(await writeOutcomes(tx, outcomes), []);
  assert.equal((await lockMessages(tx, doubts)).length, FLUSHED);
  const routes = await findRoutes(
    tx,
    carrierIds.map((carrierMessageId) => ({ supplierId, carrierMessageId })),
  );
  assert.equal(routes.length, FLUSHED);
  await insertMissingRoutes(tx, routes);
  await markMatched(tx, receiptIds);
  await resolveDoubts(tx, doubts, 'receipt', new Date());
  const batch = { customerId, batchId: idAt(2_000), messageCount: 400 };
  assert.equal((await lockBatchMessages(tx, batch, { sendStatus: 0, clientStatus: 0 })).length, 390);
  const marketing = { customerId, batchId: idAt(1_000), messageCount: 400, checkOptOut: true };
  assert.equal((await loadWaitingMessages(tx, [marketing]))[0]?.length, 390);
};

const statistics = {
  missing: async (pool: pg.Pool) => await fill(pool),
  stale: async (pool: pg.Pool) => {
    await fillFew(pool);
    for (const table of tables) await pool.query(`analyze ${table}`);
    await fill(pool);
  },
  empty: async (pool: pg.Pool) => {
    for (const table of tables) await pool.query(`vacuum analyze ${table}`);
    await fill(pool);
  },
  fresh: async (pool: pg.Pool) => {
    await fill(pool);
    for (const table of tables) await pool.query(`vacuum analyze ${table}`);
  },
} as const;

await testPlans({ says: 'a flush reads the rows that it is about', name: 'plans' }, statistics, async (pool, make) => {
  await pool.query(`select ensure_partition(now())`);
  // Statistics stay as the test makes them.
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  for (const each of rows) await pool.query(`alter table ${each.name} set (autovacuum_enabled = false)`);
  await make(pool);
  const seen: string[] = [];
  const report = (read: number, text: string): void => {
    if (read > FLUSHED * ROWS_EACH) seen.push(`${read} rows read by ${text.trim().slice(0, 160)}`);
  };
  await withTransaction(pool, async (tx) => await settle(explaining(tx, report)), BY_KEY);
  assert.deepEqual(seen, []);
});
