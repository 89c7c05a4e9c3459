/** Ownership of webhook addresses: only tests are sent to an address that has not yet answered a test as its owner. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientStatus } from '@pahatid/contract/enums';
import { many, sql } from '@pahatid/db';
import { defaultPassword } from '@pahatid/db/builders';
import { Webhook } from 'standardwebhooks';
import { makeCallbackWorld } from '../callbacks/testing/callback-world.ts';
import { answers, startReceiver } from '../callbacks/testing/receiver.ts';

const world = await makeCallbackWorld();
const { api, receiver, clock, dispatch } = world;
const { pool } = api.db;
const { Submitted, Delivered } = ClientStatus;
const notifyListeners = async (appId: string): Promise<void> => {
  await world.move([await world.addMessage(appId)], Submitted, Delivered);
};
const types = (): string[] => receiver.heard.map(({ body }) => body.type);
const add = async (callbackUrl: string) => {
  const body = { appName: `App ${Math.random()}`, remarkInfo: 'x', callbackUrl };
  const answer = await api.ask('owner', 'POST /applications', { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body as { appId: string; callbackSecret: string };
};
const callbackOf = async (appId: string) => (await api.ask('owner', `GET /applications/${appId}`)).body.callback;

test('S44 an address is sent tests alone, three at most, until one is answered with its challenge', async () => {
  for (const answer of [
    answers.ok,
    answers.status(404),
    // Echoes the request, as some servers do.
    (heard, response) => void response.end(heard.text),
    (heard, response) => void response.end(`<p>${heard.body.data.challenge}</p>`),
  ] as (typeof answers.ok)[]) {
    receiver.heard.length = 0;
    receiver.answer = answer;
    const { appId } = await add(receiver.url);
    await notifyListeners(appId);
    for (let i = 0; i < 6; i++) {
      await dispatch();
      clock.offsetMs += 7 * 3_600_000;
    }
    assert.deepEqual(types(), ['test', 'test', 'test']);
    const callback = await callbackOf(appId);
    assert.deepEqual([callback.state, callback.verifyTime], ['unverified', null]);
    assert.ok(['challenge', 'status'].includes(callback.lastAttempt.error));
  }
});

test('S44 one that answers with the challenge, as text or JSON, is enabled, signed for by the secret that was shown once', async () => {
  for (const asJson of [false, true]) {
    receiver.heard.length = 0;
    receiver.answer = ({ body }, response) =>
      void response.end(asJson ? JSON.stringify({ challenge: body.data.challenge }) : `${body.data.challenge}\n`);
    const { appId, callbackSecret } = await add(receiver.url);
    await dispatch();
    const [heard] = receiver.heard;
    assert.ok(heard);
    new Webhook(callbackSecret).verify(heard.text, heard.headers as Record<string, string>, { jsonParse: false });
    const callback = await callbackOf(appId);
    assert.deepEqual([callback.state, callback.lastAttempt.error], ['enabled', null]);
    assert.ok(!JSON.stringify(callback).includes(callbackSecret.slice(0, 20)));
    await notifyListeners(appId);
    await dispatch();
    assert.deepEqual(types(), ['test', 'message.status']);
  }
});

test('S44 a changed address gets no events before verification, nor those queued for the old one; the old one gets none', async () => {
  const second = await startReceiver();
  second.answer = answers.ok;
  receiver.answer = answers.challenge;
  const { appId } = await add(receiver.url);
  await dispatch();
  receiver.answer = answers.status(500);
  receiver.heard.length = 0;
  await notifyListeners(appId);
  await dispatch();
  const before = receiver.heard.length;
  const patch = async (callbackUrl: string | null) => {
    const answer = await api.ask('owner', `PATCH /applications/${appId}`, { body: { callbackUrl } });
    assert.deepEqual([answer.status, answer.body.callbackSecret], [200, null], answer.text);
  };
  await patch(second.url);
  clock.offsetMs += 3_600_000;
  await dispatch();
  await notifyListeners(appId);
  await dispatch();
  assert.equal(receiver.heard.length, before);
  assert.deepEqual(
    second.heard.map(({ body }) => body.type),
    ['test'],
  );
  assert.equal((await callbackOf(appId)).state, 'unverified');
  second.answer = answers.challenge;
  const { endpointId } = await callbackOf(appId);
  const tested = await api.ask('owner', `POST /callback-endpoints/${endpointId}/test`);
  assert.equal(tested.body.passed, true, tested.text);
  await dispatch();
  assert.equal(second.heard.at(-1)?.body.type, 'message.status', 'what waited goes to the one that passed');
  await patch(null);
  assert.equal(await callbackOf(appId), null);
  await notifyListeners(appId);
  const waiting = await many(
    pool,
    sql`select 1 from callback_event where endpoint_id = ${endpointId} and state = 'waiting'`,
  );
  assert.equal(waiting.length, 0);
  await second.close();
});

test('S44 manual tests are for owners only, ten a minute, and return the result', async () => {
  receiver.answer = answers.status(418);
  const { appId } = await add(receiver.url);
  const { endpointId } = await callbackOf(appId);
  for (const who of ['member', 'viewer', 'reviewer', 'operator', 'admin'] as const)
    assert.equal((await api.ask(who, `POST /callback-endpoints/${endpointId}/test`)).status, 403, who);
  assert.equal((await api.ask('other', `POST /callback-endpoints/${endpointId}/test`)).status, 404);
  let last = await api.ask('owner', `POST /callback-endpoints/${endpointId}/test`);
  assert.deepEqual([last.body.passed, last.body.attempt.status, last.body.attempt.error], [false, 418, 'status']);
  assert.equal(last.body.attempt.response, 'no');
  for (let i = 0; i < 12 && last.status === 200; i++)
    last = await api.ask('owner', `POST /callback-endpoints/${endpointId}/test`);
  assert.deepEqual([last.status, last.body.code], [429, 'RATE_LIMITED']);
});

test('S43 a new secret signs alongside the previous one, which ends immediately on request; S55 neither is shown again', async () => {
  api.advance(61_000);
  receiver.answer = answers.challenge;
  const { appId, callbackSecret } = await add(receiver.url);
  const { endpointId } = await callbackOf(appId);
  const rotate = (body: object) => api.ask('owner', `POST /callback-endpoints/${endpointId}/secret`, { body });
  assert.equal((await rotate({ currentPassword: 'wrong' })).body.code, 'REAUTHENTICATE');
  const { body: first, status } = await rotate({ currentPassword: defaultPassword });
  assert.equal(status, 201);
  receiver.heard.length = 0;
  await api.ask('owner', `POST /callback-endpoints/${endpointId}/test`);
  const verify = (secret: string): void => {
    const { text, headers } = receiver.heard.at(-1)!;
    new Webhook(secret).verify(text, headers as Record<string, string>);
  };
  for (const secret of [callbackSecret, first.secret]) verify(secret);
  const { body: second } = await rotate({ currentPassword: defaultPassword, endPrevious: true });
  await api.ask('owner', `POST /callback-endpoints/${endpointId}/test`);
  verify(second.secret);
  for (const secret of [callbackSecret, first.secret]) assert.throws(() => verify(secret));
  const seen = await api.ask('owner', `GET /callback-endpoints/${endpointId}`);
  assert.equal(seen.body.secrets.length, 1);
  assert.ok(!seen.text.includes(second.secret.slice(6, 30)));
  const dump = await many(pool, sql`select row_to_json(s)::text as row from callback_secret s`);
  assert.ok(!JSON.stringify(dump).includes(second.secret.slice(6, 30)));
});

test('S57 of an event that names a phone viewers and staff see it masked, its answer included', async () => {
  receiver.answer = (_, response) => void response.end('got 639171234567');
  const { appId, endpointId } = await world.addEndpoint();
  await notifyListeners(appId);
  await dispatch();
  const [row] = (await api.ask('owner', 'GET /callbacks', { query: { endpointId } })).body.items;
  for (const [who, isShown] of [
    ['owner', true],
    ['member', true],
    ['viewer', false],
    ['operator', false],
  ] as const) {
    const { text, status } = await api.ask(who, `GET /callbacks/${row.eventId}`);
    assert.equal(status, 200);
    assert.equal(text.includes('639171234567'), isShown, who);
    assert.match(text, /63\*{6}4567|639171234567/);
  }
  const csv = await api.ask('viewer', 'GET /callbacks', { query: { endpointId }, headers: { accept: 'text/csv' } });
  assert.match(csv.text, new RegExp(row.eventId));
});
