/** Balances of past days and statements are the same before and after the ledger is folded, also with what comes late. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chargeCustomers, messageIdFloor, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import { buildCustomer, buildTopUp } from '@pahatid/db/builders';
import { readKeptSince } from '@pahatid/db/queries/kept-since';
import { enterMoney, sumLedger } from '@pahatid/db/queries/ledger';
import { findFolded, findLedgerFoldEnd, foldLedger, listLedgerFaults } from '@pahatid/db/queries/ledger-folding';
import { readChargesByDay, readMoney } from '@pahatid/db/queries/verify/counters';
import { pino } from 'pino';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { repairDifferences } from '../../verify/repair.ts';
import { assertAgrees, options } from '../../verify/testing/agrees.ts';
import { deleteOldEntries, foldLedgers } from './fold-ledger.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { appId } = api;
const dayMs = 86_400_000;
const of = { smsType: 3, carrier: 'Globe', price: 3_500 };
const now = Date.now();
const context = { pool, log: pino({ level: 'silent' }), owner: uuidV7(), offsetMs: 0 };

/** Entries of every kind, several a day, over some days; of no message, so verify has nothing to compare charges with. */
const plant = async (customerId: string, days: number): Promise<void> => {
  await buildTopUp(pool, { customerId, amount: 50_000_000, at: new Date(now - (days + 1) * dayMs) });
  await run(
    pool,
    sql`with planted as (
          insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id, task_id, batch_id, note)
          select ${customerId}::uuid, gen_random_uuid(), ${new Date(now)}::timestamptz - (${days}::int - d) * interval '1 day' - h * interval '5 hours',
            case when h = 3 then 'adjustment' else 'charge' end, case when h = 3 then 3500 else -3500 * (d % 7 + 1) end, h, ${appId},
            case when h = 1 then '0199c000-0000-7000-8000-000000000001'::uuid end,
            ${String(messageIdFloor(now))}::bigint - ((${days}::bigint - d) * 86400000 << 18) - h * 1000, 'note'
          from generate_series(0, ${days}::int) d, generate_series(0, 3) h returning amount)
        insert into balance as b (customer_id, writer, amount) select ${customerId}::uuid, 9, sum(amount) from planted
        on conflict (customer_id, writer) do update set amount = b.amount + excluded.amount`,
  );
};

const sumAll = async (customerId: string, before: Date): Promise<number> => {
  const text = 'select coalesce(sum(amount), 0)::float8 as n from ledger where customer_id = $1 and at < $2';
  return (await pool.query<{ n: number }>(text, [customerId, before])).rows[0]!.n;
};

const instants = [-41, -40.3, -30, -29.99, -12.5, -3, -1.4, -0.9, -0.2, 0, 1].map((d) => new Date(now + d * dayMs));

const look = async (customerId: string) => {
  const low = messageIdFloor(now - 20 * dayMs + 7_000_000);
  const folded = await findFolded(pool, customerId, null);
  return {
    balances: await Promise.all(instants.map((at) => sumLedger(pool, customerId, at))),
    money: await readMoney(pool, customerId, folded),
    charges: (await readChargesByDay(pool, customerId, low, folded)).sort((a, b) => a.day - b.day),
  };
};

test('balances, sums and charges by day are the same before and after folding, in any steps, and again', async () => {
  for (const rows of [1, 7, 20_000]) {
    const customerId = await buildCustomer(pool, { balance: 0 });
    await plant(customerId, 40);
    const before = await look(customerId);
    assert.deepEqual(before.balances, await Promise.all(instants.map((at) => sumAll(customerId, at))));
    assert.ok((await foldLedgers(context, rows)) > 0);
    const { next } = await findFolded(pool, customerId, null);
    assert.ok(Date.parse(next) > now - 2 * dayMs, next);
    assert.deepEqual(await look(customerId), before);
    assert.equal(await foldLedgers(context, rows), 0);
    assert.deepEqual(await look(customerId), before);
  }
});

test('an entry of a program whose clock is days behind is not dated on a folded day', async () => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  await plant(customerId, 5);
  await foldLedgers(context);
  const late = new Date(now - 3 * dayMs);
  const past = await sumLedger(pool, customerId, new Date(now - dayMs));
  await withTransaction(pool, async (tx) => {
    const charge = { customerId, appId, taskId: null, batchId: messageIdFloor(now), ...of, cost: 7_000, segments: 2 };
    await chargeCustomers(tx, 3, [charge], late);
    await enterMoney(tx, {
      customerId,
      kind: 'topUp',
      amount: 50,
      note: null,
      userId: api.users.admin.userId,
      at: late,
    });
  });
  assert.equal(await sumLedger(pool, customerId, new Date(now - dayMs)), past);
  const end = new Date(now + dayMs);
  assert.equal(await sumLedger(pool, customerId, end), await sumAll(customerId, end));
  const { balance, ledger } = await readMoney(pool, customerId, await findFolded(pool, customerId, null));
  assert.equal(balance, ledger);
});

test('folds at the same time, while money is charged, count each entry once', async () => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  await plant(customerId, 30);
  const end = await findLedgerFoldEnd(pool, 0);
  const charging = (async () => {
    for (let n = 0; n < 30; n++)
      await withTransaction(pool, (tx) =>
        chargeCustomers(
          tx,
          n % 3,
          [{ customerId, appId, taskId: null, batchId: messageIdFloor(now), ...of, cost: 1, segments: 1 }],
          new Date(),
        ),
      );
  })();
  const fold = async (): Promise<void> => {
    while (await withTransaction(pool, (tx) => foldLedger(tx, customerId, end, 5)));
  };
  await Promise.all([charging, fold(), fold(), fold()]);
  const at = new Date(now + dayMs);
  assert.equal(await sumLedger(pool, customerId, at), await sumAll(customerId, at));
  const { balance, ledger } = await readMoney(pool, customerId, await findFolded(pool, customerId, null));
  assert.equal(balance, ledger);
});

test('a fold that is interrupted leaves nothing, and is done again', async () => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  await plant(customerId, 10);
  const before = await look(customerId);
  const end = await findLedgerFoldEnd(pool, 0);
  await assert.rejects(
    withTransaction(pool, async (tx) => {
      await foldLedger(tx, customerId, end, 10);
      throw new Error('killed');
    }),
  );
  assert.equal((await findFolded(pool, customerId, null)).entries, 0);
  await foldLedgers(context);
  assert.deepEqual(await look(customerId), before);
});

test('a statement says the same before and after folding', async () => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  await plant(customerId, 75);
  const month = new Date(now - 31 * dayMs).toISOString().slice(0, 7);
  const read = async () =>
    (await api.ask('admin', 'GET /billing/statement', { query: { month, customerId, zone: 'Asia/Kolkata' } })).text;
  const before = await read();
  assert.match(before, /Opening balance/);
  await foldLedgers(context);
  assert.equal(await read(), before);
});

test('charges by day of any zone, application and task are the same before and after folding, and from an older fold', async () => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  await plant(customerId, 75);
  const day = (ago: number) => new Date(now - ago * dayMs).toISOString().slice(0, 10);
  const read = async () => {
    const answers = [];
    for (const zone of ['UTC', 'Asia/Manila', 'Asia/Kathmandu', 'America/St_Johns'])
      for (const [from, to] of [
        [day(200), day(0)],
        [day(60), day(31)],
        [day(40), day(40)],
      ])
        for (const by of ['day', 'application', 'task']) {
          const query = { customerId, by, from: from!, to: to!, zone };
          const { status, body, text } = await api.ask('admin', 'GET /billing/charges', { query });
          assert.equal(status, 200, text);
          answers.push(body);
        }
    const { chargedThisMonth, chargedToday, toppedUpThisMonth } = (
      await api.ask('admin', 'GET /billing', { query: { customerId } })
    ).body;
    return { answers, sums: { chargedThisMonth, chargedToday, toppedUpThisMonth } };
  };
  const before = await read();
  assert.ok(Number(before.answers[0]?.charged) > 0);
  await foldLedgers(context);
  assert.deepEqual(await read(), before);
  // Some days were folded by a release that had no hours.
  const hours = async () =>
    (await pool.query('select hour, amount, segments from ledger_hour where customer_id = $1 order by 1', [customerId]))
      .rows;
  const kept = await hours();
  await pool.query(
    `delete from ledger_hour where customer_id = $1 and (hour at time zone 'UTC')::date between current_date - 50 and current_date - 10`,
    [customerId],
  );
  assert.deepEqual(await read(), before);
  assert.deepEqual(await listLedgerFaults(pool, customerId, '2000-01-01'), []);
  const newest = `delete from %t where customer_id = $1 and day = (select max(day) from ledger_snapshot where customer_id = $1)`;
  for (let folds = 0; folds < 2; folds++) {
    await pool.query(
      `delete from ledger_hour where customer_id = $1 and hour >= (select max(day)::timestamp at time zone 'UTC' from ledger_snapshot where customer_id = $1)`,
      [customerId],
    );
    for (const table of ['ledger_day', 'ledger_snapshot']) await pool.query(newest.replace('%t', table), [customerId]);
    await foldLedgers(context);
  }
  assert.deepEqual(await hours(), kept);
  assert.deepEqual(await read(), before);
});

test('verify finds a folded day that is not the sum of its entries, and repairs it and the snapshots after it', async () => {
  // Charges of this file have no messages, so of these customers only top-ups remain.
  await pool.query(`delete from ledger where kind <> 'topUp'`);
  await pool.query('truncate ledger_day, ledger_hour, ledger_snapshot');
  await pool.query(`delete from balance where writer in (0, 1, 2, 3, 9)`);
  const customerId = await buildCustomer(pool, { balance: 0 });
  for (const days of [30, 20, 20, 10])
    await buildTopUp(pool, { customerId, amount: days, at: new Date(now - days * dayMs) });
  await foldLedgers(context);
  await pool.query(`update ledger set amount = 50 where user_id is not null`);
  await pool.query(
    `delete from balance b where writer = -1 and amount <> (select sum(amount) from ledger l where l.customer_id = b.customer_id and user_id is not null)`,
  );
  await assertAgrees(pool);
  const faults: [string, boolean][] = [
    // Planted on a folded day, with its money: only the balance shows it.
    [
      `with l as (insert into ledger (customer_id, entry_id, at, kind, amount) values ('${customerId}', gen_random_uuid(), now() - interval '15 days', 'topUp', 7))
      update balance set amount = amount + 7 where customer_id = '${customerId}'`,
      false,
    ],
    [`update ledger_day set amount = amount + 1 where customer_id = '${customerId}' and amount = 40`, true],
    [`update ledger_snapshot set amount = amount + 1 where customer_id = '${customerId}' and amount = 70`, true],
    [`delete from ledger_day where customer_id = '${customerId}' and amount = 30`, true],
    [`update ledger_hour set amount = amount + 1 where customer_id = '${customerId}'`, true],
    [
      `insert into ledger_hour select '${customerId}', min(hour) + interval '3 hours', 1, 1 from ledger_hour where customer_id = '${customerId}'`,
      true,
    ],
    [
      `update ledger_snapshot set amount = amount + 1, entries = entries + 1 where customer_id = '${customerId}'`,
      false,
    ],
  ];
  for (const [spoil, all] of faults) {
    await pool.query(spoil);
    const { repaired } = await repairDifferences(pool, { ...options, all });
    assert.deepEqual([...new Set(repaired.map(({ check }) => check))], ['ledgerDay'], spoil);
    await assertAgrees(pool);
    const at = new Date(now);
    assert.equal(await sumLedger(pool, customerId, at), await sumAll(customerId, at), spoil);
  }
});

test('folded entries are deleted after ten years, with balances and verify as before; younger and unfolded ones stay', async () => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  const year = 366 * dayMs;
  for (const years of [14, 12, 11, 9, 1])
    await buildTopUp(pool, { customerId, amount: years, at: new Date(now - years * year) });
  const count = async () => (await pool.query('select from ledger where customer_id = $1', [customerId])).rowCount;
  assert.equal(await deleteOldEntries(context), 0, 'what is not folded stays');
  await foldLedgers(context);
  const at = [13, 11.5, 10.5, 8, 0].map((years) => new Date(now - years * year));
  const balances = async () => await Promise.all(at.map((each) => sumLedger(pool, customerId, each)));
  const before = await balances();
  assert.deepEqual(before, [14, 26, 37, 46, 47]);
  const [first, second] = await Promise.all([deleteOldEntries(context, 1), deleteOldEntries(context, 1)]);
  assert.equal(first + second, 3);
  assert.equal(await count(), 2);
  assert.equal(await deleteOldEntries(context), 0);
  assert.deepEqual(await balances(), before);
  const kept = new Date(await readKeptSince(pool, 'ledger')).toISOString().slice(0, 10);
  assert.deepEqual(await listLedgerFaults(pool, customerId, kept), []);
});
