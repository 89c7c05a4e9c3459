/** Pages of other sites can't make a browser do anything with a user's cookie. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestTables } from './testing/digest-tables.ts';
import { allRoutes, makeSweep } from './testing/sweep.ts';

const sweep = await makeSweep();
const { api, ids, fill, bodyOf, credentials, caller } = sweep;
const { pool } = api.db;

const unsafe = allRoutes.filter(([key]) => !key.startsWith('GET '));
const safe = allRoutes.filter(([key]) => key.startsWith('GET '));

/** Headers that a browser sends with a request from another site's page. */
const foreign: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'file://' },
  { origin: 'https://127.0.0.1:8080.evil.example' },
  { origin: 'http://127.0.0.1:8081' },
  { origin: 'http://evil.example', referer: 'http://127.0.0.1:8080/' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:8080' },
];

test('S12 every unsafe route, called with the right cookie and body from another site: 403, and nothing changes', async () => {
  const before = await digestTables(pool);
  for (const [key, definition] of unsafe)
    for (const headers of foreign) {
      const given = definition.multipart === true ? { body: '' } : bodyOf(key);
      const answer = await api.ask(caller(key), fill(key, ids), {
        ...given,
        headers: { ...headers, ...credentials(key, 'app').headers },
      });
      assert.deepEqual(
        [answer.status, answer.body?.code],
        [403, 'FOREIGN_ORIGIN'],
        `${key} ${JSON.stringify(headers)}`,
      );
    }
  assert.ok(unsafe.length * foreign.length >= 700, `${unsafe.length} routes`);
  assert.deepEqual(await digestTables(pool), before);
});

test('S12 every unsafe route rejects what a form can send, for every caller', async () => {
  const before = await digestTables(pool);
  for (const [key, definition] of unsafe) {
    const { body = {} } = definition.multipart === true ? {} : bodyOf(key);
    const fields = new URLSearchParams(
      Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
    );
    for (const [type, text] of [
      ['text/plain', JSON.stringify(body)],
      ['text/plain; charset=utf-8', JSON.stringify({ ...body, '=': '' })],
      ['application/x-www-form-urlencoded', fields.toString() || 'x=1'],
      ['text/xml', '<x/>'],
      ['application/json-seq', JSON.stringify(body)],
      ...(definition.multipart === true
        ? []
        : [
            [
              'multipart/form-data; boundary=b',
              '--b\r\ncontent-disposition: form-data; name="x"\r\n\r\n1\r\n--b--\r\n',
            ],
          ]),
    ] as [string, string][]) {
      const answer = await api.ask(caller(key), fill(key, ids), {
        body: text,
        headers: { 'content-type': type, ...credentials(key, 'app').headers },
      });
      assert.deepEqual([answer.status, answer.body?.code], [415, 'MEDIA_TYPE_UNSUPPORTED'], `${key} as ${type}`);
    }
  }
  assert.deepEqual(await digestTables(pool), before);
});

test('S12 no GET performs the action of another method, nor does a header or field that names one', async () => {
  const before = await digestTables(pool);
  const reads = new Set(safe.map(([key]) => key.slice(4)));
  for (const [key] of unsafe) {
    const [method = '', path = ''] = key.split(' ');
    for (const headers of [{}, { 'x-http-method-override': method }, { 'x-method-override': method }] as Record<
      string,
      string
    >[]) {
      const answer = await api.ask(caller(key), `GET ${fill(path, ids)}`, {
        query: { _method: method },
        headers: { ...headers, ...credentials(key, 'app').headers },
      });
      if (isRead(path, reads)) assert.ok([400, 401, 403, 404].includes(answer.status), `${key}: ${answer.status}`);
      else assert.equal(answer.status, 405, `GET of ${key}: ${answer.status} ${answer.text}`);
    }
  }
  assert.deepEqual(await digestTables(pool), before);
});

/** Also if a longer pattern matches the address (`/tasks/events` matches `/tasks/:taskId`). */
const isRead = (path: string, reads: ReadonlySet<string>): boolean =>
  [...reads].some((each) => new RegExp(`^${each.replace(/:\w+/g, '[^/]+')}$`).test(path));

test('S12 no GET changes anything', async () => {
  const before = await digestTables(pool);
  for (const [key, definition] of safe) {
    if (definition.answer === 'events') continue;
    const answer = await api.ask(caller(key), fill(key, ids), credentials(key, 'app'));
    // A file that is taken out is on record like any export.
    assert.ok(answer.status < 500, `${key}: ${answer.text}`);
  }
  const exports = safe.some(([, { answer }]) => answer === 'csv') ? ['audit_log', 'audit_chain', 'audit_link'] : [];
  const after = await digestTables(pool, exports);
  for (const [table, digest] of Object.entries(after)) assert.equal(digest, before[table], table);
});

test('S12 a program sends neither origin nor site, and is accepted; so are our own pages', async () => {
  for (const headers of [{}, { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' }] as Record<
    string,
    string
  >[]) {
    const { status, text } = await api.ask('owner', 'PATCH /account', { body: { theme: 'dark' }, headers });
    assert.equal(status, 200, text);
  }
});

test('S13 no route gives a foreign origin CORS permission, in preflight or response', async () => {
  for (const [key, definition] of allRoutes) {
    if (definition.answer === 'events' || key === 'DELETE /session') continue;
    const path = fill(key, ids).split(' ')[1] ?? '';
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:8080']) {
      const preflight = await api.ask(caller(key), `OPTIONS ${path}`, {
        headers: {
          origin,
          'access-control-request-method': key.split(' ')[0] ?? '',
          'access-control-request-headers': 'content-type',
        },
      });
      const call = await api.ask(caller(key), `GET ${path}`, { headers: { origin } });
      for (const { headers } of [preflight, call])
        for (const name of Object.keys(headers)) assert.doesNotMatch(name, /^access-control-/, `${key} to ${origin}`);
      assert.ok(preflight.status >= 400, `${key}: OPTIONS ${preflight.status}`);
    }
  }
});

test("S13 an application's password is taken from its header alone, and no answer puts it into a cookie", async () => {
  const secret = Buffer.from(api.basic.app.slice(6), 'base64').toString().split(':')[1] ?? '';
  for (const [key, { access }] of allRoutes) {
    if (access !== 'application') continue;
    for (const cookie of [
      `authorization=${encodeURIComponent(api.basic.app)}`,
      `pahatid=${secret}`,
      `appSecret=${secret}; appId=${api.appId}`,
    ])
      for (const query of [{}, { appId: api.appId, appSecret: secret }] as Record<string, string>[]) {
        const answer = await api.ask(null, fill(key, ids), { ...bodyOf(key), headers: { cookie }, query });
        assert.equal(answer.status, 401, `${key} with ${cookie}`);
      }
    const { headers } = await api.ask(null, fill(key, ids), { ...bodyOf(key), ...credentials(key, 'app') });
    assert.equal(headers['set-cookie'], undefined, key);
  }
});
