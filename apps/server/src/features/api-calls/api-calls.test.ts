import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiCall, apiCallKeptDays } from '@pahatid/contract';
import { many, run, sql, uuidV7 } from '@pahatid/db';
import { buildKey } from '@pahatid/db/builders';
import { insertApiCalls, listApiCalls, sweepApiCalls } from '@pahatid/db/queries/api-calls';
import { makeApp } from '../../http/app.ts';
import { makeCallLog, toLogPath } from '../../http/call-log.ts';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { registerKeys } from '../keys/routes.ts';
import { registerMessages } from '../messages/routes.ts';
import { registerOptOuts } from '../opt-outs/routes.ts';
import { registerTemplates } from '../templates/routes.ts';
import { registerApiCalls } from './routes.ts';

const api = await makeTestApi({
  features: [registerApiCalls, registerKeys, registerMessages, registerOptOuts, registerTemplates],
});
const { appId, customerId } = api;
const { pool } = api.db;
const key = await buildKey(pool, { customerId, appId });
const dayMs = 86_400_000;

const call = (route: string, input: { body?: unknown; requestId?: string; bearer?: string; ip?: string } = {}) =>
  api.ask(null, route, {
    ...(input.body !== undefined && { body: input.body }),
    ...(input.ip !== undefined && { ip: input.ip }),
    headers: {
      authorization: input.bearer ?? `Bearer ${key.apiKey}`,
      ...(input.requestId !== undefined && { 'x-request-id': input.requestId }),
    },
  });
const list = async (query: Record<string, string> = {}, who: Who = 'viewer'): Promise<ApiCall[]> => {
  await api.app.api.callLog.flush();
  const answer = await api.ask(who, 'GET /calls', { query });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.items;
};
const open = async (requestId: string) => {
  const [row] = await list({ requestId });
  return (await api.ask('viewer', `GET /calls/${row?.callId}`)).body;
};

test('each call of software is found by its request id, with its key, path, status and error; people’s are not', async () => {
  await call('GET /templates', { requestId: 'fine-1' });
  await call('GET /messages/123456789012345678?x=1', { requestId: 'gone-1' });
  await call('GET /templates', { requestId: 'password-1', bearer: api.basic.app });
  await api.ask('owner', 'GET /templates', { headers: { 'x-request-id': 'person-1' } });
  await api.ask(null, 'GET /templates', { headers: { 'x-request-id': 'nobody-1' } });
  const [fine] = await list({ requestId: 'fine-1' });
  assert.ok(fine);
  const { time, durationMs, callId, ...said } = fine;
  assert.deepEqual(said, {
    ...{ requestId: 'fine-1', method: 'GET', path: '/templates', status: 200, errorCode: null, appId },
    ...{ appName: fine.appName, keyId: key.keyId, keyName: fine.keyName, mode: 'live', ip: '127.0.0.1' },
    prefix: key.apiKey.slice(0, 16),
  });
  assert.ok(fine.keyName !== null && durationMs >= 0 && Math.abs(Date.parse(time) - Date.now()) < 3_600_000);
  const gone = await open('gone-1');
  assert.deepEqual([gone.callId === callId, gone.path, gone.status], [false, '/messages/123456789012345678', 400]);
  assert.deepEqual([gone.errorCode, gone.requestBody, gone.responseBody], ['VALIDATION_FAILED', null, null]);
  assert.deepEqual(
    (await list({ requestId: 'password-1' })).map((row) => [row.keyId, row.prefix, row.appId]),
    [[null, null, appId]],
  );
  for (const requestId of ['person-1', 'nobody-1']) assert.deepEqual(await list({ requestId }), []);
});

test('a refused call is recorded once its key is known: without the scope, from another address, with an ended key', async () => {
  const narrow = await buildKey(pool, { customerId, appId, scopes: ['replies'], whiteListIp: ['192.0.2.9'] });
  const bearer = `Bearer ${narrow.apiKey}`;
  await call('GET /templates', { requestId: 'scope-1', bearer, ip: '192.0.2.9' });
  await call('GET /templates', { requestId: 'address-1', bearer });
  const ended = await buildKey(pool, { customerId, appId });
  await run(pool, sql`update api_key set ended_at = now() where key_id = ${ended.keyId}`);
  await call('GET /templates', { requestId: 'ended-1', bearer: `Bearer ${ended.apiKey}` });
  const [afterEnd] = await list({ requestId: 'ended-1' });
  assert.deepEqual([afterEnd?.keyId, afterEnd?.status], [ended.keyId, 401]);
  const refused = await list({ keyId: narrow.keyId });
  assert.deepEqual(
    refused.map(({ requestId, status, errorCode }) => [requestId, status, errorCode]),
    [
      ['address-1', 403, 'ADDRESS_NOT_ALLOWED'],
      ['scope-1', 403, 'SCOPE_MISSING'],
    ],
  );
});

test('the list is narrowed by key, class of status, path and time, goes on page by page, and is exported', async () => {
  const other = await buildKey(pool, { customerId, appId });
  const bearer = `Bearer ${other.apiKey}`;
  for (const route of ['GET /templates', 'GET /messages/123456789012345671', 'GET /messages/123456789012345672'])
    await call(route, { bearer });
  const found = async (query: Record<string, string>) =>
    (await list({ keyId: other.keyId, ...query })).map(({ path }) => path);
  const [first, second] = ['/messages/123456789012345671', '/messages/123456789012345672'];
  assert.deepEqual(await found({}), [second, first, '/templates']);
  assert.deepEqual(await found({ sort: 'time' }), ['/templates', first, second]);
  assert.deepEqual(await found({ status: '2' }), ['/templates']);
  assert.deepEqual(await found({ status: '5' }), []);
  for (const path of ['/messages/{messageId}', '/api/v1/messages/:messageId', 'messages/:messageId'])
    assert.deepEqual(await found({ path }), [second, first], path);
  assert.deepEqual(await found({ path: `https://sms.example/api/v1${first}` }), [first]);
  assert.deepEqual(await found({ path: '/nowhere' }), []);
  assert.deepEqual(await found({ from: new Date(Date.now() + dayMs).toISOString() }), []);
  assert.deepEqual(await found({ to: new Date(Date.now() - dayMs).toISOString() }), []);
  const page = await api.ask('owner', 'GET /calls', { query: { keyId: other.keyId, limit: '2' } });
  const rest = { keyId: other.keyId, limit: '2', cursor: page.body.nextCursor };
  assert.deepEqual(await found({ ...rest }), ['/templates']);
  const csv = await api.ask('owner', 'GET /calls', {
    query: { keyId: other.keyId },
    headers: { accept: 'text/csv', 'accept-language': 'en-US' },
  });
  assert.match(csv.text, /^\ufeffTime,Request ID,Method,Path,HTTP status,Error code,/);
  assert.equal(csv.text.trim().split('\r\n').length, 4);
  for (const query of [{ status: '6' }, { keyId: 'x' }, { cursor: 'x' }, { path: '' }] as Record<string, string>[])
    assert.equal((await api.ask('owner', 'GET /calls', { query })).status, 400, JSON.stringify(query));
});

test('bodies are recorded only where an owner wants them: bounded, numbers, codes and secrets masked, ids legible', async () => {
  const body = { to: '+63 917 123 4567', content: 'Your code is 482913', smsType: 1, clientRef: 'order-1' };
  await call('POST /messages', { requestId: 'without-1', body });
  assert.deepEqual([(await open('without-1')).requestBody, (await open('without-1')).responseBody], [null, null]);
  for (const who of ['member', 'viewer', 'operator'] as const)
    assert.equal((await api.ask(who, 'PATCH /call-log', { body: { bodies: true } })).status, 403, who);
  const turned = await api.ask('owner', 'PATCH /call-log', { body: { bodies: true } });
  assert.deepEqual(turned.body, { bodies: true, dropped: 0 });
  const fresh = await buildKey(pool, { customerId, appId });
  // A process that has not read the application within the last second.
  const app = await makeApp(api.deps, [registerMessages, registerOptOuts]);
  const send = (requestId: string, given: object) =>
    app.inject({
      ...{ method: 'POST', url: '/api/v1/messages', payload: given },
      headers: { authorization: `Bearer ${fresh.apiKey}`, 'x-request-id': requestId },
    });
  await send('with-1', { ...body, replyTo: '123456789012345678', appSecret: 'hidden-word' });
  await send('long-1', { to: '09171234567', content: 'x'.repeat(20_000) });
  await app.close();
  const detail = await open('with-1');
  assert.match(detail.requestBody, /"content":"Your code is \*{6}"/);
  assert.match(detail.requestBody, /"replyTo":"123456789012345678","appSecret":"\*\*\*"/);
  assert.doesNotMatch(detail.requestBody + detail.responseBody, /9171234567|917 123 4567|482913|hidden-word/);
  assert.match(detail.responseBody, /"code":"VALIDATION_FAILED"/);
  const long = await open('long-1');
  assert.ok(long.requestBody.length <= 8_192 && long.requestBody.endsWith('…'));
  assert.equal(toLogPath('/api/v1/opt-outs/%2B639171234567?x=639171234567'), '/opt-outs/%2B********4567');
  await api.ask('owner', 'PATCH /call-log', { body: { bodies: false } });
});

test('calls of a test key are listed with those of its live application, for its customer alone; staff name the customer', async () => {
  const body = { keyName: 'Test', appId, mode: 'test', scopes: ['templates'] };
  const { body: test } = await api.ask('owner', 'POST /keys', { body });
  await call('GET /templates', { requestId: 'test-1', bearer: `Bearer ${test.apiKey}` });
  assert.deepEqual(
    (await list({ requestId: 'test-1' })).map((row) => [row.mode, row.appId, row.status]),
    [['test', appId, 200]],
  );
  const [row] = await list({ requestId: 'test-1' });
  assert.deepEqual(await list({}, 'other'), []);
  assert.equal((await api.ask('other', `GET /calls/${row?.callId}`)).status, 404);
  assert.equal((await api.ask('admin', 'GET /calls')).body.errors[0].field, 'customerId');
  assert.equal((await list({ customerId, requestId: 'test-1' }, 'reviewer')).length, 1);
  assert.equal((await api.ask('admin', `GET /calls/${row?.callId}`, { query: { customerId } })).status, 200);
  assert.equal((await api.ask(null, 'GET /calls')).status, 401);
  const bySoftware = await call('GET /calls', { bearer: `Bearer ${test.apiKey}` });
  assert.deepEqual([bySoftware.status, bySoftware.body.code], [403, 'FORBIDDEN']);
});

test('without room calls are counted, not recorded; what can not be written is counted too, and both are shown', async () => {
  const log = makeCallLog(api.deps);
  const software = { customerId: api.otherCustomerId, appId: api.otherAppId, keyId: null, logsBodies: false };
  const request = { software, url: '/api/v1/templates', id: 'many', method: 'GET', ip: '127.0.0.1', routeOptions: {} };
  const reply = { statusCode: 200, elapsedTime: 1 };
  const note = (more: object = {}): void =>
    log.note({ ...request, errorCode: null, sentBody: null, ...more } as never, reply as never);
  for (let n = 0; n < 10_003; n++) note();
  await log.flush();
  const read = async () => (await api.ask('other', 'GET /call-log')).body;
  assert.deepEqual(await read(), { bodies: false, dropped: 3 });
  const [{ n } = { n: 0 }] = await many<{ n: number }>(
    pool,
    sql`select count(*)::int as n from api_call where customer_id = ${api.otherCustomerId}`,
  );
  assert.equal(n, 10_000);
  note({ ip: 'no address' });
  await log.stop();
  assert.equal((await read()).dropped, 4);
});

test('calls older than a week are not listed, and are swept by customer, the oldest first', async () => {
  const old = (days: number, owner: string) => ({
    ...{ customerId: owner, callId: uuidV7(Date.now() - days * dayMs), appId, keyId: null, requestId: 'old' },
    ...{ method: 'GET', route: '/templates', path: '/templates', status: 200, errorCode: null, durationMs: 1 },
    ...{ ip: '127.0.0.1', requestBody: null, responseBody: null },
  });
  const owners = [customerId, uuidV7(), uuidV7()];
  await insertApiCalls(
    pool,
    owners.flatMap((owner) => [9, 8, 6].map((days) => old(days, owner))),
  );
  assert.equal((await list({ requestId: 'old' })).length, 1);
  const sweep = (limit: number) => sweepApiCalls(pool, Date.now(), apiCallKeptDays * dayMs, limit);
  assert.deepEqual([await sweep(4), await sweep(4), await sweep(4)], [4, 2, 0]);
  for (const owner of owners) {
    const page = { keptFrom: new Date(0), after: null, isDescending: true, limit: 10 };
    assert.equal((await listApiCalls(pool, { customerId: owner, requestId: 'old' }, page)).length, 1);
  }
});
