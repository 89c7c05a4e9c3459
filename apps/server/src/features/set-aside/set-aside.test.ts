import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { many, sql, uuidV7, withTransaction } from '@pahatid/db';
import { buildBatch, buildSimulatedCarriers, buildTask } from '@pahatid/db/builders';
import { countSetAside, insertSetAside, type SetAsideEvent } from '@pahatid/db/queries/set-aside';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerSetAside } from './routes.ts';

const api = await makeTestApi({ features: [registerSetAside] });
const { pool } = api.db;
const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };
let supplierId: string;
let messageId: string;
let taskId: string;

const add = (more: Partial<SetAsideEvent>) =>
  insertSetAside(pool, {
    eventKey: uuidV7(),
    kind: 'receipt',
    supplierId,
    messageId: null,
    errorCode: '54000',
    content: '{}',
    isOptOut: false,
    optedOut: false,
    ...more,
  });
const list = async (query: Record<string, string> = {}) =>
  (await api.ask('operator', 'GET /set-aside-events', { query })).body;

before(async () => {
  const carriers = await buildSimulatedCarriers(pool, { port: 1, secrets });
  supplierId = carriers.suppliers.Globe;
  const { customerId, appId } = api;
  taskId = await buildTask(pool, { customerId, taskStatus: 1, taskName: 'Pick-ups' });
  const spec = { customerId, appId, taskId, smsType: 2, clientSid: 'SHOP', supplierId, routeId: carriers.routes.Globe };
  const messages = [{ msisdn: '639171234567', carrier: 'Globe', clientStatus: 1, receiptAfterMs: 900 }];
  messageId = String(
    await withTransaction(pool, (tx) =>
      buildBatch(tx, {
        ...spec,
        at: new Date(),
        messages: messages.map((each) => ({ ...each, content: 'x' })),
      } as never),
    ),
  );
  await add({ kind: 'result', messageId: BigInt(messageId), content: JSON.stringify({ messageId, customerId }) });
  await add({ kind: 'text', errorCode: '23514', content: '{"content":"stop"}', isOptOut: true, optedOut: true });
  await add({});
});

test('staff list events newest first, with account, message, task and opt-out; others see nothing', async () => {
  const { items } = await list();
  assert.deepEqual(
    items.map(({ kind, errorCode, optOut }) => [kind, errorCode, optOut]),
    [
      ['receipt', '54000', null],
      ['text', '23514', 'applied'],
      ['result', '54000', null],
    ],
  );
  const message = { messageId, customerId: api.customerId, operator: 'Customer A', taskId, taskName: 'Pick-ups' };
  assert.partialDeepStrictEqual(items[2], { message, supplierId, handledTime: null, handledBy: null });
  assert.notEqual(items[2].supplierAccount, '');
  const first = await list({ limit: '2' });
  const second = await list({ limit: '2', cursor: first.nextCursor });
  assert.deepEqual([...first.items, ...second.items], items);
  assert.deepEqual((await list({ kind: 'text' })).items, [items[1]]);
  assert.deepEqual((await list({ supplierId: uuidV7() })).items, []);
  assert.equal((await api.ask('operator', 'GET /set-aside-events', { query: { cursor: 'x' } })).status, 400);
  for (const who of ['owner', 'member', 'viewer', 'other', 'reviewer'] as const)
    assert.equal((await api.ask(who, 'GET /set-aside-events')).status, 404, who);
  assert.equal((await api.ask(null, 'GET /set-aside-events')).status, 401);
});

test('an event is handled once, by name and on record, and no longer counts for the alert', async () => {
  const { items } = await list({ kind: 'receipt' });
  const path = `POST /set-aside-events/${items[0].eventId}/handle` as const;
  const before = (await countSetAside(pool, 3_600))[0]!.count;
  for (const who of ['owner', 'viewer'] as const) assert.equal((await api.ask(who, path)).status, 404);
  const answers = await Promise.all([api.ask('operator', path), api.ask('admin', path)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409]);
  const [handled] = (await list({ handled: '1' })).items;
  assert.equal(handled.eventId, items[0].eventId);
  assert.ok(handled.handledBy);
  assert.equal((await list({ handled: '0' })).items.length, 2);
  assert.equal((await countSetAside(pool, 3_600))[0]!.count, before - 1);
  const entries = await many<{ subject: string }>(
    pool,
    sql`select subject_id as subject from audit_log where subject_type = 'setAsideEvent' and action = 'complete'`,
  );
  assert.deepEqual(entries, [{ subject: items[0].eventId }]);
  assert.equal((await api.ask('operator', `POST /set-aside-events/${uuidV7()}/handle`)).status, 404);
});
