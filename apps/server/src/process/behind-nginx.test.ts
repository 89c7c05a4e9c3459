/** Two api processes behind nginx with the file of `deploy/nginx`: what an installation with users on the internet is. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as plainRequest } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApplication, buildCustomer, buildUser, defaultPassword } from '@pahatid/db/builders';
import { freePort, Program, testDatabase, until } from '@pahatid/testkit';
import { makeSecrets } from '../secrets/secrets.ts';
import { masterKey } from '../sending/testing/scene.ts';

const lacks = (program: string, option: string): boolean => spawnSync(program, [option]).error !== undefined;
const skip = lacks('nginx', '-v') || lacks('openssl', 'version') ? 'no nginx or openssl here' : false;

const MAIN = path.join(import.meta.dirname, '../main.ts');
const SITE = path.join(import.meta.dirname, '../../../../deploy/nginx/pahatid.conf');
/** `fail_timeout` of the file. */
const FAIL_TIMEOUT_MS = 2_000;
const UPLOAD_BYTES = 200 * 1_048_576 - 4_096;

const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-nginx-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const db = skip ? null : await testDatabase({ strict: false });
const machines: Program[] = [];
let [tlsPort, httpPort, account, attacked, basic, cookie] = [0, 0, '', '', '', ''];
const ports: number[] = [];

const startApi = async (index: number): Promise<Program> => {
  const program = new Program([MAIN, 'start', '--roles', 'api'], {
    env: {
      DATABASE_URL: db?.url,
      PAHATID_SECRET: masterKey.toString('hex'),
      PAHATID_DEMO: 'off',
      PAHATID_SIM_PORT: 'off',
      PAHATID_PORT: String(ports[index]),
      PAHATID_API_PROCESSES: '1',
      PAHATID_DATA: path.join(folder, `api-${index}`),
      PAHATID_PUBLIC_URL: `https://localhost:${tlsPort}`,
      PAHATID_TRUST_PROXY: '127.0.0.1',
      PAHATID_RATE_ADDRESS: '1000000',
      PAHATID_RATE_APPLICATION: '1000000',
    },
  });
  machines[index] = program;
  await program.says('Pahatid is ready');
  return program;
};

/** The published file, with addresses and certificates of this machine. */
function startNginx(): void {
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...words, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  const site = readFileSync(SITE, 'utf8')
    .replace('/etc/pahatid/tls/fullchain.pem', certificate)
    .replace('/etc/pahatid/tls/privkey.pem', key)
    .replace('127.0.0.1:8081', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:8082', `127.0.0.1:${ports[1]}`)
    .replaceAll('sms.example.com', 'localhost')
    .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${tlsPort} ssl`)
    .replaceAll(/ *listen \[::\].*\n/g, '')
    .replaceAll('$host', `localhost:${tlsPort}`);
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};\n`,
  );
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
    ${process.getuid?.() === 0 ? 'user root;' : ''} events {}
    http { access_log off; ${own.join('')} ${site} }`,
  );
  nginx = spawn('nginx', ['-c', file, '-p', folder], { stdio: 'ignore' });
}

let nginx: ChildProcess | null = null;
after(async () => {
  if (nginx === null) return;
  const ended = once(nginx, 'exit');
  nginx.kill('SIGQUIT');
  await ended;
});

before(async () => {
  if (db === null) return;
  [tlsPort, httpPort] = [await freePort(), await freePort()];
  ports.push(await freePort(), await freePort());
  const customerId = await buildCustomer(db.pool);
  ({ account } = await buildUser(db.pool, { customerId, role: 'owner' }));
  ({ account: attacked } = await buildUser(db.pool, { customerId, role: 'member' }));
  const appSecret = 'secret-of-an-app';
  const credentials = { appSecret, smppPassword: 'secret12', secrets: makeSecrets(masterKey) };
  const appId = await buildApplication(db.pool, { customerId, credentials });
  basic = `Basic ${Buffer.from(`${appId}:${appSecret}`).toString('base64')}`;
  db.beforeClose(async () => {
    for (const program of machines) await program.kill();
  });
  await Promise.all([startApi(0), startApi(1)]);
  startNginx();
  await until(() =>
    ask('/healthz').then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
after(() => agent.destroy());

const send = (target: string, options: RequestOptions, body?: string | Readable): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: tlsPort, path: target, agent, ...options }, resolve);
    call.once('error', reject);
    if (body instanceof Readable) pipeline(body, call).catch(reject);
    else call.end(body);
  });
async function ask(target: string, options: RequestOptions = {}, body?: string): Promise<Answer> {
  const response = await send(target, options, body);
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
}
const origin = (): Record<string, string> => ({
  origin: `https://localhost:${tlsPort}`,
  'sec-fetch-site': 'same-origin',
});
const signIn = (name: string, password: string, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(
    '/api/v1/session',
    { method: 'POST', headers: { 'content-type': 'application/json', ...origin(), ...headers } },
    JSON.stringify({ account: name, password }),
  );
const cookieOf = ({ headers }: Answer): string =>
  (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');

test('TLS alone is served, with HSTS; plain HTTP leads there; metrics are closed', { skip }, async () => {
  const page = await ask('/login');
  assert.ok([200, 302].includes(page.status));
  assert.match(String(page.headers['strict-transport-security']), /max-age=31536000/);
  assert.equal((await ask('/metrics')).status, 404);
  assert.equal((await ask('/audit-feed')).status, 404);
  const moved = await new Promise<IncomingMessage>((resolve) =>
    plainRequest({ host: '127.0.0.1', port: httpPort, path: '/login' }, resolve).end(),
  );
  assert.deepEqual([moved.statusCode, moved.headers.location], [308, `https://localhost:${tlsPort}/login`]);
  moved.resume();
});

test('the session is a __Host- cookie that both processes accept, and streams are passed on at once', {
  skip,
}, async () => {
  const signedIn = await signIn(account, defaultPassword);
  assert.equal(signedIn.status, 200, signedIn.text);
  cookie = cookieOf(signedIn);
  const session = (signedIn.headers['set-cookie'] ?? []).find((line) => line.startsWith('__Host-'));
  assert.match(session ?? '', /; Secure/);
  for (let n = 0; n < 4; n++) assert.equal((await ask('/api/v1/tasks', { headers: { cookie } })).status, 200);
  const stream = await send('/api/v1/tasks/events', { headers: { cookie }, agent: false, rejectUnauthorized: false });
  const [first] = (await once(stream, 'data')) as [Buffer];
  assert.match(first.toString(), /^retry: \d+/);
  stream.destroy();
});

test('sign-ins are limited by the address that nginx saw, whatever the visitor writes of it', { skip }, async () => {
  const codes: string[] = [];
  for (let n = 0; n < 6; n++) {
    const answer = await signIn(attacked, 'wrong', { 'x-forwarded-for': `203.0.113.${n}` });
    codes.push((JSON.parse(answer.text) as { code: string }).code);
  }
  assert.ok(codes.includes('CAPTCHA_REQUIRED'), codes.join(' '));
  // By the address, not only by the account.
  const other = await signIn(account, defaultPassword, { 'x-forwarded-for': '203.0.113.99' });
  assert.match(other.text, /CAPTCHA_REQUIRED/);
  const { rows = [] } =
    (await db?.pool.query<{ address: string }>('select distinct host(ip) as address from session')) ?? {};
  assert.deepEqual(rows, [{ address: '127.0.0.1' }]);
});

test('a file of 200 MB is passed on while it arrives', { skip }, async () => {
  const boundary = 'boundary-of-a-test';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.csv"\r\nContent-Type: text/csv\r\n\r\nphone,note\r\n`;
  const line = `09171234567,${'x'.repeat(4_084)}\n`;
  function* parts() {
    yield head;
    for (let bytes = 0; bytes < UPLOAD_BYTES - line.length; bytes += line.length) yield line;
    yield `\r\n--${boundary}--\r\n`;
  }
  const headers = { cookie, 'content-type': `multipart/form-data; boundary=${boundary}`, ...origin() };
  const response = await send('/api/v1/files', { method: 'POST', headers }, Readable.from(parts()));
  assert.equal(response.statusCode, 202, await text(response));
});

test('each api process is replaced while software calls, and no call fails', { skip }, async () => {
  const tally = { ok: 0, other: [] as string[] };
  const stopping = new AbortController();
  const callers = Array.from({ length: 4 }, async () => {
    while (!stopping.signal.aborted) {
      const answer = await ask('/api/v1/messages/1', { headers: { authorization: basic } }).catch(String);
      if (typeof answer !== 'string' && answer.status === 404) tally.ok += 1;
      else tally.other.push(typeof answer === 'string' ? answer : `${answer.status} ${answer.text.slice(0, 80)}`);
      await sleep(10);
    }
  });
  try {
    for (const index of [0, 1]) {
      assert.equal(await machines[index]?.end('SIGTERM'), 0);
      await startApi(index);
      const before = tally.ok;
      await until(() => tally.ok > before + 50, { what: 'calls after the process was replaced' });
      // As an operator waits: nginx asks a process again after this time.
      await sleep(FAIL_TIMEOUT_MS + 500);
    }
  } finally {
    stopping.abort();
    await Promise.all(callers);
  }
  assert.deepEqual(tally.other, []);
  assert.ok(tally.ok > 100);
});
