import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartLimit } from '@pahatid/contract';
import { buildUser } from '@pahatid/db/builders';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });

const plain = {
  tabName: 'By carrier',
  chartType: 'line',
  selectedMetrics: ['receiptSuccessNum'],
  dimensions: ['logDate', 'carrier'],
  preset: 'last14Days',
};
const add = async (who: Who, change: object = {}) => {
  const { status, body, text } = await api.ask(who, 'POST /charts', { body: { ...plain, ...change } });
  assert.equal(status, 201, text);
  return body;
};
const list = async (who: Who) => (await api.ask(who, 'GET /charts')).body.items;
const tabs = async (who: Who) => (await list(who)).map((chart: { tabName: string }) => chart.tabName);
/** A member of the first customer with no chart yet. */
const someone = async () => {
  const user = await buildUser(api.db.pool, { customerId: api.customerId, role: 'member' });
  const headers = { cookie: await api.signIn(user.userId) };
  const ask = (key: string, body?: object) => api.ask(null, key, { headers, ...(body && { body }) });
  const added = async (tabName: string) => (await ask('POST /charts', { ...plain, tabName })).body.chartId as string;
  const names = async () => (await ask('GET /charts')).body.items.map((each: { tabName: string }) => each.tabName);
  return { ask, added, names };
};

test('a chart is kept for its user alone, whole, and changed by the field', async () => {
  const made: { chartId: string } = await add('owner', { filters: { carrier: 'Smart' }, compare: 1, unit: 2 });
  assert.deepEqual(made, {
    ...plain,
    chartId: made.chartId,
    filters: { carrier: 'Smart' },
    compare: 1,
    unit: 2,
    from: null,
    to: null,
    isDefault: 0,
    version: 1,
  });
  assert.deepEqual(await list('owner'), [made]);
  assert.deepEqual(await list('member'), []);
  const { body } = await api.ask('owner', `PATCH /charts/${made.chartId}`, {
    body: { version: 1, chartType: 'pie', preset: null, from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' },
  });
  assert.deepEqual(body, {
    ...made,
    version: 2,
    chartType: 'pie',
    preset: null,
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-02T00:00:00.000Z',
  });
  assert.equal((await api.ask('owner', `DELETE /charts/${made.chartId}`)).status, 204);
  assert.deepEqual(await list('owner'), []);
  assert.equal((await api.ask('owner', `DELETE /charts/${made.chartId}`)).status, 404);
});

test('name, type and at least one metric are required, and nothing is kept that could not be asked', async () => {
  for (const [change, field] of [
    [{ tabName: ' ' }, 'tabName'],
    [{ tabName: 'x'.repeat(41) }, 'tabName'],
    [{ chartType: 'radar' }, 'chartType'],
    [{ selectedMetrics: [] }, 'selectedMetrics'],
    [{ selectedMetrics: ['charged'] }, 'selectedMetrics.0'],
    [{ selectedMetrics: ['reqFailNum', 'reqFailNum'] }, 'selectedMetrics'],
    [{ dimensions: ['phone'] }, 'dimensions.0'],
    [{ dimensions: ['customerId'] }, 'dimensions'],
    [{ filters: { routeId: api.customerId } }, 'filters'],
    [{ filters: { phone: '1' } }, 'filters.phone'],
    [{ preset: null, from: '2026-03-02T00:00:00Z' }, 'preset'],
    [{ preset: null, from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' }, 'to'],
    [{ unit: 3 }, 'unit'],
    [{ isDefault: 1 }, 'isDefault'],
  ] as const) {
    const { status, body, text } = await api.ask('owner', 'POST /charts', { body: { ...plain, ...change } });
    assert.equal(status, 400, `${JSON.stringify(change)}: ${text}`);
    assert.equal(body.errors[0].field, field);
  }
  assert.deepEqual(await list('owner'), []);
  const staffs = await add('operator', { dimensions: ['customerId'], filters: { customerId: api.customerId } });
  assert.deepEqual(staffs.dimensions, ['customerId']);
});

test('S1 charts are private: within a customer, across customers, and a viewer stores none', async () => {
  const { chartId } = await add('owner');
  for (const who of ['member', 'other', 'admin'] as const)
    for (const [key, body] of [
      [`PATCH /charts/${chartId}`, { version: 1, tabName: 'Mine' }],
      [`POST /charts/${chartId}/copy`, { tabName: 'Mine' }],
      [`POST /charts/${chartId}/default`, undefined],
      [`DELETE /charts/${chartId}`, undefined],
    ] as const)
      assert.equal((await api.ask(who, key, body === undefined ? {} : { body })).status, 404, `${who} ${key}`);
  assert.equal((await api.ask('member', 'PUT /charts/order', { body: { chartIds: [chartId] } })).status, 409);
  assert.equal((await api.ask('viewer', 'POST /charts', { body: plain })).status, 403);
  assert.equal((await api.ask('viewer', 'GET /charts')).status, 200);
  assert.equal((await api.ask(null, 'GET /charts')).status, 401);
  assert.deepEqual(await tabs('owner'), ['By carrier']);
});

test('tabs are copied next to the original, reordered, and one of them opens first', async () => {
  const { ask, added, names } = await someone();
  const [a, b] = [await added('A'), await added('B')];
  const copy = (await ask(`POST /charts/${a}/copy`, { tabName: 'A again' })).body;
  assert.deepEqual(await names(), ['A', 'A again', 'B']);
  assert.deepEqual([copy.selectedMetrics, copy.version, copy.isDefault], [plain.selectedMetrics, 1, 0]);
  const ordered = await ask('PUT /charts/order', { chartIds: [b, copy.chartId, a] });
  assert.equal(ordered.status, 200, ordered.text);
  assert.deepEqual(await names(), ['B', 'A again', 'A']);
  for (const chartIds of [
    [b, a],
    [b, a, copy.chartId, crypto.randomUUID()],
    [b, a, crypto.randomUUID()],
  ])
    assert.equal((await ask('PUT /charts/order', { chartIds })).body.code, 'CONFLICT');
  for (const chartId of [a, b]) assert.equal((await ask(`POST /charts/${chartId}/default`)).body.isDefault, 1);
  const { items } = (await ask('GET /charts')).body;
  assert.deepEqual(
    items.map((chart: { tabName: string; isDefault: number }) => [chart.tabName, chart.isDefault]),
    [
      ['B', 1],
      ['A again', 0],
      ['A', 0],
    ],
  );
});

test('of two concurrent changes one gets a conflict; concurrent adds, copies and defaults leave one order and one default', async () => {
  const { ask, added, names } = await someone();
  const chartId = await added('First');
  const changes = await Promise.all(
    ['One', 'Two', 'Three'].map((tabName) => ask(`PATCH /charts/${chartId}`, { version: 1, tabName })),
  );
  assert.deepEqual(changes.map(({ status }) => status).sort(), [200, 409, 409]);
  await Promise.all(
    Array.from({ length: chartLimit + 5 }, (_, index) =>
      index % 2 === 0 ? ask('POST /charts', plain) : ask(`POST /charts/${chartId}/copy`, { tabName: 'Copy' }),
    ),
  );
  assert.equal((await names()).length, chartLimit);
  assert.deepEqual((await ask('POST /charts', plain)).body.params, { limit: chartLimit });
  const { items } = (await ask('GET /charts')).body;
  const ids: string[] = items.map((chart: { chartId: string }) => chart.chartId);
  const answers = await Promise.all([
    ...ids.slice(0, 8).map((id) => ask(`POST /charts/${id}/default`)),
    ask('PUT /charts/order', { chartIds: ids.toReversed() }),
  ]);
  assert.ok(answers.every(({ status }) => status === 200));
  const after = (await ask('GET /charts')).body.items;
  assert.equal(after.filter((chart: { isDefault: number }) => chart.isDefault === 1).length, 1);
  assert.deepEqual(
    after.map((chart: { chartId: string }) => chart.chartId),
    ids.toReversed(),
  );
});
