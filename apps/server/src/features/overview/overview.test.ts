import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuditStatus, TaskStatus } from '@pahatid/contract';
import { run, sql, uuidV7 } from '@pahatid/db';
import {
  buildApplication,
  buildCustomer,
  buildSender,
  buildSupplier,
  buildTask,
  buildTemplate,
  buildTopUp,
  buildUser,
} from '@pahatid/db/builders';
import { insertDefaultRules, insertRuleEvent, listRules } from '@pahatid/db/queries/threshold-rules';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { customerId, appId } = api;

/** 2026-03-10 14:30 in Manila. */
const now = new Date('2026-03-10T06:30:00Z');
api.advance(now.getTime() - Date.now());
await run(
  api.db.pool,
  sql`update session set last_seen_at = ${now}, expires_at = ${new Date(now.getTime() + 3_600_000)}`,
);

const report = (
  owner: string,
  minute: string,
  counts: Partial<Record<string, number>>,
  carrier = 'Globe',
  writer = 1,
  routeId = uuidV7(),
) => {
  const of = (name: string) => counts[name] ?? 0;
  return run(
    api.db.pool,
    sql`insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
          req_total, req_success, req_fail, req_blocked, receipt_success, receipt_fail, receipt_unknown, segments, charged)
        values (${owner}, ${minute}, ${appId}, 'PH', ${carrier}, 'SHOP', 2, ${routeId}, ${writer}, ${of('total')}, ${of('success')},
          ${of('fail')}, ${of('blocked')}, ${of('delivered')}, ${of('undelivered')}, ${of('unknown')}, ${of('segments')}, ${of('charged')})`,
  );
};
// Today in Manila began at 2026-03-09T16:00Z.
await report(customerId, '2026-03-09T15:59:00Z', { total: 1_000, success: 1_000, delivered: 1_000 });
await report(customerId, '2026-03-09T16:00:00Z', {
  total: 12,
  success: 9,
  fail: 3,
  blocked: 2,
  delivered: 5,
  undelivered: 1,
  segments: 20,
  charged: 70_000,
});
await report(
  customerId,
  '2026-03-09T16:59:00Z',
  { total: 5, success: 5, delivered: 2, unknown: 1, segments: 5, charged: 17_500 },
  'Smart',
);
await report(customerId, '2026-03-09T16:59:00Z', { total: 5, success: 5, delivered: 5, segments: 5 }, 'Smart', 2);
await report(customerId, '2026-03-10T06:00:00Z', { total: 3 }, '');
await report(customerId, '2026-03-02T00:00:00Z', { total: 7, success: 7 });
await report(api.otherCustomerId, '2026-03-10T01:00:00Z', { total: 100, success: 100, delivered: 90 });

const overview = async (who: Parameters<typeof api.ask>[0], query: Record<string, string> = {}) =>
  (await api.ask(who, 'GET /overview', { query })).body;

test("today's figures are those of the viewer's day, summed over writers and carriers", async () => {
  const body = await overview('viewer');
  assert.equal(body.from, '2026-03-09T16:00:00.000Z');
  assert.deepEqual(body.figures, {
    messages: 25,
    segments: 30,
    accepted: 19,
    refused: 1,
    blocked: 2,
    delivered: 12,
    undelivered: 1,
    unknown: 1,
    spend: 87_500,
  });
});

test('the course is by hour of today, with the hours without a message, and adds up', async () => {
  const { trend } = await overview('owner');
  assert.equal(trend.length, 15);
  assert.deepEqual(trend[0], {
    time: '2026-03-09T16:00:00.000Z',
    delivered: 12,
    awaiting: 5,
    failed: 5,
    messages: 22,
    segments: trend[0].segments,
    accepted: trend[0].accepted,
    refused: 1,
    spend: trend[0].spend,
  });
  assert.equal(trend[0].delivered + trend[0].awaiting + trend[0].failed, trend[0].messages);
});

test('a receipt is awaited only of what a carrier has accepted', async () => {
  const { trend } = await overview('owner');
  assert.deepEqual(trend[14], {
    time: '2026-03-10T06:00:00.000Z',
    delivered: 0,
    awaiting: 0,
    failed: 0,
    messages: 3,
    segments: 0,
    accepted: 0,
    refused: 0,
    spend: 0,
  });
});

test('seven days and the month are by day of the zone', async () => {
  const week = await overview('owner', { range: '7days' });
  assert.equal(week.trend.length, 7);
  assert.equal(week.figures.messages, 1_025);
  const month = await overview('owner', { range: 'month' });
  assert.equal(month.trend.length, 10);
  assert.equal(month.figures.messages, 1_032);
  const utc = await overview('owner', { zone: 'UTC' });
  assert.equal(utc.figures.messages, 3);
  const kolkata = await overview('owner', { zone: 'Asia/Kolkata' });
  assert.equal(kolkata.from, '2026-03-09T18:30:00.000Z');
});

test('a range that is none, or a zone that is none, is refused by field', async () => {
  for (const [query, field] of [
    [{ range: 'year' }, 'range'],
    [{ zone: 'Mars/Base' }, 'zone'],
    [{ zone: '+08:00' }, 'zone'],
    [{ zone: "UTC'; drop table task" }, 'zone'],
  ] as const) {
    const { status, body } = await api.ask('owner', 'GET /overview', { query });
    assert.equal(status, 400);
    assert.equal(body.errors[0].field, field);
  }
  assert.equal((await api.ask(null, 'GET /overview')).status, 401);
});

test('the period before is measured up to the same moment, and its course is known to its end', async () => {
  // The tests before took as long as the machine took.
  api.advance(now.getTime() - api.deps.now().getTime());
  const { before } = await overview('owner');
  const toTheMinute = (span: { from: string; to: string }) => [span.from.slice(0, 16), span.to.slice(0, 16)];
  assert.deepEqual(toTheMinute(before), ['2026-03-08T16:00', '2026-03-09T06:30']);
  assert.equal(before.figures.messages, 0);
  assert.equal(before.messages.length, 24);
  assert.equal(before.messages[23], 1_000);
  const week = await overview('owner', { range: '7days' });
  assert.deepEqual(toTheMinute(week.before), ['2026-02-24T16:00', '2026-03-03T06:30']);
  assert.deepEqual([week.before.figures.messages, week.before.messages], [7, [0, 0, 0, 0, 0, 7, 0]]);
  const month = await overview('owner', { range: 'month' });
  assert.deepEqual([month.before.from, month.before.messages.length], ['2026-01-31T16:00:00.000Z', 28]);
  // Of all customers for staff.
  const all = await overview('operator', { range: '7days' });
  assert.deepEqual(toTheMinute(all.before), ['2026-02-24T16:00', '2026-03-03T06:30']);
  assert.deepEqual([all.before.figures.messages, all.before.figures.accepted, all.before.messages[5]], [7, 7, 7]);
});

test('a new customer is led through the first steps until they are done', async () => {
  const fresh = await buildCustomer(api.db.pool, { balance: 0 });
  const user = await buildUser(api.db.pool, { customerId: fresh, role: 'owner' });
  const cookie = await api.signIn(user.userId);
  const look = async () => (await api.ask(null, 'GET /overview', { headers: { cookie } })).body;
  const first = await look();
  assert.deepEqual(
    first.steps.map((each: { step: string; done: boolean }) => [each.step, each.done]),
    [
      ['application', false],
      ['template', false],
      ['approved', false],
      ['sender', false],
      ['task', false],
    ],
  );
  assert.deepEqual(first.waiting, [{ kind: 'lowBalance', available: 0 }]);
  assert.equal(first.figures.messages, 0);
  await buildTopUp(api.db.pool, { customerId: fresh, amount: 10_000_000 });
  const second = await look();
  assert.deepEqual([second.balance, second.reserved, second.waiting], [10_000_000, 0, []]);
});

test('pending work: rejected, drafted, ready, failed; running tasks with counts; then no more steps', async () => {
  const templateId = await buildTemplate(api.db.pool, { customerId, appId });
  const rejected = await buildTemplate(api.db.pool, {
    customerId,
    appId,
    templateName: 'Refused',
    auditStatus: AuditStatus.Rejected,
    auditReason: 'The sender is not named',
  });
  await buildSender(api.db.pool, { customerId, appId, senderId: 'NOSHOP', auditStatus: 2, auditReason: 'No proof' });
  await buildSender(api.db.pool, { customerId, appId, senderId: 'SHOP' });
  for (const [taskStatus, more] of [
    [TaskStatus.Draft, {}],
    [TaskStatus.ValidationPassed, { totalCount: 10 }],
    [TaskStatus.Failed, { statusReason: 'NO_RECIPIENTS' }],
    [TaskStatus.Rejected, { statusNote: 'Not like this' }],
    [TaskStatus.Sending, { totalCount: 100 }],
    [TaskStatus.Completed, {}],
  ] as const)
    await buildTask(api.db.pool, {
      customerId,
      taskStatus,
      appId,
      templateId,
      smsType: 2,
      taskName: `T${taskStatus}`,
      ...more,
    });

  const body = await overview('owner');
  const byKind = Object.groupBy(body.waiting as { kind: string }[], ({ kind }) => kind);
  assert.deepEqual(byKind['templateRejected'], [
    { kind: 'templateRejected', id: rejected, title: 'Refused', note: 'The sender is not named' },
  ]);
  const plain = (kind: string) => {
    const { id: _, time: __, ...rest } = (byKind[kind]?.[0] ?? {}) as Record<string, unknown>;
    return rest;
  };
  assert.deepEqual(plain('senderRejected'), { kind: 'senderRejected', title: 'NOSHOP', note: 'No proof' });
  assert.deepEqual(plain('taskReady'), { kind: 'taskReady', title: 'T2', recipients: 10, cost: 35_000 });
  assert.deepEqual(plain('taskDraft'), { kind: 'taskDraft', title: 'T1' });
  assert.deepEqual(plain('taskFailed'), { kind: 'taskFailed', title: 'T8', reason: 'NO_RECIPIENTS' });
  assert.deepEqual(plain('taskRejected'), { kind: 'taskRejected', title: 'T11', note: 'Not like this' });
  assert.deepEqual(
    body.running.map((task: { taskName: string }) => task.taskName),
    ['T5'],
  );
  assert.equal(body.reserved, 350_000);
  assert.deepEqual(body.steps, []);
  assert.equal(body.staff, null);
  const other = await overview('other');
  assert.deepEqual([other.running, other.figures.messages], [[], 100]);
});

test('staff see all customers by customer, carrier and route, and a reviewer what waits for review', async () => {
  const supplierId = await buildSupplier(api.db.pool, {
    supplierAccount: 'globe-1',
    carrier: 'Globe',
    port: 2776,
    systemId: 'x',
    password: 'x',
    secrets: api.deps.secrets,
  });
  const routeId = uuidV7();
  await run(
    api.db.pool,
    sql`insert into route (route_id, route_name, supplier_id, deleted_at) values (${routeId}, 'Globe of old', ${supplierId}, now())`,
  );
  await report(customerId, '2026-03-10T06:01:00Z', { total: 500, success: 499, delivered: 498 }, 'Globe', 1, routeId);
  await buildTemplate(api.db.pool, { customerId, appId, templateName: 'To read', auditStatus: AuditStatus.Pending });
  const body = await overview('reviewer');
  assert.equal(body.balance, null);
  assert.equal(body.figures.messages, 625);
  assert.deepEqual(body.staff.customers, [
    { customerId, operator: 'Customer A', messages: 525, accepted: 518, delivered: 510 },
    { customerId: api.otherCustomerId, operator: 'Customer B', messages: 100, accepted: 100, delivered: 90 },
  ]);
  assert.deepEqual(body.staff.carriers, [
    { carrier: 'Globe', messages: 612, accepted: 608, delivered: 593 },
    { carrier: 'Smart', messages: 10, accepted: 10, delivered: 7 },
    { carrier: null, messages: 3, accepted: 0, delivered: 0 },
  ]);
  assert.deepEqual(body.staff.routes[0], {
    routeId,
    routeName: 'Globe of old',
    supplierAccount: 'globe-1',
    messages: 500,
    accepted: 499,
    delivered: 498,
  });
  assert.equal(body.waiting[0].title, 'To read');
  assert.equal(body.running[0].operator, 'Customer A');
  assert.equal((await overview('operator')).waiting[0].title, 'To read', 'an operator reviews too');
});

test('the balance forecast uses the last seven whole days', async () => {
  const customer = await buildCustomer(api.db.pool, { balance: 0 });
  await buildTopUp(api.db.pool, { customerId: customer, amount: 1_000_000 });
  const { userId } = await buildUser(api.db.pool, { customerId: customer, role: 'owner' });
  const headers = { cookie: await api.signIn(userId) };
  const forecast = async () => (await api.ask(null, 'GET /overview', { headers })).body.forecast;
  assert.deepEqual(await forecast(), { perDay: 0, days: null });
  // The first minute of the seven days, the last, and the two adjacent ones.
  await report(customer, '2026-03-02T15:59:00Z', { charged: 900_000 });
  await report(customer, '2026-03-02T16:00:00Z', { charged: 300_000 });
  await report(customer, '2026-03-09T15:59:00Z', { charged: 400_000 });
  await report(customer, '2026-03-09T16:00:00Z', { charged: 900_000 });
  assert.deepEqual(await forecast(), { perDay: 100_000, days: 10 });
  const billing = await api.ask(null, 'GET /billing', { headers });
  assert.deepEqual(billing.body.forecast, { perDay: 100_000, days: 10 }, 'on Billing as on Home');
  assert.equal((await overview('admin')).forecast, null);
});

test('a rule that is out of bounds waits for its people until it is back, or a day has passed', async () => {
  const customer = await buildCustomer(api.db.pool, {});
  const { userId } = await buildUser(api.db.pool, { customerId: customer, role: 'owner' });
  const headers = { cookie: await api.signIn(userId) };
  const rules = async () =>
    (await api.ask(null, 'GET /overview', { headers })).body.waiting.filter(
      (each: { kind: string }) => each.kind === 'threshold',
    );
  const thresholdId = uuidV7();
  const appId = await buildApplication(api.db.pool, { customerId: customer, appName: 'Shop' });
  await run(
    api.db.pool,
    sql`insert into threshold (threshold_id, customer_id, kind, period, unit, limit_at, set_by, app_id, carrier)
        values (${thresholdId}, ${customer}, 'volume', 'day', 'messages', 100, 'customer', ${appId}, 'Globe')`,
  );
  const happens = (kind: string, at: string, value: number | null = null, amount: number | null = null) =>
    run(
      api.db.pool,
      sql`insert into threshold_event (customer_id, threshold_id, event_id, at, kind, value, bound, amount)
          values (${customer}, ${thresholdId}, ${uuidV7()}, ${at}, ${kind}, ${value}, 100, ${amount})`,
    );
  await happens('alert', '2026-03-09T06:00:00Z');
  assert.deepEqual(await rules(), []);
  await happens('alert', '2026-03-10T05:00:00Z');
  await happens('limit', '2026-03-10T06:00:00Z', 104);
  await happens('refused', '2026-03-10T06:10:00Z');
  const time = '2026-03-10T06:00:00.000Z';
  const scope = { appId, appName: 'Shop', areaCode: null, carrier: 'Globe', smsType: null };
  const measured = { measure: 'messages', period: 'day', windowMinutes: null, value: 104, bound: 100, amount: null };
  assert.deepEqual(await rules(), [
    {
      kind: 'threshold',
      id: thresholdId,
      of: 'volume',
      event: 'limit',
      time,
      ...measured,
      ...scope,
      paused: 0,
      pumping: null,
    },
  ]);
  await happens('pause', '2026-03-10T06:15:00Z', 104, 3);
  assert.partialDeepStrictEqual(await rules(), [{ event: 'pause', amount: null, paused: 3 }]);
  await happens('over', '2026-03-10T06:20:00Z');
  assert.deepEqual(await rules(), []);
  await insertDefaultRules(api.db.pool, customer);
  const [rule] = await listRules(api.db.pool, customer, { kind: 'pumping', after: null, limit: 1 });
  const facts = { appId, appName: 'Shop', signal: 'prefix' as const, key: '639171', usual: 12 };
  await insertRuleEvent(api.db.pool, {
    customerId: customer,
    thresholdId: rule!.thresholdId,
    kind: 'slow',
    value: 480,
    bound: 100,
    amount: 900,
    notified: true,
    userId: null,
    facts,
    at: new Date('2026-03-10T06:25:00Z'),
  });
  assert.partialDeepStrictEqual(await rules(), [{ of: 'pumping', event: 'slow', value: 480, pumping: facts }]);
});

test('a reviewer in a support view sees no money; an operator does', async () => {
  const customer = await buildCustomer(api.db.pool, { balance: 0 });
  await buildUser(api.db.pool, { customerId: customer, role: 'owner' });
  await buildTopUp(api.db.pool, { customerId: customer, amount: 5_000, at: now });
  await run(api.db.pool, sql`update customer set low_balance = 1000000 where customer_id = ${customer}`);
  for (const who of ['reviewer', 'operator'] as const) {
    assert.equal((await api.ask(who, `POST /customers/${customer}/view`)).status, 201);
    const { body } = await api.ask(who, 'GET /overview');
    const { balance, reserved, forecast, waiting } = body;
    const isLow = waiting.some(({ kind }: { kind: string }) => kind === 'lowBalance');
    if (who === 'reviewer') assert.deepEqual([balance, reserved, forecast, isLow], [null, null, null, false]);
    else assert.deepEqual([balance, reserved, forecast !== null, isLow], [5_000, 0, true, true]);
    await api.ask(who, 'DELETE /support-view');
  }
});

test('what waits is counted for the menu: a customer’s own, and for staff what they decide', async () => {
  const before = (await api.ask('owner', 'GET /overview/waiting')).body;
  const own = { customerId, appId };
  const templateId = await buildTemplate(api.db.pool, own);
  const ofTask = { ...own, templateId, smsType: 2, senderId: 'SHOP', content: 'x', totalCount: 10 } as const;
  await buildTask(api.db.pool, { ...ofTask, taskStatus: TaskStatus.ValidationPassed });
  await buildTemplate(api.db.pool, { ...own, templateName: 'Once more', auditStatus: 2, auditReason: 'No' });
  await buildSender(api.db.pool, { ...own, senderId: 'NOMORE', auditStatus: 2, auditReason: 'No' });
  const sending = await buildTask(api.db.pool, { ...ofTask, taskStatus: TaskStatus.Sending });
  await buildTask(api.db.pool, { ...ofTask, taskStatus: TaskStatus.Sending, paused: 1 });
  const after = (await api.ask('viewer', 'GET /overview/waiting')).body;
  assert.deepEqual(
    [after.tasks - before.tasks, after.templates - before.templates, after.senders - before.senders, after.reviews],
    [1, 1, 1, 0],
  );
  assert.equal(after.running[0].taskId, sending);
  assert.equal(after.running.length - before.running.length, 1);

  const staffBefore = (await api.ask('reviewer', 'GET /overview/waiting')).body;
  await buildTemplate(api.db.pool, { ...own, templateName: 'To decide', auditStatus: AuditStatus.Pending });
  const ofStaff = (await api.ask('reviewer', 'GET /overview/waiting')).body;
  assert.deepEqual([ofStaff.reviews - staffBefore.reviews, ofStaff.tasks, ofStaff.approvals], [1, 0, 0]);
  const ofOther = (await api.ask('other', 'GET /overview/waiting')).body;
  assert.deepEqual([ofOther.tasks, ofOther.templates, ofOther.senders, ofOther.running], [0, 0, 0, []]);
  assert.equal((await api.ask(null, 'GET /overview/waiting')).status, 401);
});

test('tasks that started today are named with their time, in order; of yesterday, of others and for staff none', async () => {
  const at = (time: string) => new Date(`2026-03-${time}Z`);
  const start = async (owner: string, taskName: string, startedAt: Date) => {
    const own = { customerId: owner, appId: owner === customerId ? appId : api.otherAppId, smsType: 2 } as const;
    const templateId = await buildTemplate(api.db.pool, { customerId: owner, appId: own.appId });
    const ofTask = { ...own, templateId, taskName, startedAt, taskStatus: TaskStatus.Completed };
    return buildTask(api.db.pool, { ...ofTask, endedAt: now });
  };
  await start(customerId, 'Second', at('10T02:30:00'));
  const first = await start(customerId, 'First', at('09T16:00:00'));
  await start(customerId, 'Yesterday', at('09T15:59:59'));
  await start(api.otherCustomerId, 'Theirs', at('10T02:00:00'));
  const { starts } = await overview('viewer');
  assert.deepEqual(
    starts.filter(({ taskName }: { taskName: string }) =>
      ['First', 'Second', 'Yesterday', 'Theirs'].includes(taskName),
    ),
    [
      { taskId: first, taskName: 'First', time: '2026-03-09T16:00:00.000Z' },
      {
        ...starts.find(({ taskName }: { taskName: string }) => taskName === 'Second'),
        time: '2026-03-10T02:30:00.000Z',
      },
    ],
  );
  assert.deepEqual((await overview('owner', { range: 'month' })).starts, []);
  assert.deepEqual((await overview('operator')).starts, []);
});
