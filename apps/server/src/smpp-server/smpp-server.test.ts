import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, one, run, sql } from '@pahatid/db';
import { parseReceiptText, readReceipt, STATUS } from '@pahatid/smpp';
import { until } from '@pahatid/testkit';
import { makeSmppWorld } from './testing/smpp-world.ts';

const { db, scene, world } = await makeSmppWorld();
await world.startServer();
await scene.startSender();

const countMessages = async (appId: string): Promise<number> =>
  (await one<{ n: number }>(db.pool, sql`select count(*)::int as n from message where app_id = ${appId}`)).n;

test('D6 D7 D14 D16 a submitted message is stored when it is answered, sent, and its receipt comes back with its id', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  const { status, messageId } = await client.submit('639171234567', 'Hello from the shop');
  assert.equal(status, STATUS.ESME_ROK);
  assert.match(messageId ?? '', /^\d{1,18}$/);
  const [row] = await many<Record<string, unknown>>(
    db.pool,
    sql`select msisdn, content, client_sid, sms_type, pkg_total from message where message_id = ${messageId}`,
  );
  assert.deepEqual(row, {
    msisdn: '639171234567',
    content: 'Hello from the shop',
    client_sid: 'SARISARI',
    sms_type: 2,
    pkg_total: 1,
  });
  const [receipt] = await until(() => client.delivered.length > 0 && client.delivered);
  assert.ok(receipt?.command === 'deliver_sm');
  assert.equal(receipt.esm_class, 4);
  assert.equal(receipt.source_addr, '639171234567');
  assert.equal(receipt.destination_addr, 'SARISARI');
  const text = receipt.short_message.toString('latin1');
  assert.match(
    text,
    /^id:\d+ sub:001 dlvrd:001 submit date:\d{10} done date:\d{10} stat:DELIVRD err:000 text:Hello from the shop$/,
  );
  assert.equal(parseReceiptText(text)?.id, messageId);
  assert.partialDeepStrictEqual(readReceipt(receipt), { id: messageId, stat: 'DELIVRD' });
  await until(
    async () => (await one<{ n: number }>(db.pool, sql`select count(*)::int as n from smpp_delivery`)).n === 0,
  );
  assert.equal(await countMessages(appId), 1);
});

test('S48 S49 S50 S52 D1 an unknown id and a wrong password get one answer; disabled, over its binds or from elsewhere 0x0D', async () => {
  const { appId } = await world.addApplication({ maxConnectNum: 1 });
  assert.equal(await world.refused('nobody'), STATUS.ESME_RINVPASWD);
  assert.equal(await world.refused(appId, { password: 'wrong' }), STATUS.ESME_RINVPASWD);
  const elsewhere = await world.addApplication({ whiteListIp: ['10.0.0.0/8', '2001:db8::/32'] });
  assert.equal(await world.refused(elsewhere.appId), STATUS.ESME_RBINDFAIL);
  const anywhere = await world.addApplication({ whiteListIp: [] });
  assert.equal(await world.refused(anywhere.appId), STATUS.ESME_RBINDFAIL);
  const first = await world.bind(appId);
  assert.equal(await world.refused(appId), STATUS.ESME_RBINDFAIL);
  await first.session.stop();
  const again = await until(async () => (await world.refused(appId)) === 0);
  assert.ok(again);
  const disabled = await world.addApplication();
  await run(db.pool, sql`update application set use_state = 0 where app_id = ${disabled.appId}`);
  assert.equal(await world.refused(disabled.appId), STATUS.ESME_RBINDFAIL);
  const refusals = await many<{ reason: string }>(db.pool, sql`select reason from smpp_refusal order by reason`);
  assert.deepEqual(
    refusals.map(({ reason }) => reason),
    ['address', 'connections', 'disabled', 'noAddresses', 'password'],
  );
});

test('S54 D11 refusals have a documented status, and nothing of them is stored', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  const statusFor = async (to: string, text: string, more = {}) => (await client.submit(to, text, more)).status;
  assert.equal(await statusFor('12', 'Hi'), STATUS.ESME_RINVDSTADR);
  assert.equal(await statusFor('63281234567', 'Hi'), STATUS.ESME_RINVDSTADR);
  assert.equal(await statusFor('639171234567', 'Hi', { source_addr: 'STRANGER' }), STATUS.ESME_RINVSRCADR);
  assert.equal(await statusFor('639171234567', ''), STATUS.ESME_RINVMSGLEN);
  assert.equal(await statusFor('639171234567', 'Hi', { schedule_delivery_time: 'tomorrow' }), STATUS.ESME_RINVSCHED);
  assert.equal(
    await statusFor('639171234567', 'Hi', {
      validity_period: '991231235959032+',
      schedule_delivery_time: '990101000000000+',
    }),
    STATUS.ESME_RINVSCHED,
  );
  assert.equal(await statusFor('639171234567', 'Hi', { validity_period: '200101000000000+' }), STATUS.ESME_RINVEXPIRY);
  assert.equal(await statusFor('639171234567', 'Hi', { esm_class: 1 }), STATUS.ESME_RINVESMCLASS);
  assert.equal(await statusFor('639171234567', 'Hi', { data_coding: 4 }), 0x404);
  assert.equal(await statusFor('639171234567', `${'【Shop】 Hi'.replace('【', '[').replace('】', ']')} :)`), 0x401);
  assert.equal(await statusFor('12025550123', 'Hi'), 0x406);
  assert.equal(await countMessages(appId), 0);
});

test('D5 a receiver may not submit', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId, { mode: 'receiver' });
  assert.equal((await client.submit('639171234567', 'Hi')).status, STATUS.ESME_RINVBNDSTS);
});

test('S51 D9 beyond the rate of the application 0x58, over all its binds; a burst of one second passes', async () => {
  const { appId } = await world.addApplication({ tps: 20 });
  const [first, second] = [await world.bind(appId), await world.bind(appId)];
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? first : second).submit('639171234567', `Number ${n}`)),
  );
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  assert.equal(count(STATUS.ESME_ROK) + count(STATUS.ESME_RTHROTTLED), 60);
  assert.ok(count(STATUS.ESME_ROK) >= 20 && count(STATUS.ESME_RTHROTTLED) >= 1, `${count(0)} accepted`);
  assert.equal(await countMessages(appId), count(STATUS.ESME_ROK));
});

test('D15 receipts come as registered_delivery asks', async () => {
  const { appId } = await world.addApplication();
  const client = await world.bind(appId);
  const none = await client.submit('639171234501', 'None', { registered_delivery: 0 });
  const failure = await client.submit('639171234502', 'Failure', { registered_delivery: 2 });
  const success = await client.submit('639171234503', 'Success', { registered_delivery: 3 });
  const both = await client.submit('639171234504', 'Both', { registered_delivery: 0x11 });
  const finals = () => client.delivered.filter((pdu) => pdu.esm_class === 4).map((pdu) => readReceipt(pdu)?.id);
  await until(() => finals().length >= 2);
  assert.deepEqual(finals().toSorted(), [success.messageId, both.messageId].toSorted());
  // The state in between is reported if a receipt did not come with the response.
  const others = client.delivered.filter((pdu) => pdu.esm_class !== 4);
  assert.ok(others.every((pdu) => pdu.esm_class === 0x20 && readReceipt(pdu)?.id === both.messageId));
  assert.deepEqual([none.status, failure.status], [0, 0]);
});

test('P24 D14 receipts wait for a receiver, come to any of its binds on any machine, and again until they are taken', async () => {
  const { appId } = await world.addApplication();
  const sender = await world.bind(appId, { mode: 'transmitter' });
  const ids = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => (await sender.submit(`6391712345${10 + n}`, 'Wait')).messageId),
  );
  await until(async () => {
    const { n } = await one<{ n: number }>(
      db.pool,
      sql`select count(*)::int as n from smpp_delivery where app_id = ${appId}`,
    );
    return n === 30;
  });
  assert.deepEqual(sender.delivered, []);
  // This one dies with everything in its window.
  const deaf = await world.bind(appId, { mode: 'receiver', onDeliver: () => undefined });
  await until(() => deaf.delivered.length > 0);
  deaf.session.close();
  const other = await world.startServer();
  let busy = 5;
  const receiver = await world.bind(appId, {
    port: other.port,
    onDeliver: (_pdu, respond) => respond(busy-- > 0 ? STATUS.ESME_RMSGQFUL : STATUS.ESME_ROK),
  });
  await until(
    async () =>
      (await one<{ n: number }>(db.pool, sql`select count(*)::int as n from smpp_delivery where app_id = ${appId}`))
        .n === 0,
  );
  const got = receiver.delivered.map((pdu) => readReceipt(pdu)?.id);
  assert.deepEqual([...new Set(got)].toSorted(), ids.toSorted());
});
