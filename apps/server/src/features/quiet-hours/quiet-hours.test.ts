import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, run, sql } from '@pahatid/db';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const legal = { from: 21, to: 7, isExempt: false };
type Who = Parameters<typeof api.ask>[0];
const change = (body: object, who: Who = 'owner') => api.ask(who, 'PATCH /quiet-hours', { body });
const read = async (who: Who = 'viewer') => (await api.ask(who, 'GET /quiet-hours')).body;

test('S59 an owner makes the night longer, never shorter; every user of the customer reads it, no one else', async () => {
  assert.deepEqual(await read(), legal);
  const changed = await change({ from: 19, to: 9 });
  assert.deepEqual([changed.status, changed.body], [200, { from: 19, to: 9, isExempt: false }]);
  assert.deepEqual(await read('member'), changed.body);
  assert.deepEqual(await read('other'), legal);
  const [entry] = await many<{ before: object; after: object }>(
    api.db.pool,
    sql`select before, after from audit_log where customer_id = ${api.customerId} and action = 'edit'`,
  );
  assert.deepEqual(entry, { before: { quietFrom: 21, quietTo: 7 }, after: { quietFrom: 19, quietTo: 9 } });
  for (const body of [
    { from: 22, to: 7 },
    { from: 21, to: 6 },
    { from: 20.5, to: 7 },
    { from: 21 },
    { from: '21', to: 7 },
  ])
    assert.equal((await change(body)).status, 400, JSON.stringify(body));
  const crossed = await change({ from: 10, to: 12 });
  assert.deepEqual([crossed.status, crossed.body.errors[0].field], [400, 'to']);
  assert.deepEqual(await read(), changed.body, 'nothing of these');
});

test('access: no anonymous calls, no viewer or member writes, staff have none of their own', async () => {
  assert.equal((await api.ask(null, 'GET /quiet-hours')).status, 401);
  for (const who of ['viewer', 'member', 'operator'] as const)
    assert.equal((await change({ from: 21, to: 7 }, who)).status, 403, who);
  assert.equal((await api.ask('operator', 'GET /quiet-hours')).status, 403);
});

test('of two concurrent changes one is stored whole', async () => {
  await Promise.all([change({ from: 20, to: 8 }), change({ from: 18, to: 10 })]);
  const { from, to } = await read();
  assert.ok((from === 20 && to === 8) || (from === 18 && to === 10));
});

test('staff see it next to the exemption, estimates and home use it', async () => {
  await change({ from: 18, to: 10 });
  const staff = await api.ask('operator', `GET /customers/${api.customerId}`);
  assert.deepEqual(staff.body.quietHours, { from: 18, to: 10 });
  const home = () => api.ask('viewer', 'GET /overview', { query: { range: 'today', zone: 'Asia/Manila' } });
  assert.deepEqual((await home()).body.quietHours, { from: 18, to: 10 });
  await run(api.db.pool, sql`update customer set quiet_hours_exempt = true where customer_id = ${api.customerId}`);
  assert.equal((await home()).body.quietHours, null);
  assert.equal((await read()).isExempt, true);
});
