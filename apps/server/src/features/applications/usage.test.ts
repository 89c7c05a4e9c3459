/** Statistics of applications, templates and sender IDs: usage, refusals by the API, each carrier's state. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus, TaskStatus } from '@pahatid/contract';
import { one, sql, withTransaction } from '@pahatid/db';
import { buildBatch, buildTemplate } from '@pahatid/db/builders';
import { DealResult } from '@pahatid/domain';
import { makeTaskWorld } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const world = await makeTaskWorld(pool, api.customerId, api.appId);
const usage = async () => (await api.ask('viewer', `GET /applications/${api.appId}/usage`)).body;
const send = (authorization: string, body: unknown) =>
  api.app.inject({
    method: 'POST',
    url: '/api/v1/messages',
    headers: { authorization, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
const basic = (appId: string) => `Basic ${Buffer.from(`${appId}:wrong`).toString('base64')}`;

test('rejected requests are counted by reason, only for applications that exist', async () => {
  assert.deepEqual((await usage()).refusals, []);
  for (let i = 0; i < 3; i += 1) assert.equal((await send(basic(api.appId), {})).statusCode, 401);
  assert.equal((await send(basic('nobody-at-all'), {})).statusCode, 401);
  assert.equal((await send(api.basic.app, { nonsense: true })).statusCode, 400);
  await api.app.api.refusals.flush();
  const { refusals } = await usage();
  assert.deepEqual(
    refusals
      .map((one: { code: string; count: number; lastIp: string }) => [one.code, one.count, one.lastIp])
      .toSorted(),
    [
      ['APP_CREDENTIALS_INVALID', 3, '127.0.0.1'],
      ['VALIDATION_FAILED', 1, '127.0.0.1'],
    ],
  );
  const { rows } = await pool.query('select distinct app_id from application_refusal');
  assert.deepEqual(rows, [{ app_id: api.appId }]);
  assert.deepEqual((await api.ask('other', `GET /applications/${api.otherAppId}/usage`)).body.refusals, []);
});

test('usage matches the rollup, and failures are listed by result', async () => {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Completed, startedAt: new Date(), endedAt: new Date() });
  const of = (clientStatus: ClientStatus, more = {}) => ({
    msisdn: '639171234567',
    content: 'x',
    carrier: 'Globe',
    clientStatus,
    ...more,
  });
  await world.addBatch(taskId, [
    of(ClientStatus.Delivered),
    of(ClientStatus.Delivered),
    of(ClientStatus.Undelivered),
    of(ClientStatus.Rejected, { dealResult: DealResult.TriesUsedUp }),
    of(ClientStatus.Rejected),
    of(ClientStatus.Blocked, { dealResult: DealResult.Terminated }),
  ]);
  const { body } = await api.ask('viewer', `GET /applications/${api.appId}/usage`);
  assert.deepEqual(
    [
      body.requestCount,
      body.acceptedCount,
      body.refusedCount,
      body.deliveredCount,
      body.undeliveredCount,
      body.blockedCount,
    ],
    [6, 3, 2, 2, 1, 1],
  );
  assert.deepEqual(
    new Set(body.failures.map((one: { dealResult: string; count: number }) => `${one.dealResult} ${one.count}`)),
    new Set(['TRIES_USED_UP 1', 'REFUSED_BY_CARRIER 1', 'TERMINATED 1']),
  );
  assert.ok(body.lastTime !== null);
  assert.deepEqual(
    body.carriers.map((one: { carrier: string }) => one.carrier),
    ['DITO', 'Globe', 'Smart'],
  );

  const list = await api.ask('viewer', 'GET /templates');
  const template = list.body.items.find((one: { templateId: string }) => one.templateId === world.templateId);
  assert.deepEqual(
    [
      template.usage.taskCount,
      template.usage.acceptedCount,
      template.usage.deliveredCount,
      template.usage.undeliveredCount,
    ],
    [1, 3, 2, 1],
  );
  const detail = await api.ask('viewer', `GET /templates/${world.templateId}`);
  assert.deepEqual(detail.body.usage, template.usage);
});

test('the usage of a template counts API messages in addition to tasks, only of its own customer', async () => {
  const way = await one(
    pool,
    sql<{
      supplierId: string;
      routeId: string;
    }>`select supplier_id as "supplierId", route_id as "routeId" from route limit 1`,
  );
  const carrier = { smsType: 2, clientSid: 'SHOP', ...way } as const;
  const own = { customerId: api.customerId, appId: api.appId };
  const used = async (templateId: string) => {
    const { items } = (await api.ask('viewer', 'GET /templates')).body;
    const { usage: listed } = items.find((one: { templateId: string }) => one.templateId === templateId);
    assert.deepEqual((await api.ask('viewer', `GET /templates/${templateId}`)).body.usage, listed);
    const { taskCount, acceptedCount, deliveredCount, undeliveredCount, lastTime } = listed;
    return [taskCount, acceptedCount, deliveredCount, undeliveredCount, lastTime] as const;
  };
  const templateId = await buildTemplate(pool, own);
  assert.deepEqual(await used(templateId), [0, 0, 0, 0, null]);
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  const send = async (daysAgo: number, of: string, statuses: ClientStatus[]) => {
    const at = new Date(minute - daysAgo * 86_400_000);
    const messages = statuses.map((clientStatus) => ({
      msisdn: '639171234567',
      content: 'x',
      carrier: 'Globe',
      clientStatus,
    }));
    await withTransaction(pool, (tx) =>
      buildBatch(tx, { ...own, ...carrier, at, writer: 200, templateId: of, messages }),
    );
    return at.toISOString();
  };
  const { Delivered, Undelivered, Unknown, Rejected } = ClientStatus;
  const at = await send(3, templateId, [Delivered, Delivered, Undelivered, Unknown, Rejected]);
  await send(20, templateId, [Delivered]);
  await send(95, templateId, [Delivered]);
  assert.deepEqual(await used(templateId), [0, 5, 3, 1, at]);

  const [, accepted, delivered, undelivered] = await used(world.templateId);
  const last = await send(0, world.templateId, [Delivered, Undelivered]);
  assert.deepEqual((await used(world.templateId)).slice(0, 4), [1, accepted + 2, delivered + 1, undelivered + 1]);
  assert.ok((await used(world.templateId))[4] >= last);

  // Counts that name another customer's template are not attributed.
  await pool.query(`update template_day set customer_id = $1 where template_id = $2`, [
    api.otherCustomerId,
    templateId,
  ]);
  await pool.query(`update message set customer_id = $1 where template_id = $2`, [api.otherCustomerId, templateId]);
  assert.deepEqual(await used(templateId), [0, 0, 0, 0, null]);
  assert.equal((await api.ask('other', `GET /templates/${templateId}`)).status, 404);
});

test('usage is seen by the application’s own customer and by staff', async () => {
  assert.equal((await api.ask(null, `GET /applications/${api.appId}/usage`)).status, 401);
  assert.equal((await api.ask('other', `GET /applications/${api.appId}/usage`)).status, 404);
  assert.equal((await api.ask('reviewer', `GET /applications/${api.appId}/usage`)).status, 200);
});

test('staff set the status of a sender ID per carrier, its customer reads it', async () => {
  await api.ask('member', 'POST /senders', { body: { appId: api.appId, areaCode: 'PH', senderId: 'CARRIERS' } });
  const read = async () => {
    const { body } = await api.ask('viewer', 'GET /senders', { query: { search: 'CARRIERS' } });
    return body.items[0];
  };
  const { id } = await read();
  const set = (who: 'member' | 'reviewer' | 'operator', body: unknown, of = id) =>
    api.ask(who, `PUT /reviews/senders/${of}/carriers`, { body });
  assert.equal((await set('reviewer', { carrier: 'Smart', auditStatus: 1 })).status, 200);
  assert.equal((await set('operator', { carrier: 'DITO', auditStatus: 2 })).status, 200);
  const { carriers, auditStatus } = await read();
  assert.deepEqual(carriers, [
    { carrier: 'DITO', auditStatus: 2 },
    { carrier: 'Globe', auditStatus: 0 },
    { carrier: 'Smart', auditStatus: 1 },
  ]);
  assert.equal(auditStatus, 0, 'the summary is the reviewer’s decision');
  assert.equal((await set('member', { carrier: 'Smart', auditStatus: 1 })).status, 404);
  assert.equal((await set('reviewer', { carrier: 'Sun', auditStatus: 1 })).status, 400);
  assert.equal((await set('reviewer', { carrier: 'Smart', auditStatus: 9 })).status, 400);
  assert.equal((await set('reviewer', { carrier: 'Smart', auditStatus: 1 }, world.templateId)).status, 404);
  const { rows } = await pool.query(
    `select after from audit_log where action = 'setCarrier' order by after ->> 'carrier'`,
  );
  assert.equal(rows.length, 2);
});
