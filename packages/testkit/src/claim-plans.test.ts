/**
 * Claims, the search for ready queues, reroutes, reserved money and refusals read the same rows with any number of
 * batches that are parked or done, whatever the planner assumes about the table. Counted rows, by `explain analyze`.
 */
import assert from 'node:assert/strict';
import { getFunds, lockExpiredBatches, lockOutdatedBatches, messageIdAt, withTransaction } from '@pahatid/db';
import { buildApplication, buildCustomer } from '@pahatid/db/builders';
import { claimBatches, findReadyQueues } from '@pahatid/db/queries/batch-claims';
import { findEnded, listKeys, listReasons, parkHeld, wakeDue } from '@pahatid/db/queries/batch-parking';
import { findLatestOptOuts, findRefused } from '@pahatid/db/queries/batch-refusals';
import { lockFailingBatch } from '@pahatid/db/queries/batch-splitting';
import { BatchState, ParkReason } from '@pahatid/domain';
import type pg from 'pg';
import { explaining } from './explained.ts';
import { testPlans } from './test-plans.ts';

const READY = 300;
const CUSTOMERS = 30;
const OTHERS = 10_000;
const first = messageIdAt(Date.now(), 255);
const owner = '00000000-0000-4000-8000-00000000000a';
const NOON = 12;

interface World {
  readonly customers: string[];
  readonly supplierId: string;
}

const makeWorld = async (pool: pg.Pool): Promise<World> => {
  const customers: string[] = [];
  for (let n = 0; n < CUSTOMERS; n++) customers.push(await buildCustomer(pool, {}));
  const { rows } = await pool.query<{ id: string }>(
    `insert into supplier (supplier_id, supplier_account, host, port, system_id, password_sealed)
     values (gen_random_uuid(), 'one', 'localhost', 1, 'one', '') returning supplier_id as id`,
  );
  await buildApplication(pool, { customerId: customers[0]! });
  return { customers: customers.sort(), supplierId: rows[0]!.id };
};

/** So many batches, of the customers in turn; those parked are for quiet hours and for later. */
const fill = async (pool: pg.Pool, world: World, state: number, from: number, count: number): Promise<void> => {
  await pool.query(
    `insert into batch (batch_id, customer_id, lane, supplier_id, route_id, message_count, state, parked_for, parked_key,
       not_before, valid_until, cost, created_at, done_at)
     select $1::bigint + n, ($2::uuid[])[1 + n % $3], 3, $4, $4, 1, $5::smallint, case when $5 < 0 then 4 + n % 2 end,
       case when $5 < 0 then case n % 2 when 0 then '' else (($2::uuid[])[1 + n % $3])::text end end,
       case when $5 < 0 and n % 2 = 0 then now() + interval '1 day' end, now() + interval '2 days', 3500,
       timestamptz '2026-01-01' + n * interval '1 millisecond', case when $5 = 2 then now() end
     from generate_series($6::int, $6::int + $7::int - 1) n`,
    [String(first), world.customers, CUSTOMERS, world.supplierId, state, from, count],
  );
  await pool.query(
    `insert into parked_cost (customer_id, amount) select customer_id, sum(cost) from batch where state = -1 group by 1
     on conflict (customer_id) do update set amount = excluded.amount`,
  );
};

/** All that senders ask about twice a second; rows read by what. */
const ask = async (tx: pg.PoolClient, { customers, supplierId }: World): Promise<void> => {
  assert.equal((await lockExpiredBatches(tx, [], 20)).length, 0);
  const { queues } = await findReadyQueues(tx, [supplierId], new Map());
  assert.equal(queues.length, CUSTOMERS);
  assert.notEqual(await lockFailingBatch(tx, [{ supplierId, codesOnly: false }], []), null);
  const turns = queues.map((queue) => ({ ...queue, batches: 2 }));
  const claim = { owner, turns, messages: 2_000, except: [], manilaHour: NOON, leaseMs: 7_000 };
  const { rows } = await claimBatches(tx, claim);
  assert.equal(rows.length, 2 * CUSTOMERS);
  assert.equal(await parkHeld(tx, queues.slice(0, 3), NOON), 0);
  assert.equal(await wakeDue(tx), 0);
  assert.equal((await lockOutdatedBatches(tx, 50)).length, 0);
  assert.deepEqual([...(await listReasons(tx))], [ParkReason.Time, ParkReason.QuietHours]);
  const keys = await listKeys(tx, ParkReason.QuietHours, '');
  assert.equal((await findEnded(tx, ParkReason.QuietHours, keys, 3)).length, 0);
  const { reserved } = await getFunds(tx, customers[0]!);
  assert.ok(reserved >= 3_500 * 10);
};

const OPT_OUTS = 20_000;
const MESSAGES = 100;

/** A batch in hand, of a customer with an import of opt-outs. */
const fillRefusals = async (pool: pg.Pool, { customers, supplierId }: World): Promise<void> => {
  await pool.query(
    `insert into opt_out (customer_id, msisdn, source, created_at)
     select $1::uuid, '63' || lpad(n::text, 10, '0'), 'list', now() from generate_series(0, $2::int - 1) n`,
    [customers[0], OPT_OUTS],
  );
  await pool.query(
    `insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
       charge_type, price, route_id, supplier_id)
     select $1::uuid, $2::bigint + n, 'app', 3, '64' || n, 'PH', 'PAHATID', 'Text', 1, 'SenderPays', 3500, $3::uuid, $3::uuid
     from generate_series(0, $4::int - 1) n`,
    [customers[0], String(first), supplierId, MESSAGES],
  );
};

const refuse = async (tx: pg.PoolClient, { customers }: World): Promise<void> => {
  const latest = await findLatestOptOuts(tx, [customers[0]!], 120_000);
  assert.ok(latest[0]?.latestMs);
  const batch = { batchId: first, customerId: customers[0]!, messageCount: MESSAGES };
  assert.deepEqual(await findRefused(tx, [batch], 120_000), []);
};

/** Statistics that the planner has when 10,000 batches are done and 10,000 parked. */
const statistics = {
  missing: async (_: pg.Pool) => {},
  /** Of a time when all batches were ready. */
  stale: async (pool: pg.Pool) => await pool.query('analyze batch'),
  fresh: null,
} as const;

const measure = async (pool: pg.Pool, world: World): Promise<Map<string, number>> => {
  const read = new Map<string, number>();
  const client = await pool.connect();
  try {
    await client.query('begin; set local enable_seqscan = off');
    let n = 0;
    const report = (rows: number, text: string) => read.set(`${n++} ${text.trim().slice(0, 70)}`, rows);
    const tx = explaining(client, report);
    await ask(tx, world);
  } finally {
    await client.query('rollback');
    client.release();
  }
  return read;
};

await testPlans(
  { says: 'nothing that senders ask reads held or finished batches', name: 'claims' },
  statistics,
  async (pool, prepare) => {
    for (const table of ['batch', 'opt_out', 'parked_cost', 'customer'])
      await pool.query(`alter table ${table} set (autovacuum_enabled = false)`);
    const world = await makeWorld(pool);
    await fill(pool, world, BatchState.Ready, 0, READY);
    // One for each key that the job steps to.
    await fill(pool, world, BatchState.Parked, READY, CUSTOMERS);
    await prepare?.(pool);
    const before = await measure(pool, world);
    // The claims of the measurement were rolled back, and left dead entries in the index of claimed batches.
    await pool.query('vacuum batch');
    await fill(pool, world, BatchState.Parked, READY + CUSTOMERS, OTHERS);
    await fill(pool, world, BatchState.Done, READY + CUSTOMERS + OTHERS, OTHERS);
    if (prepare === null) await pool.query('vacuum analyze batch');
    const after = await measure(pool, world);
    const slack = 2 * CUSTOMERS;
    const grown = [...after].filter(([what, rows]) => rows > (before.get(what) ?? 0) * 1.2 + slack);
    assert.deepEqual(grown, []);
    await fillRefusals(pool, world);
    await withTransaction(
      pool,
      async (tx) =>
        await refuse(
          explaining(tx, (rows, text) => assert.ok(rows <= 12 * MESSAGES, `${rows} rows read by ${text}`)),
          world,
        ),
    );
  },
);
