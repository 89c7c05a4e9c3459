/** The callback log, thresholds and quiet hours as software reads them (decision 160). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus } from '@pahatid/contract/enums';
import { one, run, sql, uuidV7 } from '@pahatid/db';
import { buildApplication, buildKey } from '@pahatid/db/builders';
import { makeCallbackWorld } from '../../callbacks/testing/callback-world.ts';

const world = await makeCallbackWorld();
const { api, receiver, dispatch } = world;
const { customerId } = api;
const { pool } = api.db;
const mine = await world.addEndpoint();
const second = await world.addEndpoint();
const as =
  (apiKey: string) =>
  (route: string, input: object = {}) =>
    api.ask(null, route, { ...input, headers: { authorization: `Bearer ${apiKey}` } });
const keyOf = async (appId: string) => as((await buildKey(pool, { customerId, appId, scopes: ['callbacks'] })).apiKey);
const ask = await keyOf(mine.appId);
const deliver = async (appId: string): Promise<string> => {
  const messageId = await world.addMessage(appId);
  await world.move([messageId], ClientStatus.Submitted, ClientStatus.Delivered);
  await dispatch();
  return String(messageId);
};

test('a key reads what was sent to its application, with every attempt, and has it sent again', async () => {
  const messageId = await deliver(mine.appId);
  await deliver(second.appId);
  const { items } = (await ask('GET /callbacks')).body;
  assert.deepEqual(
    items.map((item: { messageId: string; state: string }) => [item.messageId, item.state]),
    [[messageId, 'delivered']],
  );
  const [{ eventId }] = items;
  const { body: detail } = await ask(`GET /callbacks/${eventId}`);
  assert.equal(JSON.parse(detail.body).data.messageId, messageId);
  assert.equal(detail.tries[0].status, 200);
  const endpoints = (await ask('GET /callback-endpoints')).body.items;
  assert.deepEqual(
    endpoints.map((each: { endpointId: string }) => each.endpointId),
    [mine.endpointId],
  );
  receiver.heard.length = 0;
  assert.equal((await ask(`POST /callbacks/${eventId}/retry`)).status, 200);
  await dispatch();
  assert.equal(receiver.heard.length, 1);
  const replay = `POST /callback-endpoints/${mine.endpointId}/replay`;
  const body = { from: new Date(Date.now() - 3_600_000).toISOString(), which: 'all' };
  assert.deepEqual((await ask(replay, { body })).body, { count: 1 });
  await dispatch();
  assert.equal(receiver.heard.length, 2);
  const entry = await one<{ account: string }>(
    pool,
    sql`select account from audit_log where action = 'replay' and subject_id = ${mine.endpointId}`,
  );
  assert.match(entry.account, /^pk_live_/);
});

test('S77 addresses of other applications, and those of thresholds, are closed to it; no key changes one', async () => {
  const other = await keyOf(second.appId);
  const [{ eventId }] = (await ask('GET /callbacks')).body.items;
  const alertId = uuidV7();
  await run(
    pool,
    sql`insert into callback_endpoint (endpoint_id, customer_id, kind, url, state)
        values (${alertId}, ${customerId}, 'alert', 'https://alerts.example/', 'enabled')`,
  );
  const body = { from: '2026-01-01T00:00:00Z' };
  for (const [who, route] of [
    [other, `GET /callbacks/${eventId}`],
    [other, `POST /callbacks/${eventId}/retry`],
    [other, `GET /callback-endpoints/${mine.endpointId}`],
    [ask, `GET /callback-endpoints/${alertId}`],
  ] as const)
    assert.equal((await who(route)).status, 404, route);
  for (const endpointId of [second.endpointId, alertId])
    assert.equal((await ask(`POST /callback-endpoints/${endpointId}/replay`, { body })).status, 404);
  const path = `/callback-endpoints/${mine.endpointId}`;
  for (const [route, input] of [
    [`PATCH ${path}`, { body: { batched: true } }],
    [`POST ${path}/test`, {}],
    [`POST ${path}/secret`, { body: { currentPassword: 'x' } }],
  ] as const)
    assert.equal((await ask(route, input)).body.code, 'FORBIDDEN', route);
});

test('members do not give the scope, as they do not send callbacks again; owners do', async () => {
  const body = { keyName: 'Callbacks', appId: mine.appId, scopes: ['callbacks'] };
  assert.equal((await api.ask('member', 'POST /keys', { body })).body.errors[0].field, 'scopes');
  assert.equal((await api.ask('owner', 'POST /keys', { body })).status, 201);
});

test('software reads quiet hours, and the thresholds of its application and of all, and changes none', async () => {
  const { apiKey } = await buildKey(pool, { customerId, appId: mine.appId });
  const own = as(apiKey);
  assert.deepEqual((await own('GET /quiet-hours')).body, { from: 21, to: 7, isExempt: false });
  const elsewhere = await buildApplication(pool, { customerId });
  const ids = new Map<string | null, string>();
  for (const appId of [null, mine.appId, elsewhere]) {
    const rule = { kind: 'frequency', perDay: 5, appId };
    ids.set(appId, (await api.ask('owner', 'POST /thresholds', { body: rule })).body.thresholdId);
  }
  const listed = (await own('GET /thresholds', { query: { kind: 'frequency' } })).body.items;
  assert.deepEqual(
    listed.map((rule: { appId: string | null }) => rule.appId),
    [mine.appId, null],
  );
  assert.equal((await own(`GET /thresholds/${ids.get(null)}/events`)).status, 200);
  assert.equal((await own(`GET /thresholds/${ids.get(elsewhere)}`)).status, 404);
  for (const [route, body] of [
    ['PATCH /quiet-hours', { from: 20, to: 8 }],
    ['POST /thresholds', { kind: 'frequency', perDay: 1 }],
    [`DELETE /thresholds/${ids.get(mine.appId)}`, undefined],
  ] as const)
    assert.equal((await own(route, body && { body })).body.code, 'FORBIDDEN', route);
});
