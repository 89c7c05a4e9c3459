import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, sql, uuidV7 } from '@pahatid/db';
import { buildCustomer, buildTask, buildTemplate } from '@pahatid/db/builders';
import { loadLimits } from '@pahatid/db/queries/thresholds';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { findDifferences } from '../../verify/find-differences.ts';
import { options } from '../../verify/testing/agrees.ts';
import { endSupportViews } from './end-support-views.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { customerId, appId } = api;
const path = `/customers/${customerId}`;

const auditOf = async (subjectId: string): Promise<string[]> => {
  const { rows } = await pool.query<{ line: string }>(
    `select action || ' by ' || account as line from audit_log where subject_id = $1 order by audit_id`,
    [subjectId],
  );
  return rows.map(({ line }) => line.replace(/ by .*/, ''));
};
const fresh = (spec: Parameters<typeof buildCustomer>[1] = {}) => buildCustomer(pool, { balance: 0, ...spec });

test('S2 staff read customers; operators suspend; admins change; to customers they do not exist', async () => {
  const id = await fresh();
  const of = `/customers/${id}`;
  const calls: [string, unknown, Partial<Record<'reviewer' | 'operator' | 'admin', number>>][] = [
    ['GET /customers', undefined, { reviewer: 200, operator: 200, admin: 200 }],
    [`GET ${of}`, undefined, { reviewer: 200, operator: 200, admin: 200 }],
    ['POST /customers', {}, { reviewer: 403, operator: 403, admin: 400 }],
    [`PATCH ${of}`, { version: 99, lowBalance: 1 }, { reviewer: 403, operator: 403, admin: 409 }],
    [`POST ${of}/ledger`, {}, { reviewer: 403, operator: 403, admin: 400 }],
    [`POST ${of}/owners`, {}, { reviewer: 403, operator: 403, admin: 400 }],
    [`POST ${of}/limits`, {}, { reviewer: 403, operator: 403, admin: 400 }],
    [`DELETE ${of}/limits/${uuidV7()}`, undefined, { reviewer: 403, operator: 403, admin: 404 }],
    [`PATCH ${of}/applications/nothing`, {}, { reviewer: 403, operator: 403, admin: 404 }],
    [`POST ${of}/suspend`, {}, { reviewer: 403, operator: 400, admin: 400 }],
    [`POST ${of}/resume`, undefined, { reviewer: 403, operator: 409, admin: 409 }],
  ];
  for (const [call, body, answers] of calls) {
    for (const who of ['reviewer', 'operator', 'admin'] as const)
      assert.equal((await api.ask(who, call, { body })).status, answers[who], `${who} ${call}`);
    for (const who of ['owner', 'member', 'viewer', 'other'] as Who[])
      assert.equal((await api.ask(who, call, { body })).status, 404, `${who} ${call}`);
    assert.equal((await api.ask(null, call, { body })).status, 401, call);
  }
});

test('a list of customers has their money, their state and their traffic of the Manila day', async () => {
  const id = await fresh({ customerName: 'Zebra traffic', balance: 500 });
  const now = api.deps.now();
  const minute = (hoursAgo: number, total: number) =>
    run(
      pool,
      sql`insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
            req_total, receipt_success, charged)
          values (${id}, ${new Date(now.getTime() - hoursAgo * 3_600_000)}, ${appId}, 'PH', 'Globe', 'X', 2, ${uuidV7()}, 1, ${total}, 3, 70)`,
    );
  await minute(0, 7);
  await minute(25, 1_000);
  const { body } = await api.ask('reviewer', 'GET /customers', { query: { search: 'zebra TRAFFIC' } });
  assert.equal(body.total, 1);
  assert.partialDeepStrictEqual(body.items[0], {
    customerId: id,
    balance: 500,
    reserved: 0,
    useState: 1,
    today: { messages: 7, delivered: 3, spend: 70 },
  });
  const nothing = await api.ask('admin', 'GET /customers', { query: { search: '%' } });
  assert.equal(nothing.body.total, 0);
});

test('pages of customers hold each once, in both orders, and the provider’s own is in none', async () => {
  const internal = await fresh({ internal: true, customerName: 'Paged internal' });
  for (const n of [1, 2, 3, 4, 5]) await fresh({ customerName: `Paged ${n}` });
  for (const sort of ['customerName', '-createTime']) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { search: 'Paged', limit: '2', sort, ...(cursor && { cursor }) };
      const { body } = await api.ask('admin', 'GET /customers', { query });
      seen.push(...body.items.map((row: { customerName: string }) => row.customerName));
      cursor = body.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const names = [1, 2, 3, 4, 5].map((n) => `Paged ${n}`);
    assert.deepEqual(seen, sort === 'customerName' ? names : names.reverse());
  }
  assert.equal((await api.ask('admin', `GET /customers/${internal}`)).status, 404);
  assert.equal((await api.ask('admin', `GET /customers/${uuidV7()}`)).status, 404);
  const csv = await api.ask('admin', 'GET /customers', { query: { search: 'Paged' }, headers: { accept: 'text/csv' } });
  assert.equal(csv.text.trim().split('\r\n').length, 6);
});

test('a customer is added once, with one link for its owner, which the database knows as a hash alone', async () => {
  const body = { customerName: 'Bagong Tindahan', ownerEmail: 'May-ari@Bago.test', invite: 'link' };
  const answers = await Promise.all([
    api.ask('admin', 'POST /customers', { body }),
    api.ask('admin', 'POST /customers', { body }),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
  assert.ok(answers.some((answer) => answer.body.code === 'CUSTOMER_NAME_TAKEN'));
  const added = answers.find(({ status }) => status === 201)!.body;
  assert.partialDeepStrictEqual(added, { reviewPolicy: 'firstTask', balance: 0, useState: 1, users: [] });
  const token = new URL(added.ownerLink).hash.replace('#token=', '');
  assert.equal(Buffer.from(token, 'base64url').length, 32);
  const { rows } = await pool.query('select * from invitation where customer_id = $1', [added.customerId]);
  assert.equal(rows.length, 1);
  assert.partialDeepStrictEqual(rows[0], { email: 'may-ari@bago.test', role: 'owner' });
  assert.ok(!JSON.stringify(rows).includes(token));
  assert.deepEqual(await auditOf(added.customerId), ['add']);
  const rules = await pool.query('select kind, act, use_state, app_id from threshold where customer_id = $1', [
    added.customerId,
  ]);
  assert.deepEqual(rules.rows, [{ kind: 'pumping', act: 'alert', use_state: 1, app_id: null }]);
});

test('an invalid or taken owner address is reported at its field, and no customer is created', async () => {
  const { rows } = await pool.query('select email from app_user where user_id = $1', [api.users.owner.userId]);
  const add = (body: object) =>
    api.ask('admin', 'POST /customers', { body: { customerName: 'Left behind', invite: 'link', ...body } });
  const wrong = await add({ ownerEmail: 'nobody' });
  assert.deepEqual([wrong.status, wrong.body.errors], [400, [{ field: 'ownerEmail', code: 'EMAIL' }]]);
  const taken = await add({ ownerEmail: rows[0].email });
  assert.deepEqual([taken.status, taken.body.errors[0].field], [409, 'ownerEmail']);
  const { body } = await api.ask('admin', 'GET /customers', { query: { search: 'Left behind' } });
  assert.equal(body.total, 0);
});

test('the owner link is mailed in the admin language, or shown once; a new one replaces the previous one', async () => {
  const id = await fresh({ customerName: 'Post Haste' });
  const invite = (body: object) =>
    api.ask('admin', `POST /customers/${id}/owners`, { body, headers: { 'accept-language': 'zh-CN' } });
  const ownerEmail = 'first@haste.test';
  const mailed = await invite({ ownerEmail, invite: 'email' });
  assert.deepEqual([mailed.status, mailed.body.ownerLink], [201, null]);
  const hash = async () =>
    (await pool.query('select token_hash from invitation where customer_id = $1', [id])).rows.map(({ token_hash }) =>
      token_hash.toString('hex'),
    );
  const [first] = await hash();
  const told = await invite({ ownerEmail, invite: 'link' });
  assert.match(told.body.ownerLink, /token=[\w-]{43}$/);
  const after = await hash();
  assert.equal(after.length, 1);
  assert.notEqual(after[0], first);
  const { rows } = await pool.query(`select * from mail where recipient = $1`, [ownerEmail]);
  assert.equal(rows.length, 1);
  assert.match(JSON.stringify(rows[0]), /Post Haste.*token=[\w-]{43}/);
  assert.equal((await invite({ ownerEmail: 'x', invite: 'link' })).status, 400);
});

test('settings change by version, take effect immediately, and are audited with the previous values', async () => {
  const id = await fresh();
  const change = (body: object) => api.ask('admin', `PATCH /customers/${id}`, { body });
  const both = await Promise.all([
    change({ version: 1, reviewPolicy: 'aboveCount', reviewAbove: 500 }),
    change({ version: 1, reviewPolicy: 'always' }),
  ]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  const more = { exemptSmsTypes: [1, 2], quietHoursExempt: true, lowBalance: 5_000, customerName: 'Renamed' };
  assert.partialDeepStrictEqual((await change({ version: 2, ...more })).body, { ...more, version: 3 });
  for (const [body, field] of [
    [{ version: 3, reviewPolicy: 'sometimes' }, 'reviewPolicy'],
    [{ version: 3, reviewPolicy: 'aboveCount', reviewAbove: null }, 'reviewAbove'],
    [{ version: 3, exemptSmsTypes: [4] }, 'exemptSmsTypes.0'],
    [{ version: 3, balance: 1_000_000 }, 'balance'],
    [{ version: 3, useState: 0 }, 'useState'],
  ] as const) {
    const answer = await change(body);
    assert.deepEqual([answer.status, answer.body.errors[0].field], [400, field]);
  }
  const { rows } = await pool.query(
    `select before, after from audit_log where subject_id = $1 and action = 'edit' order by audit_id desc limit 1`,
    [id],
  );
  assert.partialDeepStrictEqual(rows[0], { before: { quietHoursExempt: false }, after: { quietHoursExempt: true } });
});

test('S6 suspending a customer pauses running tasks, signs its users out and blocks its software; resume undoes only that', async () => {
  const templateId = await buildTemplate(pool, { customerId, appId });
  const task = (paused: 0 | 1, taskStatus: 4 | 5 | 6 = 5) =>
    buildTask(pool, {
      customerId,
      taskStatus,
      appId,
      templateId,
      smsType: 2,
      totalCount: 10,
      paused,
      ...(paused === 1 && { statusReason: 'PAUSED_BY_USER' }),
    });
  const [running, preparing, paused, done] = [await task(0), await task(0, 4), await task(1), await task(0, 6)];
  const states = async () => {
    const { rows } = await pool.query<{ task_id: string; line: string }>(
      `select task_id, paused || ' ' || coalesce(status_reason, '-') as line from task where customer_id = $1`,
      [customerId],
    );
    const lines = new Map(rows.map(({ task_id, line }) => [task_id, line]));
    return [running, preparing, paused, done].map((id) => lines.get(id));
  };
  const before = (await api.ask('admin', `GET ${path}`)).body.balance;
  assert.equal((await api.ask('member', 'GET /tasks')).status, 200);
  const body = { reason: 'Unpaid since March' };
  const twice = await Promise.all([
    api.ask('operator', `POST ${path}/suspend`, { body }),
    api.ask('admin', `POST ${path}/suspend`, { body }),
  ]);
  assert.deepEqual(twice.map(({ status }) => status).sort(), [200, 409]);
  const suspended = twice.find(({ status }) => status === 200)!.body;
  assert.partialDeepStrictEqual(suspended, { useState: 0, suspendReason: 'Unpaid since March', balance: before });
  assert.deepEqual(await states(), ['1 PAUSED_BY_STAFF', '1 PAUSED_BY_STAFF', '1 PAUSED_BY_USER', '0 -']);
  for (const who of ['owner', 'member', 'viewer'] as const)
    assert.equal((await api.ask(who, 'GET /session')).status, 401, who);
  assert.equal((await api.ask('other', 'GET /session')).status, 200);
  const refused = await api.ask(null, 'POST /messages', {
    body: { to: '639170000001', smsType: 2, content: 'Hi' },
    headers: { authorization: api.basic.app },
  });
  assert.deepEqual([refused.status, refused.body.code], [403, 'CUSTOMER_SUSPENDED']);

  const resumed = await api.ask('operator', `POST ${path}/resume`);
  assert.partialDeepStrictEqual(resumed.body, { useState: 1, suspendReason: null, suspendTime: null });
  assert.deepEqual(await states(), ['0 -', '0 -', '1 PAUSED_BY_USER', '0 -']);
  assert.equal((await api.ask('operator', `POST ${path}/resume`)).status, 409);
  const { rows } = await pool.query(
    `select action from task_event where task_id = $1 and action in ('pause', 'resume') order by event_id`,
    [running],
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['pause', 'resume'],
  );
  assert.deepEqual(await auditOf(customerId), ['suspend', 'resume']);
  // The signed-out user signs in again.
  api.users.owner.cookie = await api.signIn(api.users.owner.userId);
});

test('a top-up is a ledger entry; two concurrent admins both count, a repeated request counts once, and verify agrees', async () => {
  const id = await fresh();
  const enter = (body: object, key?: string) =>
    api.ask('admin', `POST /customers/${id}/ledger`, { body, ...(key && { headers: { 'idempotency-key': key } }) });
  const atOnce = await Promise.all(
    Array.from({ length: 8 }, (_, n) => enter({ amount: 1_000_000, note: `Slip ${n}` })),
  );
  assert.deepEqual(new Set(atOnce.map(({ status }) => status)), new Set([201]));
  const same = await Promise.all(Array.from({ length: 5 }, () => enter({ amount: 50_000 }, 'slip-77')));
  assert.deepEqual(new Set(same.map((answer) => `${answer.status} ${answer.body.entryId}`)).size, 1);
  const other = await enter({ amount: 60_000 }, 'slip-77');
  assert.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED']);
  const corrected = await enter({ kind: 'adjustment', amount: -250_000, note: 'Slip 3 bounced' });
  assert.equal(corrected.body.balance, 8_000_000 + 50_000 - 250_000);
  const { rows } = await pool.query(
    `select (select sum(amount)::int from ledger where customer_id = $1) as ledger, (select sum(amount)::int from balance where customer_id = $1) as balance`,
    [id],
  );
  assert.deepEqual(rows[0], { ledger: 7_800_000, balance: 7_800_000 });
  const { differences } = await findDifferences(pool, { ...options, customerId: id });
  assert.deepEqual(differences, []);
  const log = await pool.query(
    `select count(*)::int n from audit_log where customer_id = $1 and subject_type = 'ledger'`,
    [id],
  );
  assert.equal(log.rows[0].n, 10);
});

test('money that is none, or taken without a reason, moves nothing', async () => {
  const id = await fresh();
  for (const [body, field] of [
    [{ amount: 0 }, 'amount'],
    [{ amount: -1 }, 'amount'],
    [{ amount: 0.5 }, 'amount'],
    [{ amount: '100' }, 'amount'],
    [{ amount: 1e13 }, 'amount'],
    [{ kind: 'charge', amount: 1 }, 'kind'],
    [{ kind: 'adjustment', amount: -5 }, 'note'],
  ] as const) {
    const answer = await api.ask('admin', `POST /customers/${id}/ledger`, { body });
    assert.deepEqual([answer.status, answer.body.errors?.[0].field], [400, field], JSON.stringify(body));
  }
  const { rows } = await pool.query('select count(*)::int n from ledger where customer_id = $1', [id]);
  assert.equal(rows[0].n, 0);
});

test('limits of the staff count for the next message; only theirs can be lifted', async () => {
  const limits = `${path}/limits`;
  const volume = { kind: 'volume', period: 'day', unit: 'messages', limitAt: 1_000, smsType: 3 };
  const added = await api.ask('admin', `POST ${limits}`, { body: volume });
  assert.equal(added.status, 201, added.text);
  const perPhone = await api.ask('admin', `POST ${limits}`, { body: { kind: 'frequency', perDay: 5, appId } });
  assert.equal(perPhone.status, 201, perPhone.text);
  const known = (await loadLimits(pool, [customerId])).limits.get(customerId);
  assert.equal(known?.volume[0]?.limitAt, 1_000);
  assert.equal(known?.frequency[0]?.perDay, 5);
  for (const [body, code] of [
    [{ kind: 'frequency' }, 'VALIDATION_FAILED'],
    [{ kind: 'volume', period: 'week', unit: 'messages', limitAt: 5 }, 'VALIDATION_FAILED'],
    [{ ...volume, appId: api.otherAppId }, 'APP_NOT_FOUND'],
  ] as const)
    assert.equal((await api.ask('admin', `POST ${limits}`, { body })).body.code, code);
  const own = uuidV7();
  await run(
    pool,
    sql`insert into threshold (threshold_id, customer_id, kind, per_day) values (${own}, ${customerId}, 'frequency', 3)`,
  );
  assert.equal((await api.ask('admin', `DELETE ${limits}/${own}`)).status, 404);
  const ofOther = `DELETE /customers/${api.otherCustomerId}/limits/${added.body.thresholdId}`;
  assert.equal((await api.ask('admin', ofOther)).status, 404);
  assert.equal((await api.ask('admin', `DELETE ${limits}/${added.body.thresholdId}`)).status, 204);
  assert.equal((await api.ask('admin', `DELETE ${limits}/${added.body.thresholdId}`)).status, 404);
  const { body } = await api.ask('reviewer', `GET ${path}`);
  assert.deepEqual(
    body.limits.map(({ setBy }: { setBy: string }) => setBy),
    ['staff', 'customer'],
  );
});

test('pace and payment of an application are the staff’s to set', async () => {
  const change = (of: string, body: object) => api.ask('admin', `PATCH ${path}/applications/${of}`, { body });
  const changed = await change(appId, { chargeType: 'ReceiverPays', tps: 250 });
  assert.partialDeepStrictEqual(changed.body, { appId, chargeType: 'ReceiverPays', tps: 250, maxConnectNum: 2 });
  assert.equal((await change(api.otherAppId, { tps: 1 })).status, 404);
  assert.equal((await change(appId, { tps: 0 })).body.errors[0].field, 'tps');
  assert.equal((await change(appId, { useState: 0 })).body.errors[0].code, 'UNKNOWN_FIELD');
  assert.equal((await api.ask('owner', `PATCH /applications/${appId}`, { body: { tps: 9_999 } })).status, 400);
  assert.equal((await api.ask('owner', `GET /applications/${appId}`)).body.tps, 250);
  await change(appId, { chargeType: 'SenderPays', tps: 100 });
});

test('support sees a customer as its viewer: no change of any kind, masked, on record from beginning to end', async () => {
  const enter = await api.ask('reviewer', `POST ${path}/view`);
  assert.deepEqual([enter.status, enter.body.customerName], [201, 'Customer A']);
  const { body: session } = await api.ask('reviewer', 'GET /session');
  assert.partialDeepStrictEqual(session, {
    user: { role: 'viewer', kind: 'customer', account: api.users.reviewer.account },
    customer: { customerId },
    support: { until: enter.body.until },
  });
  // Money is nothing that a reviewer sees.
  assert.deepEqual([session.customer.balance, session.customer.reserved], [null, null]);
  // What a viewer cannot access, support cannot either; staff access does not apply meanwhile.
  for (const hidden of ['GET /customers', 'GET /reviews', 'GET /billing'])
    assert.equal((await api.ask('reviewer', hidden)).status, 404, hidden);
  assert.equal((await api.ask('reviewer', `GET /applications/${api.otherAppId}`)).status, 404);
  assert.equal((await api.ask('reviewer', `GET /applications/${appId}`)).status, 200);
  for (const unsafe of [
    'POST /tasks',
    `POST /tasks/${uuidV7()}/pause`,
    'POST /templates',
    `PATCH /applications/${appId}`,
    `DELETE /tasks/${uuidV7()}`,
    `POST ${path}/suspend`,
    `POST ${path}/view`,
    'POST /files',
  ]) {
    const answer = await api.ask('reviewer', unsafe, { body: {} });
    assert.deepEqual([answer.status, answer.body.code], [403, 'VIEW_ONLY'], unsafe);
  }
  assert.equal((await api.ask('reviewer', 'DELETE /support-view')).status, 204);
  assert.equal((await api.ask('reviewer', 'DELETE /support-view')).status, 404);
  assert.equal((await api.ask('reviewer', 'GET /session')).body.user.role, 'reviewer');
  const log = (await auditOf(customerId)).filter((action) => action.endsWith('View'));
  assert.deepEqual(log, ['beginView', 'endView']);
  // The customer is notified, without the name of the member of staff.
  const { rows } = await pool.query<{ after: object }>(
    `select after from audit_log where customer_id = $1 and action = 'beginView'`,
    [customerId],
  );
  assert.deepEqual(Object.keys(rows[0]?.after ?? {}), ['until']);
  // A user that is not staff has no view to leave, and no access.
  assert.equal((await api.ask('owner', 'DELETE /support-view')).status, 404);
  assert.equal((await api.ask('other', `POST ${path}/view`)).status, 404);
});

test('a support view ends after half an hour, or with the session, and its end is audited', async () => {
  const of = `/customers/${api.otherCustomerId}`;
  const log = async () => (await auditOf(api.otherCustomerId)).filter((action) => action.endsWith('View'));
  const context = { pool, offsetMs: 0 } as unknown as Parameters<typeof endSupportViews>[0];
  assert.equal((await api.ask('operator', `POST ${of}/view`)).status, 201);
  await endSupportViews(context);
  assert.deepEqual(await log(), ['beginView']);
  api.advance(29 * 60_000);
  assert.equal((await api.ask('operator', 'GET /session')).body.user.role, 'viewer');
  api.advance(61_000);
  assert.equal((await api.ask('operator', 'GET /session')).body.user.role, 'operator');
  await endSupportViews({ ...context, offsetMs: 31 * 60_000 });
  assert.deepEqual(await log(), ['beginView', 'endView']);
  assert.equal((await api.ask('operator', `POST ${of}/view`)).status, 201);
  assert.equal((await api.ask('operator', 'DELETE /session')).status, 204);
  await endSupportViews(context);
  assert.deepEqual(await log(), ['beginView', 'endView', 'beginView', 'endView']);
  api.advance(-30 * 60_000);
});
