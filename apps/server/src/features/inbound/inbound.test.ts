import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ClientStatus } from '@pahatid/contract';
import { insertOptOut, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import { buildBatch, buildSimulatedCarriers, buildTask } from '@pahatid/db/builders';
import { insertInbound, saveUnownedReply } from '@pahatid/db/queries/inbound';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { registerInbound } from './routes.ts';

const api = await makeTestApi({ features: [registerInbound] });
const { pool } = api.db;
const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
const hourMs = 3_600_000;
const start = Date.now() - 48 * hourMs;
const at = (hours: number): number => start + hours * hourMs;

let taskId: string;
let messageId: string;
const write = (
  receivedMs: number,
  msisdn: string,
  content: string,
  more: Partial<Parameters<typeof insertInbound>[1]>,
) =>
  insertInbound(pool, {
    customerId: api.customerId,
    appId: api.appId,
    messageId,
    taskId: null,
    supplierId: uuidV7(),
    inboundId: uuidV7(receivedMs),
    msisdn,
    content,
    receivedMs,
    destination: '21583',
    isOptOut: false,
    ...more,
  });
const list = async (query: Record<string, string> = {}, who: Who = 'owner') =>
  (await api.ask(who, 'GET /inbound', { query })).body;
const texts = async (query: Record<string, string> = {}, who: Who = 'owner'): Promise<string[]> =>
  (await list(query, who)).items.map((row: { content: string }) => row.content);

before(async () => {
  const carriers = await buildSimulatedCarriers(pool, { port: 1, secrets });
  taskId = await buildTask(pool, { customerId: api.customerId, taskStatus: 1, taskName: 'Pick-ups' });
  messageId = String(
    await withTransaction(pool, (tx) =>
      buildBatch(tx, {
        customerId: api.customerId,
        appId: api.appId,
        taskId,
        smsType: 2,
        clientSid: 'SHOP',
        at: new Date(start),
        supplierId: carriers.suppliers.Globe,
        routeId: carriers.routes.Globe,
        messages: [
          {
            msisdn: '639171234567',
            carrier: 'Globe',
            clientStatus: ClientStatus.Delivered,
            receiptAfterMs: 900,
            content: 'Ready. Call 0917 888 1234',
          },
        ],
      }),
    ),
  );
  await write(at(1), '639171234567', 'Call me on 0917 765 4321', { taskId });
  await write(at(2), '639181234567', 'T', { isOptOut: true, destination: 'Shop' });
  await write(at(3), '639171234567', 'Thanks', {});
  await write(at(4), '639191234567', 'Of somebody else', { customerId: api.otherCustomerId, appId: api.otherAppId });
  await insertOptOut(pool, {
    customerId: api.customerId,
    msisdn: '639181234567',
    source: 'reply',
    evidence: 'T',
    at: new Date(at(2)),
  });
});

test('what phones wrote comes newest first, of the own customer alone, page by page', async () => {
  assert.deepEqual(await texts(), ['Thanks', 'T', 'Call me on 0917 765 4321']);
  assert.deepEqual(await texts({}, 'other'), ['Of somebody else']);
  const first = await list({ limit: '2' });
  // What comes meanwhile moves no page.
  await write(at(5), '639171234567', 'Later', {});
  const second = await list({ limit: '2', cursor: first.nextCursor });
  assert.deepEqual(
    [...first.items, ...second.items].map((row: { content: string }) => row.content),
    ['Thanks', 'T', 'Call me on 0917 765 4321'],
  );
  assert.equal(second.nextCursor, null);
  await run(pool, sql`delete from inbound where content = 'Later'`);
});

test('every filter returns all matching rows and no others', async () => {
  assert.deepEqual(await texts({ mobileNumber: '0917 123' }), ['Thanks', 'Call me on 0917 765 4321']);
  assert.deepEqual(await texts({ destination: 'SHOP' }), ['T']);
  assert.deepEqual(await texts({ optOut: '1' }), ['T']);
  assert.equal((await texts({ optOut: '0' })).length, 2);
  assert.deepEqual(await texts({ taskId }), ['Call me on 0917 765 4321']);
  assert.deepEqual(await texts({ taskId: uuidV7() }), []);
  assert.equal((await texts({ appId: api.appId })).length, 3);
  const instant = (hours: number) => new Date(at(hours)).toISOString();
  assert.deepEqual(await texts({ from: instant(2), to: instant(3) }), ['T']);
  assert.deepEqual(await texts({ from: instant(3) }), ['Thanks']);
  for (const query of [{ optOut: '2' }, { optOut: 'x' }, { from: 'yesterday' }, { cursor: 'x' }, { phone: '1' }])
    assert.equal((await api.ask('owner', 'GET /inbound', { query })).status, 400, JSON.stringify(query));
  assert.equal((await api.ask('owner', 'GET /inbound', { query: { appId: api.otherAppId } })).status, 400);
});

test('one text comes with the message it answers and whether its number refuses now', async () => {
  const [thanks, refusal, call] = (await list()).items;
  const { body } = await api.ask('owner', `GET /inbound/${call.inboundId}`);
  assert.deepEqual([body.taskName, body.optOutTime], ['Pick-ups', null]);
  assert.deepEqual(body.answered, {
    messageId,
    clientSid: 'SHOP',
    fullMessage: 'Ready. Call 0917 888 1234',
    smsType: 2,
    clientStatus: 2,
    clientRequestTime: new Date(start).toISOString(),
  });
  const refused = (await api.ask('owner', `GET /inbound/${refusal.inboundId}`)).body;
  assert.deepEqual([refused.optOut, refused.optOutTime], [1, new Date(at(2)).toISOString()]);
  // Its record is deleted.
  await run(pool, sql`update inbound set message_id = 1 where inbound_id = ${thanks.inboundId}`);
  assert.equal((await api.ask('owner', `GET /inbound/${thanks.inboundId}`)).body.answered, null);
  assert.equal((await api.ask('other', `GET /inbound/${call.inboundId}`)).status, 404);
  assert.equal((await api.ask('owner', `GET /inbound/${uuidV7()}`)).status, 404);
});

test('viewers and staff read numbers masked, in texts too; unauthenticated callers read nothing', async () => {
  const { items } = await list({}, 'viewer');
  assert.deepEqual([items[2].mobileNumber, items[2].content], ['63******4567', 'Call me on *******4321']);
  const { body } = await api.ask('viewer', `GET /inbound/${items[2].inboundId}`);
  assert.match(body.answered.fullMessage, /\*{7}1234/);
  for (const who of ['reviewer', 'operator', 'admin'] as const) {
    // Of every customer, each with its name; one is opened from there.
    const { body: all } = await api.ask(who, 'GET /inbound');
    const foreign = all.items.find((each: { content: string }) => each.content === 'Of somebody else');
    assert.ok(foreign.operator.length > 0 && all.items.length > 1);
    assert.equal((await api.ask(who, `GET /inbound/${foreign.inboundId}`)).body.operator, foreign.operator);
    const query = { customerId: api.customerId };
    const read = await api.ask(who, 'GET /inbound', { query });
    assert.equal(read.status, 200, read.text);
    assert.ok(read.body.items.length > 0);
    for (const item of read.body.items) assert.match(item.mobileNumber, /\*/);
    const one = await api.ask(who, `GET /inbound/${items[2].inboundId}`, { query });
    assert.match(one.body.answered.fullMessage, /\*{7}1234/);
  }
  assert.equal((await api.ask(null, 'GET /inbound')).status, 401);
});

test('the csv holds every row as its reader may see it, and is on record', async () => {
  const csv = await api.ask('viewer', 'GET /inbound', { headers: { accept: 'text/csv' } });
  const lines = csv.text.trim().split('\r\n');
  assert.equal(lines.length, 4);
  assert.match(lines[2] ?? '', /63\*{6}4567,Shop,T,1,,/);
  const { rows } = await pool.query(`select subject_type from audit_log where action = 'export'`);
  assert.deepEqual(rows, [{ subject_type: 'inbound' }]);
});

test('staff read unassigned texts, masked, newest first; customers do not', async () => {
  const reply = (n: number, more: object = {}) =>
    saveUnownedReply(pool, {
      inboundId: uuidV7(at(n)),
      supplierId: uuidV7(),
      msisdn: '639171234567',
      destination: '9999',
      content: 'Call 0917 765 4321',
      isOptOut: false,
      receivedMs: at(n),
      ...more,
    });
  await reply(1);
  await reply(2, { content: 'STOP', isOptOut: true, destination: 'Nobody' });
  for (const who of ['reviewer', 'operator', 'admin'] as const) {
    const { body } = await api.ask(who, 'GET /unowned-replies', { query: { limit: '1' } });
    assert.partialDeepStrictEqual(body.items, [
      { content: 'STOP', optOut: 1, destination: 'Nobody', mobileNumber: '63******4567' },
    ]);
    const next = await api.ask(who, 'GET /unowned-replies', { query: { cursor: body.nextCursor } });
    assert.deepEqual(
      next.body.items.map((row: { content: string }) => row.content),
      ['Call *******4321'],
    );
  }
  const refusals = await api.ask('admin', 'GET /unowned-replies', { query: { optOut: '1', destination: 'nobody' } });
  assert.equal(refusals.body.items.length, 1);
  for (const who of ['owner', 'viewer', 'other'] as const)
    assert.equal((await api.ask(who, 'GET /unowned-replies')).status, 404, who);
  assert.equal((await api.ask(null, 'GET /unowned-replies')).status, 401);
  const csv = await api.ask('reviewer', 'GET /unowned-replies', { headers: { accept: 'text/csv' } });
  assert.match(csv.text, /63\*{6}4567,Nobody,STOP,1,/);
});
