/** Messages whose callbacks have a separate address, in our form and in Twilio’s, which its client verifies. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import { ClientStatus } from '@pahatid/contract/enums';
import { run, sql, uuidV7 } from '@pahatid/db';
import { buildDefaultPrice, buildPrefixes, buildSender, buildSimulatedCarriers } from '@pahatid/db/builders';
import { rotateCallbackSecret } from '@pahatid/db/queries/callback-endpoints';
import { readMessageSid, toAccountSid, toMessageSid } from '@pahatid/domain';
import { Webhook } from 'standardwebhooks';
import { makeCallbackSecret } from './sign.ts';
import { makeCallbackWorld } from './testing/callback-world.ts';
import { answers } from './testing/receiver.ts';

type Validate = (token: string, signature: string, url: string, form: Record<string, string>) => boolean;
const { validateRequest } = createRequire(import.meta.url)('twilio') as { validateRequest: Validate };

const world = await makeCallbackWorld();
const { api, receiver, dispatch } = world;
const { customerId, appId } = api;
const { pool } = api.db;
const { Accepted, Delivered, Undelivered } = ClientStatus;
const secret = makeCallbackSecret();
const endpointId = uuidV7();
const own = `${receiver.url}/own?order=10293`;

before(async () => {
  await buildSimulatedCarriers(pool, { port: 1, secrets: api.deps.secrets });
  await buildPrefixes(pool, [{ prefix: '63917', carrier: 'Globe' }]);
  await buildDefaultPrice(pool, 3_500);
  await buildSender(pool, { customerId, appId, senderId: 'SARISARI' });
});

const send = (more: object) =>
  api.ask(null, 'POST /messages', {
    headers: { authorization: api.basic.app },
    body: { to: '09171234567', smsType: 2, content: 'Your order has left.', ...more },
  });
const sent = async (more: object): Promise<bigint> => {
  const { status, body, text } = await send(more);
  assert.equal(status, 202, text);
  return BigInt((body as { messageId: string }).messageId);
};
const sendTwilio = (form: Record<string, string>) =>
  api.app.inject({
    method: 'POST',
    url: `/2010-04-01/Accounts/${toAccountSid(appId)}/Messages.json`,
    headers: {
      authorization: `Basic ${Buffer.from(`${toAccountSid(appId)}:secret-of-an-app`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ To: '+639171234567', Body: 'Your order has left.', ...form }).toString(),
  });

test('S44 a message has an address only at the server of its application’s, once that has passed its test', async () => {
  const refused = await send({ callbackUrl: own });
  assert.deepEqual([refused.status, (refused.body as { code: string }).code], [400, 'CALLBACK_URL_INVALID']);
  await run(
    pool,
    sql`insert into callback_endpoint (endpoint_id, customer_id, kind, app_id, url, state)
        values (${endpointId}, ${customerId}, 'application', ${appId}, ${receiver.url}, 'enabled')`,
  );
  const sealed = api.deps.secrets.seal('webhook-secret', secret);
  await rotateCallbackSecret(pool, { customerId, endpointId, sealed, hint: 'hint', now: new Date(), overlapMs: 0 });
  for (const callbackUrl of [
    'https://other.example/hook',
    own.replace('127.0.0.1', '127.0.0.2'),
    own.replace('//', '//a:b@'),
  ])
    assert.equal((await send({ callbackUrl })).status, 400, callbackUrl);
  assert.equal((await send({ callbackFormat: 'twilio' })).status, 400);
  await sent({ callbackUrl: own });
});

test('its callbacks go to its own address, signed as any; those of others to the application’s', async () => {
  receiver.heard.length = 0;
  const [mine, other] = [await sent({ callbackUrl: own }), await sent({})];
  await world.move([mine, other], Accepted, Delivered);
  await dispatch();
  assert.deepEqual(receiver.heard.map(({ path, body }) => [path, body.data.messageId]).toSorted(), [
    ['/hook', String(other)],
    ['/hook/own?order=10293', String(mine)],
  ]);
  for (const { text, headers, body } of receiver.heard)
    assert.deepEqual(new Webhook(secret).verify(text, headers as Record<string, string>), body);
});

test('a status callback has Twilio’s form and signature, also where the address receives arrays', async () => {
  await run(pool, sql`update callback_endpoint set batched = true where endpoint_id = ${endpointId}`);
  receiver.heard.length = 0;
  receiver.answer = answers.ok;
  const answer = await sendTwilio({ StatusCallback: own });
  assert.equal(answer.statusCode, 201, answer.payload);
  const { sid } = answer.json<{ sid: string }>();
  const messageId = BigInt(readMessageSid(sid) ?? '0');
  await world.move([messageId], Accepted, Undelivered);
  await dispatch();
  assert.equal(receiver.heard.length, 1);
  const { path, body, headers } = receiver.heard[0]!;
  assert.equal(path, '/hook/own?order=10293');
  assert.deepEqual(body, {
    AccountSid: toAccountSid(appId),
    ApiVersion: '2010-04-01',
    ErrorCode: '30003',
    From: 'SARISARI',
    MessageSid: toMessageSid(String(messageId)),
    MessageStatus: 'undelivered',
    SmsSid: sid,
    SmsStatus: 'undelivered',
    To: '+639171234567',
  });
  const signature = String(headers['x-twilio-signature']);
  assert.equal(validateRequest(secret, signature, own, body), true);
  assert.equal(validateRequest(secret, signature, own, { ...body, MessageStatus: 'delivered' }), false);
  const refused = await sendTwilio({ StatusCallback: 'https://other.example/hook' });
  assert.deepEqual([refused.statusCode, refused.json<{ code: number }>().code], [400, 21_609]);
});
