import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus } from '@pahatid/contract/enums';
import { many, one, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import { writeInboundEvent } from '@pahatid/db/queries/callback-events';
import { listRules } from '@pahatid/db/queries/threshold-rules';
import { Webhook } from 'standardwebhooks';
import { fireRule } from '../features/thresholds/fire-rule.ts';
import { makeCallbackWorld } from './testing/callback-world.ts';
import { answers } from './testing/receiver.ts';

const world = await makeCallbackWorld();
const { api, receiver, clock, dispatch } = world;
const { pool } = api.db;
const { Submitted, Delivered, Undelivered, Unknown, Blocked, Accepted } = ClientStatus;

const hour = 3_600_000;
const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const fresh = (): void => {
  receiver.heard.length = 0;
  receiver.answer = answers.ok;
};
const eventsOf = (endpointId: string) =>
  many<{ id: string; state: string; attempts: number; error: string | null; status: number | null; client: number }>(
    pool,
    sql`select event_id as id, state, attempts, last_error as error, last_status as status,
          (facts->>'clientStatus')::int as client from callback_event where endpoint_id = ${endpointId} order by event_id`,
  );
const heardIds = (): string[] => receiver.heard.map(({ headers }) => String(headers['webhook-id']));

test('P10 each state of a message is sent once and in order, signed, however often its receipt arrives', async () => {
  fresh();
  const { appId, endpointId, secret } = await world.addEndpoint();
  const messageId = await world.addMessage(appId);
  assert.equal(await world.move([messageId], Submitted, Unknown), 0);
  assert.equal(await world.move([messageId], Submitted, Unknown), 1, 'it was in that state no more');
  await world.move([messageId], Unknown, Undelivered);
  await world.move([messageId], Undelivered, Delivered);
  await world.move([messageId], Delivered, Delivered);
  assert.equal((await eventsOf(endpointId)).length, 3);
  await dispatch();
  await dispatch();
  assert.deepEqual(
    receiver.heard.map(({ body }) => body.data.clientStatus),
    [Unknown, Undelivered, Delivered],
  );
  const [first] = receiver.heard;
  assert.ok(first);
  assert.deepEqual(new Webhook(secret).verify(first.text, first.headers as Record<string, string>), first.body);
  const { timestamp, ...rest } = first.body;
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
  const { requestTime, submitTime, receiptTime, ...data } = rest.data;
  for (const time of [requestTime, submitTime, receiptTime]) assert.match(time, /^\d{4}-.*\.\d{3}Z$/);
  assert.equal(rest.type, 'message.status');
  assert.deepEqual(data, {
    messageId: String(messageId),
    sequence: 1,
    appId,
    taskId: null,
    smsType: 2,
    clientSid: 'SHOP',
    mobileNumber: '639171234567',
    clientStatus: Unknown,
    dealResult: 'DELIVERED',
    carrierCode: 'DELIVRD',
    pkgTotal: 1,
  });
  assert.ok((await eventsOf(endpointId)).every(({ state, attempts }) => state === 'delivered' && attempts === 1));
  const { body } = await api.ask('owner', `GET /records/${messageId}`);
  assert.deepEqual(
    body.callbacks.map((each: { clientStatus: number; state: string }) => [each.clientStatus, each.state]),
    [Unknown, Undelivered, Delivered].map((status) => [status, 'delivered']),
  );
});

test('the states of a message keep their order, whatever the clocks of the machines that stored them', async (t) => {
  fresh();
  const { appId } = await world.addEndpoint();
  const messageId = await world.addMessage(appId);
  const aheadMs = Date.now() + hour;
  const ahead = t.mock.method(Date, 'now', () => aheadMs);
  await world.move([messageId], Submitted, Unknown);
  ahead.mock.restore();
  await world.move([messageId], Unknown, Delivered);
  await dispatch();
  await dispatch();
  assert.deepEqual(
    receiver.heard.map(({ body }) => [body.data.clientStatus, body.data.sequence]),
    [
      [Unknown, 1],
      [Delivered, 2],
    ],
  );
  const { body } = await api.ask('owner', `GET /records/${messageId}`);
  assert.deepEqual(
    body.callbacks.map((each: { clientStatus: number }) => each.clientStatus),
    [Unknown, Delivered],
  );
});

test('a message that ends unsent is also reported; an application without an enabled address makes no event', async () => {
  fresh();
  const told = await world.addEndpoint();
  const unverified = await world.addEndpoint(receiver.url, 'unverified');
  const ids = [];
  for (const appId of [told.appId, unverified.appId, api.appId]) ids.push(await world.addMessage(appId));
  await run(
    pool,
    sql`update message set send_status = 0, client_status = 0 where message_id = any(${ids.map(String)}::bigint[])`,
  );
  await world.move(ids, Accepted, Blocked);
  const rows = await many<{ id: string }>(
    pool,
    sql`select message_id::text as id from callback_event where message_id = any(${ids.map(String)}::bigint[])`,
  );
  assert.deepEqual(rows, [{ id: String(ids[0]) }]);
  await dispatch();
  assert.equal(receiver.heard.length, 1);
});

test('an inbound text is sent to the application that it addresses', async () => {
  fresh();
  const { appId } = await world.addEndpoint();
  const messageId = String(await world.addMessage(appId));
  const inboundId = uuidV7();
  await run(
    pool,
    sql`insert into inbound (customer_id, inbound_id, supplier_id, msisdn, destination, content, received_at, message_id, app_id)
        values (${api.customerId}, ${inboundId}, ${uuidV7()}, '639171234567', '2345', 'Yes please', now(), ${messageId}, ${appId})`,
  );
  await writeInboundEvent(pool, { customerId: api.customerId, appId, inboundId, messageId });
  await dispatch();
  const { type, data } = receiver.heard[0]!.body;
  assert.equal(type, 'message.inbound');
  const { receiveTime, ...rest } = data;
  assert.ok(receiveTime);
  assert.deepEqual(rest, {
    inboundId,
    appId,
    taskId: null,
    messageId,
    mobileNumber: '639171234567',
    destination: '2345',
    content: 'Yes please',
    isOptOut: false,
  });
});

test('P17 an address that fails for a day is tried on the schedule alone; when it is back everything arrives, once, in order', async () => {
  fresh();
  receiver.answer = answers.status(500);
  const { appId, endpointId } = await world.addEndpoint();
  const count = process.env.PAHATID_SOAK === '1' ? 100_000 : 1_000;
  const ids: bigint[] = [];
  for (let i = 0; i < 100; i++) ids.push(await world.addMessage(appId));
  await world.move(ids, Submitted, Delivered);
  await run(
    pool,
    sql`insert into callback_event (event_id, customer_id, endpoint_id, type, message_id, facts, at, next_at)
        select gen_random_uuid(), customer_id, endpoint_id, type, message_id + n * 1000000000::bigint, facts, at, next_at
        from callback_event cross join generate_series(1, ${count / 100 - 1}) n where endpoint_id = ${endpointId}`,
  );
  const startMs = clock.offsetMs;
  await dispatch();
  // Those in progress concurrently when the first fails.
  assert.ok(receiver.heard.length <= 5);
  let tries = receiver.heard.length;
  for (const [index, seconds] of schedule.entries()) {
    if (clock.offsetMs - startMs + seconds * 1_000 > 24 * hour) break;
    if (seconds > 60) {
      clock.offsetMs += seconds * 1_000 - 60_000;
      await dispatch();
      assert.equal(receiver.heard.length, tries, `sooner than after ${seconds} s`);
    }
    clock.offsetMs += seconds > 60 ? 61_000 : seconds * 1_000 + 1_000;
    await dispatch();
    tries += 1;
    assert.equal(receiver.heard.length, tries, `try ${index + 1}`);
  }
  const { failing_since: since, state } = await world.endpoint(endpointId);
  assert.ok(since instanceof Date);
  assert.equal(state, 'enabled');
  assert.ok(
    (await eventsOf(endpointId)).every((event) => event.state === 'waiting'),
    'nothing is given up',
  );
  receiver.heard.length = 0;
  receiver.answer = answers.ok;
  clock.offsetMs = startMs + 76 * hour;
  await dispatch();
  assert.equal(receiver.heard.length, count);
  assert.equal(new Set(heardIds()).size, count);
  assert.ok((await eventsOf(endpointId)).every((event) => event.state === 'delivered'));
  const after = await world.endpoint(endpointId);
  assert.deepEqual([after['failing_since'], after['fails'], after['retry_at']], [null, 0, null]);
  // The probe aside, which is the one that was tried least, they go in their order.
  const messageIds = receiver.heard.slice(1).map(({ headers }) => String(headers['webhook-id']));
  const ordered = [...messageIds].sort();
  const places = new Map(ordered.map((id, index) => [id, index]));
  // Five are in progress concurrently.
  for (const [index, id] of messageIds.entries()) assert.ok(Math.abs((places.get(id) ?? -99) - index) <= 50, id);
});

test('P17 after 75 h 35 min the address is disabled, its owners notified, its events stored; after a passed test it gets them all', async () => {
  fresh();
  receiver.answer = answers.status(503);
  const { appId, endpointId } = await world.addEndpoint();
  await world.move([await world.addMessage(appId), await world.addMessage(appId)], Submitted, Delivered);
  await dispatch();
  const startMs = clock.offsetMs;
  for (const seconds of schedule) {
    assert.equal((await world.endpoint(endpointId))['state'], 'enabled');
    clock.offsetMs += seconds * 1_000 + 1_000;
    await dispatch();
  }
  assert.ok(clock.offsetMs - startMs >= (75 * 60 + 35) * 60_000);
  const disabled = await world.endpoint(endpointId);
  assert.deepEqual([disabled['state'], disabled['disabled_reason']], ['disabled', 'failing']);
  assert.ok((await eventsOf(endpointId)).every((event) => event.state === 'waiting'));
  const { params } = await one<{ params: Record<string, unknown> }>(
    pool,
    sql`select params from notice where params->>'endpointId' = ${endpointId} and user_id = ${api.users.owner.userId}`,
  );
  const appName = (await api.ask('owner', `GET /applications/${appId}`)).body.appName;
  assert.deepEqual(params, {
    endpointId,
    host: new URL(receiver.url).host,
    appId,
    appName,
    reason: 'failing',
    waiting: 2,
  });
  const mails = await many(pool, sql`select 1 from mail where subject like ${`%${new URL(receiver.url).host}%`}`);
  assert.equal(mails.length, 1);
  // Nothing more is sent automatically, and new events are not delivered.
  const before = receiver.heard.length;
  clock.offsetMs += 100 * hour;
  await world.move([await world.addMessage(appId)], Submitted, Delivered);
  await dispatch();
  assert.equal(receiver.heard.length, before);
  for (const action of ['retry', 'replay'] as const) {
    const [event] = await eventsOf(endpointId);
    const path = action === 'retry' ? `/callbacks/${event?.id}/retry` : `/callback-endpoints/${endpointId}/replay`;
    const answer = await api.ask('owner', `POST ${path}`, {
      ...(action === 'replay' && { body: { from: '2026-01-01T00:00:00Z' } }),
    });
    assert.equal(answer.body.code, 'CALLBACK_NOT_ENABLED');
  }
  receiver.answer = answers.challenge;
  const tested = await api.ask('owner', `POST /callback-endpoints/${endpointId}/test`);
  assert.equal(tested.body.passed, true, tested.text);
  assert.deepEqual([tested.body.endpoint.state, tested.body.endpoint.waiting], ['enabled', 2]);
  receiver.heard.length = 0;
  await dispatch();
  assert.equal(receiver.heard.length, 2);
});

test('P17 replay sends again what happened since a time, under the same ids; retry a single one', async () => {
  fresh();
  const { appId, endpointId } = await world.addEndpoint();
  await world.move([await world.addMessage(appId), await world.addMessage(appId)], Submitted, Delivered);
  await dispatch();
  const first = heardIds().sort();
  assert.equal(first.length, 2);
  const replay = async (body: object): Promise<number> => {
    const answer = await api.ask('owner', `POST /callback-endpoints/${endpointId}/replay`, { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.count;
  };
  assert.equal(await replay({ from: '2026-01-01T00:00:00Z' }), 0, 'all was delivered');
  assert.equal(await replay({ from: new Date(Date.now() + hour).toISOString(), which: 'all' }), 0);
  assert.equal(await replay({ from: '2026-01-01T00:00:00Z', which: 'all' }), 2);
  receiver.heard.length = 0;
  await dispatch();
  assert.deepEqual(heardIds().sort(), first);
  const [event] = await eventsOf(endpointId);
  const retried = await api.ask('owner', `POST /callbacks/${event?.id}/retry`);
  assert.deepEqual([retried.status, retried.body.state], [200, 'waiting']);
  await dispatch();
  assert.equal(receiver.heard.length, 3);
  const { body } = await api.ask('owner', `GET /callbacks/${event?.id}`);
  assert.deepEqual([body.state, body.attempts, body.tries.length], ['delivered', 1, 3]);
});

test('P17 retry and replay call a failing address immediately; a manual call does not count against it', async () => {
  fresh();
  receiver.answer = answers.status(503);
  const { appId, endpointId } = await world.addEndpoint();
  await world.move([await world.addMessage(appId)], Submitted, Delivered);
  await dispatch();
  for (const seconds of schedule.slice(0, 5)) {
    clock.offsetMs += seconds * 1_000 + 1_000;
    await dispatch();
  }
  const { fails, retry_at: retryAt } = await world.endpoint(endpointId);
  const [event] = await eventsOf(endpointId);
  const ask = {
    retry: () => api.ask('owner', `POST /callbacks/${event?.id}/retry`),
    replay: () =>
      api.ask('owner', `POST /callback-endpoints/${endpointId}/replay`, { body: { from: '2026-01-01T00:00:00Z' } }),
  };
  for (const action of ['retry', 'replay'] as const)
    for (let times = 0; times < 6; times++) {
      const before = receiver.heard.length;
      assert.equal((await ask[action]()).status, 200);
      await dispatch();
      assert.equal(receiver.heard.length, before + 1, action);
    }
  const after = await world.endpoint(endpointId);
  assert.deepEqual([after['state'], after['fails']], ['enabled', fails]);
  assert.ok((after['retry_at'] as Date) >= (retryAt as Date));
  receiver.answer = answers.ok;
  await ask.retry();
  await dispatch();
  const healed = await world.endpoint(endpointId);
  assert.deepEqual([healed['fails'], healed['failing_since'], healed['retry_at']], [0, null, null]);
  assert.equal((await eventsOf(endpointId))[0]?.state, 'delivered');
});

test('P17 a retry right after the first failure sends one event, whatever else waits', async () => {
  fresh();
  receiver.answer = answers.status(503);
  const { appId, endpointId } = await world.addEndpoint();
  const ids = [];
  for (let nth = 0; nth < 8; nth++) ids.push(await world.addMessage(appId));
  await world.move(ids, Submitted, Delivered);
  await dispatch();
  assert.equal((await world.endpoint(endpointId))['fails'], 1);
  const before = receiver.heard.length;
  const [event] = await eventsOf(endpointId);
  assert.equal((await api.ask('owner', `POST /callbacks/${event?.id}/retry`)).status, 200);
  await dispatch();
  assert.equal(receiver.heard.length, before + 1);
  assert.equal((await world.endpoint(endpointId))['fails'], 1);
  receiver.answer = answers.ok;
  clock.offsetMs += 6_000;
  await dispatch();
  assert.ok((await eventsOf(endpointId)).every(({ state }) => state === 'delivered'));
});

test('410 disables an address immediately', async () => {
  fresh();
  receiver.answer = answers.status(410);
  const { appId, endpointId } = await world.addEndpoint();
  await world.move([await world.addMessage(appId)], Submitted, Delivered);
  await dispatch();
  const { state, disabled_reason: reason } = await world.endpoint(endpointId);
  assert.deepEqual([state, reason], ['disabled', 'gone']);
});

test('Retry-After is respected, even beyond the schedule', async () => {
  fresh();
  receiver.answer = answers.status(429, { 'retry-after': '3600' });
  const { appId, endpointId } = await world.addEndpoint();
  await world.move([await world.addMessage(appId)], Submitted, Delivered);
  await dispatch();
  receiver.answer = answers.ok;
  clock.offsetMs += 3_500_000;
  await dispatch();
  assert.equal(receiver.heard.length, 1);
  clock.offsetMs += 200_000;
  await dispatch();
  assert.equal(receiver.heard.length, 2);
  assert.equal((await eventsOf(endpointId))[0]?.state, 'delivered');
});

test('one event that a server cannot process blocks no others, and is dropped at the end of its schedule', async () => {
  fresh();
  const { appId, endpointId } = await world.addEndpoint();
  const bad = await world.addMessage(appId);
  receiver.answer = (heard, response) =>
    (heard.body.data.messageId === String(bad) ? answers.status(500) : answers.ok)(heard, response);
  await world.move([bad], Submitted, Undelivered);
  await dispatch();
  await world.move([bad], Undelivered, Delivered);
  const others = [];
  for (let i = 0; i < 20; i++) others.push(await world.addMessage(appId));
  await world.move(others, Submitted, Delivered);
  clock.offsetMs += 6_000;
  await dispatch();
  const rows = await eventsOf(endpointId);
  assert.equal(rows.filter(({ state }) => state === 'delivered').length, 20);
  // What came to the same message later waits for it.
  assert.equal(rows[1]?.attempts, 0);
  assert.equal(rows[1]?.state, 'waiting');
  for (let i = 0; i < 14; i++) {
    clock.offsetMs += 25 * hour;
    // Something else arrives meanwhile, so it is not the address.
    await world.move([await world.addMessage(appId)], Submitted, Delivered);
    await dispatch();
  }
  const [first, second] = await eventsOf(endpointId);
  assert.deepEqual([first?.state, first?.status], ['givenUp', 500]);
  assert.ok((second?.attempts ?? 0) > 0, 'then the later one is tried');
  assert.equal((await world.endpoint(endpointId))['state'], 'enabled');
});

test('threshold alerts are sent to each address of the threshold', async () => {
  fresh();
  const url = `${receiver.url}/alerts`;
  receiver.answer = answers.challenge;
  const rule = { kind: 'volume', period: 'day', unit: 'messages', alertAt: 80, webhooks: [url] };
  const { body: made, status, text } = await api.ask('owner', 'POST /thresholds', { body: rule });
  assert.equal(status, 201, text);
  assert.deepEqual(made.webhooks, [url]);
  await dispatch();
  const list = (await api.ask('owner', 'GET /callback-endpoints', { query: { kind: 'alert' } })).body.items;
  assert.deepEqual(
    list.map((each: { url: string; state: string }) => [each.url, each.state]),
    [[url, 'enabled']],
  );
  const [row] = await listRules(pool, api.customerId, { after: null, limit: 1 });
  assert.ok(row);
  const event = { kind: 'alert', value: 81, bound: 80, amount: null, paused: 0 } as const;
  receiver.heard.length = 0;
  await withTransaction(pool, (tx) => fireRule(tx, row, event, new Date(), { publicUrl: 'https://pahatid.example' }));
  await dispatch();
  const { type, data } = receiver.heard[0]!.body;
  assert.equal(type, 'alert');
  assert.deepEqual(data, {
    thresholdId: made.thresholdId,
    of: 'volume',
    event: 'alert',
    measure: 'messages',
    period: 'day',
    value: 81,
    bound: 80,
    appId: null,
    paused: 0,
    amount: null,
    appName: null,
    carrier: null,
    smsType: null,
    areaCode: null,
    windowMinutes: null,
  });
  const refused = await api.ask('owner', `PATCH /thresholds/${made.thresholdId}`, {
    body: { webhooks: ['http://10.0.0.1/'] },
  });
  assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'webhooks.0']);
  assert.equal((await api.ask('owner', `DELETE /thresholds/${made.thresholdId}`)).status, 204);
  assert.deepEqual((await api.ask('owner', 'GET /callback-endpoints', { query: { kind: 'alert' } })).body.items, []);
});

test('P17 what waited through an outage to its end is not given up at the first hiccup after a passed test', async () => {
  fresh();
  receiver.answer = answers.status(503);
  const { appId, endpointId } = await world.addEndpoint();
  const old = await world.addMessage(appId);
  await world.move([old], Submitted, Delivered);
  await dispatch();
  for (const seconds of schedule) {
    clock.offsetMs += seconds * 1_000 + 1_000;
    await dispatch();
  }
  assert.equal((await world.endpoint(endpointId))['state'], 'disabled');
  receiver.answer = answers.challenge;
  assert.equal((await api.ask('owner', `POST /callback-endpoints/${endpointId}/test`)).body.passed, true);
  await world.move([await world.addMessage(appId)], Submitted, Delivered);
  receiver.answer = (heard, response) =>
    (heard.body.data.messageId === String(old) ? answers.status(500) : answers.ok)(heard, response);
  await dispatch();
  const states = async () =>
    (await eventsOf(endpointId)).filter(({ client }) => client !== null).map(({ state }) => state);
  assert.deepEqual(await states(), ['waiting', 'delivered']);
  receiver.answer = answers.ok;
  clock.offsetMs += 6_000;
  await dispatch();
  assert.deepEqual(await states(), ['delivered', 'delivered']);
});
