import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageIdAt, uuidV7 } from '@pahatid/db';
import { testDatabase } from '@pahatid/testkit';
import pino from 'pino';
import { analyzePartitions } from './housekeeping.ts';

const { pool } = await testDatabase();
const log = pino({ level: 'silent' });
let partition = '';

const addRows = async (from: number, count: number): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query(
      `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
         charge_type, price, route_id, supplier_id)
       select $1::uuid, $2::bigint + n, 'app', 1, '639', 'PH', 'PAHATID', 'Text.', 1, 'SenderPays', 3500, $1, $1
       from generate_series($3::int, $4::int - 1) n`,
      [uuidV7(), String(messageIdAt(Date.now(), 255)), from, from + count],
    );
    await client.query('select pg_stat_force_next_flush()');
  } finally {
    client.release();
  }
};

const rowsKnown = async (): Promise<number> => {
  const { rows } = await pool.query<{ n: number }>('select reltuples::int as n from pg_class where relname = $1', [
    partition,
  ]);
  return rows[0]!.n;
};

test('a young partition is analyzed once it holds 10,000 rows, and not before', async () => {
  await pool.query('select ensure_partition(now())');
  const { rows } = await pool.query<{ name: string }>(`select name from partition_bounds('message')`);
  partition = rows[0]!.name;
  await pool.query(`alter table ${partition} set (autovacuum_enabled = false)`);
  const job = { pool, log, owner: uuidV7(), offsetMs: 0 };
  await addRows(0, 9_999);
  await analyzePartitions(job);
  assert.equal(await rowsKnown(), -1);
  await addRows(9_999, 1);
  await analyzePartitions(job);
  assert.equal(await rowsKnown(), 10_000);
  // Growth from there on is autovacuum's.
  await addRows(10_000, 5_000);
  await analyzePartitions(job);
  assert.equal(await rowsKnown(), 10_000);
});
