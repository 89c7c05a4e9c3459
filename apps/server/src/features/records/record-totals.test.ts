import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ClientStatus } from '@pahatid/contract';
import { run, sql, withTransaction } from '@pahatid/db';
import {
  type BatchSpec,
  buildBatches,
  buildSimulatedCarriers,
  buildTask,
  type MessageSpec,
} from '@pahatid/db/builders';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { registerRecords } from './routes.ts';

const api = await makeTestApi({ features: [registerRecords] });
const { pool } = api.db;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const start = Math.floor(Date.now() / hourMs) * hourMs;
const iso = (ms: number) => new Date(ms).toISOString();
const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
let taskId: string;

const message = (carrier: string, clientStatus: ClientStatus): MessageSpec => ({
  msisdn: '639171000001',
  content: 'Hello',
  carrier,
  clientStatus,
  dealResult: 'DELIVERED',
  receiptAfterMs: 900,
});
const ask = async (query: Record<string, string>, who: Who = 'owner') =>
  (await api.ask(who, 'GET /records/totals', { query })).body;
const listed = async (query: Record<string, string>, who: Who = 'owner'): Promise<{ pkgTotal: number }[]> =>
  (await api.ask(who, 'GET /records', { query: { limit: '200', ...query } })).body.items;

before(async () => {
  const carriers = await buildSimulatedCarriers(pool, { port: 1, secrets });
  taskId = await buildTask(pool, { customerId: api.customerId, taskStatus: 1, taskName: 'The task' });
  const { Delivered, Undelivered, Expired, Rejected, Blocked } = ClientStatus;
  let writer = 0;
  const add = async (more: Partial<BatchSpec> & { at: Date; messages: MessageSpec[] }) => {
    const { customerId, appId } = api;
    const base = { smsType: 2 as const, clientSid: 'SHOP', supplierId: carriers.suppliers.Globe };
    const spec = { ...base, routeId: carriers.routes.Globe, customerId, appId, writer: writer++, ...more };
    await withTransaction(pool, (tx) => buildBatches(tx, [spec]));
  };
  const globe = (...statuses: ClientStatus[]) => statuses.map((status) => message('Globe', status));
  await add({ at: new Date(start - 5 * minuteMs), messages: globe(Delivered, Delivered, Undelivered) });
  await add({
    at: new Date(start - 3 * hourMs - 7 * minuteMs),
    smsType: 3,
    clientSid: 'PROMO',
    taskId,
    messages: [...globe(Delivered, Expired, Rejected), message('Smart', Blocked)],
  });
  await add({ at: new Date(start - 6 * dayMs), messages: globe(Delivered) });
  await add({ at: new Date(start - 20 * dayMs), messages: globe(Delivered, Undelivered) });
  await add({
    at: new Date(start - 5 * minuteMs),
    customerId: api.otherCustomerId,
    appId: api.otherAppId,
    messages: globe(Delivered),
  });
});

test('totals are those of the whole list, by every filter that counts are kept by', async () => {
  const filters: Record<string, string>[] = [
    {},
    { carrier: 'Smart' },
    { clientSid: 'promo' },
    { smsType: '2' },
    { smsType: '2,3', carrier: 'Globe' },
    { areaCode: 'SG' },
    { clientStatus: '2' },
    { clientStatus: '3,4,5,7' },
    { clientStatus: '7,5,4,3', carrier: 'Globe' },
    { sendStatus: '2' },
    { sendStatus: '3' },
    { sendStatus: '0,1' },
    { from: iso(start - 30 * dayMs) },
    { from: iso(start - 4 * hourMs), to: iso(start - 6 * minuteMs) },
    { from: iso(start - 3 * hourMs - 6 * minuteMs) },
    { from: iso(start - 30 * dayMs), to: iso(start - 10 * dayMs), sendStatus: '3' },
  ];
  for (const who of ['owner', 'viewer', 'other', 'admin'] as const)
    for (const filter of filters) {
      const rows = await listed(filter, who);
      assert.equal((await ask(filter, who)).messages, rows.length, `${who} ${JSON.stringify(filter)}`);
    }
  const all = await ask({ appId: api.appId });
  assert.equal(all.messages, 8);
  assert.ok(all.chargedSegments > 0 && all.chargedSegments < 8, String(all.chargedSegments));
  assert.ok(all.chargedCost > 0);
  assert.deepEqual(await ask({ clientStatus: '2' }), { messages: 4, chargedSegments: null, chargedCost: null });
});

test('what counts are not kept by has no totals', async () => {
  const none = { messages: null, chargedSegments: null, chargedCost: null };
  for (const filter of [
    { phoneAddress: '0917' },
    { taskId },
    { messageId: '1' },
    { clientRef: 'x' },
    { clientStatus: '3' },
    { clientStatus: '2', sendStatus: '3' },
    { from: iso(start - 5 * minuteMs + 1) },
    { from: iso(start - hourMs), to: iso(start - 5 * minuteMs - 1) },
    // Minutes of that time are deleted.
    { from: iso(start - 60 * dayMs + minuteMs) },
  ])
    assert.deepEqual(await ask(filter), none, JSON.stringify(filter));
});

test('a time whose messages are deleted has no totals: the counts of it are kept longer', async () => {
  const before = new Date(start - 10 * dayMs);
  await run(
    pool,
    sql`insert into retention (customer_id, records_before) values (${api.customerId}, ${before})
        on conflict (customer_id) do update set records_before = excluded.records_before`,
  );
  assert.equal((await ask({ from: iso(start - 30 * dayMs) })).messages, null);
  assert.equal((await ask({ from: iso(start - 30 * dayMs) }, 'admin')).messages, null);
  assert.equal((await ask({ from: iso(start - 10 * dayMs) })).messages, 8);
});

test('totals need a session, and customers and routes are for staff alone', async () => {
  assert.equal((await api.ask(null, 'GET /records/totals')).status, 401);
  assert.equal((await api.ask('owner', 'GET /records/totals', { query: { taskId: 'x' } })).status, 400);
  assert.equal(
    (await api.ask('owner', 'GET /records/totals', { query: { customerId: api.otherCustomerId } })).status,
    400,
  );
  assert.equal((await ask({ customerId: api.otherCustomerId }, 'admin')).messages, 1);
});
