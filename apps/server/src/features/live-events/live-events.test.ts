import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { AuditStatus, callbackEventOf, type LiveEvent } from '@pahatid/contract';
import { ClientStatus, TaskStatus } from '@pahatid/contract/enums';
import { many, one, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import { buildApplication, buildKey, buildTask, buildTemplate } from '@pahatid/db/builders';
import { writeInboundEvent, writeStatusEvents } from '@pahatid/db/queries/callback-events';
import { insertInbound } from '@pahatid/db/queries/inbound';
import { sweepLiveEvents } from '@pahatid/db/queries/live-events';
import { toTestCustomer } from '@pahatid/domain';
import { until } from '@pahatid/testkit';
import { makeCallbackWorld } from '../../callbacks/testing/callback-world.ts';

const world = await makeCallbackWorld();
const { api } = world;
const { customerId, appId } = api;
const { pool } = api.db;
await api.app.listen({ port: 0, host: '127.0.0.1' });
const { port } = api.app.server.address() as AddressInfo;
const ending = new AbortController();
after(() => ending.abort());
const { Submitted, Delivered } = ClientStatus;

interface Stream {
  readonly events: LiveEvent[];
  readonly ids: string[];
  /** `data:` as it came. */
  readonly lines: string[];
  stop(): void;
}

/** Opens a stream; returns when events can arrive. */
async function listen(headers: Record<string, string>, query = ''): Promise<Stream> {
  const abort = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/events${query}`, {
    headers,
    signal: AbortSignal.any([abort.signal, ending.signal]),
  });
  assert.equal(response.status, 200, await (response.status === 200 ? '' : response.text()));
  const stream: Stream = { events: [], ids: [], lines: [], stop: () => abort.abort() };
  const read = async (): Promise<void> => {
    let held = '';
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      held += chunk;
      const parts = held.split('\n\n');
      held = parts.pop() ?? '';
      for (const part of parts) {
        const [, id, data] = /^id: (.+)\ndata: (.+)$/.exec(part) ?? [];
        if (id === undefined || data === undefined) continue;
        stream.events.push(JSON.parse(data) as LiveEvent);
        stream.ids.push(id);
        stream.lines.push(data);
      }
    }
  };
  read().catch(() => undefined);
  return stream;
}
const people = (who: 'owner' | 'viewer' | 'other' | 'operator') => ({ cookie: api.users[who].cookie });
const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });
const deliver = async (app = appId, msisdn?: string): Promise<string> => {
  const messageId = await world.addMessage(app, msisdn);
  assert.equal(await world.move([messageId], Submitted, Delivered), 0);
  return String(messageId);
};
const messagesOf = ({ events }: Stream) => events.map(({ data }) => data['messageId']);

test('nothing is written while nobody listens', async () => {
  await deliver();
  assert.deepEqual(await many(pool, sql`select 1 from live_event`), []);
});

test('people of the customer and its software see events as they happen, without a callback URL; others see none', async () => {
  const key = await buildKey(pool, { customerId, appId });
  const streams = {
    owner: await listen(people('owner')),
    viewer: await listen(people('viewer')),
    staff: await listen(people('operator'), `?customerId=${customerId}`),
    key: await listen(bearer(key.apiKey)),
    password: await listen({ authorization: api.basic.app }),
    other: await listen(people('other')),
  };
  const messageId = await deliver(appId, '639171234567');
  const { owner, viewer, staff, key: software, password, other } = streams;
  for (const stream of [owner, viewer, staff, software, password])
    await until(() => stream.events.length === 1, { what: 'the event' });
  const { id, ...body } = software.events[0]!;
  assert.match(id, /^msg_[0-9a-f]{32}$/);
  assert.deepEqual(callbackEventOf('message.status').parse(body), body);
  assert.deepEqual(
    [body.data['messageId'], body.data['clientStatus'], body.data['sequence'], body.data['mobileNumber']],
    [messageId, Delivered, 1, '639171234567'],
  );
  assert.ok(software.lines[0]?.startsWith(`{"id":"${id}","type":"message.status","timestamp":"`));
  assert.equal(owner.events[0]?.data['mobileNumber'], '639171234567');
  for (const masked of [viewer, staff]) assert.equal(masked.events[0]?.data['mobileNumber'], '63******4567');
  const templateId = await buildTemplate(pool, { customerId, appId, auditStatus: AuditStatus.Pending });
  await api.ask('reviewer', `POST /reviews/templates/${templateId}/approve`, { body: {} });
  const inboundId = uuidV7();
  await insertInbound(pool, {
    ...{ inboundId, customerId, appId, messageId, taskId: null, supplierId: uuidV7(), msisdn: '639171234567' },
    ...{ destination: '2910', content: 'Thanks', receivedMs: Date.now(), isOptOut: false },
  });
  await withTransaction(pool, (tx) => writeInboundEvent(tx, { customerId, appId, inboundId, messageId }));
  await until(() => owner.events.length === 3, { what: 'the review and the reply' });
  assert.deepEqual(
    owner.events.map(({ type }) => type),
    ['message.status', 'template.status', 'message.inbound'],
  );
  assert.equal(owner.events[2]?.data['content'], 'Thanks');
  assert.deepEqual(other.events, []);
  for (const stream of Object.values(streams)) stream.stop();
});

test('what a person of the customer does is on the stream, too', async () => {
  const stream = await listen(people('owner'));
  const templateId = await buildTemplate(pool, { customerId, appId });
  const status = { taskStatus: TaskStatus.Confirmed, smsType: 2 } as const;
  const taskId = await buildTask(pool, { customerId, appId, templateId, ...status });
  const { status: code, text } = await api.ask('owner', `POST /tasks/${taskId}/cancel`);
  assert.equal(code, 200, text);
  await until(() => stream.events.length === 1, { what: 'the status of the task' });
  assert.deepEqual([stream.events[0]?.type, stream.events[0]?.data['taskId']], ['task.status', taskId]);
  stream.stop();
});

test('a key receives the types of its scopes and of its application, and needs the scope of messages', async () => {
  const otherApp = await buildApplication(pool, { customerId });
  const narrow = await buildKey(pool, { customerId, appId, scopes: ['messages:read'] });
  const none = await buildKey(pool, { customerId, appId, scopes: ['templates'] });
  const refused = await api.ask(null, 'GET /events', { headers: bearer(none.apiKey) });
  assert.deepEqual([refused.status, refused.body.params], [403, { scope: 'messages:read' }]);
  const stream = await listen(bearer(narrow.apiKey));
  const templateId = await buildTemplate(pool, { customerId, appId, auditStatus: AuditStatus.Pending });
  await api.ask('reviewer', `POST /reviews/templates/${templateId}/approve`, { body: {} });
  await deliver(otherApp);
  const own = await deliver();
  await until(() => stream.events.length > 0, { what: 'its own event' });
  assert.deepEqual(messagesOf(stream), [own]);
  stream.stop();
});

test('a test key receives what happens in test mode alone, a live key nothing of it, people both', async () => {
  const body = { keyName: 'Test', appId, mode: 'test', scopes: ['messages:read'] };
  const { body: test } = await api.ask('owner', 'POST /keys', { body });
  const live = await buildKey(pool, { customerId, appId });
  const streams = [await listen(bearer(test.apiKey)), await listen(bearer(live.apiKey)), await listen(people('owner'))];
  const [ofTest, ofLive, ofPeople] = streams as [Stream, Stream, Stream];
  const testCustomer = toTestCustomer(customerId);
  const { testApp } = await one<{ testApp: string }>(
    pool,
    sql`select app_id as "testApp" from application where test_of = ${appId}`,
  );
  const liveId = await world.addMessage(appId);
  const testId = liveId + 1n;
  await run(
    pool,
    sql`insert into message select (jsonb_populate_record(m, jsonb_build_object('customer_id', ${testCustomer}::text,
          'message_id', ${String(testId)}::text, 'app_id', ${testApp}::text))).* from message m
        where m.customer_id = ${customerId} and m.message_id = ${String(liveId)}::bigint`,
  );
  await withTransaction(pool, (tx) =>
    writeStatusEvents(tx, [{ customerId: testCustomer, messageId: testId, before: Submitted, after: Delivered }]),
  );
  await world.move([liveId], Submitted, Delivered);
  await until(() => streams.every(({ events }) => events.length > 0) && ofPeople.events.length === 2, { what: 'all' });
  assert.deepEqual(messagesOf(ofTest), [String(testId)]);
  assert.deepEqual([ofTest.events[0]?.test, ofTest.events[0]?.data['appId']], [true, appId]);
  assert.deepEqual([messagesOf(ofLive), ofLive.events[0]?.test], [[String(liveId)], undefined]);
  for (const stream of streams) stream.stop();
});

test('a stream goes on behind the last event that its client names: none is lost or comes twice, also of transactions that end late', async () => {
  const first = await listen(people('owner'));
  const before = await deliver();
  await until(() => first.events.length === 1, { what: 'the first' });
  const lastId = first.ids[0]!;
  first.stop();
  const meanwhile = await deliver();
  // Begun before the next event, committed behind it.
  const late = await world.addMessage(appId);
  const client = await pool.connect();
  await client.query('begin');
  await writeStatusEvents(client, [{ customerId, messageId: late, before: Submitted, after: Delivered }]);
  const quick = await deliver();
  const byQuery = await listen(people('owner'), `?after=${lastId}`);
  await until(() => byQuery.events.length === 1, { what: 'what happened meanwhile' });
  await client.query('commit');
  client.release();
  await until(() => byQuery.events.length === 3, { what: 'the rest' });
  assert.deepEqual(messagesOf(byQuery), [meanwhile, String(late), quick]);
  assert.ok(!messagesOf(byQuery).includes(before));
  const byHeader = await listen({ ...people('owner'), 'last-event-id': byQuery.ids[1]! });
  await until(() => byHeader.events.length === 1, { what: 'the last' });
  assert.deepEqual(messagesOf(byHeader), [quick]);
  for (const after of ['x', '1-2', `${'9'.repeat(20)}-${uuidV7()}`])
    assert.equal((await api.ask('owner', 'GET /events', { query: { after } })).body.code, 'CURSOR_INVALID');
  byQuery.stop();
  byHeader.stop();
});

test('with a callback URL as well, both have one event of each state, and count alike', async () => {
  const { appId: withUrl, endpointId } = await world.addEndpoint();
  const stream = await listen(people('owner'));
  await deliver(withUrl);
  await until(() => stream.events.length === 1, { what: 'the event' });
  const rows = await many<{ sequence: number }>(
    pool,
    sql`select sequence from callback_event where endpoint_id = ${endpointId} and type = 'message.status'`,
  );
  assert.deepEqual(rows, [{ sequence: stream.events[0]?.data['sequence'] }]);
  stream.stop();
});

test('of many messages at once the stream has some, and says how many it leaves out, by application', async () => {
  const [first, second] = [await buildApplication(pool, { customerId }), await buildApplication(pool, { customerId })];
  const stream = await listen(people('owner'));
  const { apiKey } = await buildKey(pool, { customerId, appId: first });
  const ofFirst = await listen(bearer(apiKey));
  const base = await world.addMessage(first);
  const count = 1_600;
  await run(
    pool,
    sql`insert into message select (jsonb_populate_record(m, jsonb_build_object('message_id', (m.message_id + n)::text,
          'app_id', case when n < 1300 then ${first} else ${second} end))).* from message m, generate_series(1, ${count - 1}) n
        where m.customer_id = ${customerId} and m.message_id = ${String(base)}::bigint`,
  );
  const changes = Array.from({ length: count }, (_, n) => ({
    ...{ customerId, messageId: base + BigInt(n), before: Submitted, after: Delivered },
  }));
  await withTransaction(pool, (tx) => writeStatusEvents(tx, changes));
  const sumOf = ({ events }: Stream, type: string): number =>
    events
      .filter((event) => event.type === type)
      .reduce((sum, { data }) => sum + (type === 'message.status' ? 1 : Number(data['count'])), 0);
  const total = (each: Stream) => sumOf(each, 'message.status') + sumOf(each, 'events.skipped');
  await until(() => total(stream) === count, { what: 'all, shown or counted' });
  assert.ok(sumOf(stream, 'events.skipped') >= 600);
  assert.ok(sumOf(stream, 'message.status') >= 1);
  await until(() => total(ofFirst) === 1_300, { what: 'those of its application alone' });
  stream.stop();
  ofFirst.stop();
});

test('events are kept for an hour; staff name the customer; without a session there is no stream', async () => {
  assert.equal((await api.ask('admin', 'GET /events')).body.errors[0].field, 'customerId');
  const named = (id: string) => ({ query: { customerId: id } });
  assert.equal((await api.ask('admin', 'GET /events', named(uuidV7()))).body.code, 'CUSTOMER_NOT_FOUND');
  assert.equal((await api.ask('other', 'GET /events', named(customerId))).status, 404);
  assert.equal((await api.ask(null, 'GET /events')).status, 401);
  const { n } = await one<{ n: number }>(pool, sql`select count(*)::int as n from live_event`);
  assert.ok(n > 0);
  assert.equal(await sweepLiveEvents(pool, Date.now(), 3_600_000, 5_000), 0);
  assert.equal(await sweepLiveEvents(pool, Date.now() + 4_000_000, 3_600_000, 5_000), n);
  assert.deepEqual(await many(pool, sql`select 1 from live_listener`), []);
});
