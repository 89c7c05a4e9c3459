import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { freePort, testDatabase, until } from '@pahatid/testkit';
import { Scene } from '../sending/testing/scene.ts';
import { certificate, privateKey } from './testing/localhost-certificate.ts';
import { SmppWorld } from './testing/smpp-world.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-smpp-tls-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const db = await testDatabase();
const scene = await Scene.build({ pool: db.pool });
const world = new SmppWorld(scene);
db.beforeClose(async () => {
  await world.close();
  await scene.close();
});

test('S53 D18 the TLS port serves the same, and plain octets on it end the connection', async () => {
  const [keyFile, certFile] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [string, string];
  writeFileSync(keyFile, privateKey);
  writeFileSync(certFile, certificate);
  const server = await world.startServer({ smppTls: { port: await freePort(), keyFile, certFile } });
  const { appId } = await world.addApplication();
  const client = await world.bind(appId, { port: server.tlsPort!, tls: { rejectUnauthorized: false } });
  assert.equal((await client.submit('639171234567', 'Over TLS')).status, 0);
  const { rows } = await db.pool.query('select is_tls from smpp_bind');
  assert.deepEqual(rows, [{ is_tls: true }]);
  const plain = connect(server.tlsPort!, '127.0.0.1');
  let closed = false;
  plain.on('close', () => {
    closed = true;
  });
  plain.on('error', () => undefined);
  plain.write(Buffer.from('0000001000000015000000000000000100', 'hex'));
  await until(() => closed);
});
