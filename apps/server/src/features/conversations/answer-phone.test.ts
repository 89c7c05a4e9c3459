/** Replies of members to a phone: once, in time, from where the phone wrote, by the rules of every message. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ConversationAnswer } from '@pahatid/contract';
import { many, one, run, sql, uuidV7 } from '@pahatid/db';
import {
  buildDefaultPrice,
  buildKey,
  buildPrefixes,
  buildSender,
  buildSimulatedCarriers,
  buildTemplate,
} from '@pahatid/db/builders';
import { insertInbound } from '@pahatid/db/queries/inbound';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { customerId, appId } = api;
const price = 3_500;
const hourMs = 3_600_000;
let sequence = 0;

/** The conversation of a new phone that replied so long ago. */
async function conversation(hoursAgo = 1): Promise<{ id: string; msisdn: string }> {
  sequence += 1;
  const receivedMs = Date.now() - hoursAgo * hourMs;
  const [inboundId, msisdn] = [uuidV7(receivedMs), `63917${String(sequence).padStart(7, '0')}`];
  await insertInbound(pool, {
    ...{ customerId, appId, messageId: null, taskId: null, supplierId: uuidV7(), inboundId, msisdn, receivedMs },
    ...{ content: 'Are you open?', destination: 'second', isOptOut: false },
  });
  return { id: inboundId, msisdn };
}
interface Asked {
  who?: Who;
  key?: string;
  path?: string;
}
const post = (id: string, body: Partial<ConversationAnswer>, { who = 'member', key = '', path = '' }: Asked = {}) =>
  api.ask(who, `POST /conversations/${id}/messages${path}` as 'POST /conversations/:conversationId/messages', {
    body,
    ...(key !== '' && { headers: { 'idempotency-key': key } }),
  });
const sentTo = (msisdn: string) =>
  many<{ content: string; clientSid: string; smsType: number }>(
    pool,
    sql`select content, client_sid as "clientSid", sms_type as "smsType" from message where msisdn = ${msisdn}`,
  );
const content = 'Yes, until eight.';
let templateId: string;

before(async () => {
  await buildSimulatedCarriers(pool, { port: 1, secrets: api.deps.secrets });
  await buildPrefixes(pool, [{ prefix: '63917', carrier: 'Globe' }]);
  await buildDefaultPrice(pool, price);
  for (const senderId of ['FIRST', 'SECOND']) await buildSender(pool, { customerId, appId, senderId });
  templateId = await buildTemplate(pool, { customerId, appId, content: 'Order {1} is ready', smsType: 2 });
});

test('a reply goes out as a notification, from where the phone wrote to, and stands in the thread and in the log', async () => {
  const { id, msisdn } = await conversation();
  const { status, body, text } = await post(id, { content });
  assert.equal(status, 202, text);
  assert.deepEqual(await sentTo(msisdn), [{ content, clientSid: 'SECOND', smsType: 2 }]);
  const entries = await api.ask('viewer', `GET /conversations/${id}/entries` as 'GET /conversations');
  assert.deepEqual(
    (entries.body as unknown as { items: { content: string }[] }).items.map((entry) => entry.content),
    [content, 'Are you open?'],
  );
  const extra = await one<{ id: string }>(
    pool,
    sql`select reply_to as id from message_extra where message_id = ${body.messageId}::bigint`,
  );
  assert.equal(extra.id, id);
  const logged = await many(
    pool,
    sql`select action, after from audit_log where subject_type = 'conversation' and subject_id = ${id}`,
  );
  assert.deepEqual(logged, [{ action: 'reply', after: { messageId: body.messageId } }]);
});

test('24 hours after the last reply a text is refused, and an approved template is not', async () => {
  const { id, msisdn } = await conversation(24.01);
  for (const path of ['', '/preview']) {
    const { status, body } = await post(id, { content }, { path });
    assert.deepEqual([status, (body as unknown as { code: string }).code], [409, 'REPLY_WINDOW_CLOSED']);
  }
  assert.deepEqual(await sentTo(msisdn), []);
  assert.equal((await post(id, { templateId, variables: ['48213'] })).status, 202);
  assert.deepEqual(
    (await sentTo(msisdn)).map((message) => message.content),
    ['Order 48213 is ready'],
  );
  // A reply of the phone opens it again.
  const [receivedMs, inboundId] = [Date.now(), uuidV7()];
  await insertInbound(pool, {
    ...{ customerId, appId, messageId: null, taskId: null, supplierId: uuidV7(), inboundId, msisdn, receivedMs },
    ...{ content: 'And now?', destination: 'SECOND', isOptOut: false },
  });
  assert.equal((await post(id, { content })).status, 202);
});

test('pressed twice at the same time, or again later, a reply is sent once and logged once', async () => {
  const { id, msisdn } = await conversation();
  const answers = await Promise.all([
    post(id, { content }, { key: 'form-1' }),
    post(id, { content }, { key: 'form-1' }),
  ]);
  const again = await post(id, { content }, { key: 'form-1' });
  const ids = [...answers, again].map(({ status, body }) => [status, body.messageId]);
  assert.deepEqual(ids, Array(3).fill([202, answers[0]?.body.messageId]));
  assert.equal((await sentTo(msisdn)).length, 1);
  const { n } = await one<{ n: number }>(
    pool,
    sql`select count(*)::int as n from audit_log where action = 'reply' and subject_id = ${id}`,
  );
  assert.equal(n, 1);
  const other = await post(id, { content: 'Another text' }, { key: 'form-1' });
  assert.equal((other.body as unknown as { code: string }).code, 'IDEMPOTENCY_KEY_REUSED');
  const elsewhere = await conversation();
  assert.equal((await post(elsewhere.id, { content }, { key: 'form-1' })).status, 202);
  assert.equal((await sentTo(elsewhere.msisdn)).length, 1);
});

test('the preview says segments, price and sender, and sends nothing', async () => {
  const { id, msisdn } = await conversation();
  const { status, body } = await post(id, { content: 'x'.repeat(161) }, { path: '/preview' });
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(body, { pkgTotal: 2, price, cost: 2 * price, clientSid: 'SECOND', refusal: null });
  assert.deepEqual(await sentTo(msisdn), []);
});

test('rules of texts, templates and sender IDs and a disabled application hold as for any message', async () => {
  const { id, msisdn } = await conversation();
  const codeOf = async (body: Partial<ConversationAnswer>) =>
    ((await post(id, body)).body as unknown as { code: string }).code;
  assert.equal(await codeOf({ content: 'Hello {1}' }), 'CONTENT_INVALID');
  assert.equal(await codeOf({ templateId: uuidV7() }), 'TEMPLATE_NOT_FOUND');
  assert.equal(await codeOf({ templateId }), 'VALUES_MISSING');
  assert.equal(await codeOf({ content, senderId: 'OTHERS' }), 'SENDER_NOT_SENDABLE');
  for (const body of [{}, { content, templateId }, { content, variables: ['x'] }, { content, to: '639170000001' }])
    assert.equal((await post(id, body)).status, 400, JSON.stringify(body));
  await run(pool, sql`update application set use_state = 0 where app_id = ${appId}`);
  assert.equal(await codeOf({ content }), 'APP_DISABLED');
  await run(pool, sql`update application set use_state = 1 where app_id = ${appId}`);
  assert.deepEqual(await sentTo(msisdn), []);
});

test('a viewer may not reply, another customer finds nothing, and software replies by POST /messages alone', async () => {
  const { id, msisdn } = await conversation();
  for (const path of ['', '/preview']) {
    assert.equal((await post(id, { content }, { who: 'viewer', path })).status, 403);
    assert.equal((await post(id, { content }, { who: 'other', path })).status, 404);
    assert.equal((await post(uuidV7(), { content }, { path })).status, 404);
    const { apiKey } = await buildKey(pool, { customerId, appId });
    const route = `POST /conversations/${id}/messages${path}` as 'POST /conversations/:conversationId/messages';
    const headers = { authorization: `Bearer ${apiKey}` };
    assert.equal((await api.ask(null, route, { body: { content }, headers })).status, 403);
  }
  assert.deepEqual(await sentTo(msisdn), []);
});
