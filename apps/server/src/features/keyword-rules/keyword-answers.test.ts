/** Answers by keyword: one to a reply, never to an opt-out, bounded for each phone, by the rules of every message. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { many, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import {
  buildDefaultPrice,
  buildKey,
  buildPrefixes,
  buildSender,
  buildSimulatedCarriers,
  buildTemplate,
} from '@pahatid/db/builders';
import { isOptOut } from '@pahatid/domain';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { getMessageSending } from '../../messages/message-sending.ts';
import { apiFeatures } from '../../roles/api.ts';
import { storeReply } from '../../sending/replies/store-reply.ts';
import { sendKeywordAnswers } from './send-keyword-answers.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { customerId, appId } = api;
const sending = getMessageSending(api.app, api.deps);
const send = (deps = sending) => sendKeywordAnswers(deps, api.deps.log);
let sequence = 0;
let templateId = '';
const newPhone = () => `63917${String(++sequence).padStart(7, '0')}`;

const reply = async (msisdn: string, content: string, agoMs = 0): Promise<string> => {
  const receivedMs = Date.now() - agoMs;
  const inboundId = uuidV7(receivedMs);
  const text = { inboundId, supplierId: uuidV7(), msisdn, destination: 'SHOP', content, receivedMs };
  await withTransaction(pool, (tx) =>
    storeReply(
      tx,
      { ...text, isOptOut: isOptOut(content), wasStored: false },
      { customerId, appId, messageId: null, taskId: null },
      api.deps.log,
    ),
  );
  return inboundId;
};
const rule = (keywords: readonly string[], more: object = {}, who: Who = 'member') =>
  api.ask(who, 'POST /keyword-rules', { body: { appId, keywords: [...keywords], templateId, ...more } });
const change = (ruleId: string, body: object, who: Who = 'member') =>
  api.ask(who, `PATCH /keyword-rules/${ruleId}` as 'PATCH /keyword-rules/:ruleId', { body });
const remove = (ruleId: string) =>
  api.ask('member', `DELETE /keyword-rules/${ruleId}` as 'DELETE /keyword-rules/:ruleId');
const sentTo = async (msisdn: string): Promise<string[]> =>
  (
    await many<{ content: string }>(pool, sql`select content from message where msisdn = ${msisdn} order by message_id`)
  ).map(({ content }) => content);
const stateOf = async (inboundId: string) =>
  (
    await many<{ state: string; refusal: string | null }>(
      pool,
      sql`select state, refusal from keyword_answer where inbound_id = ${inboundId}`,
    )
  )[0];

before(async () => {
  await buildSimulatedCarriers(pool, { port: 1, secrets: api.deps.secrets });
  await buildPrefixes(pool, [{ prefix: '63917', carrier: 'Globe' }]);
  await buildDefaultPrice(pool, 3_500);
  for (const senderId of ['FIRST', 'SHOP']) await buildSender(pool, { customerId, appId, senderId });
  templateId = await buildTemplate(pool, { customerId, appId, content: 'Open from 9 to 8.', smsType: 2 });
});

test('a reply is answered once with the template, from where the phone wrote to, and the thread says so', async () => {
  const made = await rule(['hours', '*opening*']);
  assert.equal(made.status, 201, made.text);
  const msisdn = newPhone();
  const inboundId = await reply(msisdn, 'Hours?');
  await send();
  await send();
  assert.deepEqual(await sentTo(msisdn), ['Open from 9 to 8.']);
  const [conversation] = (await api.ask('owner', 'GET /conversations', { query: { mobileNumber: msisdn } })).body.items;
  const key =
    `GET /conversations/${conversation.conversationId}/entries` as 'GET /conversations/:conversationId/entries';
  const { items } = (await api.ask('owner', key)).body;
  assert.partialDeepStrictEqual(items, [
    { kind: 'message', automaticFor: 'hours', clientSid: 'SHOP' },
    { kind: 'reply', inboundId, answeredBy: 'hours', answerRefusal: null },
  ]);
  await remove(made.body.ruleId);
});

test('killed after the answer was accepted and before that was noted, it is not sent again', async () => {
  const { ruleId } = (await rule(['parking'])).body;
  const msisdn = newPhone();
  const inboundId = await reply(msisdn, 'parking');
  await Promise.all([send(), send()]);
  assert.equal((await sentTo(msisdn)).length, 1);
  for (const createdAt of [new Date(), new Date(Date.now() - 2 * 3_600_000)]) {
    await run(
      pool,
      sql`update keyword_answer set state = 'waiting', message_id = null, created_at = ${createdAt} where inbound_id = ${inboundId}`,
    );
    // The template is gone by then: what was accepted stays accepted.
    await run(pool, sql`update template set deleted_at = now() where template_id = ${templateId}`);
    await send();
    await run(pool, sql`update template set deleted_at = null where template_id = ${templateId}`);
    assert.deepEqual(await stateOf(inboundId), { state: 'sent', refusal: null });
  }
  assert.equal((await sentTo(msisdn)).length, 1);
  await remove(ruleId);
});

test('two automata do not go on: a rule answers a phone once an hour, all rules together ten times a day', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 12; n += 1) ids.push((await rule([`word${n}`])).body.ruleId);
  const msisdn = newPhone();
  await Promise.all([reply(msisdn, 'word0'), reply(msisdn, 'word0'), reply(msisdn, 'Word0!')]);
  await send();
  assert.equal((await sentTo(msisdn)).length, 1);
  for (let n = 1; n < 12; n += 1) await reply(msisdn, `word${n}`);
  await send();
  assert.equal((await sentTo(msisdn)).length, 10);
  for (const id of ids) await remove(id);
});

test('an opt-out is never answered, nor what came long ago, nor a phone that opted out, where the type forbids it', async () => {
  const marketing = await buildTemplate(pool, {
    ...{ customerId, appId, smsType: 3 as const },
    content: 'Ten percent off. Reply T to unsubscribe',
  });
  const all = (await rule(['*'], { templateId: marketing })).body;
  const msisdn = newPhone();
  await reply(msisdn, 'STOP');
  await reply(newPhone(), 'hello', 2 * 3_600_000);
  await send();
  assert.deepEqual(await sentTo(msisdn), []);
  const later = await reply(msisdn, 'hello');
  await send();
  assert.deepEqual(await stateOf(later), { state: 'refused', refusal: 'RECIPIENT_OPTED_OUT' });
  assert.deepEqual(await sentTo(msisdn), []);
  await remove(all.ruleId);
});

test('a rule is off, over its hours or after another one: the first that answers now does', async () => {
  const hour = new Date(Date.now() + 8 * 3_600_000).getUTCHours();
  const now = { from: hour, to: (hour + 2) % 24 };
  const first = (await rule(['menu'], { hours: { from: (hour + 3) % 24, to: (hour + 5) % 24 } })).body;
  const second = (await rule(['menu'], { useState: 0 })).body;
  const third = (await rule(['menu'], { hours: now })).body;
  const tested = async () =>
    (await api.ask('member', 'POST /keyword-rules/test', { body: { appId, content: 'MENU' } })).body;
  assert.equal((await tested()).rule?.ruleId, third.ruleId);
  await change(second.ruleId, { useState: 1 });
  assert.equal((await tested()).rule?.ruleId, second.ruleId);
  await change(third.ruleId, { place: 0 });
  assert.equal((await tested()).rule?.ruleId, third.ruleId);
  const { keywordRules } = (await api.ask('viewer', 'GET /keyword-rules', { query: { appId } })).body;
  assert.deepEqual(
    keywordRules.map(({ ruleId }) => ruleId),
    [third.ruleId, first.ruleId, second.ruleId],
  );
  const optOut = await api.ask('member', 'POST /keyword-rules/test', { body: { appId, content: 'stop' } });
  assert.deepEqual(optOut.body, { isOptOut: true, rule: null });
  for (const { ruleId } of [first, second, third]) await remove(ruleId);
});

test('an answer that the rules of sending refuse is noted with the reason, and the next ones go out', async () => {
  const { ruleId } = (await rule(['refused'])).body;
  await run(pool, sql`update template set deleted_at = now() where template_id = ${templateId}`);
  const inboundId = await reply(newPhone(), 'refused');
  await send();
  await run(pool, sql`update template set deleted_at = null where template_id = ${templateId}`);
  assert.deepEqual(await stateOf(inboundId), { state: 'refused', refusal: 'TEMPLATE_NOT_FOUND' });
  const msisdn = newPhone();
  await reply(msisdn, 'refused');
  await send();
  assert.equal((await sentTo(msisdn)).length, 1);
  await remove(ruleId);
});

test('opt-out words, empty patterns, templates with values or of others, and viewers are refused', async () => {
  const withValue = await buildTemplate(pool, { customerId, appId, content: 'Order {1} is ready', smsType: 2 });
  for (const [keywords, more] of [
    [['Stop'], {}],
    [['t!'], {}],
    [['.'], {}],
    [[], {}],
    [['x'.repeat(41)], {}],
    [['x'], { templateId: withValue }],
    [['x'], { templateId: uuidV7() }],
    [['x'], { appId: api.otherAppId }],
    [['x'], { hours: { from: 1, to: 24 } }],
  ] as const)
    assert.equal((await rule(keywords, more)).status, 400, JSON.stringify([keywords, more]));
  assert.equal((await rule(['x'], {}, 'viewer')).status, 403);
  const foreign = { appId: api.otherAppId, content: 'x' };
  assert.equal((await api.ask('member', 'POST /keyword-rules/test', { body: foreign })).status, 400);
  const { ruleId } = (await rule(['mine'])).body;
  assert.equal((await change(ruleId, { useState: 0 }, 'other')).status, 404);
  await remove(ruleId);
});

test('a key with the scope of replies keeps the rules of its application', async () => {
  const { apiKey } = await buildKey(pool, { customerId, appId, scopes: ['replies'] });
  const headers = { authorization: `Bearer ${apiKey}` };
  const body = { appId, keywords: ['software'], templateId };
  const made = await api.ask(null, 'POST /keyword-rules', { body, headers });
  assert.equal(made.status, 201, made.text);
  const listed = await api.ask(null, 'GET /keyword-rules', { headers });
  assert.deepEqual(
    listed.body.keywordRules.map(({ ruleId }) => ruleId),
    [made.body.ruleId],
  );
  await remove(made.body.ruleId);
});
