/** Software that was written for Twilio, with Twilio's own client: another base URL, SID and token are all that changes. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { one, run, sql } from '@pahatid/db';
import {
  buildDefaultPrice,
  buildPrefixes,
  buildSender,
  buildSimulatedCarriers,
  buildTemplate,
} from '@pahatid/db/builders';
import { readMessageSid, toAccountSid } from '@pahatid/domain';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerMessages } from '../messages/routes.ts';
import { registerCompatibility } from './routes.ts';

/** What is used of the client. Its own types are 20 MB, which every check of types would read. */
interface TwilioMessage {
  sid: string;
  accountSid: string;
  status: string;
  to: string;
  from: string | null;
  body: string;
  numSegments: string;
  price: string | null;
  priceUnit: string;
  dateCreated: Date;
  errorCode: number | null;
}
interface TwilioClient {
  messages: ((sid: string) => {
    fetch(): Promise<TwilioMessage>;
    update(fields: { status: 'canceled' }): Promise<TwilioMessage>;
  }) & {
    list(filter: Record<string, unknown>): Promise<TwilioMessage[]>;
    create(fields: Record<string, unknown>): Promise<TwilioMessage>;
  };
}
interface Request {
  uri: string;
}
interface Twilio {
  (accountSid: string, authToken: string, options: { httpClient: object }): TwilioClient;
  RequestClient: new () => { request(options: Request): Promise<unknown> };
}
const twilio = createRequire(import.meta.url)('twilio') as Twilio;

const api = await makeTestApi({ features: [registerMessages, registerCompatibility] });
const { db, appId, customerId } = api;
let base = '';

before(async () => {
  await buildSimulatedCarriers(db.pool, { port: 1, secrets: api.deps.secrets });
  await buildPrefixes(db.pool, [{ prefix: '63917', carrier: 'Globe' }]);
  await buildDefaultPrice(db.pool, 3_500);
  await buildSender(db.pool, { customerId, appId, senderId: 'SARISARI' });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
});

/** The client as its users point it elsewhere: by another HTTP client. */
const connect = (accountSid: string, token: string): TwilioClient => {
  class OtherHost extends twilio.RequestClient {
    override request(options: Request): Promise<unknown> {
      return super.request({ ...options, uri: options.uri.replace('https://api.twilio.com', base) });
    }
  }
  return twilio(accountSid, token, { httpClient: new OtherHost() });
};
const client = (): TwilioClient => connect(toAccountSid(appId), 'secret-of-an-app');
const refusal = async (sent: Promise<unknown>): Promise<unknown[]> => {
  const error = (await sent.then(
    () => assert.fail('was accepted'),
    (reason: unknown) => reason,
  )) as { status: number; code: number; moreInfo: string };
  assert.match(error.moreInfo, /\/docs\//);
  return [error.status, error.code];
};

test('a text is sent and read again', async () => {
  const message = await client().messages.create({
    to: '+639171234567',
    from: 'SARISARI',
    body: 'Your order 10293 has left.',
    validityPeriod: 3_600,
  });
  assert.deepEqual(
    [message.status, message.to, message.from, message.body, message.numSegments, message.accountSid],
    ['queued', '+639171234567', 'SARISARI', 'Your order 10293 has left.', '1', toAccountSid(appId)],
  );
  assert.deepEqual([message.price, message.priceUnit], [null, 'PHP']);
  const waiting = await client().messages(message.sid).fetch();
  assert.deepEqual([waiting.status, waiting.price], ['queued', null]);
  assert.ok(Math.abs(message.dateCreated.getTime() - Date.now()) < 60_000);
  const row = await one<Record<string, unknown>>(
    db.pool,
    sql`select app_id as "appId", msisdn, client_sid as sender, sms_type as "smsType", content, task_id as "taskId"
        from message where message_id = ${readMessageSid(message.sid)}::bigint`,
  );
  assert.deepEqual(
    { ...row },
    {
      appId,
      msisdn: '639171234567',
      sender: 'SARISARI',
      smsType: 2,
      content: 'Your order 10293 has left.',
      taskId: null,
    },
  );
  await run(
    db.pool,
    sql`update message set send_status = 3, client_status = 2, report_at = now() where message_id = ${readMessageSid(message.sid)}::bigint`,
  );
  const read = await client().messages(message.sid).fetch();
  assert.deepEqual([read.status, read.sid, read.to, read.errorCode], ['delivered', message.sid, '+639171234567', null]);
  const [listed] = await client().messages.list({ to: '+639171234567', limit: 1 });
  for (const charged of [read, listed]) assert.deepEqual([charged?.price, charged?.priceUnit], ['-0.35', 'PHP']);
});

test('a template is sent as content with its variables', async () => {
  const templateId = await buildTemplate(db.pool, { customerId, appId, content: 'Hello {1}, order {2} is ready.' });
  const contentSid = `HX${templateId.replaceAll('-', '')}`;
  const contentVariables = JSON.stringify({ 1: 'Ana', 2: '77' });
  const message = await client().messages.create({ to: '+639171234567', contentSid, contentVariables });
  assert.equal(message.from, 'SARISARI', 'the sender ID that was chosen');
  const read = await client().messages(message.sid).fetch();
  assert.deepEqual([read.body, read.from], ['Hello Ana, order 77 is ready.', 'SARISARI']);
});

test('messages are listed over pages, and one that waits is cancelled', async () => {
  const to = '+639171234599';
  const sids: string[] = [];
  for (const text of ['One', 'Two', 'Three'])
    sids.unshift((await client().messages.create({ to, body: text, from: 'SARISARI' })).sid);
  const listed = await client().messages.list({ to, pageSize: 2, dateSentAfter: new Date(Date.now() - 3_600_000) });
  assert.deepEqual(
    listed.map(({ sid, status }) => [sid, status]),
    sids.map((sid) => [sid, 'queued']),
  );
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const later = await client().messages.create({ to, body: 'Later', sendAt, scheduleType: 'fixed' });
  assert.equal((await client().messages(later.sid).update({ status: 'canceled' })).status, 'canceled');
});

test('refusals have the status and the code that its users know', async () => {
  const { messages } = client();
  const to = '+639171234567';
  assert.deepEqual(await refusal(messages.create({ to: '12', body: 'Hi' })), [400, 21_211]);
  assert.deepEqual(await refusal(messages.create({ to })), [400, 21_602]);
  assert.deepEqual(await refusal(messages.create({ to, body: 'x'.repeat(501) })), [400, 30_007]);
  assert.deepEqual(await refusal(messages.create({ to, body: 'Hi', from: 'OTHER' })), [400, 21_606]);
  assert.deepEqual(await refusal(messages.create({ to, contentSid: `HX${'0'.repeat(32)}` })), [400, 21_655]);
  const mediaUrl = ['https://shop.example/a.png'];
  assert.deepEqual(await refusal(messages.create({ to, body: 'Hi', mediaUrl })), [400, 21_620]);
  assert.deepEqual(await refusal(messages('SM00').fetch()), [404, 20_404]);
  assert.deepEqual(
    await refusal(connect(toAccountSid(appId), 'wrong').messages.create({ to, body: 'Hi' })),
    [401, 20_003],
  );
});

test('an application reads and sends as itself alone', async () => {
  const { sid } = await client().messages.create({ to: '+639171234567', body: 'Mine' });
  const other = connect(toAccountSid(api.otherAppId), 'secret-of-an-app');
  assert.deepEqual(await refusal(other.messages(sid).fetch()), [404, 20_404]);
  // The credentials of one account do not open another one.
  const url = `${base}/2010-04-01/Accounts/${toAccountSid(api.otherAppId)}/Messages/${sid}.json`;
  const authorization = `Basic ${Buffer.from(`${toAccountSid(appId)}:secret-of-an-app`).toString('base64')}`;
  assert.equal((await fetch(url, { headers: { authorization } })).status, 401);
  assert.equal((await fetch(url, { headers: { cookie: api.users.owner.cookie } })).status, 401);
});

test('a call that is repeated with its token is accepted once', async () => {
  const url = `${base}/2010-04-01/Accounts/${toAccountSid(appId)}/Messages.json`;
  const send = async (): Promise<string> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${toAccountSid(appId)}:secret-of-an-app`).toString('base64')}`,
        'i-twilio-idempotency-token': 'order-10293',
      },
      body: new URLSearchParams({ To: '+639171234567', Body: 'Once' }),
    });
    assert.equal(answer.status, 201);
    return ((await answer.json()) as { sid: string }).sid;
  };
  const sids = await Promise.all([send(), send(), send()]);
  assert.equal(new Set([...sids, await send()]).size, 1);
});
