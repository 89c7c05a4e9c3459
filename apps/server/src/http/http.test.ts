import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { errorCatalogue, type makeCollection, routes } from '@pahatid/contract';
import { many, one, run, sql } from '@pahatid/db';
import { startStopwatch, until } from '@pahatid/testkit';
import type { Call } from './call.ts';
import { csvAnswer } from './csv.ts';
import { ProblemError } from './problem.ts';
import { serve } from './serve.ts';
import { makeTestApi } from './testing/test-api.ts';

const consoleDir = mkdtempSync(path.join(tmpdir(), 'pahatid-console-'));
after(() => rmSync(consoleDir, { recursive: true, force: true }));
mkdirSync(path.join(consoleDir, 'assets'));
writeFileSync(
  path.join(consoleDir, 'index.html'),
  '<html><head><meta name="csp-nonce" content="__CSP_NONCE__"><script src="/boot.js"></script></head></html>',
);
writeFileSync(path.join(consoleDir, 'boot.js'), 'void 0;');
mkdirSync(path.join(consoleDir, 'public'));
writeFileSync(
  path.join(consoleDir, 'public', 'preloads.json'),
  '{"/home":"<link href=\\"/assets/home.js\\">","*":"<link href=\\"/assets/any.js\\">"}',
);
writeFileSync(path.join(consoleDir, 'assets', 'main-abc123.js'), 'void 1;');

/** Handlers of this file: routes of the contract that each show one thing of the layer beneath them. */
const item = {
  id: '019a0000-0000-7000-8000-000000000000',
  senderId: 'SHOP',
  areaCode: 'PH',
  appId: 'app',
  appName: 'App',
  useState: 1,
  auditStatus: 1,
  auditReason: null,
  auditCode: null,
  auditTime: null,
  operateTime: '2026-01-01T00:00:00.000Z',
  carriers: [],
  remarkInfo: '=1+1',
  expectedTime: null,
  expectedDelay: null,
  operator: 'Customer A',
} as const;
let behave: (call: Pick<Call<'POST /senders'>, 'signal' | 'reply'>) => unknown = () => undefined;

const api = await makeTestApi({
  consoleDir,
  // For every call in this file; no other takes long.
  times: { jsonDeadlineMs: 2_000 },
  features: [
    (app) => {
      serve(app, 'GET /session', async ({ user }) => ({
        user: { ...user, kind: 'customer' as const, locale: null, theme: null },
        customer: null,
      }));
      serve(app, 'GET /senders', async ({ wantsCsv }) =>
        wantsCsv
          ? csvAnswer({
              fileName: 'Sender IDs 2026',
              columns: [
                { head: { 'en-US': 'Sender ID', 'zh-CN': '发送方' }, value: (row: typeof item) => row.senderId },
                { head: { 'en-US': 'Remarks', 'zh-CN': '备注' }, value: (row) => row.remarkInfo },
              ],
              rows: (async function* () {
                yield item;
                yield { ...item, remarkInfo: 'a,"b"\nc' as '=1+1' };
              })(),
            })
          : { items: [{ ...item, carriers: [] }], nextCursor: null },
      );
      serve(app, 'POST /senders', async (call) => (await behave(call)) as never);
      serve(app, 'POST /senders/:id/enable', async ({ params }) => ({ ...item, carriers: [], id: params.id }));
      serve(app, 'GET /tasks/events', ({ signal }) =>
        Promise.resolve(
          (async function* () {
            for (let n = 0; ; n++) {
              yield { n } as never;
              await new Promise<void>((resolve) => {
                const timer = setTimeout(resolve, 50);
                signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
              });
              if (signal.aborted) return;
            }
          })(),
        ),
      );
      serve(app, 'POST /tasks/:taskId/pause', async () => ({}) as never);
      serve(app, 'GET /reviews', async () => ({ items: [], nextCursor: null }));
      serve(app, 'POST /reviews/:kind/:id/approve', async () => undefined);
    },
  ],
});
const body = { appId: 'app', areaCode: 'PH', senderId: 'SHOP' };
const problem = (answer: { status: number; body: { code: string; status: number } }) => {
  assert.equal(answer.status, answer.body.status);
  return answer.body.code;
};

test('S2 not signed in: 401; a role with read but no write access: 403; one with no access: 404', async () => {
  assert.equal(problem(await api.ask(null, 'GET /senders')), 'NOT_SIGNED_IN');
  assert.equal(problem(await api.ask(null, 'GET /senders', { headers: { cookie: 'pahatid=short' } })), 'NOT_SIGNED_IN');
  assert.equal(problem(await api.ask('viewer', 'POST /senders', { body })), 'FORBIDDEN');
  assert.equal(problem(await api.ask('reviewer', 'POST /senders', { body })), 'FORBIDDEN');
  assert.equal(problem(await api.ask('reviewer', `POST /tasks/${item.id}/pause`)), 'FORBIDDEN');
  assert.equal(problem(await api.ask('owner', 'GET /reviews')), 'NOT_FOUND');
  assert.equal(problem(await api.ask('owner', `POST /reviews/tasks/${item.id}/approve`)), 'NOT_FOUND');
  assert.equal((await api.ask('reviewer', 'GET /reviews')).status, 200);
});

test('what the contract does not name is refused by field: body, query and unknown routes', async () => {
  const extra = await api.ask('owner', 'POST /senders', { body: { ...body, auditStatus: 1, customerId: 'x' } });
  assert.equal(problem(extra), 'VALIDATION_FAILED');
  assert.deepEqual(extra.body.errors, [
    { field: 'auditStatus', code: 'UNKNOWN_FIELD' },
    { field: 'customerId', code: 'UNKNOWN_FIELD' },
  ]);
  const query = await api.ask('owner', 'GET /senders', { query: { operator: 'x' } });
  assert.deepEqual(query.body.errors, [{ field: 'operator', code: 'UNKNOWN_FIELD' }]);
  // Staff select a customer by it; for a customer, every other customer does not exist.
  const foreign = await api.ask('owner', 'GET /senders', { query: { customerId: api.otherCustomerId } });
  assert.equal(problem(foreign), 'NOT_FOUND');
  const onAct = await api.ask('owner', `POST /senders/${item.id}/enable`, { body: { useState: 0 } });
  assert.deepEqual(onAct.body.errors, [{ field: 'useState', code: 'UNKNOWN_FIELD' }]);
  assert.equal((await api.ask('owner', `POST /senders/${item.id}/enable`, { body: {} })).status, 200);
  assert.equal(problem(await api.ask('owner', 'GET /nothing')), 'NOT_FOUND');
  assert.equal(problem(await api.ask('owner', 'POST /senders/not-an-id/enable')), 'NOT_FOUND');
});

test('a known address with another method returns 405 and lists the allowed methods', async () => {
  const answer = await api.ask('owner', 'DELETE /senders');
  assert.equal(problem(answer), 'METHOD_NOT_ALLOWED');
  assert.equal(answer.headers.allow, 'GET, POST');
});

test('S12 unsafe calls come from this site or from a program; safe ones from anywhere', async () => {
  const post = (headers: Record<string, string>) => api.ask('owner', `POST /senders/${item.id}/enable`, { headers });
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'not a url' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://127.0.0.1:9999' },
  ] as Record<string, string>[])
    assert.equal(problem(await post(headers)), 'FOREIGN_ORIGIN', JSON.stringify(headers));
  for (const headers of [
    {},
    { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' },
    { origin: 'http://localhost:8080', host: 'localhost:8080' },
  ] as Record<string, string>[])
    assert.equal((await post(headers)).status, 200, JSON.stringify(headers));
  assert.equal((await api.ask('owner', 'GET /senders', { headers: { origin: 'http://127.0.0.1:9999' } })).status, 200);
});

test('S12 every unsafe route of the contract refuses a foreign origin before it looks at anything else', async () => {
  const unsafe = Object.keys(routes).filter((key) => !key.startsWith('GET '));
  assert.ok(unsafe.length > 20);
  for (const key of unsafe) {
    const [method, pattern = ''] = key.split(' ');
    const answer = await api.ask(null, `${method} ${pattern.replace(/:\w+/g, 'x')}`, {
      headers: { origin: 'https://evil.example' },
    });
    assert.equal(problem(answer), 'FOREIGN_ORIGIN', key);
  }
});

test('S12 bodies that a form can send are refused by their type', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x'])
    assert.equal(
      problem(
        await api.ask('owner', 'POST /senders', { body: JSON.stringify(body), headers: { 'content-type': type } }),
      ),
      'MEDIA_TYPE_UNSUPPORTED',
      type,
    );
});

test('S13 a foreign origin never gets CORS permission', async () => {
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await api.ask('owner', `${method} /senders`, { headers: { origin: 'https://evil.example' } });
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
    assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  }
});

test('S30 hostile JSON is a clear 400', async () => {
  const send = (text: string) => api.ask('owner', 'POST /senders', { body: text });
  const cases: Record<string, string> = {
    'not JSON': '{',
    'equal keys': '{"appId":"app","appId":"other","senderId":"S"}',
    'equal keys, one of them escaped': '{"appId":"app","app\\u0049d":"other","senderId":"S"}',
    __proto__: '{"__proto__":{"role":"admin"},"appId":"app","senderId":"S"}',
    constructor: '{"constructor":{"prototype":{"x":1}},"appId":"app","senderId":"S"}',
    deep: `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    'unclosed deep': '{"a":'.repeat(10_000),
    'too large a number': '{"appId":"app","senderId":1e309}',
    'half a surrogate pair': '{"appId":"app","senderId":"\\ud83d"}',
    NUL: '{"appId":"app","senderId":"a\\u0000b"}',
    'a list': '[]',
    text: '"text"',
    null: 'null',
  };
  for (const [name, text] of Object.entries(cases)) assert.equal((await send(text)).status, 400, name);
  assert.equal((await send('')).body.errors[0].code, 'REQUIRED');
  assert.equal(problem(await send(`{"appId":"${'x'.repeat(1_100_000)}"}`)), 'BODY_TOO_LARGE');
  assert.equal(({} as Record<string, unknown>).role, undefined);
});

test('S30 hostile queries and paths are 400 or 404', async () => {
  for (const query of ['limit=1&limit=2', '__proto__=1', 'search=%00', 'limit=1e309', 'cursor=x&x[y]=1'])
    assert.equal((await api.ask('owner', `GET /api/v1/senders?${query}`)).status, 400, query);
  for (const bad of ['%00', '%ff', '%2e%2e', '..%2f..', 'a'.repeat(9_000)])
    assert.ok(
      [400, 404, 414].includes((await api.ask('owner', `POST /senders/${bad}/enable`)).status),
      bad.slice(0, 9),
    );
});

test('a thrown problem answers with its code, parameters and fields, and the request id', async () => {
  behave = () => {
    throw new ProblemError('SENDER_ID_INVALID', { reason: 'RESERVED' }, [{ field: 'senderId', code: 'RESERVED' }]);
  };
  const { body: problemBody, headers, status } = await api.ask('owner', 'POST /senders', { body });
  assert.equal(status, errorCatalogue.SENDER_ID_INVALID.status);
  assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8');
  assert.deepEqual(problemBody, {
    type: `${api.deps.config.publicUrl}/docs/errors/SENDER_ID_INVALID`,
    title: 'Sender id invalid',
    status: 400,
    code: 'SENDER_ID_INVALID',
    requestId: headers['x-request-id'],
    params: { reason: 'RESERVED' },
    errors: [{ field: 'senderId', code: 'RESERVED' }],
  });
});

test("S32 the caller's own id of a request is taken if a log can hold it, and returned", async () => {
  const idOf = async (given: string): Promise<unknown> => {
    const { headers } = await api.ask('owner', 'GET /senders', { headers: { 'x-request-id': given } });
    return headers['x-request-id'];
  };
  for (const sane of ['order-4417', 'a', '0196f0a0-0000-7000-8000-000000000001', 'x'.repeat(64)])
    assert.equal(await idOf(sane), sane);
  for (const other of ['', 'x'.repeat(65), 'a b', '-a', 'a\tb', 'a"b', '{"a":1}', 'é', 'a, b'])
    assert.match(String(await idOf(other)), /^[0-9a-f-]{36}$/, other);
});

test('S63 a defect is 500 without details; an unreachable database is 503 with Retry-After', async () => {
  behave = () => {
    throw new Error('secret detail at /some/file.ts');
  };
  const defect = await api.ask('owner', 'POST /senders', { body });
  assert.equal(problem(defect), 'INTERNAL');
  assert.doesNotMatch(defect.text, /secret|file\.ts|at /);
  behave = () => ({ not: 'the contract' });
  assert.equal(problem(await api.ask('owner', 'POST /senders', { body })), 'INTERNAL', 'answers are checked in tests');
  behave = () => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' });
  };
  const away = await api.ask('owner', 'POST /senders', { body });
  assert.equal(problem(away), 'UNAVAILABLE');
  assert.equal(away.headers['retry-after'], '5');
  behave = () => {
    throw Object.assign(new Error('no space left'), { code: '53100' });
  };
  assert.equal(problem(await api.ask('owner', 'POST /senders', { body })), 'STORAGE_FULL');
});

test('S27 every response has the security headers: lists, errors, pages, files, health', async () => {
  for (const route of [
    'GET /senders',
    'GET /nothing',
    'POST /senders',
    'GET /api/../',
    'GET /api/openapi.json',
    'GET /api/docs',
    'GET /api/collection.json',
  ]) {
    const { headers } = await api.ask('owner', route);
    assertHeaders(headers, route);
  }
  for (const url of [
    '/',
    '/healthz',
    '/assets/main-abc123.js',
    '/assets/gone.js',
    '/nowhere',
    '/login',
    '/%ff',
    '/boot.js',
  ]) {
    const { headers } = await api.app.inject({ url });
    assertHeaders(headers, url);
  }
});

function assertHeaders(headers: Record<string, unknown>, where: string): void {
  assert.equal(headers['x-content-type-options'], 'nosniff', where);
  assert.equal(headers['referrer-policy'], 'no-referrer', where);
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin', where);
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin', where);
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/, where);
  assert.ok(headers['cache-control'], where);
  assert.equal(headers['x-powered-by'], undefined);
  assert.equal(headers.server, undefined);
  const type = headers['content-type'];
  if (typeof type === 'string' && /text|json/.test(type)) assert.match(type, /charset=utf-8/i, where);
}

test('customers never read the fields that only staff may see', async () => {
  const forCustomer = await api.ask('owner', 'GET /senders');
  assert.equal('operator' in forCustomer.body.items[0], false);
  const forStaff = await api.ask('reviewer', 'GET /senders');
  assert.equal(forStaff.body.items[0].operator, 'Customer A');
});

test('S28 a list as csv: mark, quotes, defused formulas, headings in the language of the reader; the export is on record', async () => {
  const headers = { accept: 'text/csv', 'accept-language': 'zh-CN,zh;q=0.9' };
  const answer = await api.ask('owner', 'GET /senders', { headers, query: { search: 'S' } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8');
  assert.equal(
    answer.headers['content-disposition'],
    `attachment; filename="Sender_IDs_2026.csv"; filename*=UTF-8''Sender%20IDs%202026.csv`,
  );
  assert.equal(answer.text, '\ufeff发送方,备注\r\nSHOP,\'=1+1\r\nSHOP,"a,""b""\nc"\r\n');
  const log = await one<{ action: string; subject: string; after: unknown }>(
    api.db.pool,
    sql`select action, subject_type as subject, after from audit_log where user_id = ${api.users.owner.userId} and action = 'export'`,
  );
  assert.equal(log.subject, 'senders');
  assert.deepEqual((log.after as { search: string }).search, 'S');
});

test('S26 a page carries a fresh nonce in its text and in its policy', async () => {
  const nonces = new Set<string>();
  for (const url of ['/', '/home', '/bulkMessage/addMessage?x=1', '/nowhere/at-all']) {
    const page = await api.app.inject({ url });
    assert.equal(page.statusCode, url.startsWith('/nowhere') ? 404 : 200, url);
    const nonce = /content="([^"]+)"/.exec(page.payload)?.[1] ?? '';
    assert.ok(nonce.length >= 22);
    nonces.add(nonce);
    const policy = String(page.headers['content-security-policy']);
    assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}'`));
    assert.match(policy, /script-src 'self';/);
    assert.equal(page.headers['cache-control'], 'no-store');
  }
  assert.equal(nonces.size, 4);
});

test('every screen of the console is a page, also when it is loaded by its address', async () => {
  const table = path.resolve(import.meta.dirname, '../../../console/src/app/screens.ts');
  const screens = [...readFileSync(table, 'utf8').matchAll(/^ {2}'(\/[^']+)': \{$/gm)].map((found) => found[1] ?? '');
  assert.ok(screens.length > 20);
  for (const url of screens) assert.equal((await api.app.inject({ url })).statusCode, 200, url);
});

test('a page names the files of its screen before any script asks for them, packed as the browser can read it', async () => {
  const pageOf = async (url: string) => (await api.app.inject({ url })).payload;
  assert.match(await pageOf('/home?x=1'), /<link href="\/assets\/home.js"><\/head>/);
  assert.match(await pageOf('/nowhere/at-all'), /<link href="\/assets\/any.js"><\/head>/);
  const packed = await api.app.inject({ url: '/home', headers: { 'accept-encoding': 'gzip, br' } });
  assert.equal(packed.headers['content-encoding'], 'br');
  assert.match(brotliDecompressSync(packed.rawPayload).toString(), /home\.js/);
  // The list itself is not accessible.
  assert.equal((await api.app.inject({ url: '/public/preloads.json' })).statusCode, 404);
});

test('files of the console: immutable under /assets, a missing one is 404, nothing outside the folder', async () => {
  const file = await api.app.inject({ url: '/assets/main-abc123.js' });
  assert.equal(file.statusCode, 200);
  assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable');
  const boot = await api.app.inject({ url: '/boot.js' });
  assert.equal(boot.statusCode, 200);
  assert.equal(boot.headers['cache-control'], 'no-cache');
  for (const url of [
    '/assets/gone.js',
    '/assets/',
    '/gone.js',
    '/assets/..%2f..%2fpackage.json',
    '/..%2fpackage.json',
    '/.env',
  ])
    assert.equal((await api.app.inject({ url })).statusCode, 404, url);
});

test('/login leads to the sign-in over the landing page, and back to a local place alone', async () => {
  const to = async (url: string) => (await api.app.inject({ url })).headers.location;
  assert.equal(await to('/login'), '/?login=1');
  assert.equal(await to('/login?next=%2FbulkMessage%3Fa%3D1'), '/?login=1&next=%2FbulkMessage%3Fa%3D1');
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/\t/evil'])
    assert.equal(await to(`/login?next=${encodeURIComponent(next)}`), '/?login=1', next);
});

test('S64 health is open, metrics are for the machine itself', async () => {
  assert.equal((await api.app.inject({ url: '/healthz' })).statusCode, 200);
  assert.equal((await api.app.inject({ url: '/readyz' })).statusCode, 200);
  const metrics = await api.app.inject({ url: '/metrics' });
  assert.equal(metrics.statusCode, 200);
  assert.match(metrics.payload, /pahatid_http_request_duration_seconds_bucket\{.*route="\/api\/v1\/senders"/);
  assert.equal((await api.app.inject({ url: '/metrics', remoteAddress: '203.0.113.9' })).statusCode, 404);
  const proxied = await api.app.inject({ url: '/metrics', headers: { 'x-forwarded-for': '127.0.0.1' } });
  assert.equal(proxied.statusCode, 403, 'the demo answers nothing that was passed on');
});

test('the contract travels compressed, and not again while it is the same', async () => {
  const ask = (headers: Record<string, string>) => api.app.inject({ url: '/api/openapi.json', headers });
  const plain = await ask({});
  const { etag } = plain.headers;
  assert.match(String(etag), /^W\/"[\w-]{22}"$/);
  const br = await ask({ 'accept-encoding': 'gzip, br' });
  assert.deepEqual([br.headers['content-encoding'], br.headers.etag], ['br', etag]);
  assert.equal(brotliDecompressSync(br.rawPayload).toString(), plain.payload);
  assert.ok(br.rawPayload.length < 100_000, String(br.rawPayload.length));
  const gz = await ask({ 'accept-encoding': 'gzip' });
  assert.equal(gunzipSync(gz.rawPayload).toString(), plain.payload);
  for (const known of [String(etag), `"other", ${etag}`, String(etag).slice(2), '*']) {
    const again = await ask({ 'if-none-match': known, 'accept-encoding': 'br' });
    assert.deepEqual([again.statusCode, again.payload, again.headers.etag], [304, '', etag], known);
  }
  assert.equal((await ask({ 'if-none-match': '"other"' })).statusCode, 200);
  assert.equal(plain.headers['cache-control'], 'no-cache');
});

test('the contract can be read by programs and by people', async () => {
  const json = await api.ask(null, 'GET /api/openapi.json');
  assert.equal(json.body.openapi, '3.1.0');
  const page = await api.ask(null, 'GET /api/docs');
  assert.equal(page.status, 200);
  assert.match(page.text, /\/tasks\/\{taskId\}/);
  assert.doesNotMatch(page.text, /https?:\/\/(?!127)|<script/);
});

test('requests of the API can be imported, with the address of the installation', async () => {
  const answer = await api.app.inject({ url: '/api/collection.json' });
  assert.match(
    String(answer.headers['content-disposition']),
    /^attachment; filename="pahatid\.postman_collection\.json"$/,
  );
  const { variable, item } = answer.json<ReturnType<typeof makeCollection>>();
  assert.deepEqual(variable[0], { key: 'baseUrl', value: api.deps.config.publicUrl });
  const requests = item.flatMap((folder) => folder.item.map(({ request }) => request));
  const sending = requests.find(({ url }) => url.raw === '{{baseUrl}}/api/v1/messages');
  const example = JSON.parse(sending?.body?.raw ?? '{}');
  assert.deepEqual(Object.keys(example).toSorted(), ['content', 'smsType', 'to']);
  assert.ok(requests.every(({ url }) => url.raw.startsWith('{{baseUrl}}/api/v1/') && !/[{}]/.test(url.path.join('/'))));
});

const listening = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }));

test('S9 an event stream brings what happens, and closes within 5 seconds after the session ended', async () => {
  const response = await fetch(new URL('/api/v1/tasks/events', listening), {
    headers: { cookie: api.users.viewer.cookie },
  });
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.ok(response.body);
  let text = '';
  const read = (async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      text += Buffer.from(chunk).toString();
  })();
  await until(() => text.includes('data: {"n":2}\n\n'), { what: 'the third event' });
  assert.match(text, /^retry: \d+\n\n/);
  await run(api.db.pool, sql`delete from session where user_id = ${api.users.viewer.userId}`);
  const watch = startStopwatch();
  await read;
  watch.assertWithin(5_000, 'the end of the stream');
  const left = await many(api.db.pool, sql`select 1 from session where user_id = ${api.users.viewer.userId}`);
  assert.equal(left.length, 0);
});

test('the signal of a call shows that its client has disconnected, read before that or after', async () => {
  const seen: boolean[] = [];
  for (const isBefore of [true, false]) {
    const text = JSON.stringify(body);
    const socket = connect(Number(listening.port), '127.0.0.1', () =>
      socket.write(
        `POST /api/v1/senders HTTP/1.1\r\nHost: localhost\r\nCookie: ${api.users.owner.cookie}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      ),
    );
    behave = async (call) => {
      const before = isBefore ? call.signal : null;
      assert.ok(before === null || !before.aborted);
      socket.destroy();
      await until(() => call.reply.raw.destroyed);
      seen.push((before ?? call.signal).aborted);
      throw new ProblemError('CONFLICT');
    };
    await until(() => seen.length === (isBefore ? 1 : 2));
  }
  assert.deepEqual(seen, [true, true]);
});

test('S61 headers and bodies that never end are cut', async () => {
  const server = api.app.server;
  assert.equal(server.headersTimeout, 8_000);
  assert.equal(server.requestTimeout, 0);
  const watch = startStopwatch();
  const slow = await rawAnswer(
    `POST /api/v1/senders HTTP/1.1\r\nHost: localhost\r\nCookie: ${api.users.owner.cookie}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":`,
  );
  assert.equal(slow, '', 'cut without an answer');
  watch.assertWithin(8_000, 'the cut, by its own deadline and not by that of headers,');
  const trace = await rawAnswer('TRACE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  assert.doesNotMatch(trace, /200 OK/);
});

const rawAnswer = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(listening.port), '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });

test('on shutdown the server closes open streams and exits immediately', async () => {
  const response = await fetch(new URL('/api/v1/tasks/events', listening), {
    headers: { cookie: api.users.member.cookie },
  });
  const reader = response.body?.getReader();
  await reader?.read();
  const watch = startStopwatch();
  await api.end();
  for (let chunk = await reader?.read(); chunk !== undefined && !chunk.done; chunk = await reader?.read());
  watch.assertWithin(2_000, 'the end');
});
