/** Events that an address receives because its owner chose them: made with the change, in the documented form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuditStatus, type CallbackType, callbackEventOf, chosenCallbackTypes } from '@pahatid/contract';
import { ClientStatus, TaskStatus } from '@pahatid/contract/enums';
import { many, run, sql, withTransaction } from '@pahatid/db';
import { buildSender, buildTask, buildTemplate } from '@pahatid/db/builders';
import { listRules } from '@pahatid/db/queries/threshold-rules';
import { notifyLowBalances } from '../features/billing/notify-low-balances.ts';
import { transitionBySystem } from '../features/tasks/system-transition.ts';
import { fireRule } from '../features/thresholds/fire-rule.ts';
import { makeCallbackWorld } from './testing/callback-world.ts';
import { answers } from './testing/receiver.ts';

const world = await makeCallbackWorld();
const { api, receiver, dispatch } = world;
const { customerId } = api;
const { pool } = api.db;
const deps = { publicUrl: 'https://pahatid.example' };

const choose = (endpointId: string, events: readonly string[]) =>
  api.ask('owner', `PATCH /callback-endpoints/${endpointId}`, { body: { events } });
/** What arrives, each as it is documented. */
const hear = async (): Promise<{ type: CallbackType; data: Record<string, unknown> }[]> => {
  receiver.heard.length = 0;
  receiver.answer = answers.ok;
  await dispatch();
  return receiver.heard.map(({ body }) => {
    assert.deepEqual(callbackEventOf(body.type).parse(body), body);
    return body;
  });
};
const approve = async (kind: string, id: string): Promise<void> => {
  const { status, text } = await api.ask('reviewer', `POST /reviews/${kind}/${id}/approve`, { body: {} });
  assert.equal(status, 204, text);
};

test('reviews of templates and sender IDs, statuses of tasks, the balance and alerts are sent to the address that chose them', async () => {
  const { endpointId, appId } = await world.addEndpoint();
  const edited = await choose(endpointId, chosenCallbackTypes);
  assert.deepEqual(edited.body.events, [...chosenCallbackTypes], edited.text);
  const templateId = await buildTemplate(pool, { customerId, appId, auditStatus: AuditStatus.Pending });
  await approve('templates', templateId);
  const id = await buildSender(pool, { customerId, appId, auditStatus: AuditStatus.Pending });
  await approve('senders', id);
  const carrier = await api.ask('admin', `PUT /reviews/senders/${id}/carriers`, {
    body: { carrier: 'Smart', auditStatus: AuditStatus.Rejected },
  });
  assert.equal(carrier.status, 200, carrier.text);
  const taskId = await buildTask(pool, {
    customerId,
    appId,
    templateId,
    smsType: 2,
    taskStatus: TaskStatus.Initialized,
  });
  const change = { taskId, customerId, action: 'fail', reason: 'NO_RECIPIENTS' } as const;
  assert.equal(await withTransaction(pool, (tx) => transitionBySystem(tx, change)), true);
  assert.equal(await withTransaction(pool, (tx) => transitionBySystem(tx, change)), false);
  for (const amount of [500_000, 5_000_000_000]) {
    await run(pool, sql`update customer set low_balance = 1000000 where customer_id = ${customerId}`);
    await run(
      pool,
      sql`insert into balance (customer_id, writer, amount) values (${customerId}, 200, ${amount})
          on conflict (customer_id, writer) do update set amount = excluded.amount`,
    );
    await run(pool, sql`update balance set amount = 0 where customer_id = ${customerId} and writer <> 200`);
    await notifyLowBalances({ pool } as Parameters<typeof notifyLowBalances>[0], deps);
  }
  const rule = { kind: 'volume', period: 'day', unit: 'messages', alertAt: 80 };
  await api.ask('owner', 'POST /thresholds', { body: rule });
  const [row] = await listRules(pool, customerId, { after: null, limit: 1 });
  assert.ok(row);
  const fired = { kind: 'alert', value: 81, bound: 80, amount: null, paused: 0 } as const;
  await withTransaction(pool, (tx) => fireRule(tx, row, fired, new Date(), deps));
  const heard = await hear();
  const of = (type: CallbackType) => heard.filter((each) => each.type === type).map(({ data }) => data);
  assert.deepEqual(
    of('template.status').map((data) => [data['templateId'], data['auditStatus']]),
    [[templateId, AuditStatus.Approved]],
  );
  assert.deepEqual(
    of('sender.status').map(({ senderId, auditStatus, carriers }) => [
      senderId,
      auditStatus,
      (carriers as { carrier: string; auditStatus: number }[]).find((each) => each.carrier === 'Smart')?.auditStatus,
    ]),
    [
      ['TESTSHOP', AuditStatus.Approved, AuditStatus.Approved],
      ['TESTSHOP', AuditStatus.Approved, AuditStatus.Rejected],
    ],
  );
  assert.deepEqual(
    of('task.status').map((data) => [data['taskId'], data['taskStatus']]),
    [[taskId, TaskStatus.Failed]],
  );
  assert.deepEqual(
    of('balance.status').map(({ isLow }) => isLow),
    [true, false],
  );
  assert.deepEqual(
    of('alert').map(({ thresholdId }) => thresholdId),
    [row.thresholdId],
  );
  const log = await api.ask('owner', 'GET /callbacks', { query: { type: 'task.status' } });
  assert.deepEqual(
    log.body.items.map(({ subjectId }: { subjectId: string }) => subjectId),
    [taskId],
  );
});

test('an address that chose other events receives none of its messages; one that chose nothing, only of those', async () => {
  const tasks = await world.addEndpoint();
  const usual = await world.addEndpoint();
  assert.equal((await choose(tasks.endpointId, ['task.status'])).status, 200);
  for (const { appId } of [tasks, usual]) {
    const messageId = await world.addMessage(appId);
    await world.move([messageId], ClientStatus.Submitted, ClientStatus.Delivered);
    const templateId = await buildTemplate(pool, { customerId, appId, auditStatus: AuditStatus.Pending });
    await approve('templates', templateId);
  }
  const rows = await many<{ type: string }>(
    pool,
    sql`select type from callback_event where endpoint_id in (${tasks.endpointId}, ${usual.endpointId})`,
  );
  assert.deepEqual(rows, [{ type: 'message.status' }]);
});

test('a change that is rolled back leaves no event', async () => {
  const { endpointId, appId } = await world.addEndpoint();
  await choose(endpointId, ['task.status']);
  const templateId = await buildTemplate(pool, { customerId, appId });
  const taskId = await buildTask(pool, {
    customerId,
    appId,
    templateId,
    smsType: 2,
    taskStatus: TaskStatus.Initialized,
  });
  const rolledBack = withTransaction(pool, async (tx) => {
    assert.equal(await transitionBySystem(tx, { taskId, customerId, action: 'fail' }), true);
    throw new Error('rolled back');
  });
  await assert.rejects(rolledBack, /rolled back/);
  assert.deepEqual(await many(pool, sql`select 1 from callback_event where endpoint_id = ${endpointId}`), []);
});

test('an address of thresholds has no choice, and no type is made up', async () => {
  const { endpointId } = await world.addEndpoint();
  assert.equal((await choose(endpointId, ['message.read'])).status, 400);
  assert.equal((await choose(endpointId, [])).status, 400);
  await run(
    pool,
    sql`insert into callback_endpoint (endpoint_id, customer_id, kind, url, state)
        values ('00000000-0000-7000-8000-000000000001', ${customerId}, 'alert', 'https://x.example/', 'enabled')`,
  );
  const refused = await choose('00000000-0000-7000-8000-000000000001', ['alert']);
  assert.deepEqual([refused.status, refused.body.errors?.[0]?.field], [400, 'events'], refused.text);
});
