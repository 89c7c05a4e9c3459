/** References, tags and later instants of messages: kept with them, found by them, and gone with them. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { many, messageIdFloor, one, sql, uuidV7 } from '@pahatid/db';
import {
  buildApplication,
  buildDefaultPrice,
  buildPrefixes,
  buildSender,
  buildSimulatedCarriers,
} from '@pahatid/db/builders';
import { parkHeld } from '@pahatid/db/queries/batch-parking';
import { listFunds } from '@pahatid/db/queries/customer-admin';
import { insertInbound } from '@pahatid/db/queries/inbound';
import { deleteOldExtras, eraseMessageExtras } from '@pahatid/db/queries/message-extras';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { assertAgrees } from '../../verify/testing/agrees.ts';
import { registerMessages } from './routes.ts';

const api = await makeTestApi({ features: [registerMessages] });
const { db, appId, customerId } = api;
const price = 3_500;
const dayMs = 86_400_000;
let sisterApp = '';

before(async () => {
  await buildSimulatedCarriers(db.pool, { port: 1, secrets: api.deps.secrets });
  await buildPrefixes(db.pool, [{ prefix: '63917', carrier: 'Globe' }]);
  await buildDefaultPrice(db.pool, price);
  await buildSender(db.pool, { customerId, appId, senderId: 'SARISARI' });
  await buildSender(db.pool, { customerId, appId, senderId: 'SECOND' });
  const credentials = { appSecret: 'sister-secret', smppPassword: 'sisterpw', secrets: api.deps.secrets };
  sisterApp = await buildApplication(db.pool, { customerId, credentials });
  await buildSender(db.pool, { customerId, appId: sisterApp, senderId: 'SISTER' });
});

const ask = (route: string, body?: unknown, authorization = api.basic.app, headers = {}) =>
  api.ask(null, route as 'GET /messages', {
    ...(body !== undefined && { body }),
    headers: { authorization, ...headers },
  });
const post = (body: object, authorization?: string) => ask('POST /messages', body, authorization);
const notice = { to: '09171234567', smsType: 2, content: 'Your order has left.' };
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const idsOf = async (query: string): Promise<string[]> => {
  const { status, body, text } = await ask(`GET /messages?${query}`);
  assert.equal(status, 200, text);
  return body.items.map((item) => item.messageId);
};
const sent = async (more: object): Promise<string> => {
  const { status, body, text } = await post({ ...notice, ...more });
  assert.equal(status, 202, text);
  return (body as unknown as { messageId: string }).messageId;
};
const reservedOf = async () => (await listFunds(db.pool, [customerId])).get(customerId)!.reserved;

test('a message is answered and listed with its reference, tags and instant; one without them has no row', async () => {
  const sendAt = inMs(3_600_000);
  const id = await sent({ clientRef: 'order 10293', tags: ['spring', 'vip'], sendAt });
  const plain = await sent({});
  const one = (await ask(`GET /messages/${id}`)).body as unknown as Record<string, unknown>;
  assert.partialDeepStrictEqual(one, { clientRef: 'order 10293', tags: ['spring', 'vip'], sendAt, sendStatus: 0 });
  const other = (await ask(`GET /messages/${plain}`)).body as unknown as Record<string, unknown>;
  assert.partialDeepStrictEqual(other, { clientRef: null, tags: [], sendAt: null });
  assert.deepEqual(await idsOf('clientRef=order%2010293'), [id]);
  assert.deepEqual(await idsOf('tag=vip'), [id]);
  assert.deepEqual(await idsOf('tag=vip&clientRef=order%2010293&smsType=2&phoneAddress=0917'), [id]);
  assert.deepEqual(await idsOf('tag=vip&smsType=3'), []);
  assert.deepEqual(await idsOf('tag=vip&phoneAddress=0918'), []);
  const rows = await many(db.pool, sql`select 1 from message_extra where message_id = ${plain}::bigint`);
  assert.equal(rows.length, 0);
  const csv = await ask('GET /messages?tag=vip', undefined, api.basic.app, { accept: 'text/csv' });
  assert.match(csv.text, new RegExp(`^\\uFEFF?messageId,clientRef,tags,[^\\n]*\\r?\\n${id},order 10293,spring vip,`));
});

test('a list has pages, only of its own application, and refuses a cursor of another list', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push(await sent({ tags: ['paged'] }));
  const seen: string[] = [];
  let cursor: string | null = '';
  do {
    const { body }: Awaited<ReturnType<typeof ask>> = await ask(
      `GET /messages?tag=paged&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    seen.push(...body.items.map((item) => item.messageId));
    cursor = body.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(seen, ids.toReversed());
  const sister = `Basic ${Buffer.from(`${sisterApp}:sister-secret`).toString('base64')}`;
  for (const authorization of [sister, api.basic.otherApp]) {
    const { body } = await ask('GET /messages?tag=paged', undefined, authorization);
    assert.deepEqual(body.items, []);
    assert.equal((await ask(`GET /messages/${ids[0]}`, undefined, authorization)).status, 404);
    assert.equal((await ask(`DELETE /messages/${ids[0]}`, undefined, authorization)).status, 404);
  }
  assert.equal((await ask('GET /messages?cursor=x')).status, 400);
  assert.equal((await ask(`GET /messages?appId=${sisterApp}`)).status, 400);
});

test('a reference that must be unique is given once, also by twenty concurrent calls, and by each application', async () => {
  const unique = { clientRef: 'invoice-1', clientRefUnique: true };
  const answers = await Promise.all(Array.from({ length: 20 }, () => post({ ...notice, ...unique })));
  assert.deepEqual(
    answers.map(({ status, body }) => `${status} ${(body as { code?: string }).code ?? ''}`).toSorted(),
    ['202 ', ...Array.from({ length: 19 }, () => '409 CLIENT_REF_TAKEN')],
  );
  assert.equal((await idsOf('clientRef=invoice-1')).length, 1);
  // Without the wish a reference may be repeated, and what repeats it takes it as well.
  await sent({ clientRef: 'invoice-1' });
  await sent({ clientRef: 'invoice-2' });
  assert.equal((await post({ ...notice, clientRef: 'invoice-2', clientRefUnique: true })).status, 409);
  const sister = `Basic ${Buffer.from(`${sisterApp}:sister-secret`).toString('base64')}`;
  assert.equal((await post({ ...notice, ...unique }, sister)).status, 202);
  const { body } = await post({
    messages: [1, 2].map(() => ({ ...notice, clientRef: 'pair', clientRefUnique: true })),
  });
  assert.partialDeepStrictEqual(body, { acceptedCount: 1, refusedCount: 1 });
});

test("an answer to a phone's text goes out where that came in, and names it; of another phone or application there is none", async () => {
  const text = { destination: 'SECOND', content: 'Is it open?', isOptOut: false };
  const inbound = async (of: string | null, msisdn: string): Promise<string> => {
    const [inboundId, { supplierId }] = [
      uuidV7(),
      await one<{ supplierId: string }>(db.pool, sql`select supplier_id as "supplierId" from supplier limit 1`),
    ];
    const owner = { customerId, messageId: null, appId: of, taskId: null };
    await insertInbound(db.pool, { ...text, ...owner, supplierId, inboundId, msisdn, receivedMs: Date.now() });
    return inboundId;
  };
  const replyTo = await inbound(appId, '639171234567');
  const { body: answer } = await ask(`GET /messages/${await sent({ replyTo })}`);
  assert.partialDeepStrictEqual(answer, { replyTo, clientSid: 'SECOND' });
  const { body: chosen } = await ask(`GET /messages/${await sent({ replyTo, senderId: 'SARISARI' })}`);
  assert.partialDeepStrictEqual(chosen, { replyTo, clientSid: 'SARISARI' });
  assert.equal((await ask('GET /messages?limit=1')).body.items[0]?.replyTo, replyTo);
  for (const wrong of [await inbound(appId, '639171234568'), await inbound(sisterApp, '639171234567'), uuidV7()]) {
    const { status, body } = await post({ ...notice, replyTo: wrong });
    assert.equal(status, 400);
    assert.deepEqual((body as unknown as { errors: unknown[] }).errors, [{ field: 'replyTo', code: 'NOT_FOUND' }]);
  }
});

test('what is no reference, tag or instant is refused, and nothing is written', async () => {
  const before = await one<{ n: number }>(db.pool, sql`select count(*)::int as n from message`);
  for (const [more, field] of [
    [{ clientRef: '' }, 'clientRef'],
    [{ clientRef: 'x'.repeat(65) }, 'clientRef'],
    [{ clientRef: 'a\nb' }, 'clientRef'],
    [{ clientRefUnique: true }, 'clientRef'],
    [{ tags: [] }, 'tags'],
    [{ tags: ['a', 'a'] }, 'tags'],
    [{ tags: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'tags'],
    [{ tags: ['a,b'] }, 'tags.0'],
    [{ tags: ['x'.repeat(33)] }, 'tags.0'],
    [{ sendAt: inMs(7 * dayMs + 60_000) }, 'sendAt'],
    [{ sendAt: inMs(-10 * 60_000) }, 'sendAt'],
    [{ sendAt: 'tomorrow' }, 'sendAt'],
  ] as const) {
    const { status, body } = await post({ ...notice, ...more });
    assert.equal(status, 400, JSON.stringify(more));
    assert.equal((body as unknown as { errors: { field: string }[] }).errors[0]?.field, field, JSON.stringify(more));
  }
  assert.deepEqual(await one<{ n: number }>(db.pool, sql`select count(*)::int as n from message`), before);
});

test('a later message holds its price until it is cancelled, once, and its life counts from its instant', async () => {
  const before = await reservedOf();
  const sendAt = inMs(2 * dayMs);
  const { body } = await post({ messages: [1, 2].map(() => ({ ...notice, sendAt, tags: ['later'], validFor: 600 })) });
  const [first, second] = (body as unknown as { messages: { messageId: string }[] }).messages.map((m) => m.messageId);
  const batch = await one<{ until: Date; at: Date; supplierId: string }>(
    db.pool,
    sql`select valid_until as until, not_before as at, supplier_id as "supplierId" from batch where batch_id = ${first}::bigint`,
  );
  assert.deepEqual([batch.at.toISOString(), batch.until.getTime() - batch.at.getTime()], [sendAt, 600_000]);
  assert.equal((await reservedOf()) - before, 2 * price);
  // As a claim that meets it.
  assert.equal((await parkHeld(db.pool, [{ lane: 2, supplierId: batch.supplierId, customerId }], 12)) > 0, true);
  assert.equal((await reservedOf()) - before, 2 * price);
  const cancelled = await Promise.all(Array.from({ length: 8 }, () => ask(`DELETE /messages/${first}`)));
  assert.deepEqual([...new Set(cancelled.map(({ status }) => status))], [204]);
  assert.equal((await reservedOf()) - before, price);
  assert.equal((await ask(`DELETE /messages/${second}`)).status, 204);
  assert.equal((await reservedOf()) - before, 0);
  const life = (await ask(`GET /messages/${first}`)).body as unknown as Record<string, unknown>;
  assert.partialDeepStrictEqual(life, { dealResult: 'CANCELLED', chargedCost: 0, sendStatus: 2 });
  assert.equal((await ask(`DELETE /messages/${messageIdFloor(Date.now())}`)).status, 404);
  await assertAgrees(db.pool);
});

test('a held message says until when and why: its instant, and the end of the quiet hours', async () => {
  const sendAt = inMs(3_600_000);
  const later = (await post({ ...notice, sendAt })).body as unknown as { messageId: string; hold: object };
  const expected = { reason: 'sendAt', until: sendAt };
  assert.deepEqual(later.hold, expected);
  const hold = async (id: string) =>
    ((await ask(`GET /messages/${id}`)).body as unknown as { hold: object | null }).hold;
  assert.deepEqual(await hold(later.messageId), expected);
  const now = (await post(notice)).body as unknown as { messageId: string; hold?: object };
  assert.equal(now.hold, undefined);
  assert.equal(await hold(now.messageId), null);
  // Marketing, due at 22:00 in Manila: the next morning at seven.
  const day = new Date(Date.now() + 8 * 3_600_000 + 2 * dayMs).toISOString().slice(0, 10);
  const night = `${day}T22:00:00.000+08:00`;
  const marketing = { to: '09171234567', smsType: 3, content: 'Big sale today. Reply T to unsubscribe' };
  const sale = (await post({ ...marketing, sendAt: night })).body as unknown as { messageId: string; hold: object };
  const morning = { reason: 'sendAt', until: new Date(Date.parse(night) + 9 * 3_600_000).toISOString() };
  assert.deepEqual(sale.hold, morning);
  assert.deepEqual(await hold(sale.messageId), morning);
});

test('references and tags go with their message: when it is too old, and when its number is erased', async () => {
  const old = await sent({ clientRef: 'gone', tags: ['gone'] });
  const left = async () =>
    (await many(db.pool, sql`select 1 from message_tag where message_id = ${old}::bigint`)).length +
    (await many(db.pool, sql`select 1 from message_extra where message_id = ${old}::bigint`)).length;
  assert.equal(await deleteOldExtras(db.pool, customerId, new Date(Date.now() - 60_000), 10), 0);
  assert.equal(await left(), 2);
  await eraseMessageExtras(db.pool, customerId, [old]);
  assert.equal(await left(), 0);
  const next = await sent({ clientRef: 'gone', clientRefUnique: true });
  await deleteOldExtras(db.pool, customerId, new Date(Date.now() + 60_000), 10_000);
  assert.deepEqual(await many(db.pool, sql`select 1 from message_extra where customer_id = ${customerId}`), []);
  assert.deepEqual(await many(db.pool, sql`select 1 from message_tag where customer_id = ${customerId}`), []);
  assert.equal((await ask(`GET /messages/${next}`)).status, 200);
});
