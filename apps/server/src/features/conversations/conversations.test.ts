/** Replies by phone and application, with what the phone got: listed, searched, counted, read and erased. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ClientStatus } from '@pahatid/contract';
import { one, sql, uuidV7, withTransaction } from '@pahatid/db';
import { buildApplication, buildBatch, buildKey, buildSimulatedCarriers } from '@pahatid/db/builders';
import { insertInbound, rewriteInbound } from '@pahatid/db/queries/inbound';
import { eraseInbound } from '@pahatid/db/queries/numbers';
import { deleteOldTexts } from '@pahatid/db/queries/retention';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { customerId, appId } = api;
const hourMs = 3_600_000;
const start = Date.now() - 48 * hourMs;
const maria = '639171234567';
const jose = '639181234567';

type Reply = Parameters<typeof insertInbound>[1];
const reply = async (hours: number, msisdn: string, content: string, more: Partial<Reply> = {}): Promise<Reply> => {
  const receivedMs = start + hours * hourMs;
  const row: Reply = {
    ...{ customerId, appId, messageId: null, taskId: null, supplierId: uuidV7(), inboundId: uuidV7(receivedMs) },
    ...{ msisdn, content, receivedMs, destination: '21583', isOptOut: false, ...more },
  };
  await insertInbound(pool, row);
  return row;
};
const list = async (query: Record<string, string> = {}, who: Who = 'owner') => {
  const { status, body, text } = await api.ask(who, 'GET /conversations', { query });
  assert.equal(status, 200, text);
  return body;
};
const texts = async (query: Record<string, string> = {}, who: Who = 'owner'): Promise<string[]> =>
  (await list(query, who)).items.map(({ lastText }) => lastText);
const idOf = async (mobileNumber: string): Promise<string> => (await list({ mobileNumber })).items[0].conversationId;
const read = (id: string, inboundId: string, who: Who = 'owner') =>
  api.ask(who, `POST /conversations/${id}/read` as 'POST /conversations/:conversationId/read', { body: { inboundId } });

let first: Reply;
let sisterApp: string;

before(async () => {
  const { secrets } = api.deps;
  const carriers = await buildSimulatedCarriers(pool, { port: 1, secrets });
  const message = { carrier: 'Globe' as const, clientStatus: ClientStatus.Delivered, receiptAfterMs: 900 };
  await withTransaction(pool, (tx) =>
    buildBatch(tx, {
      ...{ customerId, appId, smsType: 2, clientSid: 'SHOP', at: new Date(start) },
      ...{ supplierId: carriers.suppliers.Globe, routeId: carriers.routes.Globe },
      messages: [
        { ...message, msisdn: maria, content: 'Order 48213 is ready' },
        { ...message, msisdn: jose, content: 'Yours as well' },
      ],
    }),
  );
  sisterApp = await buildApplication(pool, { customerId });
  first = await reply(1, maria, 'When do you close?');
  await reply(2, jose, 'T', { isOptOut: true });
  await reply(3, maria, 'Call me on 0917 765 4321');
  await reply(4, maria, 'To the sister', { appId: sisterApp });
  await reply(5, '639191234567', 'Of another customer', { customerId: api.otherCustomerId, appId: api.otherAppId });
});

test('a conversation is a phone and an application, the last reply first, of the own customer alone', async () => {
  assert.deepEqual(await texts(), ['To the sister', 'Call me on 0917 765 4321', 'T']);
  assert.deepEqual(await texts({ sort: 'lastTime' }), ['T', 'Call me on 0917 765 4321', 'To the sister']);
  assert.deepEqual(await texts({}, 'other'), ['Of another customer']);
  const page = await list({ limit: '2' });
  const next = await list({ limit: '2', cursor: page.nextCursor });
  assert.deepEqual([page.items.length, next.items.length, next.nextCursor], [2, 1, null]);
  assert.partialDeepStrictEqual((await list({ mobileNumber: '0918' })).items[0], { optOut: 1, unread: 1, appId });
});

test('filters return all matching conversations and no others', async () => {
  assert.deepEqual(await texts({ mobileNumber: '0917 123' }), ['To the sister', 'Call me on 0917 765 4321']);
  assert.deepEqual(await texts({ text: 'CALL ME' }), ['Call me on 0917 765 4321']);
  assert.deepEqual(await texts({ text: '100%' }), []);
  assert.deepEqual(await texts({ appId: sisterApp }), ['To the sister']);
  for (const query of [{ unread: '0' }, { cursor: 'x' }, { sort: 'x' }, { phone: '1' }])
    assert.equal((await api.ask('owner', 'GET /conversations', { query })).status, 400, JSON.stringify(query));
});

test('a reply that is stored twice counts once; an older one that comes late counts and is not the last', async () => {
  const count = async () => (await list({ mobileNumber: '0917', appId })).items[0].unread;
  assert.equal(await count(), 2);
  await insertInbound(pool, first);
  assert.equal(await count(), 2);
  await reply(0.5, maria, 'Came late');
  assert.equal(await count(), 3);
  assert.deepEqual(await texts({ mobileNumber: '0917', appId }), ['Call me on 0917 765 4321']);
});

test('two replies of a phone at the same time are one conversation with two', async () => {
  const phone = '639175550001';
  await Promise.all([reply(6, phone, 'One'), reply(6, phone, 'Two'), reply(6, phone, 'Three')]);
  assert.deepEqual(
    (await list({ mobileNumber: phone })).items.map(({ unread }) => unread),
    [3],
  );
  await withTransaction(pool, (tx) => eraseInbound(tx, customerId, phone));
});

test('a part that comes later completes the last text', async () => {
  const row = await reply(7, '639175550002', 'Hello, […]');
  await rewriteInbound(pool, { ...row, content: 'Hello, is anybody there?' });
  assert.deepEqual(await texts({ mobileNumber: '639175550002' }), ['Hello, is anybody there?']);
  await withTransaction(pool, (tx) => eraseInbound(tx, customerId, '639175550002'));
});

test('the thread has what the phone got and what it replied, newest first, page by page', async () => {
  const id = await idOf('0918');
  const key = `GET /conversations/${id}/entries` as 'GET /conversations/:conversationId/entries';
  const whole = (await api.ask('owner', key)).body;
  assert.deepEqual(
    whole.items.map(({ kind, content }) => [kind, content]),
    [
      ['reply', 'T'],
      ['message', 'Yours as well'],
    ],
  );
  const mariasKey = `GET /conversations/${(await list({ mobileNumber: '0917', appId })).items[0].conversationId}/entries`;
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: Record<string, string> = { limit: '1', ...(cursor !== '' && { cursor }) };
    const { body } = await api.ask('owner', mariasKey as typeof key, { query });
    seen.push(...body.items.map(({ content }) => content));
    cursor = body.nextCursor;
  }
  assert.deepEqual(seen, ['Call me on 0917 765 4321', 'When do you close?', 'Came late', 'Order 48213 is ready']);
});

test('reading marks up to the reply that was seen; what came meanwhile stays unread', async () => {
  const { conversationId } = (await list({ mobileNumber: '0917', appId })).items[0];
  const waiting = async () => (await api.ask('owner', 'GET /overview/waiting')).body.conversations;
  assert.equal(await waiting(), 3);
  assert.equal((await read(conversationId, first.inboundId)).body.unread, 1);
  const latest = await reply(8, maria, 'One more');
  const [one, two] = await Promise.all([
    read(conversationId, latest.inboundId),
    read(conversationId, latest.inboundId, 'member'),
  ]);
  assert.deepEqual([one.body.unread, two.body.unread], [0, 0]);
  assert.equal(await waiting(), 2);
  assert.equal((await texts({ unread: '1' })).includes('One more'), false);
});

test('a viewer sees numbers masked and finds no text by its digits; it marks nothing, and others find nothing', async () => {
  const [row] = (await list({ appId }, 'viewer')).items;
  assert.equal(row.mobileNumber, '63******4567');
  await reply(9, maria, 'Call me on 0917 765 4321');
  assert.deepEqual(await texts({ text: 'call me' }, 'viewer'), ['Call me on *******4321']);
  assert.deepEqual(await texts({ text: 'me on 0917' }, 'viewer'), []);
  const id = row.conversationId;
  assert.equal((await read(id, uuidV7(), 'viewer')).status, 403);
  assert.equal((await read(id, uuidV7(), 'other')).status, 404);
  assert.equal((await read(uuidV7(), first.inboundId)).status, 404);
  assert.equal((await read(id, uuidV7())).status, 404);
  assert.equal((await read(id, 'x')).status, 400);
  for (const part of ['', '/entries']) {
    const key = `GET /conversations/${id}${part}` as 'GET /conversations/:conversationId';
    assert.equal((await api.ask('other', key)).status, 404);
    assert.equal((await api.ask(null, key)).status, 401);
    assert.equal((await api.ask('admin', key)).status, 404);
  }
});

test('a key with the scope of replies reads the conversations of its application alone', async () => {
  const askAs = async (scopes: ('replies' | 'messages:read')[], query = {}) => {
    const { apiKey } = await buildKey(pool, { customerId, appId, scopes });
    return api.ask(null, 'GET /conversations', { query, headers: { authorization: `Bearer ${apiKey}` } });
  };
  const { status, body } = await askAs(['replies']);
  assert.equal(status, 200);
  assert.ok(body.items.length > 0 && body.items.every((row) => row.appId === appId));
  assert.equal((await askAs(['messages:read'])).status, 403);
});

test('a conversation goes with the erasure of its number, and with its last reply', async () => {
  await withTransaction(pool, (tx) => eraseInbound(tx, customerId, maria));
  assert.deepEqual(await texts(), ['T']);
  await withTransaction(pool, (tx) => deleteOldTexts(tx, customerId, new Date(start + hourMs), 100));
  assert.deepEqual(await texts(), ['T']);
  await withTransaction(pool, (tx) => deleteOldTexts(tx, customerId, new Date(), 100));
  const left = sql<{ n: number }>`select count(*)::int as n from conversation where customer_id = ${customerId}`;
  assert.equal((await one(pool, left)).n, 0);
});
