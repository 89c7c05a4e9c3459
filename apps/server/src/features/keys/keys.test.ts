import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { apiScopes } from '@pahatid/contract';
import { many, one, sql } from '@pahatid/db';
import { buildApplication, buildKey } from '@pahatid/db/builders';
import { until } from '@pahatid/testkit';
import type { RegisterFeature } from '../../http/app.ts';
import { serve } from '../../http/serve.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerTemplates } from '../templates/routes.ts';
import { registerKeys } from './routes.ts';

/** A stream that sends nothing until it is closed. */
const quiet: RegisterFeature = (app) =>
  serve(app, 'GET /tasks/events', async ({ signal }) =>
    (async function* () {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      yield* [];
    })(),
  );

const api = await makeTestApi({ features: [registerKeys, registerTemplates, quiet] });
const { appId, customerId } = api;
const { pool } = api.db;
const given = { keyName: 'Order service', appId, scopes: ['templates', 'messages:send'] };
const make = (who: 'owner' | 'member' | 'viewer' | 'other' | 'admin', body: object = given) =>
  api.ask(who, 'POST /keys', { body });
const withKey = (apiKey: string, route: 'GET /templates' | 'GET /keys' | 'GET /key' = 'GET /templates') =>
  api.ask(null, route, { headers: { authorization: `Bearer ${apiKey}` } });

test('a key is shown once, works at once, and is stored as a hash', async () => {
  const { status, body } = await make('member', { ...given, whiteListIp: ['127.0.0.1', '::1'] });
  assert.equal(status, 201);
  assert.match(body.apiKey, /^pk_live_[0-9A-Za-z]{43}$/);
  assert.equal(body.prefix, body.apiKey.slice(0, 16));
  assert.deepEqual([body.scopes, body.whiteListIp, body.lastUsedTime], [given.scopes, ['127.0.0.1', '::1'], null]);
  assert.equal((await withKey(body.apiKey)).status, 200);
  const listed = await api.ask('viewer', 'GET /keys');
  const { apiKey, ...key } = body;
  assert.deepEqual(listed.body.items[0], {
    ...key,
    lastUsedTime: listed.body.items[0].lastUsedTime,
    lastUsedIp: '127.0.0.1',
  });
  assert.notEqual(listed.body.items[0].lastUsedTime, null);
  const rows = await many<{ row: string }>(
    pool,
    sql`select k::text as row from api_key k union all select a::text from audit_log a`,
  );
  assert.ok(rows.every(({ row }) => !row.includes(apiKey)));
});

test('a key or password learns what it is, whatever its scopes; a session does not', async () => {
  const expireTime = new Date(Date.now() + 3_600_000).toISOString();
  const live = (await make('member', { ...given, expireTime })).body;
  const { smpp, customerName, appName, ...own } = (await withKey(live.apiKey, 'GET /key')).body;
  const { keyId, keyName, prefix, scopes } = live;
  assert.deepEqual(own, { kind: 'key', keyId, keyName, prefix, mode: 'live', scopes, expireTime, appId });
  assert.ok(customerName !== '' && appName !== '');
  assert.deepEqual(Object.keys(smpp), ['host', 'port', 'tlsPort', 'systemId']);
  const trial = (await make('member', { ...given, mode: 'test', scopes: ['verify'] })).body;
  const ofTrial = (await withKey(trial.apiKey, 'GET /key')).body;
  assert.deepEqual(
    [ofTrial.mode, ofTrial.appId, ofTrial.appName, ofTrial.customerName, ofTrial.scopes, ofTrial.smpp],
    ['test', appId, appName, customerName, ['verify'], null],
  );
  const byPassword = await api.ask(null, 'GET /key', { headers: { authorization: api.basic.app } });
  assert.partialDeepStrictEqual(byPassword.body, {
    kind: 'password',
    keyId: null,
    expireTime: null,
    scopes: [...apiScopes],
  });
  const expired = await buildKey(pool, { appId, customerId, createTime: new Date(0), expireTime: new Date(1_000) });
  const refused = await withKey(expired.apiKey, 'GET /key');
  assert.deepEqual([refused.status, refused.body.code], [401, 'APP_CREDENTIALS_INVALID']);
  for (const who of ['owner', 'admin', null] as const)
    assert.deepEqual((await api.ask(who, 'GET /key')).body.code, 'NOT_SIGNED_IN');
});

test('bad input, another customer’s application, no session, viewers and staff make no key', async () => {
  for (const [body, field] of [
    [{ ...given, scopes: [] }, 'scopes'],
    [{ ...given, scopes: ['tasks', 'tasks'] }, 'scopes'],
    [{ ...given, scopes: ['members'] }, 'scopes.0'],
    [{ ...given, keyName: ' ' }, 'keyName'],
    [{ ...given, expireTime: '2020-01-01T00:00:00Z' }, 'expireTime'],
    [{ ...given, mode: 'demo' }, 'mode'],
    [{ ...given, customerId }, 'customerId'],
  ] as const) {
    const answer = await make('owner', body);
    assert.deepEqual([answer.status, answer.body.errors?.[0].field], [400, field], JSON.stringify(body));
  }
  assert.equal((await make('owner', { ...given, whiteListIp: ['nowhere'] })).body.code, 'ALLOWED_IP_INVALID');
  assert.equal((await make('owner', { ...given, appId: api.otherAppId })).body.code, 'APP_NOT_FOUND');
  assert.equal((await api.ask(null, 'POST /keys', { body: given })).status, 401);
  for (const who of ['viewer', 'admin'] as const) assert.equal((await make(who)).status, 403);
});

test('what is billed is opened by owners alone', async () => {
  const scopes = [...apiScopes];
  const refused = await make('member', { ...given, scopes });
  assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'scopes']);
  assert.equal((await make('owner', { ...given, scopes })).status, 201);
});

test('an application has at most fifty keys that work, also when two are made at a time', async () => {
  const full = await buildApplication(pool, { customerId });
  for (let n = 0; n < 48; n++) await buildKey(pool, { customerId, appId: full });
  await buildKey(pool, { customerId, appId: full, createTime: new Date(0), expireTime: new Date(1_000) });
  const answers = await Promise.all(Array.from({ length: 4 }, () => make('owner', { ...given, appId: full })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409, 409]);
  assert.deepEqual(answers.find(({ status }) => status === 409)?.body.params, { limit: 50 });
});

test('keys are listed in pages, by application, of one customer, and by a beginning of any', async () => {
  const first = await api.ask('owner', 'GET /keys', { query: { limit: '1' } });
  const second = await api.ask('owner', 'GET /keys', { query: { limit: '1', cursor: first.body.nextCursor } });
  assert.notEqual(first.body.items[0].keyId, second.body.items[0].keyId);
  const { apiKey, keyId } = await buildKey(pool, { customerId, appId });
  const ids = async (who: 'owner' | 'other' | 'admin', query: Record<string, string>) =>
    (await api.ask(who, 'GET /keys', { query })).body.items?.map((row: { keyId: string }) => row.keyId);
  for (const length of [12, 16]) assert.deepEqual(await ids('admin', { prefix: apiKey.slice(0, length) }), [keyId]);
  assert.deepEqual(await ids('other', { prefix: apiKey.slice(0, 16) }), []);
  // The underscore stands for itself.
  assert.equal((await api.ask('owner', 'GET /keys', { query: { prefix: 'pk_live_%' } })).status, 400);
  assert.equal((await api.ask('owner', 'GET /keys', { query: { prefix: apiKey } })).status, 400, 'never the whole');
  assert.equal((await api.ask('admin', 'GET /keys')).body.errors[0].field, 'customerId');
  assert.equal((await ids('admin', { customerId, appId }))?.includes(keyId), true);
  assert.equal((await withKey(apiKey, 'GET /keys')).body.code, 'FORBIDDEN');
});

test('a key is ended once, by its own customer or operators', async () => {
  const { keyId } = await buildKey(pool, { customerId, appId });
  const end = async (who: 'viewer' | 'other' | 'reviewer' | 'member' | null) =>
    (await api.ask(who, `DELETE /keys/${keyId}`)).status;
  assert.deepEqual(
    [await end(null), await end('viewer'), await end('reviewer'), await end('other')],
    [401, 403, 403, 404],
  );
  assert.deepEqual(await Promise.all([end('member'), end('member')]).then((all) => all.sort()), [204, 404]);
});

test('an open event stream ends with its key', async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.app.server.address() as AddressInfo;
  const { keyId, apiKey } = await buildKey(pool, { customerId, appId, scopes: ['tasks'] });
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/tasks/events`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  assert.equal(answer.status, 200);
  const ended = answer.text().then(
    () => true,
    () => true,
  );
  await api.ask('owner', `DELETE /keys/${keyId}`);
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  await until(async () => isEnded, { what: 'the end of the stream' });
  await until(async () => (await one<{ n: number }>(pool, sql`select count(*)::int as n from event_stream`)).n === 0, {
    what: 'its place',
  });
});
