/** The trial bind as staff call it; its possible results are tested next to its source. */
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { startSimulator } from '@pahatid/carrier-simulator';
import { uuidV7 } from '@pahatid/db';
import { buildSupplier } from '@pahatid/db/builders';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { registerSuppliers } from './supplier-routes.ts';

const simulator = await startSimulator({ port: 0 });
const sockets = new Set<Socket>();
const silent = createServer((socket) => void sockets.add(socket.on('error', () => {})));
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
after(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await simulator.stop();
});
const silentPort = (silent.address() as { port: number }).port;
const api = await makeTestApi({ features: [registerSuppliers] });
const { pool } = api.db;
const address = { host: '127.0.0.1', port: simulator.port, systemId: 'globe' };
const supplierId = await buildSupplier(pool, {
  supplierAccount: 'globe',
  port: simulator.port,
  systemId: 'globe',
  password: 'globepw',
  secrets: api.deps.secrets,
});
const trial = (body: object, who: Who = 'operator') => api.ask(who, 'POST /suppliers/test-bind', { body });

test('S2 operators and admins alone may try a bind', async () => {
  for (const who of ['owner', 'member', 'viewer', 'other', 'reviewer'] as Who[])
    assert.equal((await trial({ ...address, password: 'globepw' }, who)).status, 404, String(who));
  assert.equal((await trial({ ...address, password: 'globepw' }, null)).status, 401);
  assert.equal((await trial({ ...address, supplierId: uuidV7() })).status, 404);
});

test('S55 with typed or stored password it binds; neither is in the answer or the log', async () => {
  for (const body of [
    { ...address, password: 'globepw' },
    { ...address, supplierId },
  ]) {
    const answer = await trial(body);
    assert.deepEqual([answer.status, answer.body.outcome], [200, 'bound'], answer.text);
    assert.equal(answer.body.trace.length, 6);
    assert.ok(!answer.text.includes('globepw') && !answer.text.includes(Buffer.from('globepw').toString('hex')));
  }
  const { rows } = await pool.query<{ entry: string; subject_id: string }>(
    `select audit_log::text as entry, subject_id from audit_log where action = 'testBind' order by audit_id`,
  );
  assert.deepEqual(
    rows.map((row) => row.subject_id),
    [`127.0.0.1:${simulator.port}`, supplierId],
  );
  for (const { entry } of rows) assert.ok(!entry.includes('globepw'));
});

test('a stored password goes nowhere but where it is stored for', async () => {
  const elsewhere = [
    { ...address, supplierId, port: silentPort },
    { ...address, supplierId, host: 'localhost' },
    { ...address, supplierId, systemId: 'smart' },
    { ...address, supplierId, profile: { tls: true } },
    address,
  ];
  const before = sockets.size;
  for (const body of elsewhere) {
    const { status, body: problem } = await trial(body);
    assert.deepEqual([status, problem.errors], [400, [{ field: 'password', code: 'REQUIRED' }]]);
  }
  // An edit cannot do it either: the next bind of a sender would send it there.
  for (const change of [{ port: silentPort }, { host: 'localhost' }, { profile: { tls: true } }]) {
    const body = { version: 1, ...change };
    const { status, body: problem } = await api.ask('operator', `PATCH /suppliers/${supplierId}`, { body });
    assert.deepEqual([status, problem.errors], [400, [{ field: 'password', code: 'REQUIRED' }]]);
  }
  const kept = { version: 1, host: '127.0.0.1', port: simulator.port, tps: 70 };
  assert.equal((await api.ask('operator', `PATCH /suppliers/${supplierId}`, { body: kept })).status, 200);
  assert.equal(sockets.size, before);
});

test('a wrong password, a silent peer and a bad address are reported as such; two concurrent tests each get a result', async () => {
  const wrong = await trial({ ...address, password: 'wrong' });
  assert.partialDeepStrictEqual(wrong.body, { outcome: 'refused', status: 0x0e, statusName: 'ESME_RINVPASWD' });
  const both = await Promise.all(
    [1, 2].map(() => trial({ ...address, port: silentPort, password: 'x', timeoutMs: 500 })),
  );
  assert.deepEqual(
    both.map(({ body }) => body.outcome),
    ['bindTimeout', 'bindTimeout'],
  );
  const bad = await trial({ host: 'a b', port: 0, systemId: '', password: 'nine-char', timeoutMs: 1, owner: 1 });
  assert.equal(bad.status, 400);
  assert.deepEqual([...new Set(bad.body.errors.map(({ field }: { field: string }) => field))].sort(), [
    'host',
    'owner',
    'password',
    'port',
    'systemId',
    'timeoutMs',
  ]);
});
