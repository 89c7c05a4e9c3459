import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ClientStatus } from '@pahatid/contract';
import { messageIdFloor, uuidV7, withTransaction } from '@pahatid/db';
import {
  type BatchSpec,
  buildBatches,
  buildSimulatedCarriers,
  buildTask,
  buildTemplate,
  type MessageSpec,
} from '@pahatid/db/builders';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { registerRecords } from './routes.ts';

const api = await makeTestApi({ features: [registerRecords] });
const { pool } = api.db;
const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
const minuteMs = 60_000;
const hourMs = 3_600_000;
const start = Math.floor(Date.now() / minuteMs) * minuteMs;
let base: Omit<BatchSpec, 'at' | 'messages' | 'customerId' | 'appId'>;
let taskId: string;
let templateId: string;
let nextWriter = 0;

const add = async (more: Partial<BatchSpec> & { at: Date; messages: MessageSpec[] }): Promise<void> => {
  const { customerId, appId } = api;
  nextWriter = (nextWriter + 1) % 250;
  await withTransaction(pool, (tx) => buildBatches(tx, [{ ...base, customerId, appId, writer: nextWriter, ...more }]));
};
const message = (msisdn: string, more: Partial<MessageSpec> = {}): MessageSpec => ({
  msisdn,
  content: 'Hello',
  carrier: 'Globe',
  clientStatus: ClientStatus.Delivered,
  dealResult: 'DELIVERED',
  receiptAfterMs: 900,
  ...more,
});
const list = async (query: Record<string, string> = {}, who: Who = 'owner') =>
  (await api.ask(who, 'GET /records', { query: { limit: '200', ...query } })).body;
const phones = async (query: Record<string, string>, who: Who = 'owner'): Promise<string[]> =>
  (await list(query, who)).items.map((row: { phoneAddress: string }) => row.phoneAddress);

before(async () => {
  const carriers = await buildSimulatedCarriers(pool, { port: 1, secrets });
  base = { smsType: 2, clientSid: 'SHOP', supplierId: carriers.suppliers.Globe, routeId: carriers.routes.Globe };
  templateId = await buildTemplate(pool, {
    customerId: api.customerId,
    appId: api.appId,
    templateName: 'The template',
  });
  taskId = await buildTask(pool, { customerId: api.customerId, taskStatus: 1, taskName: 'The task', templateId });
  await add({ at: new Date(start - 5 * minuteMs), messages: [message('639171000001'), message('639171000002')] });
  await add({
    at: new Date(start - 4 * minuteMs),
    taskId,
    smsType: 3,
    clientSid: 'PROMO',
    messages: [
      message('639181000003', {
        carrier: 'Smart',
        clientStatus: ClientStatus.Undelivered,
        carrierCode: '001',
        dealResult: 'UNDELIVERED',
      }),
      message('639181000004', {
        carrier: 'Smart',
        clientStatus: ClientStatus.Rejected,
        carrierCode: '0x0B',
        dealResult: 'REFUSED_BY_CARRIER',
      }),
      message('639171000001', {
        content: '=HYPERLINK("http://x")',
        clientStatus: ClientStatus.Blocked,
        dealResult: 'BLOCKED_OPTED_OUT',
      }),
    ],
  });
  await add({ at: new Date(start - 10 * 24 * hourMs), messages: [message('639171000009')] });
  await add({
    at: new Date(start - 3 * minuteMs),
    customerId: api.otherCustomerId,
    appId: api.otherAppId,
    messages: [message('639171000050')],
  });
});

test('records of the last seven days come newest first, whole', async () => {
  const { items, nextCursor } = await list();
  assert.equal(nextCursor, null);
  assert.deepEqual(
    items.map((row: { phoneAddress: string }) => row.phoneAddress.slice(-2)),
    ['01', '04', '03', '02', '01'],
  );
  const { messageId, clientRequestTime, submissionTime, clientReportTime, ...rest } = items[2];
  assert.match(messageId, /^\d{15,18}$/);
  assert.equal(clientRequestTime, new Date(start - 4 * minuteMs).toISOString());
  assert.ok(submissionTime > clientRequestTime && clientReportTime > submissionTime);
  assert.deepEqual(rest, {
    phoneAddress: '639181000003',
    areaCode: 'PH',
    clientSid: 'PROMO',
    sendStatus: 3,
    clientStatus: 3,
    dealResult: 'UNDELIVERED',
    carrierCode: '001',
    taskId,
    taskName: 'The task',
    templateId,
    templateName: 'The template',
    appId: api.appId,
    smsType: 3,
    fullMessage: 'Hello',
    pkgTotal: 1,
    carrier: 'Smart',
  });
});

test('every filter returns all matching rows and no others', async () => {
  const last = async (query: Record<string, string>) => (await phones(query)).map((phone) => phone.slice(-2));
  assert.deepEqual(await last({ phoneAddress: '0917 100 0001' }), ['01', '01']);
  assert.deepEqual(await last({ phoneAddress: '0918' }), ['04', '03']);
  assert.deepEqual(await last({ phoneAddress: '63918100000' }), ['04', '03']);
  assert.deepEqual(await last({ phoneAddress: '+1' }), []);
  for (const phoneAddress of ['hello', 'Maria Clara', '+', '：'])
    for (const who of ['owner', 'viewer'] as const) {
      const { items, nextCursor } = await list({ phoneAddress }, who);
      assert.deepEqual([items, nextCursor], [[], null], `${who} ${phoneAddress}`);
    }
  assert.deepEqual(await last({ clientSid: 'promo' }), ['01', '04', '03']);
  assert.deepEqual(await last({ clientStatus: '3,5' }), ['04', '03']);
  assert.deepEqual(await last({ smsType: '2' }), ['02', '01']);
  assert.deepEqual(await last({ carrier: 'Smart' }), ['04', '03']);
  assert.deepEqual(await last({ areaCode: 'SG' }), []);
  assert.deepEqual(await last({ taskId }), ['01', '04', '03']);
  assert.deepEqual(await last({ taskId: uuidV7() }), []);
  assert.deepEqual(await last({ templateId }), ['01', '04', '03']);
  assert.deepEqual(await last({ templateId, taskId }), ['01', '04', '03']);
  assert.deepEqual(await last({ templateId, taskId: uuidV7() }), []);
  assert.deepEqual(await last({ templateId, clientStatus: '3,5' }), ['04', '03']);
  assert.deepEqual(await last({ templateId, phoneAddress: '0917 100 0001' }), ['01']);
  assert.deepEqual(await last({ templateId: uuidV7() }), []);
  assert.deepEqual(await last({ appId: api.appId, clientStatus: '7' }), ['01']);
  const { items } = await list({ clientStatus: '3' });
  assert.deepEqual(await last({ messageId: items[0].messageId }), ['03']);
  const [old] = (await list({ phoneAddress: '639171000009', from: new Date(start - 11 * 24 * hourMs).toISOString() }))
    .items;
  assert.deepEqual(await last({ messageId: old.messageId }), ['09']);
  // Chosen ones, however long ago; another customer's are none.
  const [foreign] = (await list({}, 'other')).items;
  const messageIds = [old, items[0], foreign].map((row) => row.messageId).join(',');
  assert.deepEqual(await last({ messageIds }), ['03', '09']);
  assert.deepEqual(await last({ messageIds, carrier: 'Smart' }), ['03']);
  const from = new Date(start - 11 * 24 * hourMs).toISOString();
  assert.deepEqual(await last({ from, to: new Date(start - 9 * 24 * hourMs).toISOString() }), ['09']);
  assert.deepEqual(await last({ from: new Date(start - 4 * minuteMs).toISOString() }), ['01', '04', '03']);
});

test('pages are stable while messages are added, and no row is met twice or passed over', async () => {
  const at = (i: number) => new Date(start - 40 * 24 * hourMs + i * minuteMs);
  const range = { from: at(-1).toISOString(), to: at(5_000).toISOString() };
  for (let i = 0; i < 5; i += 1)
    await add({ at: at(i), messages: Array.from({ length: 9 }, (_, n) => message(`6391750${i}00${n}0${n}`)) });
  const before = await phones(range);
  assert.equal(before.length, 45);
  const seen: string[] = [];
  let cursor: string | null = null;
  let round = 0;
  do {
    const page: { items: { phoneAddress: string }[]; nextCursor: string | null } = await list({
      ...range,
      limit: '7',
      ...(cursor === null ? {} : { cursor }),
    });
    seen.push(...page.items.map((row) => row.phoneAddress));
    cursor = page.nextCursor;
    await add({ at: at(100 + round), messages: [message('639176000000')] });
    round += 1;
  } while (cursor !== null);
  assert.deepEqual(seen, before);
});

test('the messages of a template span all its tasks, page by page, whatever lies between and for every caller', async () => {
  const at = (i: number) => new Date(start - 60 * 24 * hourMs + i * minuteMs);
  const used = await buildTemplate(pool, { customerId: api.customerId, appId: api.appId });
  const makeTask = (of: string) => buildTask(pool, { customerId: api.customerId, taskStatus: 1, templateId: of });
  const tasks = [await makeTask(used), await makeTask(used), await makeTask(templateId)];
  for (let i = 0; i < 9; i += 1)
    await add({
      at: at(i),
      taskId: tasks[i % 3]!,
      messages: Array.from({ length: 4 }, (_, n) => message(`63917300${i}00${n}`)),
    });
  const range = { from: at(-1).toISOString(), to: at(100).toISOString(), templateId: used };
  const expected = (await phones({ from: range.from, to: range.to })).filter((phone) => Number(phone.at(8)) % 3 !== 2);
  assert.equal(expected.length, 24);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: { phoneAddress: string }[]; nextCursor: string | null } = await list({
      ...range,
      limit: '5',
      ...(cursor === null ? {} : { cursor }),
    });
    seen.push(...page.items.map((row) => row.phoneAddress));
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(seen, expected);
  assert.equal((await phones(range, 'admin')).length, 24);
  assert.deepEqual(await phones(range, 'other'), []);
});

test('what software sent with a template is found among what tasks sent with it, page by page, by its own customer and staff', async () => {
  const at = (i: number) => new Date(start - 70 * 24 * hourMs + i * minuteMs);
  const own = { customerId: api.customerId, appId: api.appId };
  const both = await buildTemplate(pool, { ...own, templateName: 'Of both kinds' });
  const single = await buildTemplate(pool, own);
  const task = await buildTask(pool, { ...own, taskStatus: 1, templateId: both });
  const others = { customerId: api.otherCustomerId, appId: api.otherAppId };
  const foreign = await buildTemplate(pool, others);
  // In turns: by a task with the template, by software with it, with another, with none, and of another customer.
  const ways = [{ taskId: task }, { templateId: both }, { templateId: single }, {}, { ...others, templateId: foreign }];
  for (let i = 0; i < 10; i += 1)
    await add({
      at: at(i),
      ...ways[i % ways.length],
      messages: Array.from({ length: 3 }, (_, n) =>
        message(`639174${i}0000${n}`, { clientStatus: n === 0 ? ClientStatus.Undelivered : ClientStatus.Delivered }),
      ),
    });
  const range = { from: at(-1).toISOString(), to: at(100).toISOString() };
  const of = (i: number) => [2, 1, 0].map((n) => `639174${i}0000${n}`);
  const expected = [6, 5, 1, 0].flatMap(of);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: {
      items: { phoneAddress: string; templateId: string; templateName: string }[];
      nextCursor: string | null;
    } = await list({ ...range, templateId: both, limit: '5', ...(cursor === null ? {} : { cursor }) });
    for (const { phoneAddress, templateId: shown, templateName } of page.items) {
      assert.deepEqual([shown, templateName], [both, 'Of both kinds']);
      seen.push(phoneAddress);
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(seen, expected);
  assert.deepEqual(await phones({ ...range, templateId: single }), [7, 2].flatMap(of));
  assert.deepEqual(await phones({ ...range, templateId: both, taskId: task }), [5, 0].flatMap(of));
  assert.deepEqual(await phones({ ...range, templateId: single, taskId: task }), []);
  assert.deepEqual(
    await phones({ ...range, templateId: both, clientStatus: '3' }),
    [6, 5, 1, 0].map((i) => `639174${i}00000`),
  );
  assert.deepEqual(await phones({ ...range, templateId: both, phoneAddress: '639174600001' }), ['639174600001']);
  assert.deepEqual(await phones({ ...range, templateId: both, phoneAddress: '6391742000' }), []);
  assert.equal((await phones({ ...range, templateId: both }, 'admin')).length, 12);
  assert.deepEqual(
    await phones({ ...range, templateId: both }, 'viewer'),
    expected.map((phone) => `${phone.slice(0, 2)}******${phone.slice(-4)}`),
  );
  assert.deepEqual(await phones({ ...range, templateId: both }, 'other'), []);
  assert.deepEqual(await phones({ ...range, templateId: foreign }), []);
  assert.equal((await phones({ ...range, templateId: foreign }, 'other')).length, 6);

  const [newest] = (await list({ ...range, templateId: both })).items;
  const detail = (await api.ask('owner', `GET /records/${newest.messageId}`)).body;
  assert.deepEqual([detail.templateName, detail.taskId], ['Of both kinds', null]);
  const csv = await api.ask('owner', 'GET /records', {
    query: { ...range, templateId: both },
    headers: { accept: 'text/csv' },
  });
  const lines = csv.text.trim().split('\r\n').slice(1);
  assert.deepEqual([lines.length, lines.filter((line) => line.includes('Of both kinds')).length], [12, 12]);
});

test('what few rows match is found on the first page, below any number of others', async () => {
  const at = (i: number) => new Date(start - 80 * 24 * hourMs + i * minuteMs);
  const rare = message('639179999999', { clientStatus: ClientStatus.Expired, dealResult: 'EXPIRED' });
  await add({ at: at(0), messages: [rare, message('639171111111')] });
  for (let i = 1; i <= 21; i += 1)
    await add({
      at: at(i),
      messages: Array.from({ length: 1_000 }, (_, n) => message(`63917${String(i * 1_000 + n).padStart(7, '0')}`)),
    });
  const range = { from: at(-1).toISOString(), to: at(100).toISOString(), clientStatus: '4' };
  for (const who of ['owner', 'admin'] as const) {
    const first = await list(range, who);
    assert.deepEqual([first.items.length, first.nextCursor, first.searchedTo], [1, null, null], who);
  }
  const csv = await api.ask('owner', 'GET /records', { query: { ...range }, headers: { accept: 'text/csv' } });
  assert.equal(csv.text.trim().split('\r\n').length, 2);
});

test('staff read all customers merged by time, with carrier data; customers see none of it', async () => {
  const { items } = await list({}, 'operator');
  assert.deepEqual(
    items.slice(0, 2).map((row: { phoneAddress: string }) => row.phoneAddress),
    ['63******0050', '63******0001'],
  );
  assert.deepEqual(
    [items[0].operator, items[0].supplierAccount, items[0].routeId],
    ['Customer B', 'globe-1', base.routeId],
  );
  const own = await api.ask('owner', 'GET /records');
  assert.doesNotMatch(own.text, /supplierAccount|operator|routeId|639171000050/);
  assert.deepEqual(
    await phones({}, 'viewer'),
    (await phones({})).map((phone) => `${phone.slice(0, 2)}******${phone.slice(-4)}`),
  );
});

test('the full history of one message: only completed steps, and its cost', async () => {
  const { items } = await list({ taskId });
  const lifeOf = async (index: number, who: Who = 'owner') =>
    (await api.ask(who, `GET /records/${items[index]!.messageId}`)).body;
  const undelivered = await lifeOf(2);
  assert.deepEqual(
    undelivered.life.map((step: { step: string; code: string | null }) => [step.step, step.code]),
    [
      ['accepted', null],
      ['submitted', null],
      ['answered', null],
      ['receipt', '001'],
    ],
  );
  assert.deepEqual([undelivered.chargedCost, undelivered.price, undelivered.chargeType], [3_500, 3_500, 'SenderPays']);
  const refused = await lifeOf(1);
  assert.deepEqual([refused.chargedCost, refused.life.at(2).code], [0, '0x0B']);
  const blocked = await lifeOf(0);
  assert.deepEqual(
    blocked.life.map((step: { step: string }) => step.step),
    ['accepted', 'blocked'],
  );
  assert.equal((await lifeOf(0, 'reviewer')).phoneAddress, '63******0001');
  assert.equal((await api.ask('other', `GET /records/${items[0].messageId}`)).status, 404);
});

test('what is in doubt is shown as unconfirmed, what may be on the wire as handed over', async () => {
  const at = new Date(start - 2 * minuteMs);
  await add({
    at,
    messages: [1, 2, 3].map((n) => ({
      msisdn: `63917200000${n}`,
      content: 'Hello',
      carrier: 'Globe',
      clientStatus: ClientStatus.Accepted,
    })),
  });
  const id = messageIdFloor(at.getTime());
  await pool.query(`update batch set state = 1, intent_mark = 2 where batch_id >= $1 and created_at >= $2`, [
    String(id),
    at,
  ]);
  const rows = async () => (await list({ phoneAddress: '6391720000' })).items.toReversed();
  const shown = (row: { sendStatus: number; dealResult: string }) => `${row.sendStatus} ${row.dealResult}`;
  assert.deepEqual((await rows()).map(shown), ['1 HANDED_OVER', '1 HANDED_OVER', '0 WAITING']);
  const first = (await rows())[0]!;
  await pool.query(
    `insert into in_doubt (customer_id, message_id, supplier_id, msisdn, since) values ($1, $2, $3, '639172000001', now())`,
    [api.customerId, first.messageId, base.supplierId],
  );
  assert.deepEqual((await rows()).map(shown), ['1 UNCONFIRMED', '1 HANDED_OVER', '0 WAITING']);
  const { life } = (await api.ask('owner', `GET /records/${first.messageId}`)).body;
  assert.equal(life.at(-1).step, 'unconfirmed');
});

test('S57 users that see masked numbers cannot find digits by prefix search', async () => {
  const whole = ['639171000001', '639171000001'];
  for (const who of ['viewer', 'reviewer'] as const) {
    const found = await phones({ phoneAddress: '63917' }, who);
    // A prefix that extends into the masked digits reveals no more than one that does not, right or wrong.
    for (const beginning of ['639171', '639179', '6391710000', '0917100000', '+63 917 9']) {
      assert.deepEqual(await phones({ phoneAddress: beginning }, who), found, `${who} ${beginning}`);
    }
    assert.equal((await phones({ phoneAddress: '0917 100 0001' }, who)).length, whole.length);
  }
  assert.equal((await phones({ phoneAddress: '63917100000' }, 'member')).length, 3);
  assert.deepEqual(await phones({ phoneAddress: '639179' }, 'member'), []);
});

test('the csv streams every row, escapes formulas, masks numbers by role, and is audited', async () => {
  const csv = await api.ask('owner', 'GET /records', {
    query: { taskId },
    headers: { accept: 'text/csv', 'accept-language': 'zh-CN' },
  });
  assert.equal(csv.status, 200);
  assert.match(String(csv.headers['content-disposition']), /attachment; filename="records\.csv"/);
  assert.match(csv.text, /^\ufeff消息ID,/);
  assert.match(csv.text, /,"'=HYPERLINK\(""http:\/\/x""\)",/);
  assert.equal(csv.text.trim().split('\r\n').length, 4);
  const masked = await api.ask('viewer', 'GET /records', { query: { taskId }, headers: { accept: 'text/csv' } });
  assert.doesNotMatch(masked.text, /639171000001/);
  const { rows } = await pool.query(
    `select user_id, after from audit_log where action = 'export' and subject_type = 'records'`,
  );
  assert.ok(rows.some((row) => row.user_id === api.users.viewer.userId && row.after.taskId === taskId));
});

test('an export of many rows is made in pages and keeps memory flat', async () => {
  const from = new Date(start - 80 * 24 * hourMs - hourMs).toISOString();
  const to = new Date(start - 79 * 24 * hourMs).toISOString();
  const csv = await api.ask('owner', 'GET /records', { query: { from, to }, headers: { accept: 'text/csv' } });
  const lines = csv.text.trim().split('\r\n');
  assert.equal(lines.length, 1 + 21_002);
  const ids = lines.slice(1).map((line) => BigInt(line.split(',', 1)[0] ?? ''));
  assert.ok(ids.every((id, index) => index === 0 || id < (ids[index - 1] ?? 0n)));
});

test('access and invalid queries', async () => {
  const { items } = await list();
  for (const route of ['GET /records', `GET /records/${items[0].messageId}`])
    assert.equal((await api.ask(null, route)).status, 401);
  for (const query of [
    { clientStatus: '9' },
    { messageIds: '' },
    { messageIds: '1,x' },
    { messageIds: Array.from({ length: 201 }, (_, id) => id).join(',') },
    { carrier: 'Nobody' },
    { cursor: 'x' },
    { limit: '0' },
    { from: 'x' },
    { who: 'x' },
  ])
    assert.equal((await api.ask('owner', 'GET /records', { query })).status, 400, JSON.stringify(query));
  assert.equal((await api.ask('owner', 'GET /records/999999999999999999')).status, 404);
  assert.equal((await api.ask('owner', 'GET /records/x')).status, 404);
  assert.deepEqual(await phones({}, 'other'), ['639171000050']);
});
