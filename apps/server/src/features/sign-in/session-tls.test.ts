import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPassword } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerSession } from './routes.ts';

const metricsToken = 'a-token-of-this-test';
const api = await makeTestApi({
  features: [registerSession],
  config: { demo: false, publicUrl: 'https://sms.example', metricsToken, trustProxy: ['127.0.0.1'] },
});

test('S8 over https the cookie is bound to the host and to TLS, and a plain one opens nothing', async () => {
  const { account, cookie: plain } = api.users.owner;
  const body = { account, password: defaultPassword };
  const headers = { origin: 'https://sms.example', 'x-forwarded-for': '203.0.113.7', host: 'inside:8080' };
  const answer = await api.ask(null, 'POST /session', { body, headers });
  assert.equal(answer.status, 200);
  const [cookie = '', device = ''] = [answer.headers['set-cookie']].flat().map(String);
  assert.match(device, /^__Host-pahatid-device=[A-Za-z0-9_-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; /);
  assert.match(cookie, /^__Host-pahatid=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000; includeSubDomains');
  const opened = { headers: { cookie: cookie.split(';')[0] ?? '' } };
  assert.equal((await api.ask(null, 'GET /session', opened)).status, 200);
  assert.equal((await api.ask(null, 'GET /session', { headers: { cookie: plain } })).status, 401);
});

test('S64 metrics are readable with the token, from anywhere, and otherwise not behind a proxy', async () => {
  const ask = async (headers: Record<string, string>) =>
    (await api.app.inject({ url: '/metrics', headers: { 'x-forwarded-for': '203.0.113.7', ...headers } })).statusCode;
  assert.equal(await ask({ authorization: `Bearer ${metricsToken}` }), 200);
  assert.equal(await ask({ authorization: 'Bearer a-token-of-this-tesT' }), 404);
  assert.equal(await ask({}), 404);
});
