import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { maybe, run, sql, uuidV7 } from '@pahatid/db';
import { buildKey, defaultPassword } from '@pahatid/db/builders';
import { until } from '@pahatid/testkit';
import { registerApplications } from '../features/applications/routes.ts';
import { registerMessages } from '../features/messages/routes.ts';
import { registerTemplates } from '../features/templates/routes.ts';
import { isAllowed } from '../process/allowed-addresses.ts';
import { makeTestApi } from './testing/test-api.ts';

const api = await makeTestApi({
  features: [registerApplications, registerMessages, registerTemplates],
  config: { demo: false },
});
const { db, appId, customerId } = api;
const basicOf = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
/** A message that does not exist: an authenticated caller gets 404. */
const ask = async (authorization: string | undefined, more: { ip?: string; headers?: Record<string, string> } = {}) => {
  const headers = { ...more.headers, ...(authorization !== undefined && { authorization }) };
  const answer = await api.ask(null, 'GET /messages/123456', { ...more, headers });
  return `${answer.status} ${answer.body.code}`;
};
const letIn = '404 NOT_FOUND';

test('an application is let in by its own password alone', async () => {
  assert.equal(await ask(api.basic.app), letIn);
  assert.equal(await ask(undefined), '401 NOT_SIGNED_IN');
  for (const wrong of [
    basicOf(appId, 'not-its-secret'),
    basicOf(appId, ''),
    basicOf('app-of-nobody', 'secret-of-an-app'),
    basicOf("x' or 1=1", 'secret-of-an-app'),
    basicOf(appId, 'smpppass'),
    'Basic !!!',
    'Basic ',
    'Bearer secret-of-an-app',
    `Basic ${Buffer.from(appId).toString('base64')}`,
  ])
    assert.equal(await ask(wrong), '401 APP_CREDENTIALS_INVALID', wrong);
});

test('the answer to a wrong password asks for Basic, and is the same as to an application that does not exist', async () => {
  const [known, unknown] = await Promise.all(
    [basicOf(appId, 'wrong'), basicOf('app-of-nobody', 'wrong')].map((authorization) =>
      api.ask(null, 'GET /messages/123456', { headers: { authorization } }),
    ),
  );
  assert.equal(known?.headers['www-authenticate'], 'Basic realm="Pahatid", charset="UTF-8", Bearer realm="Pahatid"');
  assert.deepEqual({ ...known?.body, requestId: '' }, { ...unknown?.body, requestId: '' });
});

test('a key is told which scope a call needs, a password has all, and invalid credentials are no session', async () => {
  const headers = { authorization: api.basic.app };
  assert.equal((await api.ask(null, 'GET /templates', { headers })).status, 200);
  const { apiKey } = await buildKey(db.pool, { customerId, appId, scopes: ['messages:send', 'tasks'] });
  const answer = await api.ask(null, 'GET /templates', { headers: { authorization: `Bearer ${apiKey}` } });
  assert.deepEqual(
    [answer.status, answer.body.code, answer.body.params],
    [403, 'SCOPE_MISSING', { scope: 'templates' }],
  );
  assert.equal(answer.headers['www-authenticate'], undefined);
  const wrong = await api.ask(null, 'GET /templates', { headers: { authorization: basicOf(appId, 'wrong') } });
  assert.deepEqual([wrong.status, wrong.body.code], [401, 'NOT_SIGNED_IN']);
  assert.equal(wrong.headers['www-authenticate'], undefined);
  const signedIn = await api.ask('owner', 'GET /templates', { headers });
  assert.equal(signedIn.status, 200);
});

test('S13 a session opens no route of applications, and an application none of sessions', async () => {
  const withCookie = await api.ask('owner', 'GET /messages/123456');
  assert.equal(withCookie.body.code, 'NOT_SIGNED_IN');
  const withBasic = await api.ask(null, 'GET /applications', { headers: { authorization: api.basic.app } });
  assert.deepEqual([withBasic.status, withBasic.body.code], [403, 'FORBIDDEN']);
  // Both at the same time: each route checks only its own credentials.
  const cookie = { cookie: api.users.other.cookie };
  assert.equal(await ask(api.basic.app, { headers: cookie }), letIn);
  assert.equal(
    await ask(basicOf(appId, 'wrong'), { headers: { cookie: api.users.owner.cookie } }),
    '401 APP_CREDENTIALS_INVALID',
  );
});

test('a disabled application, a suspended customer and one without HTTP are refused', async () => {
  const settings = async (set: string) => {
    await db.pool.query(`update application set ${set} where app_id = '${appId}'`);
  };
  // Cached application data may be a second old.
  const untilAnswered = (expected: string) =>
    until(async () => (await ask(api.basic.app)) === expected, { what: expected });
  await settings('use_state = 0');
  await untilAnswered('409 APP_DISABLED');
  await settings('use_state = 1, access_type = 1');
  assert.equal(await ask(api.basic.app), '403 APP_NO_HTTP_ACCESS');
  await settings('access_type = 2');
  assert.equal(await ask(api.basic.app), letIn, 'what is allowed anew is so at once');
  await settings('access_type = 3');
  await run(db.pool, sql`update customer set use_state = 0 where customer_id = ${customerId}`);
  await untilAnswered('403 CUSTOMER_SUSPENDED');
  await run(db.pool, sql`update customer set use_state = 1 where customer_id = ${customerId}`);
  assert.equal(await ask(api.basic.app), letIn);
});

test('S55 after a rotation both passwords work, the new one immediately, the old one for 24 hours', async () => {
  const rotated = await api.ask('other', `POST /applications/${api.otherAppId}/secret`, {
    body: { currentPassword: defaultPassword },
  });
  assert.equal(rotated.status, 201, rotated.text);
  const renewed = basicOf(api.otherAppId, rotated.body.appSecret);
  assert.equal(await ask(renewed), letIn);
  assert.equal(await ask(api.basic.otherApp), letIn);
  api.advance(24 * 3_600_000 - 60_000);
  assert.equal(await ask(api.basic.otherApp), letIn);
  api.advance(61_000);
  assert.equal(await ask(api.basic.otherApp), '401 APP_CREDENTIALS_INVALID');
  assert.equal(await ask(renewed), letIn);
});

test('the last use of a password is noted', async () => {
  const hash = createHash('sha256').update('another-secret').digest();
  const secretId = uuidV7();
  await run(
    db.pool,
    sql`insert into application_secret (secret_id, customer_id, app_id, kind, secret_hash, hint)
        values (${secretId}, ${customerId}, ${appId}, 'http', ${hash}, 'cret')`,
  );
  assert.equal(await ask(basicOf(appId, 'another-secret')), letIn);
  const row = await maybe<{ at: Date | null }>(
    db.pool,
    sql`select last_used_at as at from application_secret where secret_id = ${secretId}`,
  );
  assert.ok(row?.at);
});

test('S49 an address list admits only those addresses, by socket and not by header', async () => {
  await run(db.pool, sql`update application set white_list_ip = '{10.1.0.0/16,2001:db8::7}' where app_id = ${appId}`);
  const other = { ip: '10.2.0.1' };
  await until(async () => (await ask(api.basic.app, other)) === '403 ADDRESS_NOT_ALLOWED', {
    what: 'the address list',
  });
  assert.equal(await ask(api.basic.app, { ip: '10.1.2.3' }), letIn);
  assert.equal(await ask(api.basic.app, { ip: '::ffff:10.1.2.3' }), letIn);
  assert.equal(await ask(api.basic.app, { ip: '2001:db8::7' }), letIn);
  const spoofed = { ip: '10.2.0.1', headers: { 'x-forwarded-for': '10.1.2.3', forwarded: 'for=10.1.2.3' } };
  assert.equal(await ask(api.basic.app, spoofed), '403 ADDRESS_NOT_ALLOWED');
  // A caller without the password learns nothing about the allowlist.
  assert.equal(await ask(basicOf(appId, 'wrong'), { ip: '10.2.0.1' }), '401 APP_CREDENTIALS_INVALID');
});

test('an unreadable list admits no one; an empty one everyone', () => {
  for (const broken of [['x'], ['10.1.2.3/'], ['10.1.2.3/33'], ['10.1.2.3/-1'], ['10.1.2.3/8x'], ['']])
    assert.equal(isAllowed(broken, '10.1.2.3'), false, broken[0]);
  assert.equal(isAllowed(['10.1.2.3'], 'nonsense'), false);
  assert.equal(isAllowed(['10.1.2.3', 'x'], '10.1.2.3'), true);
  assert.equal(isAllowed(['fe80::1'], 'fe80::1%eth0'), true);
  assert.equal(isAllowed([], '10.1.2.3'), true);
});
