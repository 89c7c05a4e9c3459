import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { freePort } from './free-port.ts';

/** Ports that Linux, macOS and Windows assign on request for any port begin here, or above. */
const FIRST_OF_SYSTEMS = 32_768;

test('no port is given twice, and none that the system may give to others meanwhile', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, () => freePort()));
  assert.equal(new Set(ports).size, ports.length);
  assert.ok(ports.every((port) => port < FIRST_OF_SYSTEMS));
});

test('the port above is free as well, and reserved for the caller', async () => {
  const port = await freePort(1_000);
  assert.ok(port + 1_000 < FIRST_OF_SYSTEMS);
  const servers = [port, port + 1_000].map((each) => createServer().listen(each, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  for (const server of servers) server.close();
});
