/** Test keys: every outcome over SMPP without a carrier, free, and apart from all that is real (decision 146). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { testMessagesADay, testNumbers, testScopes } from '@pahatid/contract';
import { leaseWriter, many, one, run, sql, uuidV7 } from '@pahatid/db';
import {
  buildApplication,
  buildDefaultPrice,
  buildSender,
  buildSimulatedCarriers,
  buildTemplate,
} from '@pahatid/db/builders';
import { findCallingKey } from '@pahatid/db/queries/keys';
import { notify, ROUTING_CHANNEL } from '@pahatid/db/queries/notify';
import { FIRST_TEST_CUSTOMER, TEST_SUPPLIER, toAccountSid, toTestCustomer } from '@pahatid/domain';
import { until } from '@pahatid/testkit';
import { makeCallbackWorld } from '../callbacks/testing/callback-world.ts';
import { writeNextExport } from '../features/records/write-next-export.ts';
import { Failover } from '../sending/route/failover.ts';
import { type Sending, startSending } from '../sending/start-sending.ts';

const world = await makeCallbackWorld();
const { api, receiver, dispatch } = world;
const { pool } = api.db;
const { customerId } = api;
const testCustomerId = toTestCustomer(customerId);
const scopes = [...testScopes];
const text = { smsType: 2, content: 'Your order has left.' };
let appId = '';
let templateId = '';
let testKey = '';
let liveKey = '';
let sending: Sending | null = null;

const start = async (): Promise<void> => {
  sending = await startSending({
    pools: { control: pool, data: pool },
    secrets: api.deps.secrets,
    log: api.deps.log,
    testTimes: { receiptMs: 20, lateMs: 500, replyMs: 50 },
  });
};
const stop = async (): Promise<void> => {
  await sending?.stop();
  sending = null;
};
api.db.beforeClose(stop);
after(stop);

const ask = (apiKey: string, route: string, input: object = {}) =>
  api.ask(null, route, { ...input, headers: { authorization: `Bearer ${apiKey}` } });
const send = async (apiKey: string, entry: object): Promise<string> => {
  const { status, body, text: answer } = await ask(apiKey, 'POST /messages', { body: { ...text, ...entry } });
  assert.equal(status, 202, answer);
  return body.messageId;
};
const read = async (messageId: string, apiKey = testKey) => (await ask(apiKey, `GET /messages/${messageId}`)).body;
const makeKey = (body: object) =>
  api.ask('owner', 'POST /keys', { body: { keyName: 'Try', appId, scopes, mode: 'test', ...body } });
const countLive = async () => ({
  ...(await one<object>(
    pool,
    sql`select (select count(*)::int from ledger) as ledger, (select coalesce(sum(amount), 0)::float8 from balance) as balance,
          (select count(*)::int from message where customer_id < ${FIRST_TEST_CUSTOMER}) as messages,
          (select count(*)::int from report_minute where customer_id < ${FIRST_TEST_CUSTOMER}) as minutes,
          (select count(*)::int from traffic) as traffic`,
  )),
});

before(async () => {
  ({ appId } = await world.addEndpoint());
  await buildSender(pool, { customerId, appId, senderId: 'SARISARI' });
  templateId = await buildTemplate(pool, { customerId, appId, smsType: 2, content: 'Hello {1}' });
  testKey = (await makeKey({})).body.apiKey;
  liveKey = (await makeKey({ mode: 'live' })).body.apiKey;
});

test('a test key is made with the scopes of test mode, and what it needs is made once', async () => {
  assert.match(testKey, /^pk_test_[0-9A-Za-z]{43}$/);
  assert.equal((await makeKey({ scopes: ['billing:read'] })).status, 400);
  const made = await Promise.all([1, 2, 3].map(() => makeKey({})));
  assert.deepEqual(
    made.map(({ status }) => status),
    [201, 201, 201],
  );
  assert.partialDeepStrictEqual(made[0]!.body, { mode: 'test', appId, prefix: made[0]!.body.apiKey.slice(0, 16) });
  const rows = await one<object>(
    pool,
    sql`select (select count(*)::int from customer where test_of = ${customerId}) as customers,
          (select count(*)::int from application where test_of = ${appId}) as applications,
          (select count(*)::int from supplier where is_test) as suppliers,
          (select limit_at::int from threshold where customer_id = ${testCustomerId}) as limit`,
  );
  assert.deepEqual({ ...rows }, { customers: 1, applications: 1, suppliers: 1, limit: testMessagesADay });
});

test('an application without a sender ID sends as TEST, with a test key alone', async () => {
  const other = await buildApplication(pool, { customerId });
  const keyOf = async (mode: string) => (await makeKey({ appId: other, mode })).body.apiKey;
  const messageId = await send(await keyOf('test'), { to: '09171234567' });
  const row = await one<{ sid: string }>(
    pool,
    sql`select client_sid as sid from message where message_id = ${messageId}::bigint`,
  );
  assert.equal(row.sid, 'TEST');
  const refused = await ask(await keyOf('live'), 'POST /messages', {
    body: { ...text, to: '09171234567', senderId: 'TEST' },
  });
  assert.equal(refused.body.code, 'SENDER_NOT_SENDABLE', refused.text);
});

test('with no carrier at all every number has its outcome, free, without a trace in what is real', async () => {
  const untouched = await countLive();
  // They wait while no sender runs, and a sender that is started again takes them.
  const ids: Record<string, string> = {};
  for (const [outcome, to] of Object.entries(testNumbers))
    ids[outcome] = await send(testKey, { to, senderId: 'sarisari' });
  ids['other'] = await send(testKey, {
    to: '09171234567',
    smsType: undefined,
    content: undefined,
    templateId,
    variables: ['Ana'],
  });
  await start();
  await stop();
  await start();
  const expected: Record<string, number> = { undelivered: 3, expired: 4, unknown: 6, refused: 5 };
  for (const [outcome, id] of Object.entries(ids))
    await until(async () => (await read(id)).clientStatus === (expected[outcome] ?? 2), { what: outcome });
  assert.equal((await read(ids['other'] ?? '')).templateId, templateId);
  const slow = await read(ids['slow'] ?? '');
  assert.partialDeepStrictEqual(slow, { appId, clientSid: 'SARISARI', sendStatus: 3, price: 0, chargedCost: 0 });
  await until(async () => (await ask(testKey, 'GET /inbound')).body.items.length === 1, { what: 'the reply' });
  assert.deepEqual(await countLive(), untouched);
  const { items } = (await ask(testKey, 'GET /messages')).body;
  assert.equal(items.length, Object.keys(ids).length);
  assert.ok(items.every((item: { appId: string }) => item.appId === appId));
});

test('the reply T is of the message that it answers, and refuses marketing in test mode alone', async () => {
  const [reply] = (await ask(testKey, 'GET /inbound')).body.items;
  assert.partialDeepStrictEqual(reply, { content: 'T', destination: 'SARISARI', optOut: 1, appId });
  assert.equal((await ask(testKey, 'GET /opt-outs')).body.items.length, 1);
  assert.equal((await ask(liveKey, 'GET /opt-outs')).body.items.length, 0);
  const offer = { to: testNumbers.reply, smsType: 3, content: 'Big sale today. Reply T to unsubscribe' };
  const refused = await ask(testKey, 'POST /messages', { body: offer });
  assert.equal(refused.body.code, 'RECIPIENT_OPTED_OUT', refused.text);
  assert.equal((await many(pool, sql`select 1 from unowned_reply`)).length, 0);
});

test('a reply is answered from the sender ID that it was sent to, with a test key alone', async () => {
  const [reply] = (await ask(testKey, 'GET /inbound')).body.items;
  const answer = { to: testNumbers.reply, replyTo: reply.inboundId };
  const messageId = await send(testKey, answer);
  assert.partialDeepStrictEqual(await read(messageId), { clientSid: 'SARISARI', replyTo: reply.inboundId });
  const refused = await ask(liveKey, 'POST /messages', { body: { ...text, ...answer } });
  assert.deepEqual(refused.body.errors, [{ field: 'replyTo', code: 'NOT_FOUND' }], refused.text);
});

test('callbacks go to the address of the application, with test: true', async () => {
  receiver.heard.length = 0;
  await dispatch();
  const bodies = receiver.heard.map(({ body }) => body);
  assert.ok(bodies.length >= 9, `${bodies.length} callbacks`);
  assert.ok(bodies.every((body) => body.test === true && body.data.appId === appId));
  assert.ok(bodies.some(({ type }) => type === 'message.inbound'));
  const [item] = (await ask(testKey, 'GET /messages', { query: { phoneAddress: testNumbers.delivered } })).body.items;
  assert.equal((await read(item.messageId)).callbacks[0].state, 'delivered');
  // The log of real ones has none of them.
  for (const who of ['owner', 'operator'] as const)
    assert.deepEqual((await api.ask(who, 'GET /callbacks')).body.items, []);
});

test('the log of callbacks of test mode is read with a test key, and by people that ask for it; others see none', async () => {
  const { messageId } = (await ask(testKey, 'GET /messages', { query: { phoneAddress: testNumbers.delivered } })).body
    .items[0];
  const query = { messageId };
  const [ofKey] = (await ask(testKey, 'GET /callbacks', { query })).body.items;
  const asPerson = { query: { ...query, test: '1', appId } };
  const [ofPerson] = (await api.ask('owner', 'GET /callbacks', asPerson)).body.items;
  assert.deepEqual([ofKey.state, ofKey.appId, ofKey.messageId], ['delivered', appId, messageId]);
  assert.deepEqual(ofPerson, ofKey);
  const { eventId } = ofKey;
  const { body: detail } = await ask(testKey, `GET /callbacks/${eventId}`);
  assert.deepEqual([JSON.parse(detail.body).test, detail.tries[0].status], [true, 200]);
  const [shown, hidden] = [{ query: { test: '1' } }, {}];
  assert.equal((await api.ask('viewer', `GET /callbacks/${eventId}`, shown)).status, 200);
  for (const [who, input] of [
    ['owner', hidden],
    ['other', shown],
  ] as const)
    assert.equal((await api.ask(who, `GET /callbacks/${eventId}`, input)).status, 404, who);
  assert.equal((await ask(liveKey, `GET /callbacks/${eventId}`)).status, 404);
  const second = await buildApplication(pool, { customerId });
  const secondKey = (await makeKey({ appId: second })).body.apiKey;
  assert.equal((await ask(secondKey, `GET /callbacks/${eventId}`)).status, 404);
  assert.deepEqual((await ask(secondKey, 'GET /callbacks')).body.items, []);
  receiver.heard.length = 0;
  assert.equal((await ask(testKey, `POST /callbacks/${eventId}/retry`)).status, 200);
  assert.equal((await api.ask('owner', `POST /callbacks/${eventId}/retry`, shown)).status, 200);
  await dispatch();
  assert.equal(receiver.heard.filter(({ body }) => body.data.messageId === messageId).length, 1);
  assert.equal((await ask(testKey, 'GET /callback-endpoints')).body.code, 'NOT_IN_TEST_MODE');
});

test('the routes of Twilio and Semaphore take a test key', async () => {
  const account = `/2010-04-01/Accounts/${toAccountSid(appId)}`;
  const call = async (method: 'GET' | 'POST', url: string, fields?: Record<string, string>) => {
    const answer = await api.app.inject({
      method,
      url,
      headers: {
        authorization: `Basic ${Buffer.from(`any:${testKey}`).toString('base64')}`,
        ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(fields && { payload: new URLSearchParams(fields).toString() }),
    });
    return answer.json();
  };
  receiver.heard.length = 0;
  const to = testNumbers.undelivered;
  const own = { StatusCallback: new URL('/twilio', receiver.url).href };
  const { sid } = await call('POST', `${account}/Messages.json`, {
    To: `+${to}`,
    Body: 'Your order has left.',
    ...own,
  });
  const [{ message_id: messageId }] = await call('POST', '/api/v4/messages', {
    apikey: testKey,
    number: to,
    message: 'Your order has left.',
  });
  const readTwilio = () => call('GET', `${account}/Messages/${sid}.json`);
  await until(async () => (await readTwilio()).status === 'undelivered', { what: 'the receipt' });
  assert.partialDeepStrictEqual(await readTwilio(), { to: `+${to}`, from: 'SARISARI' });
  const stored = await one<{ customerId: string }>(
    pool,
    sql`select customer_id as "customerId" from message where message_id = ${messageId}::bigint`,
  );
  assert.equal(stored.customerId, testCustomerId);
  await until(
    async () => (await call('GET', `/api/v4/messages/${messageId}?apikey=${testKey}`))[0].status === 'Failed',
    {
      what: 'the status',
    },
  );
  await dispatch();
  const twilio = receiver.heard.filter(({ path }) => path === '/twilio').map(({ body }) => body);
  assert.ok(twilio.some((body) => body.MessageSid === sid && body.MessageStatus === 'undelivered'));
});

test('codes of test mode are known, and are no conversions of real ones', async () => {
  const { body } = await ask(testKey, 'POST /verifications', { body: { to: testNumbers.delivered, codeLength: 6 } });
  const checked = await ask(testKey, `POST /verifications/${body.verificationId}/check`, { body: { code: '123456' } });
  assert.deepEqual([checked.body.status, checked.body.isCorrect], ['approved', true]);
  assert.equal((await ask(liveKey, `GET /verifications/${body.verificationId}`)).status, 404);
  assert.equal((await ask(testKey, 'GET /statistics/verifications')).body.items.length, 1);
  for (const who of ['owner', 'operator'] as const)
    assert.deepEqual((await api.ask(who, 'GET /statistics/verifications')).body.items, [], who);
});

test('a message that waits is cancelled, and preview says what it costs', async () => {
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const messageId = await send(testKey, { to: '09171234567', sendAt });
  assert.equal((await ask(testKey, `DELETE /messages/${messageId}`)).status, 204);
  assert.notEqual((await read(messageId)).clientStatus, 0);
  const preview = await ask(testKey, 'POST /messages/preview', { body: { ...text, to: '09171234567' } });
  assert.partialDeepStrictEqual(preview.body, { refusal: null, cost: 0 });
});

test('S77 what is sent with a test key is not seen with a live one, nor by people and staff, and the reverse', async () => {
  await buildSimulatedCarriers(pool, { port: 1, secrets: api.deps.secrets });
  await buildDefaultPrice(pool, 3_500);
  await notify(pool, ROUTING_CHANNEL, '');
  const entry = { ...text, to: '09171234567' };
  const hasRoute = async () => (await ask(liveKey, 'POST /messages/preview', { body: entry })).body.refusal === null;
  await until(hasRoute, { what: 'a route' });
  const liveId = await send(liveKey, { to: '09171234567' });
  const testId = await send(testKey, { to: '09171234567' });
  for (const [apiKey, own, other] of [
    [liveKey, liveId, testId],
    [testKey, testId, liveId],
  ] as const) {
    assert.equal((await ask(apiKey, `GET /messages/${own}`)).status, 200);
    for (const route of [`GET /messages/${other}`, `DELETE /messages/${other}`, `GET /records/${other}`])
      assert.equal((await ask(apiKey, route)).status, 404, route);
    for (const list of ['GET /messages', 'GET /records']) {
      const { items } = (await ask(apiKey, list)).body;
      assert.ok(
        items.every((item: { messageId: string }) => item.messageId !== other),
        list,
      );
    }
  }
  const { supplier } = await one<{ supplier: string }>(
    pool,
    sql`select supplier_id as supplier from message where message_id = ${testId}::bigint`,
  );
  assert.equal(supplier, TEST_SUPPLIER);
  for (const who of ['owner', 'operator'] as const) {
    const { items } = (await api.ask(who, 'GET /records')).body;
    assert.deepEqual(
      items.map(({ messageId }: { messageId: string }) => messageId),
      [liveId],
      who,
    );
    assert.equal((await api.ask(who, `GET /records/${testId}`)).status, 404, who);
    assert.equal((await api.ask(who, 'GET /statistics')).body.totals.reqTotalNum, 1, who);
  }
  for (const [list, of] of [
    ['GET /customers', testCustomerId],
    ['GET /applications', testCustomerId],
    ['GET /suppliers', TEST_SUPPLIER],
    ['GET /inbound', testCustomerId],
    ['GET /opt-outs', testCustomerId],
  ] as const)
    assert.ok(!(await api.ask('admin', list)).text.includes(of), list);
  assert.equal((await api.ask('admin', `GET /suppliers/${TEST_SUPPLIER}`)).status, 404);
});

test('people of the customer see what was sent with test keys if they ask for it, and nothing real then', async () => {
  const query = { test: '1' } as const;
  const { items } = (await api.ask('member', 'GET /records', { query })).body;
  assert.ok(items.length >= 10, `${items.length} records`);
  const found = items.find((row) => row.phoneAddress === testNumbers.delivered);
  const messageId = found?.messageId ?? assert.fail('not found');
  assert.equal(found.appId, appId);
  const { body } = await api.ask('member', `GET /records/${messageId}`, { query });
  assert.deepEqual([body.appId, body.callbacks.length], [appId, 1]);
  assert.equal((await api.ask('member', `GET /records/${messageId}`)).status, 404);
  const [real] = (await api.ask('member', 'GET /records')).body.items;
  assert.equal((await api.ask('member', `GET /records/${real?.messageId}`, { query })).status, 404);
  assert.ok(!(await api.ask('viewer', 'GET /records', { query })).text.includes(found.phoneAddress));
  assert.deepEqual((await api.ask('other', 'GET /records', { query })).body.items, []);
  assert.equal((await api.ask('other', `GET /records/${messageId}`, { query })).status, 404);
  for (const route of ['GET /records', `GET /records/${messageId}`, 'GET /statistics'])
    for (const answer of [
      await api.ask('operator', route, { query }),
      await ask(testKey, route, { query }),
      await ask(liveKey, route, { query }),
    ])
      assert.deepEqual([answer.status, answer.body.errors?.[0].field], [400, 'test'], route);
  assert.equal((await api.ask(null, 'GET /records', { query })).status, 401);
});

test('records of test mode are searched, and written to files, with the application that its developers know', async () => {
  const find = async (query: object) =>
    (await api.ask('member', 'GET /records', { query: { test: '1', ...query } })).body.items;
  const { name } = await one<{ name: string }>(
    pool,
    sql`select template_name as name from template where template_id = ${templateId}`,
  );
  const { length } = await find({ appId });
  assert.ok(length >= 10);
  const unused = await buildApplication(pool, { customerId });
  assert.deepEqual(await find({ appId: unused }), []);
  const refused = await api.ask('member', 'GET /records', { query: { test: '1', appId: 'elsewhere' } });
  assert.equal(refused.body.code, 'APP_NOT_FOUND');
  const [ofTemplate, ...others] = await find({ templateId });
  assert.deepEqual([ofTemplate.templateName, others], [name, []]);
  const [ofKeys] = (await ask(testKey, 'GET /records', { query: { templateId } })).body.items;
  assert.equal(ofKeys.templateName, name);
  assert.equal((await find({ phoneAddress: testNumbers.refused })).length, 1);
  const csv = await api.ask('member', 'GET /records', { query: { test: '1', appId }, headers: { accept: 'text/csv' } });
  const headers = { accept: 'text/csv', authorization: `Bearer ${testKey}` };
  const ofKey = await api.ask(null, 'GET /records', { headers });
  const { exportId } = (
    await api.ask('member', 'POST /exports', { body: { list: 'records', query: { test: '1', appId } } })
  ).body;
  const context = { pool, log: api.deps.log, owner: uuidV7(), offsetMs: 0 };
  while (await writeNextExport(context, { publicUrl: 'https://pahatid.example' }));
  const file = await api.ask('member', `GET /exports/${exportId}/file`);
  const byKey = await ask(testKey, 'POST /exports', { body: { list: 'records', query: { appId } } });
  assert.deepEqual([byKey.status, byKey.body.appId], [202, appId], byKey.text);
  while (await writeNextExport(context, { publicUrl: 'https://pahatid.example' }));
  const keysFile = await ask(testKey, `GET /exports/${byKey.body.exportId}/file`);
  assert.equal((await ask(liveKey, `GET /exports/${byKey.body.exportId}`)).status, 404);
  for (const { text: written } of [csv, ofKey, file, keysFile]) {
    const lines = written.trim().split('\r\n').slice(1);
    assert.ok(lines.length >= 10, written);
    assert.ok(
      lines.every((line) => line.includes(appId)),
      lines[0],
    );
  }
  const asStaff = await api.ask('operator', 'POST /exports', { body: { list: 'records', query: { test: '1' } } });
  assert.equal(asStaff.status, 400);
});

test('figures of test mode are of its messages alone, and no bill shows them', async () => {
  const query = { test: '1', dimensions: 'appId' };
  const { totals, items, names } = (await api.ask('viewer', 'GET /statistics', { query })).body;
  assert.ok(totals.reqTotalNum >= 10);
  assert.ok(items.some((item) => item.appId === appId && item.reqTotalNum >= 10) && names[appId]);
  const own = (await ask(testKey, 'GET /statistics', { query: { dimensions: 'appId' } })).body;
  assert.deepEqual(
    own.items.map((item: { appId: string }) => item.appId),
    [appId],
  );
  assert.equal(
    (await api.ask('viewer', 'GET /statistics', { query: { ...query, appId } })).body.totals.reqTotalNum,
    own.totals.reqTotalNum,
  );
  assert.equal((await api.ask('member', 'GET /statistics')).body.totals.reqTotalNum, 1);
  assert.equal((await api.ask('other', 'GET /statistics', { query })).body.totals.reqTotalNum, 0);
});

test('templates and sender IDs are those of the application, to read', async () => {
  assert.deepEqual(
    (await ask(testKey, 'GET /templates')).body.items.map((item: { templateId: string }) => item.templateId),
    [templateId],
  );
  assert.equal((await ask(testKey, 'GET /senders')).body.items[0].senderId, 'SARISARI');
  const changed = await ask(testKey, `DELETE /templates/${templateId}`);
  assert.deepEqual([changed.status, changed.body.code], [403, 'NOT_IN_TEST_MODE']);
  assert.equal((await ask(testKey, 'GET /records', { query: { appId } })).status, 200);
});

test('S77 when nothing can bind to the carrier of test mode, its messages wait, and no real carrier gets them', async () => {
  await stop();
  const messageId = await send(testKey, { to: '09171234567' });
  // As senders of the release before, which can't use the account, may report it.
  await run(
    pool,
    sql`insert into supplier_health (supplier_id, down_since, failed_since, codes_failed_since)
        values (${TEST_SUPPLIER}, now() - interval '1 hour', now() - interval '1 hour', now() - interval '1 hour')
        on conflict (supplier_id) do update set failed_since = excluded.failed_since`,
  );
  await run(pool, sql`update supplier set use_state = 0 where supplier_id = ${TEST_SUPPLIER}`);
  const writer = await leaseWriter(pool, uuidV7());
  const pools = { control: pool, data: pool };
  await new Failover({ pools, writer, log: api.deps.log }).step();
  const row = await one<{ supplier: string }>(
    pool,
    sql`select supplier_id as supplier from batch where batch_id = ${messageId}::bigint`,
  );
  assert.equal(row.supplier, TEST_SUPPLIER);
});

test('the release before test mode does not take a test key for a live one', async () => {
  const hash = createHash('sha256').update(testKey).digest();
  assert.equal(await findCallingKey(pool, hash), null);
});

test('a disabled application, an ended key and a suspended customer send nothing', async () => {
  const other = (await makeKey({})).body;
  assert.equal((await api.ask('owner', `DELETE /keys/${other.keyId}`)).status, 204);
  await until(async () => (await ask(other.apiKey, 'GET /messages')).status === 401, { what: 'the ended key' });
  await run(pool, sql`update application set use_state = 0 where app_id = ${appId}`);
  await until(async () => (await ask(testKey, 'GET /messages')).body.code === 'APP_DISABLED', { what: 'APP_DISABLED' });
  await run(pool, sql`update application set use_state = 1 where app_id = ${appId}`);
  await run(pool, sql`update customer set use_state = 0 where customer_id = ${customerId}`);
  await until(async () => (await ask(testKey, 'GET /messages')).body.code === 'CUSTOMER_SUSPENDED', {
    what: 'CUSTOMER_SUSPENDED',
  });
});
