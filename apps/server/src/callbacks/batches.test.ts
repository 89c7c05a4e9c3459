/** Events in arrays: their form, their order, and one among them that a server refuses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackBatch } from '@pahatid/contract';
import { ClientStatus } from '@pahatid/contract/enums';
import { many, run, sql } from '@pahatid/db';
import { Webhook } from 'standardwebhooks';
import { makeCallbackWorld } from './testing/callback-world.ts';
import { answers, type Heard } from './testing/receiver.ts';

const world = await makeCallbackWorld();
const { api, receiver, clock, dispatch } = world;
const { pool } = api.db;
const { Submitted, Delivered, Unknown } = ClientStatus;

const idsOf = ({ body }: Heard): string[] => body.map(({ data }: { data: { messageId: string } }) => data.messageId);
const states = (endpointId: string) =>
  many<{ id: string; state: string; attempts: number; status: number | null }>(
    pool,
    sql`select message_id::text as id, state, attempts, last_status as status from callback_event
        where endpoint_id = ${endpointId} order by event_id`,
  );
/** An address that receives arrays, with the messages of its application. */
const addBatched = async (count: number) => {
  receiver.heard.length = 0;
  receiver.answer = answers.ok;
  await run(pool, sql`update callback_event set state = 'givenUp' where state = 'waiting'`);
  const endpoint = await world.addEndpoint();
  const edited = await api.ask('owner', `PATCH /callback-endpoints/${endpoint.endpointId}`, {
    body: { batched: true },
  });
  assert.deepEqual([edited.status, edited.body.batched], [200, true], edited.text);
  const messages: bigint[] = [];
  for (let nth = 0; nth < count; nth++) messages.push(await world.addMessage(endpoint.appId));
  return { ...endpoint, messages };
};

test('events go out in arrays of at most 500, each with its id, the whole body signed', async () => {
  const { endpointId, secret, messages } = await addBatched(3);
  await world.move(messages, Submitted, Delivered);
  await run(
    pool,
    sql`insert into callback_event (event_id, customer_id, endpoint_id, type, message_id, facts, at, next_at)
        select gen_random_uuid(), customer_id, endpoint_id, type, message_id + n * 1000000000::bigint, facts, at, next_at
        from callback_event cross join generate_series(1, 300) n where endpoint_id = ${endpointId}`,
  );
  await dispatch();
  const sizes = receiver.heard.map(({ body }) => body.length);
  assert.deepEqual(
    sizes.sort((a, b) => b - a),
    [callbackBatch.events, 903 - callbackBatch.events],
  );
  assert.equal(new Set(receiver.heard.flatMap(({ body }) => body.map(({ id }: { id: string }) => id))).size, 903);
  for (const { text, headers, body } of receiver.heard)
    assert.deepEqual(new Webhook(secret).verify(text, headers as Record<string, string>), body);
  const [first] = receiver.heard;
  const [{ id, type, data }] = first!.body;
  assert.deepEqual([type, data.clientStatus], ['message.status', Delivered]);
  const log = await api.ask('owner', 'GET /callbacks', { query: { endpointId, messageId: data.messageId } });
  const [event] = log.body.items;
  assert.equal(id, `msg_${event.eventId.replaceAll('-', '')}`);
  const { body: detail } = await api.ask('owner', `GET /callbacks/${event.eventId}`);
  assert.deepEqual([detail.state, detail.tries.length, detail.tries[0].status], ['delivered', 1, 200]);
});

test('an array waits a second for more, and the states of a message are in different ones, in order', async () => {
  const { messages } = await addBatched(20);
  await world.move(messages, Submitted, Unknown);
  await world.move(messages, Unknown, Delivered);
  await dispatch();
  assert.deepEqual(
    receiver.heard.map(({ body }) => body.length),
    [20, 20],
  );
  for (const [index, status] of [Unknown, Delivered].entries())
    for (const { data } of receiver.heard[index]!.body)
      assert.deepEqual([data.clientStatus, data.sequence], [status, index + 1]);
});

test('one event that a server refuses is found, and holds up none of the others', async () => {
  const { endpointId, messages } = await addBatched(40);
  for (const bad of [messages[0], messages[17], messages[39]]) {
    receiver.heard.length = 0;
    receiver.answer = (heard, response) =>
      (idsOf(heard).includes(String(bad)) ? answers.status(400) : answers.ok)(heard, response);
    await run(pool, sql`delete from callback_event where endpoint_id = ${endpointId}`);
    await run(
      pool,
      sql`update message set client_status = 1 where message_id = any(${messages.map(String)}::bigint[])`,
    );
    await world.move(messages, Submitted, Delivered);
    clock.offsetMs += 6_000;
    await dispatch();
    clock.offsetMs += 6_000;
    await dispatch();
    const rows = await states(endpointId);
    const left = rows.filter(({ state }) => state !== 'delivered');
    assert.deepEqual(
      left.map(({ id, state, status }) => [id, state, status]),
      [[String(bad), 'waiting', 400]],
    );
    assert.ok(receiver.heard.length < 25, `${receiver.heard.length} requests`);
    assert.equal((await world.endpoint(endpointId))['state'], 'enabled');
    await run(pool, sql`update callback_endpoint set retry_at = null, fails = 0, failing_since = null`);
  }
});

test('P17 an address that refuses every array is at fault itself: it is asked with two events, then with one event at a time', async () => {
  const { endpointId, messages } = await addBatched(30);
  receiver.answer = answers.status(500);
  await world.move(messages, Submitted, Delivered);
  await dispatch();
  assert.deepEqual(
    receiver.heard.map(({ body }) => body.length),
    [30, 1, 1],
  );
  clock.offsetMs += 6_000;
  await dispatch();
  assert.equal(receiver.heard.at(-1)?.body.length, 1);
  assert.equal(receiver.heard.length, 4);
  assert.equal((await world.endpoint(endpointId))['fails'], 2);
  receiver.answer = answers.ok;
  clock.offsetMs += 301_000;
  await dispatch();
  assert.ok((await states(endpointId)).every(({ state }) => state === 'delivered'));
  assert.equal(receiver.heard.length, 6, 'one that asks, then all the others');
});

test('a test is in an array as well, alone, and only the owner chooses', async () => {
  const { endpointId } = await addBatched(0);
  receiver.answer = ({ body }, response) => void response.end(JSON.stringify({ challenge: body[0].data.challenge }));
  const tested = await api.ask('owner', `POST /callback-endpoints/${endpointId}/test`);
  assert.deepEqual([tested.body.passed, receiver.heard.at(-1)?.body.length], [true, 1], tested.text);
  for (const who of ['member', 'viewer', 'other'] as const) {
    const { status } = await api.ask(who, `PATCH /callback-endpoints/${endpointId}`, { body: { batched: false } });
    assert.ok(status === 403 || status === 404, `${who}: ${status}`);
  }
  const wrong = await api.ask('owner', `PATCH /callback-endpoints/${endpointId}`, { body: { batched: 'yes' } });
  assert.equal(wrong.status, 400);
});
