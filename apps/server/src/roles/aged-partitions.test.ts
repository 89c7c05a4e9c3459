/** Partitions hold a week, follow the monthly ones of before, and are dropped when all in them has expired. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRoutes, insertRoutes, messageIdAt, messageIdMs, uuidV7, withTransaction } from '@pahatid/db';
import { readKeptSince } from '@pahatid/db/queries/kept-since';
import { testDatabase } from '@pahatid/testkit';
import pino from 'pino';
import { dropPartitions, makePartitions } from './housekeeping.ts';

const { pool } = await testDatabase();
const dayMs = 86_400_000;
const job = (offsetMs = 0) => ({ pool, log: pino({ level: 'silent' }), owner: uuidV7(), offsetMs });
const [customerId, supplierId] = [uuidV7(), uuidV7()];

const boundsOf = async (parent: string): Promise<{ name: string; from: string; to: string }[]> => {
  const { rows } = await pool.query<{ name: string; low: string; high: string }>(
    'select * from partition_bounds($1::regclass) order by low',
    [parent],
  );
  return rows.map(({ name, low, high }) => ({
    name,
    from: new Date(messageIdMs(low)).toISOString().slice(0, 10),
    to: new Date(messageIdMs(high)).toISOString().slice(0, 10),
  }));
};

test('the first week begins where the last month ends, and ends where a later partition begins', async () => {
  await pool.query(`do $$ begin
    execute format('create table message_202512 partition of message for values from (%s) to (%s)',
      id_floor('2025-12-01 00:00:00+00'), id_floor('2026-01-01 00:00:00+00')); end $$`);
  for (const at of ['2025-12-31', '2026-01-08', '2026-01-01', '2026-01-01', '2026-01-04 23:59:59.999', '2025-01-02'])
    await pool.query('select ensure_partition($1)', [`${at}+00`]);
  assert.deepEqual(await boundsOf('message'), [
    { name: 'message_20250101', from: '2025-01-01', to: '2025-01-06' },
    { name: 'message_202512', from: '2025-12-01', to: '2026-01-01' },
    { name: 'message_20260101', from: '2026-01-01', to: '2026-01-05' },
    { name: 'message_20260105', from: '2026-01-05', to: '2026-01-12' },
  ]);
  assert.equal((await boundsOf('dlr_route')).length, 3);
  // A partition has no policy, so no customer's statement may read it by its own name.
  const { rows } = await pool.query(
    `select has_table_privilege('pahatid_tenant', name, 'select') as may from partition_bounds('message') where name <> 'message_202512'`,
  );
  assert.deepEqual(rows, [{ may: false }, { may: false }, { may: false }]);
});

test('routes are dropped by whole weeks once no receipt is matched by any of them', async () => {
  await makePartitions(job());
  const nowMs = Date.now();
  const route = (ageDays: number) => {
    const messageId = messageIdAt(nowMs - ageDays * dayMs, 255);
    return { supplierId, carrierMessageId: `${ageDays} days`, customerId, messageId, part: 1 };
  };
  const ages = [1, 39, 60];
  for (const days of ages) await pool.query(`select ensure_partition(now() - $1::int * interval '1 day')`, [days]);
  await withTransaction(pool, (tx) => insertRoutes(tx, ages.map(route)));
  await dropPartitions(job());
  const { rows } = await pool.query('select carrier_message_id as id from dlr_route order by message_id desc');
  assert.deepEqual(rows, [{ id: '1 days' }, { id: '39 days' }]);
  const found = await findRoutes(
    pool,
    ages.map((days) => ({ supplierId, carrierMessageId: `${days} days` })),
  );
  assert.deepEqual(
    found.map(({ carrierMessageId }) => carrierMessageId),
    ['1 days', '39 days'],
  );
  const keptSince = await readKeptSince(pool, 'dlr_route');
  assert.ok(keptSince <= nowMs - 41 * dayMs && keptSince > nowMs - 61 * dayMs);
  const first = (await boundsOf('dlr_route'))[0]!.from;
  assert.ok(Date.parse(first) >= keptSince);

  // Moved by two months, the rest goes; the weeks of that time are made.
  await makePartitions(job(60 * dayMs));
  await dropPartitions(job(60 * dayMs));
  assert.equal((await pool.query('select from dlr_route')).rowCount, 0);
  assert.ok((await boundsOf('dlr_route')).length <= 12);
});
