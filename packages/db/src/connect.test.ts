import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { makePool } from './connect.ts';

/** A message of PostgreSQL's protocol. */
const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const ended = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));

test('a connection that is ended in the moment it is ready fails its query, and nothing else', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, ended])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const pool = makePool({ url: `postgres://somebody@127.0.0.1:${port}/some?sslmode=disable`, applicationName: 'test' });
  t.after(() => pool.end());
  // Thrown past everyone it would end the process, and fail this test.
  await assert.rejects(
    pool.connect().then((client) => client.query('select 1').finally(() => client.release(true))),
    /connection/i,
  );
});
