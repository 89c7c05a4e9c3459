import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { TcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

let heard = '';
const sockets = new Set<Socket>();
const echo = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => {});
  socket.on('close', () => sockets.delete(socket));
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString();
    socket.write(chunk);
  });
});
echo.listen(0, '127.0.0.1');
await once(echo, 'listening');
const address = echo.address();
assert.ok(address !== null && typeof address === 'object');
const proxy = await TcpProxy.start({ port: address.port });
after(async () => {
  await proxy.close();
  for (const socket of sockets) socket.destroy();
  echo.close();
});

interface Caller {
  readonly socket: Socket;
  text: string;
  closed: boolean;
}

async function call(): Promise<Caller> {
  heard = '';
  const socket = connect(proxy.port, '127.0.0.1');
  const caller: Caller = { socket, text: '', closed: false };
  socket.on('data', (chunk: Buffer) => {
    caller.text += chunk.toString();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    caller.closed = true;
  });
  await once(socket, 'connect');
  return caller;
}

test('forwards both ways, and cuts on demand', async () => {
  const caller = await call();
  caller.socket.write('hello');
  await until(() => caller.text === 'hello');
  assert.equal(proxy.connections, 1);
  proxy.cut();
  await until(() => caller.closed);
  assert.equal(proxy.connections, 0);
});

test('cuts after so many bytes, which arrive', async () => {
  proxy.cutAfterBytes('toServer', 4);
  const caller = await call();
  caller.socket.write('abc');
  await until(() => caller.text === 'abc');
  caller.socket.write('defg');
  await until(() => caller.closed);
  await until(() => heard === 'abcd');
  proxy.heal();
});

test('cuts right after a pattern that comes in pieces, so that its answer never comes back', async () => {
  const cut = proxy.cutAfterPattern('toServer', 'COMMIT');
  const caller = await call();
  caller.socket.write('insert;COM');
  await until(() => caller.text === 'insert;COM');
  caller.socket.write('MIT;');
  await cut;
  await until(() => caller.closed);
  await until(() => heard === 'insert;COMMIT;');
  assert.equal(caller.text, 'insert;COM');

  const next = await call();
  next.socket.write('COMMIT');
  await until(() => next.text === 'COMMIT');
  next.socket.destroy();
  proxy.heal();
});

test('silenced, it neither forwards nor closes', async () => {
  const caller = await call();
  proxy.goSilent();
  caller.socket.write('lost');
  await assert.rejects(until(() => caller.closed || caller.text !== '', { timeoutMs: 150 }));
  assert.equal(heard, '');
  proxy.heal();
  proxy.cut();
});

test('delays, and refuses', async () => {
  proxy.delay(60);
  const caller = await call();
  const start = performance.now();
  caller.socket.write('slow');
  await until(() => caller.text === 'slow', { everyMs: 2 });
  assert.ok(performance.now() - start >= 115);
  proxy.heal();
  proxy.refuse();
  const refused = connect(proxy.port, '127.0.0.1').on('error', () => {});
  await new Promise((resolve) => refused.once('close', resolve));
  proxy.heal();
  caller.socket.destroy();
});
