import assert from 'node:assert/strict';
import { test } from 'node:test';
import { one, run, sql } from '@pahatid/db';
import { buildSmppBind } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { startSmppServer } from '../../smpp-server/start-smpp-server.ts';
import { registerApplications } from './routes.ts';

const api = await makeTestApi({ features: [registerApplications] });
const { db, appId, customerId } = api;
const { secrets, log, config } = api.deps;
const server = await startSmppServer({
  config: { host: '127.0.0.1', smppPort: 0, smppTls: null, trustProxy: [], demo: false },
  control: db.pool,
  secrets,
  log,
});
db.beforeClose(() => server.stop());
Object.assign(config, { smppPort: server.port });
await run(
  db.pool,
  sql`update application_secret set secret_hash = ${secrets.hashSmppPassword(appId, 'testpass')} where app_id = ${appId} and kind = 'smpp'`,
);

const detail = async (who: Parameters<typeof api.ask>[0] = 'owner') =>
  (await api.ask(who, `GET /applications/${appId}`)).body;

test('live binds are shown to their customer and to staff, and an owner closes them', async () => {
  const bindId = await buildSmppBind(db.pool, { customerId, appId });
  await run(
    db.pool,
    sql`update smpp_bind set window_used = 3, submit_rate = 40, last_status = 88, last_status_at = now() where bind_id = ${bindId}`,
  );
  const shown = { bindId, bindType: 'transceiver', clientIp: '192.0.2.7', windowUsed: 3, submitRate: 40 };
  assert.partialDeepStrictEqual((await detail('viewer')).binds, [{ ...shown, lastError: 'ESME_RTHROTTLED' }]);
  const listed = await api.ask('operator', 'GET /smpp-binds');
  assert.partialDeepStrictEqual(listed.body.items, [{ ...shown, appId, customerId }]);
  const of = async (customer: string) =>
    (await api.ask('operator', 'GET /smpp-binds', { query: { customerId: customer } })).body.items;
  assert.deepEqual(await of(customerId), listed.body.items);
  assert.deepEqual(await of(api.otherCustomerId), []);
  assert.equal((await api.ask('owner', 'GET /smpp-binds')).status, 404);
  const close = (who: Parameters<typeof api.ask>[0]) => api.ask(who, `DELETE /applications/${appId}/binds/${bindId}`);
  assert.equal((await close('viewer')).status, 403);
  assert.equal((await close('owner')).status, 204);
  assert.deepEqual((await detail()).binds, []);
  const row = await one<{ end: boolean }>(
    db.pool,
    sql`select end_requested as end from smpp_bind where bind_id = ${bindId}`,
  );
  assert.equal(row.end, true);
});

test('a test bind is judged by the address of its user, and says why it was refused', async () => {
  const trial = async (password: string) =>
    (await api.ask('owner', `POST /applications/${appId}/test-bind`, { body: { password } })).body;
  assert.partialDeepStrictEqual(await trial('testpass'), { outcome: 'refused', status: 13, reason: 'noAddresses' });
  await run(db.pool, sql`update application set white_list_ip = '{127.0.0.1}' where app_id = ${appId}`);
  const good = await trial('testpass');
  assert.partialDeepStrictEqual(good, { outcome: 'bound', status: 0, reason: null });
  assert.deepEqual(
    good.trace.slice(0, 2).map((pdu: { command: string }) => pdu.command),
    ['bind_transceiver', 'bind_transceiver_resp'],
  );
  assert.ok(!JSON.stringify(good).includes(Buffer.from('testpass').toString('hex')));
  assert.partialDeepStrictEqual(await trial('wrong'), { outcome: 'refused', status: 14, reason: 'password' });
  const { refusedBinds } = await detail('viewer');
  assert.deepEqual(refusedBinds.map((each: { reason: string }) => each.reason).toSorted(), ['noAddresses', 'password']);
});

test('service types are saved and checked', async () => {
  const save = (serviceTypes: unknown) => api.ask('owner', `PATCH /applications/${appId}`, { body: { serviceTypes } });
  assert.deepEqual((await save({ OTP: 1, AD: 3 })).body.serviceTypes, { OTP: 1, AD: 3 });
  assert.equal((await save({ TOOLONG: 1 })).status, 400);
  assert.equal((await save({ OTP: 9 })).status, 400);
});
