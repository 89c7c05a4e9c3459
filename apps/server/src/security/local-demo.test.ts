/** The demo's passwords are public, so it serves only the machine it runs on, whatever the path of a request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiPrefix } from '@pahatid/contract';
import { makeApp } from '../http/app.ts';
import { makeTestApi } from '../http/testing/test-api.ts';
import { apiFeatures } from '../roles/api.ts';
import { allRoutes } from './testing/sweep.ts';

const api = await makeTestApi({ features: apiFeatures });

const foreign: Record<string, string>[] = [
  { host: 'sms.example' },
  { host: 'rebound.example:8080' },
  { host: '127.0.0.1.example.com' },
  { host: '192.168.1.5:8080' },
  { host: '0.0.0.0:8080' },
  { host: 'localhost.' },
  { host: 'localhost@sms.example' },
  { forwarded: 'for=203.0.113.7' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-host': 'localhost' },
  { 'x-forwarded-proto': 'https' },
  { 'x-real-ip': '127.0.0.1' },
  { via: '1.1 proxy' },
  { 'cf-connecting-ip': '203.0.113.7' },
  { host: 'sms.example', origin: 'https://sms.example', 'sec-fetch-site': 'same-origin' },
];

const addresses: [method: string, url: string][] = [
  ['GET', `${apiPrefix}/dev/outbox?to=admin@pahatid.test`],
  ...allRoutes.map(([key]): [string, string] => {
    const [method = 'GET', path = ''] = key.split(' ');
    return [method, apiPrefix + path.replaceAll(/:\w+/g, '1')];
  }),
  ['GET', '/'],
  ['GET', '/healthz'],
  ['GET', '/metrics'],
  ['GET', '/api/openapi.json'],
  ['GET', '/api/collection.json'],
  ['GET', '/s/abcdefgh'],
  ['GET', '/no-such-page'],
];

test('S67 any other Host, anything a proxy adds and a matching foreign Origin are refused on every route', async () => {
  for (const [method, url] of addresses)
    for (const headers of foreign) {
      const answer = await api.app.inject({ method: method as 'GET', url, headers });
      assert.deepEqual(
        [answer.statusCode, answer.json().code],
        [403, 'DEMO_LOCAL_ONLY'],
        `${method} ${url} ${JSON.stringify(headers)}`,
      );
    }
});

test('S67 a page of another origin reads nothing, and a remote sign-in reveals nothing of a demo password', async () => {
  for (const origin of ['https://sms.example', 'null', 'http://192.168.1.5'])
    for (const url of [`${apiPrefix}/dev/outbox?to=admin@pahatid.test`, '/']) {
      const answer = await api.app.inject({ url, headers: { origin } });
      assert.deepEqual([answer.statusCode, answer.json().code], [403, 'FOREIGN_ORIGIN']);
    }
  const { account } = api.users.admin;
  const signIn = (headers: Record<string, string>) =>
    api.ask(null, 'POST /session', { body: { account, password: 'Demo@1234' }, headers });
  assert.equal((await signIn({ host: 'sms.example', origin: 'https://sms.example' })).body.code, 'DEMO_LOCAL_ONLY');
});

test('S67 loopback by any name and port is served', async () => {
  for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1:9000', '127.9.9.9', '[::1]:8080', '[::1]'])
    for (const headers of [{ host }, { host, origin: `http://${host}` }]) {
      const answer = await api.app.inject({ url: `${apiPrefix}/dev/outbox?to=a@pahatid.test`, headers });
      assert.equal(answer.statusCode, 200, JSON.stringify(headers));
    }
});

test('S67 without the demo such requests are served, and there is no outbox', async () => {
  const app = await makeApp({ ...api.deps, config: { ...api.deps.config, demo: false } }, apiFeatures);
  for (const headers of foreign.filter(({ host }) => host !== '')) {
    assert.equal((await app.inject({ url: '/healthz', headers })).statusCode, 200);
    const outbox = await app.inject({ url: `${apiPrefix}/dev/outbox?to=a@pahatid.test`, headers });
    assert.equal(outbox.statusCode, 404);
  }
  await app.close();
});
