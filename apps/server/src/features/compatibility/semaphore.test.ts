/** Software that was written for Semaphore, whose API has no client library: forms as its documentation shows them. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { many, sql } from '@pahatid/db';
import { buildDefaultPrice, buildPrefixes, buildSender, buildSimulatedCarriers } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerMessages } from '../messages/routes.ts';
import { registerCompatibility } from './routes.ts';

const api = await makeTestApi({ features: [registerMessages, registerCompatibility] });
const { db, appId, customerId } = api;
const apikey = `${appId}:secret-of-an-app`;

before(async () => {
  await buildSimulatedCarriers(db.pool, { port: 1, secrets: api.deps.secrets });
  await buildPrefixes(db.pool, [{ prefix: '63917', carrier: 'Globe' }]);
  await buildDefaultPrice(db.pool, 3_500);
  await buildSender(db.pool, { customerId, appId, senderId: 'SARISARI' });
});

interface Sent {
  message_id: string;
  code: string;
  status: string;
  recipient: string;
  message: string;
  sender_name: string;
  error?: string;
}
const post = async (path: string, form: Record<string, string>, asJson = false) => {
  const answer = await api.ask(null, `POST /api/v4${path}`, {
    body: asJson ? form : new URLSearchParams(form).toString(),
    headers: { 'content-type': asJson ? 'application/json' : 'application/x-www-form-urlencoded' },
  });
  return { status: answer.status, body: answer.body as unknown as Sent[] & Record<string, string[]> };
};
const rows = (ids: readonly string[]) =>
  many<{ msisdn: string; type: number; content: string; sender: string }>(
    db.pool,
    sql`select msisdn, sms_type as type, content, client_sid as sender from message
        where message_id = any(${ids}::bigint[]) order by msisdn`,
  );

test('one text goes to several numbers, with an answer for each', async () => {
  const { status, body } = await post('/messages', {
    apikey,
    number: '09171234567, 12, 639171234568',
    message: 'We open at nine.',
    sendername: 'SARISARI',
  });
  assert.equal(status, 200);
  assert.deepEqual(
    body.map(({ recipient, status: each, sender_name: sender, error }) => [recipient, each, sender, error]),
    [
      ['09171234567', 'Queued', 'SARISARI', undefined],
      ['12', 'Failed', 'SARISARI', 'MOBILE_NUMBER_INVALID'],
      ['639171234568', 'Queued', 'SARISARI', undefined],
    ],
  );
  const ids = body.flatMap(({ message_id: id }) => id ?? []);
  assert.deepEqual(
    (await rows(ids)).map((row) => ({ ...row })),
    ['639171234567', '639171234568'].map((msisdn) => ({
      msisdn,
      type: 2,
      content: 'We open at nine.',
      sender: 'SARISARI',
    })),
  );
  const read = await api.ask(null, `GET /api/v4/messages/${ids[0]}`, { query: { apikey } });
  const [stored] = read.body as unknown as Record<string, string>[];
  assert.deepEqual(
    [stored?.['message_id'], stored?.['status'], stored?.['network'], stored?.['recipient']],
    [ids[0], 'Queued', 'Globe', '639171234567'],
  );
});

test('a code is made or taken, put into the text and sent in the lane of codes', async () => {
  const made = await post('/otp', { apikey, number: '09171234567', message: 'Your code is {otp}.' });
  const [first] = made.body;
  assert.match(first!.code, /^\d{6}$/);
  const given = await post('/otp', { apikey, number: '09171234567', message: 'Welcome.', code: '0042' }, true);
  const [second] = given.body;
  assert.deepEqual(
    (await rows([first!.message_id, second!.message_id])).map(({ type, content }) => [type, content]).toSorted(),
    [
      [1, 'Welcome. 0042'],
      [1, `Your code is ${first!.code}.`],
    ],
  );
});

test('refusals name the parameter, and no other application’s message is read', async () => {
  const good = { apikey, number: '09171234567', message: 'Hi' };
  const names = async (form: Record<string, string>) => {
    const { status, body } = await post('/messages', form);
    return [status, Object.keys(body)];
  };
  assert.deepEqual(await names({ ...good, apikey: `${appId}:wrong` }), [401, ['apikey']]);
  assert.deepEqual(await names({ number: good.number, message: 'Hi' }), [401, ['apikey']]);
  assert.deepEqual(await names({ ...good, number: '12' }), [400, ['number']]);
  assert.deepEqual(await names({ apikey, number: good.number }), [400, ['message']]);
  assert.deepEqual(await names({ ...good, sendername: 'OTHER' }), [400, ['sendername']]);
  const many1001 = Array.from({ length: 1_001 }, () => '09171234567').join(',');
  assert.deepEqual(await names({ ...good, number: many1001 }), [400, ['number']]);
  const { body } = await post('/messages', good);
  const other = { apikey: `${api.otherAppId}:secret-of-an-app` };
  const read = await api.ask(null, `GET /api/v4/messages/${body[0]!.message_id}`, { query: other });
  assert.equal(read.status, 404);
  assert.equal((await api.ask(null, 'GET /api/v4/messages/x', { query: { apikey } })).status, 404);
});
