/** Connections that send little and slowly are closed without affecting others. */

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as pass } from 'node:timers/promises';
import { startStopwatch } from '@pahatid/testkit';
import { makeTestApi } from '../http/testing/test-api.ts';
import { apiFeatures } from '../roles/api.ts';

/** The silence is far longer than the interval between two drops, even on a busy machine. */
const times = { jsonDeadlineMs: 400, uploadIdleMs: 1_500, uploadDeadlineMs: 3_000 };
const api = await makeTestApi({ features: apiFeatures, times });
const listening = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }));
const { cookie } = api.users.owner;
const sockets = new Set<Socket>();
const watch = startStopwatch();
after(() => {
  for (const socket of sockets) socket.destroy();
});

/** Resolves when the server has closed the connection: after how many milliseconds, and what it sent before. */
function open(text: string, goOn?: (socket: Socket) => void): Promise<{ ms: number; said: string }> {
  return new Promise((resolve) => {
    const began = performance.now();
    let said = '';
    const socket = connect(Number(listening.port), '127.0.0.1', () => {
      socket.write(text);
      goOn?.(socket);
    });
    sockets.add(socket);
    socket.on('data', (chunk) => {
      said += chunk.toString();
    });
    // A reset is a closed connection too.
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      resolve({ ms: performance.now() - began, said });
    });
  });
}

test('S61 300 connections with headers that never end are closed, while others are served', async () => {
  assert.equal(api.app.server.headersTimeout, 8_000);
  assert.equal(api.app.server.requestTimeout, 0, 'it would count the body too');
  const slow = Array.from({ length: 300 }, (_, n) =>
    open(`GET /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\n`, (socket) => {
      // Half of them go on, a header a second.
      if (n % 2 === 0) return;
      const timer = setInterval(() => socket.write(`X-${n}: x\r\n`), 1_000);
      socket.once('close', () => clearInterval(timer));
    }),
  );
  let served = 0;
  const all = Promise.all(slow).then((closed) => {
    served = -served;
    return closed;
  });
  while (served >= 0) {
    const { status } = await fetch(new URL('/api/v1/session', listening), { headers: { cookie } });
    assert.equal(status, 200);
    served += 1;
    await Promise.race([all, pass(250)]);
  }
  const closed = await all;
  assert.ok(-served >= 10, `${-served} served meanwhile`);
  assert.equal(closed.length, 300);
  for (const { ms, said } of closed) {
    watch.assertSpan(ms, 20_000, 'the cut');
    assert.ok(said === '' || /^HTTP\/1\.1 408 /.test(said), said);
  }
});

const post = (path: string, type: string, length: number): string =>
  `POST /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
const drip = (text: string, everyMs: number) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.once('close', () => clearInterval(timer));
};

test('S61 a JSON body has one deadline, however steadily it drips; an upload one for silence and one in all', async () => {
  const json = post('/tasks', 'application/json', 1_000);
  const upload = `${post('/files', 'multipart/form-data; boundary=b', 1_000_000)}--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nphone\r\n`;
  const [silent, dripping, silentUpload, drippingUpload] = await Promise.all([
    open(`${json}{"a":`),
    open(`${json}{"a":`, drip(' ', 50)),
    open(upload),
    open(upload, drip('0', 50)),
  ]);
  for (const { ms, said } of [silent, dripping, silentUpload, drippingUpload]) {
    assert.doesNotMatch(said, /^HTTP\/1\.1 2/);
    watch.assertSpan(ms, 8_000, 'the cut');
  }
  assert.ok(drippingUpload.ms >= times.uploadDeadlineMs - 50, `${Math.round(drippingUpload.ms)} ms`);
  const { status } = await fetch(new URL('/api/v1/session', listening), { headers: { cookie } });
  assert.equal(status, 200);
});

test('S61 headers past 16 kB, chunks without an end and two lengths are refused', async () => {
  const [large, chunks, lengths] = await Promise.all([
    open(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`),
    open(
      `POST /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
      drip('1\r\n \r\n', 50),
    ),
    open('POST /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'),
  ]);
  assert.match(large.said, /^HTTP\/1\.1 431 /);
  assert.doesNotMatch(chunks.said, /^HTTP\/1\.1 2/);
  assert.match(lengths.said, /^HTTP\/1\.1 400 /);
});
