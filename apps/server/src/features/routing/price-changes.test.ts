import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uuidV7 } from '@pahatid/db';
import { buildDefaultPrice, buildPrefixes, buildRoute, buildSupplier } from '@pahatid/db/builders';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { RoutingCache } from '../../sending/route/routing-table.ts';
import { applyPrices } from './apply-due-prices.ts';
import { registerRoutes } from './carrier-routes.ts';
import { registerPriceChanges } from './price-changes.ts';
import { registerPrices } from './prices.ts';

const api = await makeTestApi({ features: [registerPrices, registerPriceChanges, registerRoutes] });
const { pool } = api.db;
const { log } = api.deps;
const hour = 3_600_000;
const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();
const apply = (offsetMs: number) => applyPrices({ pool, log, owner: uuidV7(), offsetMs });
const priceNow = async (carrier: string, smsType: number) =>
  (await new RoutingCache(pool).refresh()).price('PH', carrier, smsType, api.customerId);
const history = async (query: Record<string, string> = {}) =>
  (await api.ask('admin', 'GET /price-changes', { query })).body;

test('S2 operators and admins alone', async () => {
  const calls = [
    'GET /price-changes',
    'POST /price-changes',
    `DELETE /price-changes/${uuidV7()}`,
    'GET /routes/notices',
  ];
  for (const call of calls) {
    for (const who of ['owner', 'member', 'viewer', 'other', 'reviewer'] as Who[])
      assert.equal((await api.ask(who, call)).status, 404, `${who} ${call}`);
    assert.equal((await api.ask(null, call)).status, 401, call);
  }
});

test('every price change is in the history with author and time', async () => {
  const { body } = await api.ask('operator', 'POST /prices', { body: { carrier: 'Globe', smsType: 1, price: 2_900 } });
  await api.ask('admin', `PATCH /prices/${body.priceId}`, { body: { price: 3_000, version: 1 } });
  await api.ask('admin', `DELETE /prices/${body.priceId}`);
  const { items, total } = await history({ carrier: 'Globe', smsType: '1', areaCode: 'PH' });
  assert.equal(total, 3);
  assert.deepEqual(
    items.map((row: { price: number | null; account: string; planned: boolean }) => [
      row.price,
      row.account,
      row.planned,
    ]),
    [
      [null, api.users.admin.account, false],
      [3_000, api.users.admin.account, false],
      [2_900, api.users.operator.account, false],
    ],
  );
});

test('a planned price applies from its time, and not before; several concurrent jobs apply it once', async () => {
  await buildDefaultPrice(pool, 3_500);
  const plan = (price: number, offsetMs: number) =>
    api.ask('operator', 'POST /price-changes', {
      body: { carrier: 'Smart', smsType: 3, price, effectiveTime: at(offsetMs) },
    });
  const [soon, later] = [await plan(4_100, hour), await plan(4_200, 2 * hour)];
  assert.deepEqual([soon.status, soon.body.planned, later.status], [201, true, 201]);
  assert.equal(await apply(0), false);
  assert.equal(await priceNow('Smart', 3), 3_500);
  const applied = await Promise.all([apply(hour + 60_000), apply(hour + 60_000), apply(hour + 60_000)]);
  assert.equal(applied.filter(Boolean).length, 1);
  assert.equal(await priceNow('Smart', 3), 4_100);
  assert.equal(await priceNow('Smart', 2), 3_500);
  const gone = await api.ask('operator', `DELETE /price-changes/${soon.body.changeId}`);
  assert.equal(gone.status, 404, 'what came into force stays');
  assert.equal((await history({ planned: '1' })).total, 1);
  // A process that was down for both applies them in order: the later one wins.
  await plan(4_150, hour / 2);
  await apply(3 * hour);
  assert.equal(await priceNow('Smart', 3), 4_200);
  assert.equal((await history({ planned: '1' })).total, 0);
});

test('a plan is for a time to come, once for each price and instant, and can be withdrawn once', async () => {
  const body = { carrier: 'DITO', price: 5_000, effectiveTime: at(hour) };
  const past = await api.ask('admin', 'POST /price-changes', { body: { ...body, effectiveTime: at(-1_000) } });
  assert.deepEqual([past.status, past.body.errors[0]], [400, { field: 'effectiveTime', code: 'NOT_IN_FUTURE' }]);
  const far = await api.ask('admin', 'POST /price-changes', {
    body: { ...body, effectiveTime: '2199-01-01T00:00:00Z' },
  });
  assert.equal(far.body.errors[0].field, 'effectiveTime');
  const wrong = await api.ask('admin', 'POST /price-changes', { body: { ...body, price: -1, areaCode: 'ph', x: 1 } });
  assert.deepEqual(wrong.body.errors.map(({ field }: { field: string }) => field).sort(), ['areaCode', 'price', 'x']);
  const both = await Promise.all([1, 2].map(() => api.ask('admin', 'POST /price-changes', { body })));
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
  const nobody = await api.ask('admin', 'POST /price-changes', { body: { ...body, customerId: uuidV7() } });
  assert.deepEqual([nobody.status, nobody.body.code], [400, 'CUSTOMER_NOT_FOUND']);
  const { changeId } = both.find(({ status }) => status === 201)!.body;
  const withdrawn = await Promise.all([1, 2].map(() => api.ask('admin', `DELETE /price-changes/${changeId}`)));
  assert.deepEqual(withdrawn.map(({ status }) => status).sort(), [204, 404]);
  await apply(2 * hour);
  assert.equal(await priceNow('DITO', 1), 3_500);
});

test('the history is paged without a gap', async () => {
  const { total } = await history();
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const body = await history({ limit: '2', ...(cursor && { cursor }) });
    seen.push(...body.items.map(({ changeId }: { changeId: string }) => changeId));
    cursor = body.nextCursor ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual([seen.length, new Set(seen).size], [total, total]);
});

test('notices show current problems: no route, all binds down, no price', async () => {
  await pool.query('delete from price');
  await buildPrefixes(pool, [{ prefix: '63917', carrier: 'Globe' }]);
  const notices = async () =>
    (await api.ask('operator', 'GET /routes/notices')).body.items.map(
      ({ code, carrier, smsTypes, supplierAccount, lastError }: Record<string, unknown>) =>
        [code, supplierAccount ?? carrier ?? 'any', lastError ?? smsTypes].flat().join(' '),
    );
  assert.deepEqual((await notices()).sort(), ['NO_ROUTE Globe 1 2 3', 'NO_ROUTE any 1 2 3']);
  const { secrets } = api.deps;
  const supplierId = await buildSupplier(pool, {
    supplierAccount: 'one',
    port: 1,
    systemId: 'x',
    password: 'y',
    secrets,
  });
  await buildRoute(pool, { routeName: 'Globe', supplierId, carrier: 'Globe' });
  await buildDefaultPrice(pool, 3_500);
  assert.deepEqual(await notices(), ['NO_ROUTE any 1 2 3']);
  await pool.query(`delete from price`);
  await api.ask('operator', 'POST /prices', { body: { carrier: 'Globe', smsType: 1, price: 3_000 } });
  await api.ask('operator', 'POST /prices', { body: { customerId: api.customerId, price: 3_000 } });
  assert.deepEqual(await notices(), ['NO_ROUTE any 1 2 3', 'PRICE_MISSING Globe 2 3']);
  // No bind for a moment, then for so long that the supplier counts as failed.
  await pool.query(
    `insert into bind_state (supplier_id, owner, bind_no, state, last_error) values ($1, gen_random_uuid(), 1, 'waiting', 'gone')`,
    [supplierId],
  );
  assert.equal((await notices())[0], 'SUPPLIER_DOWN one gone');
  await pool.query(`insert into supplier_health (supplier_id, failed_since) values ($1, now())`, [supplierId]);
  assert.deepEqual(await notices(), [
    'SUPPLIER_DOWN one gone',
    'NO_ROUTE any 1 2 3',
    'ALL_WAYS_DOWN Globe 1 2 3',
    'PRICE_MISSING Globe 2 3',
  ]);
  await pool.query(`update bind_state set state = 'bound'`);
  await pool.query(`update supplier_health set failed_since = null`);
  assert.deepEqual(await notices(), ['NO_ROUTE any 1 2 3', 'PRICE_MISSING Globe 2 3']);
});
