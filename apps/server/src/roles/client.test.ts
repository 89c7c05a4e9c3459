/** The published client against a running server. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Pahatid, PahatidError, verifyCallback } from '@pahatid/client';
import { one, run, sql } from '@pahatid/db';
import { buildDefaultPrice, buildKey, buildSender, buildSimulatedCarriers, buildTemplate } from '@pahatid/db/builders';
import { makeCallbackSecret, signCallback } from '../callbacks/sign.ts';
import { registerMessages } from '../features/messages/routes.ts';
import { registerTemplates } from '../features/templates/routes.ts';
import { registerVerifications } from '../features/verifications/routes.ts';
import { makeTestApi } from '../http/testing/test-api.ts';

const api = await makeTestApi({ features: [registerMessages, registerTemplates, registerVerifications] });
const { pool } = api.db;
const credentials = { appId: api.appId, appSecret: 'secret-of-an-app', timeoutMs: 60_000 };
const text = { to: '0917 123 4567', smsType: 2 as const, content: 'Your order is ready.' };
let baseUrl: string;

before(async () => {
  const { customerId, appId } = api;
  await buildSimulatedCarriers(pool, { port: 1, secrets: api.deps.secrets });
  await buildDefaultPrice(pool, 3_500);
  await buildSender(pool, { customerId, appId, senderId: 'SARISARI' });
  await run(pool, sql`insert into balance (customer_id, writer, amount) values (${customerId}, 254, 1000000)`);
  baseUrl = await api.app.listen({ host: '127.0.0.1', port: 0 });
});

const countMessages = async (): Promise<number> =>
  (await one<{ count: number }>(pool, sql`select count(*)::int as count from message`)).count;

test('it sends one and several messages and reads their status', async () => {
  const pahatid = new Pahatid({ baseUrl: `${baseUrl}/`, ...credentials });
  assert.partialDeepStrictEqual(await pahatid.messages.preview(text), { refusal: null, pkgTotal: 1 });
  const { messageId, pkgTotal } = await pahatid.messages.send(text);
  assert.equal(pkgTotal, 1);
  assert.partialDeepStrictEqual(await pahatid.messages.get(messageId), { messageId, clientStatus: 0 });
  const { acceptedCount, refusedCount, messages } = await pahatid.messages.sendMany([text, { ...text, to: 'nobody' }]);
  assert.deepEqual([acceptedCount, refusedCount], [1, 1]);
  assert.ok('messageId' in messages[0]! && 'error' in messages[1]!);
});

test('it cancels a message that no carrier has, and checks codes', async () => {
  const pahatid = new Pahatid({ baseUrl, ...credentials });
  const { messageId } = await pahatid.messages.send(text);
  await pahatid.messages.cancel(messageId);
  assert.notEqual((await pahatid.messages.get(messageId)).clientStatus, 0);
  const { verificationId } = await pahatid.verifications.start({ to: '09181234567' });
  const checked = await pahatid.verifications.check(verificationId, '000000');
  assert.deepEqual([checked.isCorrect, checked.status], [false, 'pending']);
  await pahatid.verifications.cancel(verificationId);
  assert.equal((await pahatid.verifications.get(verificationId)).status, 'cancelled');
});

test('a lost answer is asked for again, and nothing is sent twice', async () => {
  let lost = 0;
  const losing: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    if (lost > 0) return response;
    lost += 1;
    await response.text();
    throw new TypeError('the connection was closed');
  };
  const pahatid = new Pahatid({ baseUrl, ...credentials, fetch: losing });
  const before = await countMessages();
  const { messageId } = await pahatid.messages.send(text);
  assert.equal(lost, 1);
  assert.equal(await countMessages(), before + 1);
  const options = { idempotencyKey: 'order-1-ready' };
  const [first, second] = [await pahatid.messages.send(text, options), await pahatid.messages.send(text, options)];
  assert.equal(first.messageId, second.messageId);
  assert.notEqual(first.messageId, messageId);
});

test('refusals are errors with the code, the fields and the request by which the log is searched', async () => {
  const pahatid = new Pahatid({ baseUrl, ...credentials });
  const refused = async (call: Promise<unknown>): Promise<PahatidError> => {
    const error = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof PahatidError, String(error));
    return error;
  };
  const nobody = await refused(pahatid.messages.send({ ...text, to: 'nobody' }));
  assert.equal(nobody.status, 400);
  assert.equal(nobody.code, 'MOBILE_NUMBER_INVALID');
  assert.match(nobody.requestId ?? '', /^.{8,}$/);
  const long = await refused(pahatid.messages.send({ ...text, senderId: 'A sender ID that is much too long' }));
  assert.deepEqual([long.code, long.errors[0]?.field], ['VALIDATION_FAILED', 'senderId']);
  const stranger = new Pahatid({ baseUrl, ...credentials, appSecret: 'wrong' });
  assert.equal((await refused(stranger.messages.get('1'))).code, 'APP_CREDENTIALS_INVALID');
  const noApi = new Pahatid({ baseUrl: `${baseUrl}/elsewhere`, ...credentials });
  assert.equal((await refused(noApi.messages.get('1'))).status, 404);
});

test('a key reads all pages of a list, and is told the scope that it lacks', async () => {
  const { customerId, appId } = api;
  const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth'];
  for (const templateName of names) await buildTemplate(pool, { customerId, appId, templateName });
  const { apiKey: key } = await buildKey(pool, { customerId, appId, scopes: ['templates'] });
  let pages = 0;
  const counting: typeof fetch = (...request) => {
    pages += 1;
    return fetch(...request);
  };
  const pahatid = new Pahatid({ baseUrl, key, fetch: counting, timeoutMs: 60_000 });
  const found: string[] = [];
  for await (const { templateName } of pahatid.each('GET /templates', { query: { limit: 2 } }))
    found.push(templateName);
  assert.deepEqual(found.toSorted(), names.toSorted());
  assert.equal(pages, 3);
  const refused = await pahatid.messages.send(text).catch((error: unknown) => error);
  assert.ok(refused instanceof PahatidError);
  assert.equal(refused.status, 403);
  assert.match(JSON.stringify(refused.params), /messages:send/);
});

test('callbacks that the server signs are verified', async () => {
  const secret = makeCallbackSecret();
  const body = JSON.stringify({ type: 'message.status', data: { content: 'salamat' } });
  const headers = signCallback('0190a5f0-0000-7000-8000-000000000000', new Date(), body, [
    makeCallbackSecret(),
    secret,
  ]);
  assert.deepEqual(await verifyCallback(body, { ...headers }, secret), JSON.parse(body));
});
