/** Customers' webhook addresses: permitted targets, and the effect of their responses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startStopwatch } from '@pahatid/testkit';
import { Webhook } from 'standardwebhooks';
import { type GuardConfig, makeGuard, type Resolve } from '../callbacks/guard.ts';
import { makePoster, readRetryAfter } from '../callbacks/post.ts';
import { makeCallbackSecret, signCallback } from '../callbacks/sign.ts';

const closed: GuardConfig = { callbackAllow: [], ownPorts: [8080, 2775] };
const opened: GuardConfig = { ...closed, callbackAllow: ['127.0.0.0/8'] };
const nowhere: Resolve = () => assert.fail('a name was looked up');

const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
async function serve(listener: RequestListener): Promise<{ url: string; port: number; connections: () => number }> {
  const server = createServer(listener);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, port, connections: () => connections };
}

/** Addresses of the inside, in every spelling, and URLs that are none we call. */
const payloads = [
  ...['https://168.63.129.16/', 'https://[::ffff:168.63.129.16]/', 'https://billing.shop.svc/'],
  ...['https://billing.shop.svc.cluster.local/', 'https://a.cluster.local./', 'https://metadata.google.internal/'],
  ...[
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
  ],
  ...['https://', 'https:///x', 'https:example.com', '//example.com/', 'example.com', 'https://exa mple.com/'],
  ...[
    'https://user:word@example.com/',
    'https://user@example.com/',
    'https://example.com:22/',
    'https://example.com:6379/',
  ],
  ...[
    'https://localhost/',
    'https://LOCALHOST./',
    'https://intranet/',
    'https://db.internal/',
    'https://printer.local/',
  ],
  ...['https://127.0.0.1/', 'https://127.1/', 'https://0x7f.1/', 'https://2130706433/', 'https://0177.0.0.1/'],
  ...[
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[::]/',
  ],
  ...[
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
  ],
  ...['https://10.0.0.1/', 'https://172.16.0.1/', 'https://192.168.1.1/', 'https://100.64.0.1/', 'https://198.18.0.1/'],
  ...[
    'https://169.254.169.254/latest/meta-data/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[fd00:ec2::254]/',
  ],
  ...[
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[ff02::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:db8::1]/',
  ],
  ...['https://[::ffff:8.8.8.8]/', `https://example.com/${'x'.repeat(2_048)}`, 'https://example.com\\@127.0.0.1/'],
];

test('S40 addresses of the inside in every spelling, other schemes, other ports and passwords are refused without a look-up', async () => {
  assert.ok(payloads.length >= 40);
  const guard = makeGuard(closed, nowhere);
  for (const url of payloads) assert.equal(guard.readUrl(url), null, url);
  for (const url of [
    'https://example.com/',
    'https://8.8.8.8:8443/x',
    'https://example.com:8080/',
    'https://[2606:4700::1]/',
  ])
    assert.notEqual(guard.readUrl(url), null, url);
  const poster = makePoster(guard);
  for (const url of payloads.slice(0, 30)) assert.equal((await poster.post(url, {}, '')).error, 'addressRefused', url);
});

test('S40 where networks are opened they and no others are reached, never a port of our own', () => {
  const guard = makeGuard(opened, nowhere);
  for (const url of ['http://127.0.0.1:4000/', 'https://127.0.0.2/', 'http://127.0.0.1:9090/'])
    assert.notEqual(guard.readUrl(url), null, url);
  for (const url of [
    'http://127.0.0.1:8080/',
    'https://127.0.0.1:2775/',
    'http://10.0.0.1/',
    'http://8.8.8.8/',
    'https://8.8.8.8:22/',
  ])
    assert.equal(guard.readUrl(url), null, url);
});

test('S42 a name that resolves to an internal address, first, among others or later, is not connected to', async () => {
  const { port, connections } = await serve((_, answer) => answer.end('inside'));
  const url = 'https://rebind.example:8443/';
  for (const addresses of [['127.0.0.1'], ['10.1.2.3'], ['::1'], ['::ffff:10.0.0.1'], ['8.8.8.8', '127.0.0.1']]) {
    const resolve: Resolve = async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    assert.equal(
      (await makePoster(makeGuard(closed, resolve)).post(url, {}, '')).error,
      'addressRefused',
      addresses.join(),
    );
  }
  // First a valid address, then an internal one: each request connects only to the address checked for it.
  let looks = 0;
  const rebinding: Resolve = async () => [{ address: ++looks === 1 ? '127.0.0.1' : '192.168.0.1', family: 4 }];
  const poster = makePoster(makeGuard(opened, rebinding));
  const name = `http://rebind.example:${port}/`;
  assert.equal((await poster.post(name, {}, '')).status, 200);
  assert.equal((await poster.post(name, {}, '')).error, 'addressRefused');
  assert.equal(looks, 2);
  assert.equal(connections(), 1);
  poster.close();
});

test('P17 an unresponsive name has one look-up at a time, shared by all requests, and a new one afterwards', async () => {
  let looks = 0;
  const answers: ((found: { address: string; family: number }[]) => void)[] = [];
  const guard = makeGuard(opened, () => {
    looks += 1;
    return new Promise((resolve) => answers.push(resolve));
  });
  const target = guard.readUrl('http://silent.example/');
  assert.ok(target);
  const waiting = Array.from({ length: 5 }, () => guard.resolve(target));
  assert.equal(looks, 1);
  answers[0]?.([{ address: '127.0.0.1', family: 4 }]);
  assert.equal((await Promise.all(waiting)).length, 5);
  const again = guard.resolve(target);
  answers[1]?.([{ address: '192.168.0.1', family: 4 }]);
  await assert.rejects(again, { code: 'ADDRESS_REFUSED' });
  assert.equal(looks, 2);
});

test('S42 the name is kept for the other side though its address is connected to', async () => {
  const { port } = await serve((request, answer) => answer.end(request.headers.host));
  const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const poster = makePoster(makeGuard(opened, resolve));
  assert.equal((await poster.post(`http://shop.example:${port}/`, {}, '')).body, `shop.example:${port}`);
  poster.close();
});

test('S41 a redirect is an answer like any other, and is not followed', async () => {
  const paths: string[] = [];
  const { url } = await serve((request, answer) => {
    paths.push(request.url ?? '');
    answer.writeHead(302, { location: '/elsewhere' }).end();
  });
  const poster = makePoster(makeGuard(opened));
  const { status, error } = await poster.post(url, {}, '');
  assert.deepEqual([status, error, paths], [302, 'redirect', ['/hook']]);
  poster.close();
});

test('S41 of an answer without end 16 kB are read and 1,024 characters kept, nothing of it as control characters', async () => {
  const { url } = await serve((_, answer) => {
    const write = (): void => {
      while (!answer.destroyed && answer.write('\0\u001b[31m<script>€'.repeat(100)));
      if (!answer.destroyed) answer.once('drain', write);
    };
    write();
  });
  const poster = makePoster(makeGuard(opened));
  const { status, error, body, response } = await poster.post(url, {}, '');
  assert.deepEqual([status, error], [200, null]);
  assert.ok(Buffer.byteLength(body) <= 16_384 + 3);
  assert.equal(response?.length, 1_024);
  assert.ok(!response.includes('\0') && !response.includes('\u001b'));
  poster.close();
});

test('S57 a number cut by the end of a stored response is left out, as it could not be recognized', async () => {
  const numbers = ['639171234567', '+63 917 123 4567', '0917-123-4567'];
  const { url } = await serve((request, answer) => {
    const [, place, which] = (request.url ?? '').split('/').map(Number);
    answer.end(`${'x'.repeat(place ?? 0)}${numbers[which ?? 0]} and more, ${'y'.repeat(1_024)}`);
  });
  const poster = makePoster(makeGuard(opened));
  for (const [which, number] of numbers.entries())
    for (let left = 0; left <= number.length; left++) {
      const { response } = await poster.post(new URL(`/${1_024 - left}/${which}`, url).href, {}, '');
      const kept = response?.replaceAll(/\D/g, '') ?? '';
      assert.ok(kept.length <= 5, `${left} of ${number}: ${kept}`);
      assert.ok((response?.length ?? 0) > 1_000);
    }
  poster.close();
});

test('S41 a response that is slow, missing or incomplete times out', async () => {
  const ways: RequestListener[] = [
    () => undefined,
    (_, answer) => {
      answer.writeHead(200);
      const drip = setInterval(() => answer.write('.'), 20);
      answer.once('close', () => clearInterval(drip));
    },
  ];
  const poster = makePoster(makeGuard(opened), { limitMs: 300 });
  const watch = startStopwatch();
  for (const way of ways) {
    const { url } = await serve(way);
    const { error, ms } = await poster.post(url, {}, '');
    assert.equal(error, 'timeout');
    assert.ok(ms >= 290, `${ms} ms`);
    watch.assertSpan(ms, 3_000, 'the call');
  }
  const half = await serve((request) => request.socket.destroy());
  assert.equal((await poster.post(half.url, {}, '')).error, 'closed');
  const hanging = makePoster(
    makeGuard(opened, () => new Promise(() => undefined)),
    { limitMs: 300 },
  );
  assert.equal((await hanging.post('http://slow-names.example/', {}, '')).error, 'timeout');
  const unknown = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  const nameless = makePoster(makeGuard(opened, () => Promise.reject(unknown)));
  assert.equal((await nameless.post('http://nobody.example/', {}, '')).error, 'nameNotFound');
  poster.close();
});

test('S41 nothing is sent over TLS without a trusted certificate', async () => {
  const { port } = await serve((_, answer) => answer.end());
  const poster = makePoster(makeGuard(opened));
  assert.equal((await poster.post(`https://127.0.0.1:${port}/`, {}, '')).error, 'tls');
  poster.close();
});

test('one connection serves requests in sequence, and a closed one is replaced', async () => {
  const { url, connections } = await serve((_, answer) => answer.end('ok'));
  const poster = makePoster(makeGuard(opened));
  for (let i = 0; i < 5; i++) assert.equal((await poster.post(url, {}, '{}')).status, 200);
  assert.equal(connections(), 1);
  servers.at(-1)?.closeAllConnections();
  assert.equal((await poster.post(url, {}, '{}')).status, 200);
  assert.equal(connections(), 2);
  poster.close();
});

test('Retry-After is read as seconds or a date, and never waits longer than a day', () => {
  const now = Date.parse('2026-11-22T00:00:00Z');
  assert.equal(readRetryAfter('120', now), 120);
  assert.equal(readRetryAfter('Sun, 22 Nov 2026 00:10:00 GMT', now), 600);
  assert.equal(readRetryAfter('Sat, 21 Nov 2026 00:00:00 GMT', now), 0);
  assert.equal(readRetryAfter('999999999', now), 86_400);
  assert.equal(readRetryAfter('soon', now), null);
  assert.equal(readRetryAfter(undefined, now), null);
});

test('S43 the Standard Webhooks reference accepts signed requests, with each live secret, and nothing altered', async () => {
  const [first, second, other] = [makeCallbackSecret(), makeCallbackSecret(), makeCallbackSecret()];
  const eventId = '0196f3a0-0000-7000-8000-000000000001';
  const body = JSON.stringify({ type: 'message.status', data: { messageId: '1' }, note: '你好 €' });
  const heard: { headers: IncomingMessage['headers']; body: string }[] = [];
  const { url } = await serve((request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      heard.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      answer.end();
    });
  });
  const poster = makePoster(makeGuard(opened));
  await poster.post(url, { ...signCallback(eventId, new Date(), body, [first, second]) }, body);
  poster.close();
  const [got] = heard;
  assert.ok(got);
  const headers = got.headers as Record<string, string>;
  assert.equal(headers['webhook-id'], 'msg_0196f3a0000070008000000000000001');
  assert.equal(headers['content-type'], 'application/json');
  for (const secret of [first, second])
    assert.deepEqual(new Webhook(secret).verify(got.body, headers), JSON.parse(body));
  assert.throws(() => new Webhook(other).verify(got.body, headers));
  assert.throws(() => new Webhook(first).verify(got.body.replace('1', '2'), headers));
  assert.throws(() => new Webhook(first).verify(got.body, { ...headers, 'webhook-id': 'msg_2' }));
  const old = signCallback(eventId, new Date(Date.now() - 600_000), body, [first]);
  assert.throws(() => new Webhook(first).verify(body, { ...old }));
  // The same secret, id, time and body always have the same signature.
  const at = new Date(1_700_000_000_000);
  assert.equal(
    signCallback(eventId, at, body, [first])['webhook-signature'],
    new Webhook(first).sign('msg_0196f3a0000070008000000000000001', at, body),
  );
});

test('S43 the documented receiver accepts signed requests, however they are chunked, and rejects altered or old ones', async (t) => {
  const page = await readFile(path.join(import.meta.dirname, '../../../../docs/callbacks.md'), 'utf8');
  const sample = /^```js\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? assert.fail('no sample');
  const folder = await mkdtemp(path.join(tmpdir(), 'callback-sample-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'sample.mjs');
  const program = sample
    .replace("'standardwebhooks'", `'${import.meta.resolve('standardwebhooks')}'`)
    .replace(/^createServer/m, 'export const server = createServer')
    .replace('.listen(8443)', '.listen(0)');
  await writeFile(file, program);
  const secret = makeCallbackSecret();
  process.env.CALLBACK_SECRET = secret;
  const { server } = (await import(pathToFileURL(file).href)) as { server: Server };
  servers.push(server);
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const post = async (body: string, signed = body, at = new Date()): Promise<[number | undefined, string]> => {
    const headers = { ...signCallback('0196f3a0-0000-7000-8000-000000000001', at, signed, [secret]) };
    const request = send({ port, method: 'POST', headers });
    for (const octet of Buffer.from(body)) request.write(Buffer.of(octet));
    request.end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return [answer.statusCode, Buffer.concat(await answer.toArray()).toString()];
  };
  const body = JSON.stringify({ type: 'message.inbound', data: { content: '你好 €' } });
  assert.deepEqual(await post(body), [200, 'ok']);
  assert.deepEqual(await post(JSON.stringify({ type: 'test', data: { challenge: 'c' } })), [200, 'c']);
  assert.equal((await post(body.replace('€', '$'), body))[0], 401);
  assert.equal((await post(body, body, new Date(Date.now() - 600_000)))[0], 401);
});
