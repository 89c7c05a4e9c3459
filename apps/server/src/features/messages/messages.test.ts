import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { many, one, run, sql, uuidV7 } from '@pahatid/db';
import {
  buildApplication,
  buildCustomer,
  buildDefaultPrice,
  buildPrefixes,
  buildSender,
  buildSimulatedCarriers,
  buildTemplate,
  type SimulatedCarriers,
} from '@pahatid/db/builders';
import { makeApp } from '../../http/app.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerMessages } from './routes.ts';

const api = await makeTestApi({ features: [registerMessages] });
const { db, appId, customerId } = api;
const price = 3_500;
let carriers: SimulatedCarriers;

before(async () => {
  carriers = await buildSimulatedCarriers(db.pool, { port: 1, secrets: api.deps.secrets });
  await buildPrefixes(db.pool, [
    { prefix: '63917', carrier: 'Globe' },
    { prefix: '63918', carrier: 'Smart' },
  ]);
  await buildDefaultPrice(db.pool, price);
  await buildSender(db.pool, { customerId, appId, senderId: 'SARISARI' });
  await buildSender(db.pool, { customerId, appId, senderId: 'PENDING', auditStatus: 0 });
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.ask(null, 'POST /messages', { body, headers: { authorization: api.basic.app, ...headers } });
const rowsOf = (...messageIds: string[]) =>
  many<Record<string, unknown>>(
    db.pool,
    sql`select * from message where message_id = any(${messageIds}::bigint[]) order by message_id`,
  );
const countAll = async (table: 'message' | 'batch') =>
  (await one<{ n: number }>(db.pool, sql`select count(*)::int as n from ${sql.ref(table)}`)).n;

/** A customer with a separate application, so that tests do not share money and limits. */
const addShop = async (more: Parameters<typeof buildCustomer>[1] = {}) => {
  const shop = await buildCustomer(db.pool, more);
  const credentials = { appSecret: 'shop-secret', smppPassword: 'shoppass', secrets: api.deps.secrets };
  const id = await buildApplication(db.pool, { customerId: shop, credentials });
  await buildSender(db.pool, { customerId: shop, appId: id, senderId: 'SHOP' });
  const authorization = `Basic ${Buffer.from(`${id}:shop-secret`).toString('base64')}`;
  return { customerId: shop, appId: id, authorization, post: (body: unknown) => post(body, { authorization }) };
};
const code = { smsType: 1, content: 'Your code is 123456.' };

test('a message is durable with its batch when it is answered, of no task, in the lane of its type', async () => {
  const answer = await post({ to: '0917 123 4567', senderId: 'sarisari', ...code });
  assert.equal(answer.status, 202, answer.text);
  assert.deepEqual(Object.keys(answer.body).toSorted(), ['messageId', 'pkgTotal']);
  assert.equal(answer.body.pkgTotal, 1);
  const [row] = await rowsOf(answer.body.messageId);
  assert.ok(row);
  assert.deepEqual(
    [row.msisdn, row.client_sid, row.task_id, row.content, row.carrier, row.price, row.send_status, row.supplier_id],
    ['639171234567', 'SARISARI', null, code.content, 'Globe', price, 0, carriers.suppliers.Globe],
  );
  const batch = await one<{ lane: number; state: number; cost: string }>(
    db.pool,
    sql`select lane, state, cost from batch where batch_id = ${answer.body.messageId}::bigint`,
  );
  assert.deepEqual({ ...batch }, { lane: 1, state: 0, cost: String(price) });
});

const setValidFor = (verification: number | null, id = appId) =>
  run(
    db.pool,
    sql`update application set valid_for = ${JSON.stringify({ verification, notification: null, marketing: null })} where app_id = ${id}`,
  );
const lifeOf = async (messageId: string): Promise<number | null> => {
  const row = await one<{ s: number | null }>(
    db.pool,
    sql`select round(extract(epoch from valid_until - clock_timestamp()) / 10)::int * 10 as s from batch
        where batch_id <= ${messageId}::bigint order by batch_id desc limit 1`,
  );
  return row.s;
};

test('a message may wait as long as its send type allows, or as the call shortens it', async () => {
  const to = '09171234567';
  const notice = { smsType: 2, content: 'Your order has left.' };
  const marketing = { smsType: 3, content: 'Big sale today. Reply T to unsubscribe' };
  for (const [body, expected] of [
    [{ ...code, to }, 300],
    [{ ...code, to, validFor: 120 }, 120],
    [{ ...notice, to }, 86_400],
    [{ ...notice, to, validFor: 600 }, 600],
    [{ ...marketing, to }, null],
    [{ ...marketing, to, validFor: 3_600 }, 3_600],
  ] as const) {
    const answer = await post(body);
    assert.equal(answer.status, 202, answer.text);
    assert.equal(await lifeOf(answer.body.messageId), expected);
  }
  const mixed = await post({
    messages: [
      { ...code, to, validFor: 60 },
      { ...code, to },
    ],
  });
  assert.equal(mixed.status, 202, mixed.text);
  const ids: string[] = mixed.body.messages.map((each: { messageId: string }) => each.messageId);
  assert.deepEqual(await Promise.all(ids.map(lifeOf)), [60, 300]);
});

test('a call extends nothing; each application has its own limit', async () => {
  const shop = await addShop();
  await setValidFor(60, shop.appId);
  const entry = { ...code, to: '09171234567' };
  assert.equal((await shop.post({ ...entry, validFor: 60 })).status, 202);
  const refused = await shop.post({ ...entry, validFor: 61 });
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.errors],
    [400, 'VALIDATION_FAILED', [{ field: 'validFor', code: 'INVALID', params: { maximum: 60 } }]],
  );
  assert.equal((await post({ ...entry, validFor: 61 })).status, 202);
  const { body } = await shop.post({ messages: [{ ...entry, validFor: 100 }, entry] });
  assert.deepEqual([body.acceptedCount, body.messages[0].error.code], [1, 'VALIDATION_FAILED']);
  for (const validFor of [0, 29, 60.5, '60', 604_801, null])
    assert.equal((await post({ ...entry, validFor })).status, 400, String(validFor));
  assert.equal((await post({ messages: [entry], validFor: 60 })).status, 400);
});

test('a template is filled with the values given, by the version that serves', async () => {
  const templateId = await buildTemplate(db.pool, { customerId, appId, content: 'Hi {1}, order {2} is ready.' });
  const answer = await post({ to: '09181234567', templateId, variables: ['Ana', '77'] });
  assert.equal(answer.status, 202, answer.text);
  const [row] = await rowsOf(answer.body.messageId);
  assert.deepEqual([row?.content, row?.sms_type, row?.client_sid], ['Hi Ana, order 77 is ready.', 2, 'SARISARI']);
});

test('a message keeps the template that it was sent with, each of a call its own, and none where its text came whole', async () => {
  const made = [1, 2].map(() => buildTemplate(db.pool, { customerId, appId, content: 'Hi {1}.' }));
  const [first, second] = await Promise.all(made);
  const entry = (templateId?: string) => ({
    to: '09181234568',
    ...(templateId === undefined ? code : { templateId, variables: ['Ana'] }),
  });
  const answer = await post({ messages: [entry(first), entry(), entry(second), entry(first)] });
  assert.equal(answer.status, 202, answer.text);
  const ids: string[] = answer.body.messages.map((each: { messageId: string }) => each.messageId);
  const templateOf = new Map((await rowsOf(...ids)).map((row) => [row['message_id'], row['template_id']]));
  assert.deepEqual(
    ids.map((id) => templateOf.get(id)),
    [first, null, second, first],
  );
});

test('what breaks a rule is refused with its code, and nothing is written', async () => {
  const own = { customerId, appId };
  const pending = await buildTemplate(db.pool, { ...own, auditStatus: 0 });
  const template = await buildTemplate(db.pool, { ...own, content: 'Hi {1}, order {2} is ready.' });
  const foreign = await buildTemplate(db.pool, { customerId: api.otherCustomerId, appId: api.otherAppId });
  await run(
    db.pool,
    sql`insert into opt_out (customer_id, msisdn, source, created_at) values (${customerId}, '639170000099', 'reply', now())`,
  );
  const to = '09171234567';
  const marketing = { smsType: 3, content: 'Big sale today. Reply T to unsubscribe' };
  const before = [await countAll('message'), await countAll('batch')];
  for (const [body, status, expected, field] of [
    [{ ...code, to: '12' }, 400, 'MOBILE_NUMBER_INVALID'],
    [{ ...code, to: '(02) 8123 4567' }, 400, 'MOBILE_NUMBER_INVALID'],
    [{ ...code, to, content: 'Buy now ★' }, 400, 'CONTENT_INVALID', 'content'],
    [{ ...code, to, content: 'Your code is {1}' }, 400, 'CONTENT_INVALID', 'content'],
    [{ to, smsType: 3, content: 'Big sale today' }, 400, 'CONTENT_INVALID', 'content'],
    [{ ...code, to, senderId: 'PENDING' }, 409, 'SENDER_NOT_SENDABLE'],
    [{ ...code, to, senderId: 'STRANGER' }, 409, 'SENDER_NOT_SENDABLE'],
    [{ ...marketing, to: '09170000099' }, 409, 'RECIPIENT_OPTED_OUT'],
    [{ to, templateId: pending }, 409, 'TEMPLATE_NOT_SENDABLE'],
    [{ to, templateId: foreign }, 400, 'TEMPLATE_NOT_FOUND'],
    [{ to, templateId: uuidV7() }, 400, 'TEMPLATE_NOT_FOUND'],
    [{ to, templateId: template, smsType: 3, variables: ['a', 'b'] }, 409, 'TEMPLATE_TYPE_MISMATCH'],
    [{ to, templateId: template, variables: ['a'] }, 400, 'VALUES_MISSING'],
    [{ to, templateId: template, variables: ['a', 'b', 'c'] }, 400, 'VALIDATION_FAILED', 'variables'],
    [{ to, templateId: template, variables: ['bit.ly/x', 'b'] }, 400, 'VALIDATION_FAILED', 'variables'],
    [{ ...code }, 400, 'VALIDATION_FAILED', 'to'],
    [{ to, content: 'Hello there' }, 400, 'VALIDATION_FAILED', 'smsType'],
    [{ to, smsType: 2 }, 400, 'VALIDATION_FAILED', 'content'],
    [{ ...code, to, templateId: template }, 400, 'VALIDATION_FAILED', 'templateId'],
    [{ to, messages: [{ to, ...code }] }, 400, 'VALIDATION_FAILED', 'to'],
    [{ messages: [] }, 400, 'VALIDATION_FAILED', 'messages'],
    [{ messages: Array.from({ length: 1_001 }, () => ({ to, ...code })) }, 400, 'VALIDATION_FAILED', 'messages'],
    [{ messages: [{ to, ...code }, { ...code }] }, 400, 'VALIDATION_FAILED', 'messages.1.to'],
  ] as const) {
    const answer = await post(body);
    const said = JSON.stringify(body).slice(0, 120);
    assert.deepEqual([answer.status, answer.body.code], [status, expected], `${said}: ${answer.text}`);
    if (field !== undefined)
      assert.ok(
        answer.body.errors.some((each: { field: string }) => each.field === field),
        `${said}: ${answer.text}`,
      );
  }
  assert.deepEqual([await countAll('message'), await countAll('batch')], before);
  // Codes are also sent to recipients that opted out of marketing.
  assert.equal((await post({ ...code, to: '09170000099' })).status, 202);
});

test('of many the good ones are accepted together, the others answered in their places', async () => {
  const answer = await post({
    messages: [
      { to: '09171111111', ...code },
      { to: 'nobody', ...code },
      { to: '09181111112', smsType: 2, content: 'Order ready.' },
      { to: '09171111113', smsType: 1, content: 'Buy ★' },
      { to: '09171111114', ...code },
    ],
  });
  assert.equal(answer.status, 202, answer.text);
  const { acceptedCount, refusedCount, messages } = answer.body;
  assert.deepEqual([acceptedCount, refusedCount], [3, 2]);
  assert.deepEqual(
    messages.map((each: { messageId?: string; error?: { code: string } }) => each.error?.code ?? 'ok'),
    ['ok', 'MOBILE_NUMBER_INVALID', 'ok', 'CONTENT_INVALID', 'ok'],
  );
  const rows = await rowsOf(...[0, 2, 4].map((index) => messages[index]!.messageId));
  assert.equal(rows.length, 3);
  const [smart] = await rowsOf(messages[2].messageId);
  assert.deepEqual([smart?.msisdn, smart?.sms_type], ['639181111112', 2]);
});

test('where none of many is good, the call is refused with each by its index', async () => {
  const answer = await post({
    messages: [
      { to: 'x', ...code },
      { to: '09171111111', smsType: 2, content: '★ sale' },
    ],
  });
  assert.deepEqual([answer.status, answer.body.code], [400, 'MESSAGES_REFUSED']);
  assert.deepEqual(
    answer.body.errors.map((each: { field: string }) => each.field),
    ['messages.0', 'messages.1.content'],
  );
});

test('a thousand in one call are a thousand rows in batches of one supplier each', async () => {
  const messages = Array.from({ length: 1_000 }, (_, n) => ({
    to: `639${n % 2 === 0 ? 17 : 18}${String(n).padStart(7, '0')}`,
    smsType: 2,
    content: `Order ${n} is ready.`,
  }));
  const answer = await post({ messages });
  assert.equal(answer.body.acceptedCount, 1_000, answer.text.slice(0, 200));
  const ids: string[] = answer.body.messages.map((each: { messageId: string }) => each.messageId);
  assert.equal(new Set(ids).size, 1_000);
  const rows = await many<{ n: number; suppliers: number }>(
    db.pool,
    sql`select count(*)::int as n, count(distinct m.supplier_id)::int as suppliers from batch b
        join message m on m.message_id >= b.batch_id and m.message_id < b.batch_id + b.message_count
        where m.message_id = any(${ids}::bigint[]) group by b.batch_id`,
  );
  assert.deepEqual(
    rows.map(({ suppliers }) => suppliers),
    rows.map(() => 1),
  );
  assert.equal(
    rows.reduce((sum, row) => sum + row.n, 0),
    1_000,
  );
});

test('concurrent calls are all accepted and stored, in far fewer transactions', async () => {
  const batches = await countAll('batch');
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => post({ ...code, to: `63917${String(7_000_000 + n)}` })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202]);
  const ids = answers.map(({ body }) => body.messageId);
  assert.equal((await rowsOf(...ids)).length, 200);
  assert.equal(new Set(ids).size, 200);
  const made = (await countAll('batch')) - batches;
  assert.ok(made <= 40, `${made} batches`);
});

test('the last peso is spent once, however many concurrent calls request it', async () => {
  const shop = await addShop({ balance: 10 * price });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => shop.post({ ...code, to: `63917${String(8_000_000 + n)}` })),
  );
  const told = Map.groupBy(answers, ({ status, body }) => `${status} ${body.code ?? ''}`);
  assert.deepEqual([...told].map(([what, all]) => [what, all.length]).toSorted(), [
    ['202 ', 10],
    ['409 BALANCE_TOO_LOW', 30],
  ]);
  const { held } = await one<{ held: string }>(
    db.pool,
    sql`select sum(cost) as held from batch where customer_id = ${shop.customerId} and state < 2`,
  );
  assert.equal(Number(held), 10 * price);
});

test('of two processes neither spends what the other has spent', async () => {
  const shop = await addShop({ balance: 10 * price });
  const other = await makeApp(api.deps, [registerMessages]);
  try {
    const viaOther = async (body: unknown) => {
      const answer = await other.inject({
        method: 'POST',
        url: '/api/v1/messages',
        headers: { authorization: shop.authorization, 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      });
      return answer.statusCode;
    };
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const body = { ...code, to: `63917${String(8_100_000 + n)}` };
        return n % 2 === 0 ? viaOther(body) : (await shop.post(body)).status;
      }),
    );
    assert.deepEqual(
      [202, 409].map((status) => statuses.filter((each) => each === status).length),
      [10, 30],
    );
  } finally {
    await other.close();
  }
});

test('while a customer’s funds are locked other customers’ messages are answered; its own wait, then succeed', async () => {
  const [held, limited, free] = [await addShop(), await addShop(), await addShop()];
  await addThreshold(limited, { kind: 'volume', period: 'day', unit: 'messages', limit_at: 100 });
  const blocker = await db.pool.connect();
  try {
    await blocker.query('begin');
    await blocker.query('select 1 from customer where customer_id = $1 for no key update', [held.customerId]);
    let heldStatus: number | null = null;
    const waiting = held.post({ ...code, to: '09179000013' }).then(({ status }) => {
      heldStatus = status;
    });
    for (const shop of [free, limited, free, limited])
      assert.equal((await shop.post({ ...code, to: '09179000014' })).status, 202);
    assert.equal(heldStatus, null);
    await blocker.query('rollback');
    await waiting;
    assert.equal(heldStatus, 202);
  } finally {
    // After a failure it still holds the lock: this ends the connection.
    blocker.release(true);
  }
});

test('a call that costs more than there is is refused as a whole; others of its group are not', async () => {
  const [poor, rich] = [await addShop({ balance: 2 * price }), await addShop()];
  const many3 = { messages: [1, 2, 3].map((n) => ({ ...code, to: `6391790000${n}0` })) };
  const [refused, accepted] = await Promise.all([poor.post(many3), rich.post(many3)]);
  assert.deepEqual([refused.status, refused.body.code], [409, 'BALANCE_TOO_LOW']);
  assert.deepEqual(refused.body.params, { needed: 3 * price, available: 2 * price });
  assert.equal(accepted.status, 202);
  assert.equal((await poor.post({ ...code, to: '09179000010' })).status, 202);
});

test('where staff require templates a text must follow an approved one, and is kept with it', async () => {
  const shop = await addShop();
  await run(db.pool, sql`update customer set template_required = true where customer_id = ${shop.customerId}`);
  const own = { customerId: shop.customerId, appId: shop.appId };
  await buildTemplate(db.pool, { ...own, smsType: 2, content: 'Order {1} is ready.', auditStatus: 0 });
  const notice = (content: string) => ({ to: '09179000013', smsType: 2, content });
  const refused = await shop.post(notice('Order 7 is ready.'));
  assert.deepEqual([refused.status, refused.body.code], [400, 'VALIDATION_FAILED']);
  assert.deepEqual(
    refused.body.errors.map((each: { field: string; code: string }) => [each.field, each.code]),
    [['templateId', 'REQUIRED']],
  );
  const templateId = await buildTemplate(db.pool, { ...own, smsType: 2, content: 'Order {1} is ready.' });
  const bulk = await shop.post({
    messages: [
      notice('Order 8 is ready.'),
      notice('Order 9 was lost.'),
      { ...notice('Order 9 is ready.'), smsType: 1 },
    ],
  });
  assert.deepEqual([bulk.status, bulk.body.acceptedCount, bulk.body.refusedCount], [202, 1, 2]);
  const rows = await many(
    db.pool,
    sql`select content, template_id::text as "templateId" from message where app_id = ${shop.appId}`,
  );
  assert.deepEqual(rows, [{ content: 'Order 8 is ready.', templateId }]);
  assert.equal((await shop.post({ to: '09179000013', templateId, variables: ['10'] })).status, 202);
});

test('an application that was disabled a moment ago sends nothing more', async () => {
  const shop = await addShop();
  assert.equal((await shop.post({ ...code, to: '09179000011' })).status, 202);
  await run(db.pool, sql`update application set use_state = 0 where app_id = ${shop.appId}`);
  const answer = await shop.post({ ...code, to: '09179000011' });
  assert.deepEqual([answer.status, answer.body.code], [409, 'APP_DISABLED']);
});

test('a sender ID approved a moment ago may send', async () => {
  const shop = await addShop();
  const body = { ...code, to: '09179000012', senderId: 'NEWNAME' };
  assert.equal((await shop.post(body)).body.code, 'SENDER_NOT_SENDABLE');
  await buildSender(db.pool, { customerId: shop.customerId, appId: shop.appId, senderId: 'NEWNAME' });
  assert.equal((await shop.post(body)).status, 202);
});

const addThreshold = (shop: { customerId: string }, columns: Record<string, string | number | string[]>) => {
  const names = ['threshold_id', 'customer_id', ...Object.keys(columns)];
  const values = [uuidV7(), shop.customerId, ...Object.values(columns)];
  return run(
    db.pool,
    sql`insert into threshold (${sql.join(names.map((name) => sql.ref(name)))}) values (${sql.join(values)})`,
  );
};

test('a recipient gets no more than the limit, concurrently or in sequence; others are unaffected', async () => {
  const shop = await addShop();
  await addThreshold(shop, { kind: 'frequency', per_minute: 2, sms_type: 1, exempt: ['639179000099'] });
  const answers = await Promise.all(Array.from({ length: 10 }, () => shop.post({ ...code, to: '09179000020' })));
  assert.equal(answers.filter(({ status }) => status === 202).length, 2);
  const refused = answers.find(({ status }) => status !== 202);
  assert.deepEqual([refused?.status, refused?.body.code], [429, 'FREQUENCY_LIMITED']);
  assert.ok(Number(refused?.headers['retry-after']) > 0 && Number(refused?.headers['retry-after']) <= 60);
  assert.equal((await shop.post({ ...code, to: '09179000020' })).body.code, 'FREQUENCY_LIMITED');
  assert.equal((await shop.post({ ...code, to: '09179000021' })).status, 202);
  assert.equal((await shop.post({ to: '09179000020', smsType: 2, content: 'Order ready.' })).status, 202);
  for (let n = 0; n < 4; n += 1) assert.equal((await shop.post({ ...code, to: '09179000099' })).status, 202);
});

test('messages of other types, or with other texts, hide none of those that a limit counts', async () => {
  const shop = await addShop();
  await addThreshold(shop, { kind: 'frequency', per_minute: 1, sms_type: 1 });
  await addThreshold(shop, { kind: 'frequency', same_content_per_30s: 1, sms_type: 2 });
  const to = '09179000040';
  const notice = (content: string) => shop.post({ to, smsType: 2, content });
  assert.equal((await shop.post({ ...code, to })).status, 202);
  for (const content of ['Order ready.', 'Order paid.', 'Order sent.'])
    assert.equal((await notice(content)).status, 202);
  assert.equal((await shop.post({ ...code, to })).body.code, 'FREQUENCY_LIMITED');
  assert.equal((await notice('Order ready.')).body.code, 'FREQUENCY_LIMITED');
  assert.equal((await notice('Order lost.')).status, 202);
});

test('a volume limit is exact under parallel calls of every size, and returns when to retry', async () => {
  const shop = await addShop();
  await addThreshold(shop, { kind: 'volume', period: 'day', unit: 'messages', limit_at: 100 });
  const bulk = (from: number) => ({
    messages: Array.from({ length: 30 }, (_, n) => ({ ...code, to: `63917${String(9_100_000 + from + n)}` })),
  });
  const answers = await Promise.all([
    ...Array.from({ length: 60 }, (_, n) => shop.post({ ...code, to: `63917${String(9_200_000 + n)}` })),
    ...Array.from({ length: 4 }, (_, n) => shop.post(bulk(n * 100))),
  ]);
  const accepted = answers.reduce((sum, { status, body }) => sum + (status === 202 ? (body.acceptedCount ?? 1) : 0), 0);
  assert.equal(accepted, 100);
  const { n } = await one<{ n: number }>(
    db.pool,
    sql`select count(*)::int as n from message where customer_id = ${shop.customerId}`,
  );
  assert.equal(n, 100);
  const refused = await shop.post({ ...code, to: '09179300000' });
  assert.deepEqual([refused.status, refused.body.code], [429, 'VOLUME_LIMITED']);
  assert.ok(Number(refused.headers['retry-after']) <= 86_400);
});

test('what a call with too little balance would have used of a limit stays free', async () => {
  const shop = await addShop({ balance: price });
  await addThreshold(shop, { kind: 'volume', period: 'month', unit: 'messages', limit_at: 1 });
  const two = { ...code, to: '09179000030', content: `Your code is ${'1234567 '.repeat(30)}` };
  assert.equal((await shop.post(two)).body.code, 'BALANCE_TOO_LOW');
  assert.equal((await shop.post({ ...code, to: '09179000030' })).status, 202);
  assert.equal((await shop.post({ ...code, to: '09179000031' })).body.code, 'VOLUME_LIMITED');
});

test('only its own application reads the full history of a message', async () => {
  const { body } = await post({ to: '09171234567', ...code });
  const ask = (authorization: string) =>
    api.ask(null, `GET /messages/${body.messageId}`, { headers: { authorization } });
  const mine = await ask(api.basic.app);
  assert.equal(mine.status, 200, mine.text);
  assert.deepEqual(
    [mine.body.phoneAddress, mine.body.fullMessage, mine.body.sendStatus, mine.body.dealResult, mine.body.taskId],
    ['639171234567', 'Your code is ******.', 0, 'WAITING', null],
  );
  assert.deepEqual(
    mine.body.life.map((each: { step: string }) => each.step),
    ['accepted'],
  );
  assert.equal('supplierAccount' in mine.body, false);
  assert.equal((await ask(api.basic.otherApp)).status, 404);
  const sister = await buildApplication(db.pool, {
    customerId,
    credentials: { appSecret: 'sister', smppPassword: 'sistpass', secrets: api.deps.secrets },
  });
  assert.equal((await ask(`Basic ${Buffer.from(`${sister}:sister`).toString('base64')}`)).status, 404);
});

test('a field that is missing is named with what it is', async () => {
  const { body } = await post({ to: '09171234567', content: 'Your code is 123456.' });
  assert.deepEqual(body.errors, [{ field: 'smsType', code: 'REQUIRED', params: { expected: 'number' } }]);
});

test('1,000 texts of 500 Han characters fit one call, also if every character is escaped', async () => {
  const shop = await addShop();
  const messages = Array.from({ length: 1_000 }, (_, at) => ({
    to: `0917555${String(at).padStart(4, '0')}`,
    smsType: 2,
    content: '您的订单'.repeat(125),
  }));
  const escaped = JSON.stringify({ messages }).replaceAll(
    /[^\x20-\x7e]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  assert.ok(escaped.length > 3_000_000);
  const answer = await shop.post(escaped);
  assert.equal(answer.status, 202, answer.text.slice(0, 500));
  assert.deepEqual([answer.body.acceptedCount, answer.body.refusedCount], [1_000, 0], answer.text.slice(0, 500));
  const larger = await shop.post(JSON.stringify({ messages, more: 'x'.repeat(4 * 1_048_576) }));
  assert.deepEqual([larger.status, larger.body.params], [413, { limitBytes: 4 * 1_048_576 }]);
});
