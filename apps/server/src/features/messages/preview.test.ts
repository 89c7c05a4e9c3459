/** A message is previewed by the rules that would accept it, and nothing of it is kept. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { run, sql, uuidV7 } from '@pahatid/db';
import {
  buildApplication,
  buildCustomer,
  buildDefaultPrice,
  buildKey,
  buildPrefixes,
  buildSender,
  buildSimulatedCarriers,
  buildTemplate,
} from '@pahatid/db/builders';
import { manilaHour } from '@pahatid/domain';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { digestTables } from '../../security/testing/digest-tables.ts';
import { registerMessages } from './routes.ts';

const api = await makeTestApi({ features: [registerMessages] });
const { db, appId, customerId } = api;
const price = 3_500;
const notice = { to: '0917 555 0142', smsType: 2, content: 'Parcel 4417 is here.' };
const marketing = { to: notice.to, smsType: 3, content: 'Big sale today. Reply T to unsubscribe' };

before(async () => {
  await buildSimulatedCarriers(db.pool, { port: 1, secrets: api.deps.secrets });
  await buildPrefixes(db.pool, [{ prefix: '63917', carrier: 'Globe' }]);
  await buildDefaultPrice(db.pool, price);
  await buildSender(db.pool, { customerId, appId, senderId: 'SARISARI' });
});

const ask = (body: object, authorization = api.basic.app) =>
  api.ask(null, 'POST /messages/preview', { body, headers: { authorization } });

/** Of a message, while no row of any table changes; the first call of a process takes its number as a writer. */
const preview = async (body: object, authorization?: string) => {
  const stored = await digestTables(db.pool, ['writer_lease']);
  const answer = await ask(body, authorization);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(await digestTables(db.pool, ['writer_lease']), stored);
  return answer.body;
};

const addShop = async (balance?: number) => {
  const shop = await buildCustomer(db.pool, balance === undefined ? {} : { balance });
  const credentials = { appSecret: 'shop-secret', smppPassword: 'shoppass', secrets: api.deps.secrets };
  const id = await buildApplication(db.pool, { customerId: shop, credentials });
  await buildSender(db.pool, { customerId: shop, appId: id, senderId: 'SHOP' });
  return { customerId: shop, authorization: `Basic ${Buffer.from(`${id}:shop-secret`).toString('base64')}` };
};

test('a text shows its number, carrier, segments and price', async () => {
  assert.deepEqual(await preview(notice), {
    refusal: null,
    phoneAddress: '639175550142',
    areaCode: 'PH',
    carrier: 'Globe',
    clientSid: 'SARISARI',
    smsType: 2,
    content: notice.content,
    encoding: 'GSM-7',
    characters: 20,
    pkgTotal: 1,
    price,
    cost: price,
    findings: [],
    hold: null,
  });
  const long = await preview({ ...notice, content: '包裹已到。'.repeat(20) });
  const { encoding, characters, pkgTotal, cost } = long;
  assert.deepEqual(
    { encoding, characters, pkgTotal, cost },
    { encoding: 'UCS-2', characters: 100, pkgTotal: 2, cost: 2 * price },
  );
});

test('a template is filled in; one of another customer is not found', async () => {
  const templateId = await buildTemplate(db.pool, { customerId, appId, content: 'Hi {1}, order {2} is ready.' });
  const { to } = notice;
  const filled = await preview({ to, templateId, variables: ['Ana', '77'] });
  assert.partialDeepStrictEqual(filled, {
    content: 'Hi Ana, order 77 is ready.',
    smsType: 2,
    cost: price,
    refusal: null,
  });
  const { refusal, content } = await preview({ to, templateId, variables: ['Ana'] });
  assert.deepEqual([refusal.code, content], ['VALUES_MISSING', null]);
  const foreign = await preview({ to, templateId, variables: ['Ana', '77'] }, (await addShop()).authorization);
  assert.equal(foreign.refusal.code, 'TEMPLATE_NOT_FOUND');
  assert.equal(foreign.content, null);
});

test('what would be refused says why, with every finding in its text', async () => {
  const wrong = await preview({ ...notice, to: '12' });
  assert.deepEqual(wrong.refusal, { code: 'MOBILE_NUMBER_INVALID', params: { reason: 'TOO_SHORT' } });
  assert.partialDeepStrictEqual(wrong, { phoneAddress: null, carrier: null, pkgTotal: 1, price: null });
  const { refusal, findings, carrier } = await preview({ ...notice, content: 'Buy now ★' });
  assert.deepEqual([refusal.code, carrier], ['CONTENT_INVALID', 'Globe']);
  const errors = findings.filter(({ severity }: { severity: string }) => severity === 'error');
  assert.partialDeepStrictEqual(errors, [{ code: 'UNSUPPORTED_SYMBOL', from: 8, to: 9 }]);
  const open = await preview({ ...notice, content: 'Your code is {1}' });
  assert.deepEqual([open.refusal.code, open.findings[0].code], ['CONTENT_INVALID', 'VARIABLES_WITHOUT_TEMPLATE']);
  const abroad = await preview({ ...notice, to: '+14155550142' });
  assert.deepEqual([abroad.refusal.code, abroad.price], ['COUNTRY_NOT_OPEN', null]);
});

test('a later message says until when it waits, marketing at night until the morning', async () => {
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  assert.deepEqual((await preview({ ...notice, sendAt })).hold, { reason: 'sendAt', until: sendAt });
  const shop = await addShop();
  // All but one hour of the day, which is not now.
  const [to, from] = manilaHour(Date.now()) < 14 ? [20, 21] : [7, 8];
  await run(
    db.pool,
    sql`update customer set quiet_from = ${from}, quiet_to = ${to} where customer_id = ${shop.customerId}`,
  );
  const { hold, refusal } = await preview(marketing, shop.authorization);
  assert.equal(refusal, null);
  assert.equal(hold.reason, 'quietHours');
  assert.match(hold.until, new RegExp(`T${String((to + 16) % 24).padStart(2, '0')}:00:00\\.000Z$`));
  assert.equal((await preview({ ...notice }, shop.authorization)).hold, null);
});

test('limits and money are looked at and not used', async () => {
  const poor = await addShop(price - 1);
  const unpaid = await preview(notice, poor.authorization);
  assert.deepEqual(unpaid.refusal, { code: 'BALANCE_TOO_LOW', params: { needed: price, available: price - 1 } });
  assert.deepEqual([unpaid.price, unpaid.hold], [price, null]);
  const shop = await addShop();
  await run(
    db.pool,
    sql`insert into threshold (threshold_id, customer_id, kind, period, unit, limit_at)
        values (${uuidV7()}, ${shop.customerId}, 'volume', 'month', 'messages', 1)`,
  );
  for (let n = 0; n < 2; n += 1) assert.equal((await preview(notice, shop.authorization)).refusal, null);
  const headers = { authorization: shop.authorization };
  assert.equal((await api.ask(null, 'POST /messages', { body: notice, headers })).status, 202);
  const { refusal } = await preview(notice, shop.authorization);
  assert.equal(refusal.code, 'VOLUME_LIMITED');
  assert.ok(Number(refusal.params?.retryAfterS) > 0);
});

test('it takes the scope of sending, and the fields of one message alone', async () => {
  const reader = await buildKey(db.pool, { customerId, appId, scopes: ['messages:read'] });
  const refused = await ask(notice, `Bearer ${reader.apiKey}`);
  assert.deepEqual([refused.status, refused.body.params], [403, { scope: 'messages:send' }]);
  const sender = await buildKey(db.pool, { customerId, appId, scopes: ['messages:send'] });
  assert.equal((await ask(notice, `Bearer ${sender.apiKey}`)).status, 200);
  assert.equal((await api.ask('member', 'POST /messages/preview', { body: notice })).status, 401);
  for (const body of [
    {},
    { messages: [notice] },
    { ...notice, templateId: uuidV7() },
    { ...notice, smsType: undefined },
  ])
    assert.equal((await ask(body)).body.code, 'VALIDATION_FAILED', JSON.stringify(body));
});
