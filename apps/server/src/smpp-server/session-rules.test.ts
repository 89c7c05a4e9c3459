/** What changes while software is bound, and how each side's answers are taken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, one, run, sql, uuidV7 } from '@pahatid/db';
import { buildCustomer, buildShortLink, buildTopUp } from '@pahatid/db/builders';
import { type DeliverSm, readReceipt, STATUS } from '@pahatid/smpp';
import { until } from '@pahatid/testkit';
import { pino } from 'pino';
import { makeSmppWorld, password } from './testing/smpp-world.ts';

const { db, scene, world } = await makeSmppWorld();
const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
await world.startServer({}, 0, log);
await scene.startSender();

const countWaiting = async (appId: string): Promise<number> =>
  (await one<{ n: number }>(db.pool, sql`select count(*)::int as n from smpp_delivery where app_id = ${appId}`)).n;

test('S49 a bind ends when its address leaves the list, its application is disabled, or a user disconnects it', async () => {
  const changes = [
    sql`update application set white_list_ip = '{10.0.0.1}' where app_id = `,
    sql`update application set use_state = 0 where app_id = `,
    sql`update smpp_bind set end_requested = true where app_id = `,
  ];
  const staying = await world.bind((await world.addApplication()).appId);
  for (const change of changes) {
    const { appId } = await world.addApplication();
    const client = await world.bind(appId);
    await run(db.pool, sql`${change}${appId}`);
    await until(() => client.closed !== null, { what: 'the end of the session' });
    const left = sql<{ n: number }>`select count(*)::int as n from smpp_bind where app_id = ${appId}`;
    await until(async () => (await one(db.pool, left)).n === 0);
  }
  assert.equal(staying.closed, null);
});

test('D1 versions 3.3, 3.4 and 5.0 bind; only 3.3 is not answered with the version', async () => {
  const { appId } = await world.addApplication();
  for (const interface_version of [0x33, 0x34, 0x50]) {
    const client = await world.bind(appId, { interface_version });
    const expected = interface_version === 0x33 ? undefined : 0x34;
    assert.equal(client.peerInterfaceVersion, expected, String(interface_version));
    assert.equal((await client.submit('639171234567', 'Hello')).status, STATUS.ESME_ROK);
  }
});

test('D15 a failure is reported to who asked for failures, and not to who asked for successes', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  const [undelivered, rejected] = ['639179999901', '639179999903'];
  const submit = async (to: string, registered_delivery: number) =>
    (await client.submit(to, `Asked ${registered_delivery}`, { registered_delivery })).messageId;
  const failure = await submit(undelivered, 2);
  const refusal = await submit(rejected, 0x12);
  const both = await submit(undelivered, 1);
  await submit(undelivered, 3);
  await submit(undelivered, 0);
  const finals = () =>
    client.delivered
      .filter((pdu) => pdu.esm_class === 4)
      .map((pdu) => readReceipt(pdu))
      .map((receipt) => `${receipt?.id} ${receipt?.stat}`);
  const wanted = [`${failure} UNDELIV`, `${refusal} REJECTD`, `${both} UNDELIV`].toSorted();
  await until(() => finals().length >= wanted.length);
  const states = sql<{ n: number }>`select count(*)::int as n from message
    where app_id = ${appId} and client_status not in (0, 1)`;
  await until(async () => (await one(db.pool, states)).n === 5);
  await until(async () => (await countWaiting(appId)) === 0);
  assert.deepEqual(finals().toSorted(), wanted);
});

test('D14 a busy receiver gets a receipt again, one that refuses it does not, and the refusal is recorded', async () => {
  const { appId } = await world.addApplication();
  const busy = [STATUS.ESME_RSYSERR, STATUS.ESME_RMSGQFUL, STATUS.ESME_RTHROTTLED, STATUS.ESME_RX_T_APPN];
  const answers = new Map<string, number[]>();
  const client = await world.bind(appId, {
    onDeliver: (pdu, respond) => respond(answers.get((pdu as DeliverSm).source_addr)?.shift() ?? STATUS.ESME_ROK),
  });
  for (const [n, status] of busy.entries()) answers.set(`63917123470${n}`, [status]);
  answers.set('639171234709', [STATUS.ESME_RX_R_APPN]);
  const numbers = [...answers.keys()];
  await Promise.all(numbers.map(async (to) => await client.submit(to, 'Hello')));
  const times = () => numbers.map((to) => client.delivered.filter((pdu) => pdu.source_addr === to).length);
  await until(() => times().join() === '2,2,2,2,1', { what: '2,2,2,2,1', timeoutMs: 60_000 });
  const rows = sql<{ status: number; refused: boolean }>`select last_status as status, refused_at is not null as refused
    from smpp_delivery where app_id = ${appId}`;
  await until(async () => (await many(db.pool, rows)).length === 1);
  assert.deepEqual(await many(db.pool, rows), [{ status: STATUS.ESME_RX_R_APPN, refused: true }]);
});

test('D14 receipts of one message come in the order of its states', async () => {
  const { appId } = await world.addApplication();
  let first = true;
  const client = await world.bind(appId, {
    onDeliver(_pdu, respond) {
      respond(first ? STATUS.ESME_RMSGQFUL : STATUS.ESME_ROK);
      first = false;
    },
  });
  const { messageId } = await client.submit('639179999907', 'On its way', { registered_delivery: 0x11 });
  await until(async () => client.delivered.length >= 2 && (await countWaiting(appId)) === 0);
  const stats = client.delivered.map((pdu) => readReceipt(pdu)).filter((receipt) => receipt?.id === messageId);
  const order = stats.map((receipt) => receipt?.stat).filter((stat, at, all) => stat !== all[at - 1]);
  assert.equal(order.at(-1), 'DELIVRD');
  assert.equal(order.filter((stat) => stat === 'DELIVRD').length, 1, order.join());
});

test('D11 each refusal of money, recipient, limit, link and application has its status, and nothing is stored', async () => {
  // Less than one segment costs.
  const customerId = await buildCustomer(db.pool, { balance: 1, quietHoursExempt: true });
  const { appId } = await world.addApplication({ customerId });
  await run(db.pool, sql`update application set smpp_service_types = '{"ADS": 3}' where app_id = ${appId}`);
  const client = await world.bind(appId);
  const to = '639171234567';
  const statusFor = async (text: string, more = {}) => (await client.submit(to, text, more)).status;
  assert.equal(await statusFor('Hello'), 0x400);
  await buildTopUp(db.pool, { customerId, amount: 10_000_000 });
  await run(
    db.pool,
    sql`insert into opt_out (customer_id, msisdn, source, created_at) values (${customerId}, ${to}, 'reply', now())`,
  );
  assert.equal(await statusFor('Big sale. Reply T to unsubscribe', { service_type: 'ADS' }), 0x403);
  await buildShortLink(db.pool, {
    customerId,
    linkName: 'Disabled',
    domain: 'pha.test',
    code: 'abcd2345',
    useState: 0,
    targetUrl: 'https://shop.test/',
  });
  assert.equal(await statusFor('See https://pha.test/s/abcd2345'), 0x408);
  const thresholdId = uuidV7();
  await run(
    db.pool,
    sql`insert into threshold (threshold_id, customer_id, kind, period, unit, limit_at)
        values (${thresholdId}, ${customerId}, 'volume', 'day', 'messages', 0)`,
  );
  assert.equal(await statusFor('Hello'), 0x405);
  await run(db.pool, sql`update application set paused_by = ${thresholdId} where app_id = ${appId}`);
  assert.equal(await statusFor('Hello'), 0x409);
  const { n } = await one<{ n: number }>(db.pool, sql`select count(*)::int as n from message where app_id = ${appId}`);
  assert.equal(n, 0);
});

test('D22 no password is in the log, of a bind that is accepted, refused or malformed', async () => {
  const { appId } = await world.addApplication();
  await world.bind(appId, { password });
  assert.equal(await world.refused(appId, { password: 'w#0ngpw!' }), STATUS.ESME_RINVPASWD);
  assert.equal(await world.refused('x#yzzy!', { password: 's3cret#!' }), STATUS.ESME_RINVPASWD);
  const text = lines.join('');
  assert.ok(text.includes('SMPP'), 'the log was read');
  for (const secret of [password, 'w#0ngpw!', 's3cret#!']) {
    assert.ok(!text.includes(secret), secret);
    assert.ok(!text.includes(Buffer.from(secret).toString('hex')), `${secret} as octets`);
  }
});
