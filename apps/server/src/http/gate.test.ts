/** The API in front of a database that does not keep up, and of clients that send more than it can hold. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { makePool } from '@pahatid/db';
import { startStopwatch, TcpProxy, testDatabase, until } from '@pahatid/testkit';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { registerSession } from '../features/sign-in/routes.ts';
import { registerTasks } from '../features/tasks/routes.ts';
import { readConfig } from '../process/config.ts';
import { makeSecrets } from '../secrets/secrets.ts';
import { makeApp } from './app.ts';
import type { GateLimits } from './gate.ts';

const connections = 4;
const db = await testDatabase();
const proxy = await TcpProxy.start({ port: Number(new URL(db.url).port) });
const pool = makePool({ url: proxy.through(db.url), applicationName: 'pahatid api under test', max: connections });
const apps: FastifyInstance[] = [];
db.beforeClose(async () => {
  for (const app of apps) await app.close();
  await pool.end();
  await proxy.close();
});

async function makeGated(limits: Partial<GateLimits>): Promise<FastifyInstance> {
  const config = readConfig({
    PAHATID_DATA: '/nonexistent',
    PAHATID_SECRET: '00'.repeat(32),
    PAHATID_UNSAFE_DATABASE: 'on',
  });
  const deps = {
    config,
    log: pino({ level: 'silent' }),
    pools: { control: pool, data: pool },
    secrets: makeSecrets(randomBytes(32)),
    now: () => new Date(),
    signal: new AbortController().signal,
    consoleDir: '/nonexistent',
    limits,
  };
  const app = await makeApp(deps, [registerSession, registerTasks]);
  apps.push(app);
  return app;
}

test('with a slow database the API returns 503 with Retry-After immediately, with a bounded queue, and recovers', async () => {
  const app = await makeGated({ waitersPerConnection: 2 });
  const ask = async () => await app.inject({ url: '/api/v1/tasks', headers: { cookie: `pahatid=${'A'.repeat(43)}` } });
  assert.equal((await ask()).statusCode, 401);
  proxy.delay(400);
  const asked: ReturnType<typeof ask>[] = [];
  let most = 0;
  for (let n = 0; n < 400; n++) {
    asked.push(ask());
    await turn();
    await turn();
    most = Math.max(most, pool.waitingCount);
  }
  const answers = await Promise.all(asked);
  const refused = answers.filter(({ statusCode }) => statusCode === 503);
  assert.ok(refused.length > 300, `${refused.length} refused`);
  assert.ok(most <= connections * 2 + 2, `${most} waited`);
  for (const answer of refused) {
    assert.equal(answer.json().code, 'UNAVAILABLE');
    assert.ok(Number(answer.headers['retry-after']) > 0);
  }
  assert.ok(answers.every(({ statusCode }) => statusCode === 503 || statusCode === 401));
  proxy.heal();
  assert.equal((await ask()).statusCode, 401);
  const { payload } = await app.inject({ url: '/metrics' });
  const shed = /pahatid_http_requests_shed_total\{reason="database"[^}]*\} (\d+)/.exec(payload)?.[1];
  assert.ok(Number(shed) >= refused.length);
});

test('with an unresponsive database probes return in time, and none waits for another', async () => {
  const app = await makeGated({});
  proxy.goSilent();
  const watch = startStopwatch();
  const probes = await Promise.all(Array.from({ length: 30 }, async () => await app.inject({ url: '/readyz' })));
  watch.assertWithin(4_000, 'the probes');
  assert.ok(pool.waitingCount <= connections);
  for (const probe of probes) {
    assert.equal(probe.statusCode, 503);
    assert.partialDeepStrictEqual(probe.json(), { code: 'UNAVAILABLE', database: 'unreachable', draining: false });
  }
  assert.equal((await app.inject({ url: '/healthz' })).statusCode, 200);
  proxy.cut();
  proxy.heal();
  await until(async () => (await app.inject({ url: '/readyz' })).statusCode === 200);
});

test('bodies beyond what memory is set aside for are refused before they are read, and their room comes back', async () => {
  const mib = 1_048_576;
  const app = await makeGated({ bodyBytes: 2.5 * mib });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  after(() => {
    for (const socket of sockets) socket.destroy();
  });
  /** Announces a body and sends none of it. */
  const announce = (): { socket: Socket; said: () => string } => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    const head = `POST /api/v1/session HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${mib}\r\n\r\n`;
    socket.write(head);
    return { socket, said: () => text };
  };
  const underWay = async (): Promise<number> => {
    const { payload } = await app.inject({ url: '/metrics' });
    return Number(/pahatid_http_requests_under_way(?:\{[^}]*\})? (\d+)/.exec(payload)?.[1]);
  };
  const held = [announce(), announce()];
  await until(async () => (await underWay()) === 2);
  const third = announce();
  await until(() => third.said().includes('\r\n\r\n'));
  assert.match(third.said(), /^HTTP\/1\.1 503 [\s\S]*retry-after: \d+/);
  for (const { socket } of held) socket.destroy();
  await until(async () => (await underWay()) === 0);
  const wrong = await app.inject({
    method: 'POST',
    url: '/api/v1/session',
    payload: { account: 'nobody', password: 'x' },
  });
  assert.equal(wrong.statusCode, 401);
});
