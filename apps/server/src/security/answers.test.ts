/** Headers that every kind of response has, over a real socket; and data that no response reveals. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { routes } from '@pahatid/contract';
import { registerSenders } from '../features/senders/routes.ts';
import { registerSession } from '../features/sign-in/routes.ts';
import { makeTestApi, type TestApi } from '../http/testing/test-api.ts';

const consoleDir = mkdtempSync(path.join(tmpdir(), 'pahatid-answers-'));
after(() => rmSync(consoleDir, { recursive: true, force: true }));
mkdirSync(path.join(consoleDir, 'assets'));
writeFileSync(path.join(consoleDir, 'index.html'), '<!doctype html><html><body>__CSP_NONCE__</body></html>');
writeFileSync(path.join(consoleDir, 'assets', 'main-abc123.js'), 'void 1;');
writeFileSync(path.join(consoleDir, 'assets', 'main-abc123.css'), 'body{}');
writeFileSync(path.join(consoleDir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');

const features = [registerSession, registerSenders];
const api = await makeTestApi({ features, consoleDir });
let port = 0;
before(async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = (api.app.server.address() as AddressInfo).port;
});

interface Raw {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** Written octet by octet as given: what clients would never send can be sent. */
const speak = (text: string): Promise<Raw> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...rest] = answer.split('\r\n\r\n');
      const [line = '', ...fields] = head.split('\r\n');
      const headers = fields.map((field): [string, string] => {
        const at = field.indexOf(':');
        return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()];
      });
      resolve({ status: Number(line.split(' ')[1]), headers: new Map(headers), body: rest.join('\r\n\r\n') });
    });
  });
const ask = (method: string, target: string, headers: Record<string, string> = {}, body = ''): Promise<Raw> => {
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    connection: 'close',
    ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return speak(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
};

const exact: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

function assertHeaders({ headers, status }: Raw, where: string): void {
  for (const [name, value] of Object.entries(exact)) assert.equal(headers.get(name), value, `${name} of ${where}`);
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/, where);
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, where);
  assert.ok(headers.get('cache-control'), `cache-control of ${where}`);
  for (const name of ['server', 'x-powered-by', 'via', 'access-control-allow-origin'])
    assert.equal(headers.get(name), undefined, `${name} of ${where}`);
  const type = headers.get('content-type') ?? '';
  if (/^text\/|json|javascript/.test(type)) assert.match(type, /; charset=utf-8$/i, `${type} of ${where}`);
  assert.ok(status >= 200, where);
}

test('S27 every kind of response has the headers: success, error, unchanged, file, page, redirect, empty', async () => {
  const cookie = api.users.owner.cookie;
  const tag = (await ask('GET', '/assets/main-abc123.js')).headers.get('etag') ?? '';
  assert.ok(tag);
  const kinds: [number, string, string, Record<string, string>?, string?][] = [
    [200, 'GET', '/api/v1/senders', { cookie }],
    [200, 'GET', '/api/v1/senders', { cookie, accept: 'text/csv' }],
    [401, 'GET', '/api/v1/senders'],
    [404, 'GET', '/api/v1/nothing', { cookie }],
    [405, 'PUT', '/api/v1/senders', { cookie, 'content-type': 'application/json' }, '{}'],
    [400, 'POST', '/api/v1/senders', { cookie, 'content-type': 'application/json' }, '{'],
    [415, 'POST', '/api/v1/senders', { cookie, 'content-type': 'text/plain' }, '{}'],
    [403, 'POST', '/api/v1/senders', { cookie, origin: 'https://evil.example' }, '{}'],
    [204, 'DELETE', '/api/v1/session', { cookie: api.users.viewer.cookie }],
    [200, 'GET', '/assets/main-abc123.js'],
    [200, 'GET', '/assets/main-abc123.css'],
    [200, 'HEAD', '/assets/main-abc123.js'],
    [206, 'GET', '/assets/main-abc123.js', { range: 'bytes=0-1' }],
    [304, 'GET', '/assets/main-abc123.js', { 'if-none-match': tag }],
    [404, 'GET', '/assets/gone.js'],
    [200, 'GET', '/icon.svg'],
    [404, 'GET', '/gone.png'],
    [200, 'GET', '/'],
    [404, 'GET', '/nowhere'],
    [302, 'GET', '/login'],
    [200, 'GET', '/healthz'],
    [200, 'GET', '/readyz'],
    [200, 'GET', '/metrics'],
    [200, 'GET', '/api/openapi.json'],
    [200, 'GET', '/api/docs'],
    [400, 'GET', '/%ff'],
  ];
  for (const [status, method, target, headers, body] of kinds) {
    const answer = await ask(method, target, headers, body);
    assert.equal(answer.status, status, `${method} ${target} ${JSON.stringify(headers ?? {})}: ${answer.body}`);
    assertHeaders(answer, `${method} ${target} (${status})`);
    if (target.startsWith('/api/v1/')) assert.equal(answer.headers.get('cache-control'), 'no-store', target);
  }
});

test('S27 over https browsers get HSTS for a year; over http they do not', async () => {
  const secure: TestApi = await makeTestApi({
    features,
    consoleDir,
    config: { publicUrl: 'https://sms.example' },
  });
  for (const url of ['/', '/healthz', '/api/v1/senders', '/assets/gone.js']) {
    const { headers } = await secure.app.inject({ url });
    assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains', url);
    assert.equal((await api.app.inject({ url })).headers['strict-transport-security'], undefined, url);
  }
});

test('S27 TRACE, TRACK and CONNECT are answered by nothing that repeats the request', async () => {
  for (const method of ['TRACE', 'TRACK', 'CONNECT', 'DEBUG', 'PROPFIND'])
    for (const target of ['/', '/api/v1/senders']) {
      const answer = await ask(method, method === 'CONNECT' ? 'evil.example:443' : target, { 'x-secret': 'canary' });
      assert.ok(!(answer.status >= 200 && answer.status < 300), `${method}: ${answer.status}`);
      assert.ok(!answer.body.includes('canary'), method);
      assert.doesNotMatch(answer.headers.get('allow') ?? '', /TRACE/);
    }
});

test('S27 S63 what can not be read as a request at all is answered with the headers and nothing about how we are made', async () => {
  for (const text of [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: localhost\r\nbad header\r\n\r\n',
    `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    'POST /api/v1/senders HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /api/v1/senders HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n',
  ]) {
    const answer = await speak(text);
    assert.ok(Number.isNaN(answer.status) || (answer.status >= 400 && answer.status < 600), text.slice(0, 40));
    if (!Number.isNaN(answer.status)) assertHeaders(answer, text.slice(0, 40));
    const said = [...answer.headers].join('\n') + answer.body;
    assert.doesNotMatch(said, /node|fastify|\.ts|\.js|\/work|at \w+ \(|HPE_|stack/i, said);
  }
});

test('S63 the gate fails closed: if sessions or roles cannot be read, nothing is returned', async () => {
  const broken = await makeTestApi({ features, consoleDir });
  for (const damage of ['alter table app_user rename to app_user_gone', 'alter table session rename to session_gone']) {
    await broken.db.pool.query(damage);
    for (const who of ['owner', 'admin'] as const)
      for (const route of ['GET /senders', 'GET /session', 'DELETE /session']) {
        const answer = await broken.ask(who, route);
        assert.equal(answer.status, 500, `${who}: ${route}`);
        assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'requestId', 'status', 'title', 'type']);
        assert.doesNotMatch(answer.text, /_gone|app_user|relation|\bat \w+ \(/);
        assertHeaders(
          { ...answer, headers: new Map(Object.entries(answer.headers).map(([k, v]) => [k, String(v)])), body: '' },
          route,
        );
      }
  }
});

test('S64 no address is for debugging, and metrics name no person', async () => {
  for (const target of [
    '/debug',
    '/debug/pprof',
    '/json',
    '/json/version',
    '/inspector',
    '/heapdump',
    '/status',
    '/env',
    '/.env',
    '/.git/config',
    '/actuator',
    '/server-status',
    '/graphql',
    '/swagger.json',
    '/api/v1/debug',
    '/phpinfo.php',
    '/package.json',
    '/src/main.ts',
  ]) {
    const answer = await ask('GET', target);
    assert.equal(answer.status, 404, target);
    assert.doesNotMatch(answer.body, /password|secret|DATABASE|"dependencies"/i, target);
  }
  for (const key of Object.keys(routes)) assert.doesNotMatch(key, /debug|inspect|eval|heap|trace$/i);
  await api.ask('owner', 'GET /senders', { query: { search: '09171234567' } });
  const metrics = await ask('GET', '/metrics');
  assert.doesNotMatch(metrics.body, /9171234567|owner@|pahatid=/);
  assert.ok(!metrics.body.includes(api.users.owner.account));
});

test('S64 no process listens for a debugger, and no start command enables one', () => {
  assert.equal(inspectorUrl(), undefined);
  for (const file of [
    'scripts/start.mjs',
    'apps/server/src/roles/supervisor.ts',
    'apps/server/src/roles/role-command.ts',
  ])
    assert.doesNotMatch(readFileSync(path.join(import.meta.dirname, '../../../..', file), 'utf8'), /--inspect/, file);
});

test('S73 a request with two Host headers is refused, also with two equal ones', async () => {
  for (const second of ['localhost', 'sms.example', ''])
    for (const target of ['/', '/healthz', '/api/v1/session']) {
      const { status, body } = await speak(
        `GET ${target} HTTP/1.1\r\nhost: localhost\r\nHOST: ${second}\r\nconnection: close\r\n\r\n`,
      );
      assert.deepEqual([status, JSON.parse(body).code], [400, 'BAD_REQUEST'], `${target} ${second}`);
    }
});

test('S67 the demo answers no HTTP/1.0, which proxies speak, and none without a Host', async () => {
  for (const head of ['GET / HTTP/1.0\r\nhost: localhost\r\n', 'GET /healthz HTTP/1.0\r\n']) {
    const { status, body } = await speak(`${head}\r\n`);
    assert.deepEqual([status, JSON.parse(body).code], [403, 'DEMO_LOCAL_ONLY'], head);
  }
});
