import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, sql, uuidV7 } from '@pahatid/db';
import { buildCustomer, buildTask, buildTemplate, buildTopUp, buildUser } from '@pahatid/db/builders';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { appId } = api;

/** A separate customer with an owner; amounts are 1/10,000 PHP. */
const makeWorld = async () => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  const { userId } = await buildUser(pool, { customerId, role: 'owner' });
  const cookie = await api.signIn(userId);
  const charge = async (
    at: string,
    amount: number,
    more: { taskId?: string; app?: string; segments?: number } = {},
  ) => {
    await run(
      pool,
      sql`insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id, task_id)
          values (${customerId}, ${uuidV7()}, ${at}, 'charge', ${-amount}, ${more.segments ?? 1}, ${more.app ?? appId}, ${more.taskId ?? null})`,
    );
    await run(
      pool,
      sql`insert into balance (customer_id, writer, amount) values (${customerId}, 7, ${-amount})
          on conflict (customer_id, writer) do update set amount = balance.amount + excluded.amount`,
    );
  };
  return {
    customerId,
    templateId: await buildTemplate(pool, { customerId, appId }),
    charge,
    topUp: (at: string, amount: number) => buildTopUp(pool, { customerId, amount, at: new Date(at), note: 'Slip 5' }),
    ask: (path: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      api.ask(null, `GET ${path}`, { query, headers: { cookie, ...headers } }),
  };
};
const csv = { accept: 'text/csv' };

test('S2 owners see their own money, operators and admins that of a given customer; for all others it does not exist', async () => {
  const { customerId } = api;
  const thisMonth = api.deps.now().toLocaleDateString('en-CA', { timeZone: 'Asia/Manila' }).slice(0, 7);
  const reads: [string, Record<string, string>][] = [
    ['GET /billing', {}],
    ['GET /billing/charges', { from: '2026-01-01', to: '2026-01-31' }],
    ['GET /billing/ledger', {}],
    ['GET /billing/days', {}],
    ['GET /billing/statement', { month: '2026-01' }],
    ['GET /billing/invoices', {}],
    ['GET /billing/invoice', { month: thisMonth }],
  ];
  const seenOfAll = ['GET /billing/ledger', 'GET /billing/days'];
  for (const [path, query] of reads) {
    const ask = async (who: Who, more: Record<string, string> = {}) =>
      (await api.ask(who, path, { query: { ...query, ...more } })).status;
    assert.equal(await ask(null), 401);
    for (const who of ['member', 'viewer', 'reviewer'] as const) assert.equal(await ask(who), 404, `${who} ${path}`);
    assert.equal(await ask('owner'), 200, path);
    assert.equal(await ask('owner', { customerId }), 200);
    for (const who of ['operator', 'admin'] as const)
      assert.equal(await ask(who, { customerId }), 200, `${who} ${path}`);
    for (const nobody of [api.otherCustomerId, uuidV7()]) assert.equal(await ask('owner', { customerId: nobody }), 404);
    assert.equal(await ask('admin', { customerId: uuidV7() }), 404);
    if (!seenOfAll.includes(path)) assert.equal(await ask('admin'), 400, path);
  }
  for (const path of seenOfAll) assert.equal((await api.ask('operator', path)).status, 403, path);
});

test('the balance is the ledger’s sum, with the reserved amount, and what was charged today and this month', async () => {
  const world = await makeWorld();
  await world.topUp('2026-01-01T00:00:00Z', 1_000_000);
  const now = api.deps.now();
  await world.charge(now.toISOString(), 7_000);
  await world.charge(new Date(now.getTime() - 45 * 86_400_000).toISOString(), 50_000);
  await buildTask(pool, {
    customerId: world.customerId,
    templateId: world.templateId,
    taskStatus: 3,
    appId,
    smsType: 2,
    totalCount: 10,
    price: 3_500,
  });
  const { body } = await world.ask('/billing');
  assert.partialDeepStrictEqual(body, {
    customerId: world.customerId,
    balance: 943_000,
    reserved: 35_000,
    chargedToday: 7_000,
    toppedUpThisMonth: 0,
  });
});

test('charges by day are those of the zone’s days, every day of the span; by application and task they add up to the same', async () => {
  const world = await makeWorld();
  const taskId = await buildTask(pool, {
    customerId: world.customerId,
    templateId: world.templateId,
    taskStatus: 6,
    appId,
    smsType: 2,
    taskName: 'March sale',
  });
  await world.topUp('2026-03-01T00:00:00Z', 90_000_000);
  await world.charge('2026-03-01T15:59:59.999Z', 100, { taskId });
  await world.charge('2026-03-01T16:00:00Z', 20, { taskId, segments: 2 });
  await world.charge('2026-03-03T15:59:59Z', 3);
  await world.charge('2026-03-03T16:00:00Z', 4_000);
  const ask = async (by: string, more: Record<string, string> = {}) =>
    (await world.ask('/billing/charges', { by, from: '2026-03-01', to: '2026-03-03', ...more })).body;
  const byDay = await ask('day');
  assert.deepEqual(
    byDay.items.map(({ key, charged }: { key: string; charged: number }) => [key, charged]),
    [
      ['2026-03-01', 100],
      ['2026-03-02', 20],
      ['2026-03-03', 3],
    ],
  );
  assert.deepEqual([byDay.charged, byDay.segments], [123, 4]);
  const byTask = await ask('task');
  assert.deepEqual(byTask.items, [
    { key: taskId, name: 'March sale', charged: 120, segments: 3 },
    { key: null, name: null, charged: 3, segments: 1 },
  ]);
  assert.deepEqual([(await ask('application')).charged, byTask.rest], [123, null]);
  assert.deepEqual(
    (await ask('day', { zone: 'UTC' })).items.map(({ charged }: { charged: number }) => charged),
    [120, 0, 4_003],
  );
});

test('invalid, reversed or too long date ranges and invalid zones are reported by field', async () => {
  const world = await makeWorld();
  for (const [query, field] of [
    [{ from: '2026-02-30', to: '2026-03-01' }, 'from'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'to'],
    [{ from: '2025-01-01', to: '2026-03-01' }, 'to'],
    [{ from: '2026-03-01' }, 'to'],
    [{ from: '2026-03-01', to: '2026-03-01', zone: 'Mars/Base' }, 'zone'],
    [{ from: '2026-03-01', to: '2026-03-01', by: 'customer' }, 'by'],
  ] as const) {
    const { status, body } = await world.ask('/billing/charges', query);
    assert.deepEqual([status, body.errors?.[0].field], [400, field], JSON.stringify(query));
  }
  for (const month of ['2026-13', '2026-1', '1999-01', ''])
    assert.equal((await world.ask('/billing/statement', { month })).status, 400, month);
  assert.equal((await world.ask('/billing/ledger', { cursor: 'abc' })).body.code, 'CURSOR_INVALID');
});

test('the ledger is paged newest first, each entry once though many share an instant; staff fields are the staff’s', async () => {
  const world = await makeWorld();
  for (let n = 0; n < 7; n++) await world.charge('2026-03-01T00:00:00.123Z', n + 1);
  await world.topUp('2026-03-02T00:00:00Z', 500);
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await world.ask('/billing/ledger', { limit: '3', ...(cursor && { cursor }) });
    seen.push(...body.items.map(({ amount }: { amount: number }) => amount));
    for (const item of body.items) assert.ok(!('operator' in item) && item.account === null);
    cursor = body.nextCursor ?? undefined;
  } while (cursor !== undefined);
  assert.equal(seen[0], 500);
  assert.deepEqual(
    [...seen.slice(1)].sort((a, b) => b - a),
    [-1, -2, -3, -4, -5, -6, -7],
  );
  const topUps = await world.ask('/billing/ledger', { kind: 'topUp' });
  assert.deepEqual(
    topUps.body.items.map(({ note }: { note: string }) => note),
    ['Slip 5'],
  );
  const text = (await world.ask('/billing/ledger', {}, csv)).text.trim().split('\r\n');
  assert.equal(text.length, 9);
});

test('admins see the ledger of all customers, with the customer and the author', async () => {
  const world = await makeWorld();
  await api.ask('admin', `POST /customers/${world.customerId}/ledger`, { body: { amount: 77, note: 'Over all' } });
  await api.ask('admin', `POST /customers/${api.customerId}/ledger`, { body: { amount: 78 } });
  const { body } = await api.ask('admin', 'GET /billing/ledger', { query: { limit: '2' } });
  assert.deepEqual(
    body.items.map((row: { amount: number; account: string; customerId: string }) => [
      row.amount,
      row.customerId,
      row.account,
    ]),
    [
      [78, api.customerId, api.users.admin.account],
      [77, world.customerId, api.users.admin.account],
    ],
  );
  assert.equal(body.items[0].operator, 'Customer A');
  // A customer sees the entry, not which member of staff made it.
  const own = await world.ask('/billing/ledger');
  assert.partialDeepStrictEqual(own.body.items, [{ amount: 77, note: 'Over all', account: null }]);
});

test('a statement’s lines and sums are integers and add up from the opening balance to the ledger’s own sum', async () => {
  const world = await makeWorld();
  await world.topUp('2026-02-10T00:00:00Z', 1_000_000);
  await world.charge('2026-02-28T15:59:59Z', 3_500);
  await world.topUp('2026-03-05T01:00:00Z', 200_001);
  await world.topUp('2026-03-05T02:00:00Z', 200_002);
  for (let n = 0; n < 40; n++)
    await world.charge(new Date(Date.UTC(2026, 2, 1 + (n % 30), 3, n)).toISOString(), 3_501 + n, { segments: 2 });
  await world.charge('2026-03-31T16:00:00Z', 9_999);
  const { text, headers } = await world.ask('/billing/statement', { month: '2026-03' });
  assert.match(String(headers['content-disposition']), /statement-2026-03\.csv/);
  const lines = text
    .replace('\ufeff', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const amounts = (kind: string) => lines.filter((line) => line[1] === kind).map((line) => Number(line[6]));
  const sum = (numbers: readonly number[]) => numbers.reduce((all, n) => all + n, 0);
  assert.deepEqual(amounts('Opening balance'), [996_500]);
  assert.deepEqual(amounts('Top-up'), [200_001, 200_002]);
  assert.equal(amounts('Charge').length, 30);
  assert.deepEqual(amounts('Sum of charges'), [sum(amounts('Charge'))]);
  assert.deepEqual(amounts('Sum of top-ups'), [400_003]);
  const { rows } = await pool.query(
    `select sum(amount)::int as sum from ledger where customer_id = $1 and at < '2026-03-31T16:00:00Z'`,
    [world.customerId],
  );
  assert.deepEqual(amounts('Closing balance'), [rows[0].sum]);
  assert.ok(lines.slice(1).every((line) => Number.isSafeInteger(Number(line[6]))));
  const zh = await world.ask('/billing/statement', { month: '2026-03' }, { 'accept-language': 'zh-CN' });
  assert.match(zh.text, /期末余额/);
  const { rows: log } = await pool.query(
    `select action, subject_type from audit_log where customer_id = $1 and action = 'export'`,
    [world.customerId],
  );
  assert.equal(log.length, 2);
});

test('what the program corrected of a charge is charged less in the statement, as it is on the screen', async () => {
  const world = await makeWorld();
  await world.charge('2026-03-05T01:00:00Z', 7_000, { segments: 2 });
  await run(
    pool,
    sql`insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id, batch_id, note)
        values (${world.customerId}, ${uuidV7()}, '2026-03-05T02:00:00Z', 'adjustment', 3500, -1, ${appId}, 4711, 'Charged too much')`,
  );
  const { body } = await world.ask('/billing/charges', { from: '2026-03-01', to: '2026-03-31' });
  const lines = (await world.ask('/billing/statement', { month: '2026-03' })).text.split('\r\n');
  // The application belongs to another customer here, so its id is used.
  assert.deepEqual(
    lines.filter((line) => line.startsWith('2026-03-05')),
    [`2026-03-05,Charge,${appId},,,1,-3500`],
  );
  assert.deepEqual([body.charged, body.segments], [3_500, 1]);
  assert.ok(lines.includes(',Sum of charges,,,,1,-3500') && lines.includes(',Sum of corrections,,,,0,0'));
});
