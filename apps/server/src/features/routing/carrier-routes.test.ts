import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listen, uuidV7 } from '@pahatid/db';
import { buildSupplier } from '@pahatid/db/builders';
import { ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import { until } from '@pahatid/testkit';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { RoutingCache } from '../../sending/route/routing-table.ts';
import { registerRoutes } from './carrier-routes.ts';
import { registerPrices } from './prices.ts';

const api = await makeTestApi({ features: [registerRoutes, registerPrices] });
const { pool } = api.db;
const supplierOf = (supplierAccount: string) =>
  buildSupplier(pool, { supplierAccount, port: 1, systemId: 'x', password: 'y', secrets: api.deps.secrets });
const [first, second] = [await supplierOf('first'), await supplierOf('second')];

const add = async (body: object) => {
  const answer = await api.ask('operator', 'POST /routes', { body: { supplierId: first, ...body } });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};

test('S2 operators and admins alone', async () => {
  const { routeId } = await add({ routeName: 'guarded' });
  const calls = [
    'GET /routes',
    'POST /routes',
    `GET /routes/${routeId}`,
    `PATCH /routes/${routeId}`,
    `DELETE /routes/${routeId}`,
  ];
  for (const call of [
    ...calls,
    `POST /routes/${routeId}/disable`,
    'GET /prices',
    'POST /prices',
    `DELETE /prices/${routeId}`,
  ]) {
    for (const who of ['owner', 'member', 'viewer', 'other', 'reviewer'] as Who[])
      assert.equal((await api.ask(who, call)).status, 404, `${who} ${call}`);
    assert.equal((await api.ask(null, call)).status, 401, call);
  }
  assert.equal((await api.ask('admin', `DELETE /routes/${routeId}`)).status, 200);
});

test('a route is added, edited, switched and removed, each once and on record', async () => {
  const added = await add({ routeName: 'Globe codes', carrier: 'Globe', smsType: 1, priority: 5, weight: 3 });
  assert.partialDeepStrictEqual(added, {
    areaCode: 'PH',
    supplierAccount: 'first',
    version: 1,
    useState: 1,
    warnings: [],
  });
  const path = `/routes/${added.routeId}`;
  const edit = (body: object) => api.ask('operator', `PATCH ${path}`, { body });
  const edits = await Promise.all([edit({ version: 1, weight: 7 }), edit({ version: 1, weight: 8 })]);
  assert.deepEqual(edits.map(({ status }) => status).sort(), [200, 409]);
  const moved = await edit({ version: 2, supplierId: second, carrier: null });
  assert.partialDeepStrictEqual(moved.body, { supplierAccount: 'second', carrier: null, version: 3 });
  const unknown = await edit({ version: 3, supplierId: uuidV7() });
  assert.deepEqual(
    [unknown.status, unknown.body.code, unknown.body.errors[0].field],
    [400, 'SUPPLIER_NOT_FOUND', 'supplierId'],
  );
  assert.equal((await api.ask('operator', `POST ${path}/enable`)).status, 409);
  assert.equal((await api.ask('operator', `POST ${path}/disable`)).body.useState, 0);
  const removals = await Promise.all([api.ask('operator', `DELETE ${path}`), api.ask('operator', `DELETE ${path}`)]);
  assert.deepEqual(removals.map(({ status }) => status).sort(), [200, 404]);
  assert.equal((await api.ask('operator', `GET ${path}`)).status, 404);
  const { rows } = await pool.query(
    `select action, count(*)::int n from audit_log where subject_type = 'route' and subject_id = $1 group by 1 order by 1`,
    [added.routeId],
  );
  assert.deepEqual(rows, [
    { action: 'add', n: 1 },
    { action: 'delete', n: 1 },
    { action: 'disable', n: 1 },
    { action: 'edit', n: 2 },
  ]);
  // Its name may be given again.
  await add({ routeName: 'Globe codes' });
});

test('invalid input is reported by field', async () => {
  const answer = await api.ask('operator', 'POST /routes', {
    body: { routeName: ' ', areaCode: 'ph', smsType: 4, supplierId: 'x', priority: 1.5, weight: 0, owner: 1 },
  });
  assert.equal(answer.status, 400);
  const codes = Object.fromEntries(
    answer.body.errors.map((each: { field: string; code: string }) => [each.field, each.code]),
  );
  assert.deepEqual(codes, {
    routeName: 'TOO_SHORT',
    areaCode: 'FORMAT',
    smsType: 'NOT_AN_OPTION',
    supplierId: 'FORMAT',
    priority: 'TYPE',
    weight: 'TOO_SMALL',
    owner: 'UNKNOWN_FIELD',
  });
  await add({ routeName: 'Twice' });
  const twice = await api.ask('operator', 'POST /routes', { body: { routeName: 'Twice', supplierId: first } });
  assert.deepEqual([twice.status, twice.body.code], [409, 'ROUTE_NAME_TAKEN']);
});

test('routes are listed by priority and name, page after page, each once', async () => {
  for (const [n, priority] of [-3, 900, 900, 0, 12].entries())
    await add({ routeName: `Paged ${n}`, priority, supplierId: second });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { search: 'paged', limit: '2', ...(cursor && { cursor }) };
    const { body } = await api.ask('admin', 'GET /routes', { query });
    assert.equal(body.total, 5);
    seen.push(...body.items.map(({ routeName }: { routeName: string }) => routeName));
    cursor = body.nextCursor ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual(seen, ['Paged 1', 'Paged 2', 'Paged 4', 'Paged 3', 'Paged 0']);
  const csv = await api.ask('admin', 'GET /routes', { query: { supplierId: second }, headers: { accept: 'text/csv' } });
  assert.equal(csv.text.split('\r\n').filter((line) => line.includes('Paged')).length, 5);
});

test('processes that accept messages see a change immediately', async () => {
  // One that would not poll for an hour.
  const routing = new RoutingCache(pool, 3_600_000);
  await routing.refresh();
  const following = routing.follow();
  let words = 0;
  const words$ = listen(pool, ROUTING_CHANNEL, () => {
    words += 1;
  });
  try {
    const goesTo = async () => (await routing.current()).route('PH', 'DITO', 3, '639911234567').supplierId;
    // Both of them here, not those of other databases, and after LISTEN has completed.
    const listening = `select from pg_stat_activity
      where datname = current_database() and query = 'listen pahatid_routing' and state = 'idle'`;
    await until(async () => (await pool.query(listening)).rowCount === 2, { what: 'both listeners' });
    await add({ routeName: 'DITO first', carrier: 'DITO', smsType: 3, priority: 1_000 });
    await until(async () => words === 1 && (await goesTo()) === first);
    const better = await add({
      routeName: 'DITO second',
      carrier: 'DITO',
      smsType: 3,
      priority: 1_000,
      supplierId: second,
      weight: 1_000,
    });
    await until(async () => (await goesTo()) === second);
    await api.ask('admin', `DELETE /routes/${better.routeId}`);
    await until(async () => (await goesTo()) === first);
  } finally {
    await Promise.all([following.stop(), words$.stop()]);
  }
});

test('prices: the same twice is refused, a change needs the version seen, and counts for the next message', async () => {
  const given = { carrier: 'Globe', smsType: 1, customerId: api.customerId, price: 2_900 };
  const added = await api.ask('admin', 'POST /prices', { body: given });
  assert.equal(added.status, 201, added.text);
  assert.partialDeepStrictEqual(added.body, { ...given, areaCode: 'PH', operator: 'Customer A', version: 1 });
  const again = await api.ask('admin', 'POST /prices', { body: given });
  assert.deepEqual([again.status, again.body.code], [409, 'PRICE_TAKEN']);
  const nobody = await api.ask('admin', 'POST /prices', { body: { ...given, customerId: uuidV7() } });
  assert.deepEqual([nobody.status, nobody.body.code], [400, 'CUSTOMER_NOT_FOUND']);
  assert.equal((await api.ask('admin', 'POST /prices', { body: { price: -1 } })).body.errors[0].code, 'TOO_SMALL');
  const path = `/prices/${added.body.priceId}`;
  const change = () => api.ask('admin', `PATCH ${path}`, { body: { price: 3_100, version: 1 } });
  assert.deepEqual((await Promise.all([change(), change()])).map(({ status }) => status).sort(), [200, 409]);
  const routing = await new RoutingCache(pool).refresh();
  assert.equal(routing.price('PH', 'Globe', 1, api.customerId), 3_100);
  assert.equal(routing.price('PH', 'Globe', 1, api.otherCustomerId), 3_500);
  const listed = await api.ask('admin', 'GET /prices', { query: { customerId: api.customerId } });
  assert.deepEqual(
    listed.body.items.map(({ price }: { price: number }) => price),
    [3_100],
  );
  assert.equal((await api.ask('admin', `DELETE ${path}`)).status, 204);
  assert.equal((await api.ask('admin', `DELETE ${path}`)).status, 404);
});
