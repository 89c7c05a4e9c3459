import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ClientStatus, type ExportJob, exportKeptHours, openExportLimit } from '@pahatid/contract';
import { many, one, run, sql, uuidV7 } from '@pahatid/db';
import { buildApplication, buildKey, buildUser } from '@pahatid/db/builders';
import { makeTaskWorld, msisdnAt, type TaskWorld } from '../../http/testing/task-world.ts';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { sweep } from '../../roles/housekeeping.ts';
import { eraseNumber } from '../privacy/erase-number.ts';
import { registerExports } from './exports.ts';
import { registerRecords } from './routes.ts';
import { type ExportOptions, writeNextExport } from './write-next-export.ts';

const api = await makeTestApi({ features: [registerRecords, registerExports] });
const { pool } = api.db;
const { customerId, appId } = api;
const hourMs = 3_600_000;
const messageCount = 60;
let world: TaskWorld;
let taskId = '';

before(async () => {
  world = await makeTaskWorld(pool, customerId, appId);
  taskId = await world.addTask({ taskStatus: 6 });
  const messages = Array.from({ length: messageCount }, (_, index) => ({
    msisdn: msisdnAt(index),
    content: index === 7 ? '=HYPERLINK("http://x")' : `Hello ${index}`,
    carrier: 'Globe',
    clientStatus: index % 3 === 0 ? ClientStatus.Undelivered : ClientStatus.Delivered,
  }));
  await world.addBatch(taskId, messages);
});

const start = async (who: Who, query: object = {}, headers: Record<string, string> = {}): Promise<string> => {
  const { status, body, text } = await api.ask(who, 'POST /exports', { body: { list: 'records', query }, headers });
  assert.equal(status, 202, text);
  return body.exportId;
};
const listed = async (who: Who): Promise<ExportJob[]> => (await api.ask(who, 'GET /exports')).body.items;
const look = async (who: Who, exportId: string): Promise<ExportJob> =>
  (await listed(who)).find((each) => each.exportId === exportId) ?? assert.fail('not listed');
const download = (who: Who, exportId: string) => api.ask(who, `GET /exports/${exportId}/file`);
/** Small pages and parts, so that sixty rows make many of them. */
const small: ExportOptions = { pageRows: 7, partBytes: 1 };
const write = async (options: ExportOptions = small): Promise<boolean> =>
  writeNextExport({ ...(await world.jobs()), owner: uuidV7() }, { publicUrl: 'https://pahatid.example' }, options);
const finish = async (): Promise<void> => {
  for (let turn = 0; turn < 200 && (await write()); turn++);
};
const phonesOf = (text: string): string[] =>
  text
    .split('\r\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split(',')[2] ?? '');

test('a file is made in parts in the background and holds what the streamed list holds, byte for byte', async () => {
  const exportId = await start('owner');
  assert.equal((await look('owner', exportId)).state, 'waiting');
  assert.equal((await download('owner', exportId)).status, 404, 'not ready');
  await write();
  const half = await look('owner', exportId);
  assert.deepEqual([half.state, half.rowCount], ['running', 7]);
  await finish();
  const ready = await look('owner', exportId);
  assert.deepEqual([ready.state, ready.rowCount, ready.percent], ['ready', messageCount, 100]);
  const kept = Date.parse(ready.expireTime ?? '') - Date.parse(ready.endTime ?? '');
  assert.equal(Math.round(kept / hourMs), exportKeptHours);
  const file = await download('owner', exportId);
  assert.match(
    String(file.headers['content-disposition']),
    /attachment; filename="records-\d{4}-\d\d-\d\d-\d{4}\.csv"/,
  );
  const { text: streamed } = await api.ask('owner', 'GET /records', { headers: { accept: 'text/csv' } });
  assert.equal(file.text, streamed);
  assert.equal(Buffer.byteLength(file.text), ready.byteCount);
  assert.ok(!/(^|,)"?=/m.test(file.text), 'no cell begins as a formula');
});

test('chosen columns alone are in the file, in its own order; those of the staff are refused to others', async () => {
  const ask = (who: Who, columns: unknown) =>
    api.ask(who, 'POST /exports', { body: { list: 'records', query: {}, columns } });
  const { body } = await ask('owner', ['fullMessage', 'phoneAddress', 'clientStatus']);
  await finish();
  const lines = (await download('owner', body.exportId)).text.split('\r\n');
  assert.equal(lines[0], '\ufeffPhone address,Client status,Full message');
  assert.equal(lines.length, messageCount + 2);
  assert.match(lines[1]!, /^63\d{10},[23],Hello \d+$/);
  const refused = await ask('owner', ['messageId', 'operator']);
  assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'columns.1']);
  assert.equal((await ask('admin', ['operator'])).status, 202);
  for (const columns of [[], ['password'], 'messageId']) assert.equal((await ask('owner', columns)).status, 400);
  await finish();
});

test('a filter, the language and the moment are those of the request; what comes later is not in the file', async () => {
  const query = { clientStatus: String(ClientStatus.Undelivered), taskId };
  const exportId = await start('member', query, { 'accept-language': 'zh-CN' });
  const late = await world.addTask({ taskStatus: 6 });
  await world.addBatch(late, [{ msisdn: '639189999999', content: 'Late', carrier: 'Smart', clientStatus: 3 }]);
  const all = await start('member', { taskId: late });
  await finish();
  const { text } = await download('member', exportId);
  assert.match(text, /^\ufeff消息ID,/);
  assert.equal(phonesOf(text).length, messageCount / 3);
  assert.ok(!text.includes('639189999999'));
  assert.equal((await look('member', all)).rowCount, 1);
});

test('numbers are masked as on the screen, and stay so if the role gains rights', async () => {
  const exportId = await start('viewer');
  const staffs = await start('operator', { taskId });
  await run(pool, sql`update app_user set role = 'owner' where user_id = ${api.users.viewer.userId}`);
  await finish();
  for (const [who, id] of [
    ['viewer', exportId],
    ['operator', staffs],
  ] as const) {
    const phones = phonesOf((await download(who, id)).text);
    assert.ok(phones.length >= messageCount, who);
    assert.ok(
      phones.every((phone) => /^\d{2}\*{6}\d{4}$/.test(phone)),
      phones[0],
    );
  }
  await run(pool, sql`update app_user set role = 'viewer' where user_id = ${api.users.viewer.userId}`);
});

test('a user that now sees numbers masked can no longer download a file with full ones', async () => {
  const { userId } = await buildUser(pool, { customerId, role: 'member' });
  const headers = { cookie: await api.signIn(userId) };
  const { body } = await api.ask(null, 'POST /exports', { headers, body: { list: 'records' } });
  await finish();
  const get = () => api.ask(null, `GET /exports/${body.exportId}/file`, { headers });
  assert.equal((await get()).status, 200);
  await run(pool, sql`update app_user set role = 'viewer' where user_id = ${userId}`);
  assert.equal((await get()).status, 404);
});

test('a process that dies in the middle leaves whole parts, and another goes on behind them', async () => {
  const exportId = await start('owner');
  await write();
  const dies = write({
    ...small,
    onPage: async () => {
      throw new Error('killed');
    },
  });
  await assert.rejects(dies, /killed/);
  // A process that died without notice holds its lease until that expires.
  await run(
    pool,
    sql`update export_job set lease_owner = ${uuidV7()}, lease_until = now() + interval '5 seconds' where export_id = ${exportId}`,
  );
  assert.equal(await write(), false);
  await run(pool, sql`update export_job set lease_until = now() where export_id = ${exportId}`);
  await finish();
  const phones = phonesOf((await download('owner', exportId)).text);
  assert.equal(new Set(phones).size, phones.length, 'no row twice');
  assert.ok(phones.length >= messageCount);
});

test('cancelled midway it stops writing, and nothing of it is left', async () => {
  const exportId = await start('owner');
  await write();
  const cancel = () => api.ask('owner', `POST /exports/${exportId}/cancel`);
  let answers: number[] = [];
  await write({
    ...small,
    onPage: async () => {
      answers = (await Promise.all([cancel(), cancel()])).map(({ status }) => status).sort();
    },
  });
  assert.deepEqual(answers, [200, 409], 'of two at once one wins');
  assert.equal((await look('owner', exportId)).state, 'cancelled');
  assert.equal((await download('owner', exportId)).status, 404);
  await sweep(await world.jobs());
  assert.deepEqual(await many(pool, sql`select 1 from export_part where export_id = ${exportId}`), []);
});

test('a user has a limited number in progress, also for concurrent requests', async () => {
  const asked = await Promise.all(
    Array.from({ length: openExportLimit + 2 }, () =>
      api.ask('member', 'POST /exports', { body: { list: 'records' } }),
    ),
  );
  assert.equal(asked.filter(({ status }) => status === 202).length, openExportLimit);
  const refused = asked.find(({ status }) => status !== 202);
  assert.deepEqual([refused?.status, refused?.body.code], [409, 'EXPORT_LIMIT']);
  await finish();
});

test('exports take turns part by part', async () => {
  const long = await start('owner');
  const short = await start('member', { taskId, clientStatus: '7' });
  await write();
  await write();
  assert.equal((await look('member', short)).state, 'ready');
  assert.equal((await look('owner', long)).state, 'running');
  await finish();
});

test('a file belongs to its user: 404 for colleagues, other customers and staff, 401 without a session', async () => {
  const exportId = await start('owner');
  await finish();
  for (const who of ['member', 'other', 'admin'] as const) {
    assert.equal((await download(who, exportId)).status, 404, who);
    assert.equal((await api.ask(who, `POST /exports/${exportId}/cancel`)).status, 404, who);
    assert.equal((await api.ask(who, `DELETE /exports/${exportId}`)).status, 404, who);
    assert.ok(
      (await listed(who)).every((each) => each.exportId !== exportId),
      who,
    );
  }
  assert.equal((await download(null, exportId)).status, 401);
  const foreign = await api.ask('owner', 'POST /exports', {
    body: { list: 'records', query: { appId: api.otherAppId } },
  });
  assert.equal(foreign.body.code, 'APP_NOT_FOUND');
  assert.equal((await api.ask('owner', 'POST /exports', { body: { list: 'tasks' } })).status, 400);
});

test('creating, downloading and deleting are audited, with numbers masked', async () => {
  const exportId = await start('owner', { phoneAddress: '0917 123 4567' });
  await finish();
  await download('owner', exportId);
  assert.equal((await api.ask('owner', `DELETE /exports/${exportId}`)).status, 204);
  assert.equal((await api.ask('owner', `DELETE /exports/${exportId}`)).status, 404);
  const entries = await many(
    pool,
    sql<{
      action: string;
      after: unknown;
    }>`select action, after from audit_log where subject_id = ${exportId} order by audit_id`,
  );
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['export', 'download', 'delete'],
  );
  assert.ok(!JSON.stringify(entries).includes('9171234567'));
  assert.deepEqual(await many(pool, sql`select 1 from export_part where export_id = ${exportId}`), []);
});

test('only the requester is notified, once, when it is ready or failed', async () => {
  const { userId } = await buildUser(pool, { customerId, role: 'member' });
  const headers = { cookie: await api.signIn(userId) };
  const ask = async () => (await api.ask(null, 'POST /exports', { headers, body: { list: 'records' } })).body.exportId;
  const ready = await ask();
  await finish();
  const failed = await ask();
  await run(pool, sql`update export_job set tries = 100 where export_id = ${failed}`);
  await finish();
  const told = await many(
    pool,
    sql<{ user_id: string; params: { exportId: string; rows: number; path: string | null } }>`
      select user_id, params from notice where kind = 'exportReady' and params->>'exportId' in (${ready}, ${failed})
      order by created_at`,
  );
  assert.deepEqual(
    told.map(({ user_id, params }) => [user_id, params.exportId, params.path !== null, params.rows > 0]),
    [
      [userId, ready, true, true],
      [userId, failed, false, false],
    ],
  );
});

test('an expired file is deleted', async () => {
  const exportId = await start('owner');
  await finish();
  const jobs = await world.jobs();
  await sweep({ ...jobs, offsetMs: (exportKeptHours - 1) * hourMs });
  assert.equal((await look('owner', exportId)).state, 'ready');
  await sweep({ ...jobs, offsetMs: (exportKeptHours + 1) * hourMs });
  assert.equal((await look('owner', exportId)).state, 'expired');
  assert.equal((await download('owner', exportId)).status, 404);
  assert.deepEqual(await many(pool, sql`select 1 from export_part where export_id = ${exportId}`), []);
});

test("a disabled user's export ends without a file", async () => {
  const { userId } = await buildUser(pool, { customerId, role: 'member' });
  const headers = { cookie: await api.signIn(userId) };
  const { body } = await api.ask(null, 'POST /exports', { headers, body: { list: 'records' } });
  await run(pool, sql`update app_user set use_state = 0 where user_id = ${userId}`);
  await finish();
  const row = await one(pool, sql<{ state: string }>`select state from export_job where export_id = ${body.exportId}`);
  assert.equal(row.state, 'failed');
});

test('an erased number is in no file: files that may contain it end immediately, those in progress restart', async () => {
  const ready = await start('owner');
  await finish();
  const halfWritten = await start('owner');
  await write();
  const msisdn = msisdnAt(1);
  const erasureId = uuidV7();
  await eraseNumber(pool, { erasureId, customerId, msisdn, hash: Buffer.alloc(32), now: new Date() });
  await run(
    pool,
    sql`insert into erasure (erasure_id, customer_id, shown_number, msisdn_hash, number_sealed, asked_at, tried_at)
        values (${erasureId}, ${customerId}, 'x', ${Buffer.alloc(32)}, 'x', now(), now())`,
  );
  await eraseNumber(pool, { erasureId, customerId, msisdn, hash: Buffer.alloc(32), now: new Date() });
  assert.equal((await look('owner', ready)).state, 'expired');
  await finish();
  const { text } = await download('owner', halfWritten);
  assert.ok(phonesOf(text).length >= messageCount);
  assert.ok(!text.includes(msisdn));
});

test('software exports what its application sent; people that see numbers whole have the file too, and nobody else', async () => {
  const second = await buildApplication(pool, { customerId });
  const keys = {
    own: (await buildKey(pool, { customerId, appId, scopes: ['messages:read'] })).apiKey,
    second: (await buildKey(pool, { customerId, appId: second })).apiKey,
    other: (await buildKey(pool, { customerId: api.otherCustomerId, appId: api.otherAppId })).apiKey,
  };
  const as = (key: keyof typeof keys, route: string, body?: object) =>
    api.ask(null, route, { ...(body && { body }), headers: { authorization: `Bearer ${keys[key]}` } });
  const made = await as('own', 'POST /exports', { list: 'records', query: { taskId }, columns: ['phoneAddress'] });
  assert.deepEqual([made.status, made.body.appId, made.body.state], [202, appId, 'waiting'], made.text);
  const { exportId } = made.body;
  const ofSecond = (await as('second', 'POST /exports', { list: 'records' })).body.exportId;
  const foreign = await as('own', 'POST /exports', { list: 'records', query: { appId: second } });
  assert.deepEqual([foreign.status, foreign.body.code], [400, 'APP_NOT_FOUND']);
  await finish();
  const ready = (await as('own', `GET /exports/${exportId}`)).body;
  assert.deepEqual([ready.state, ready.rowCount], ['ready', messageCount]);
  const file = await as('own', `GET /exports/${exportId}/file`);
  assert.equal(file.text.trim().split('\r\n').length, messageCount + 1);
  assert.match(file.text, /\r\n63\d{10}\r\n/);
  assert.equal((await as('second', `GET /exports/${ofSecond}`)).body.rowCount, 0, 'nothing of another application');
  for (const who of ['owner', 'member'] as const) {
    assert.equal((await look(who, exportId)).appId, appId);
    assert.equal((await download(who, exportId)).text, file.text, who);
  }
  for (const who of ['viewer', 'other', 'admin'] as const) {
    assert.equal((await download(who, exportId)).status, 404, who);
    assert.ok(!(await listed(who)).some((each) => each.exportId === exportId), who);
  }
  for (const key of ['second', 'other'] as const) {
    for (const route of [`GET /exports/${exportId}`, `GET /exports/${exportId}/file`, `DELETE /exports/${exportId}`])
      assert.equal((await as(key, route)).status, 404, `${key} ${route}`);
    assert.ok(!(await as(key, 'GET /exports')).text.includes(exportId), key);
  }
  const ofPerson = await start('owner');
  assert.equal((await as('own', `GET /exports/${ofPerson}`)).status, 404, 'what belongs to a person');
  const pages = [];
  let cursor: string | null | undefined;
  do {
    const { items, nextCursor } = (await as('own', `GET /exports?limit=1${cursor ? `&cursor=${cursor}` : ''}`)).body;
    pages.push(...items.map((each: ExportJob) => each.exportId));
    cursor = nextCursor;
  } while (cursor);
  assert.deepEqual(pages, [exportId]);
  assert.deepEqual(await many(pool, sql`select 1 from notice where params->>'exportId' = ${exportId}`), []);
  assert.equal((await api.ask('member', `DELETE /exports/${exportId}`)).status, 204);
  await finish();
});

test('exports of software are bounded by application, and end without a file if it is disabled', async () => {
  const busy = await buildApplication(pool, { customerId });
  const { apiKey } = await buildKey(pool, { customerId, appId: busy });
  const headers = { authorization: `Bearer ${apiKey}` };
  const asked = await Promise.all(
    Array.from({ length: openExportLimit + 1 }, () =>
      api.ask(null, 'POST /exports', { headers, body: { list: 'records' } }),
    ),
  );
  assert.equal(asked.filter(({ status }) => status === 202).length, openExportLimit);
  await run(pool, sql`update application set use_state = 0 where app_id = ${busy}`);
  await finish();
  const rows = await many<{ state: string }>(pool, sql`select state from export_job where app_id = ${busy}`);
  assert.deepEqual([...new Set(rows.map(({ state }) => state))], ['failed']);
});
