/** Sums and prices beyond the limits apply once a second member of staff approves them. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { many, one, run, sql } from '@pahatid/db';
import { buildCustomer, buildUser } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const second = await buildUser(pool, { role: 'admin' });
const operator = await buildUser(pool, { role: 'operator' });
const day = 86_400_000;
/** ₱100,000 and ₱0.20, the initial limits. */
const limits = { ledger: 1_000_000_000, price: 2_000 };

const as =
  (userId: string) =>
  async (route: string, body?: object): ReturnType<typeof api.ask> =>
    api.ask(null, route, {
      headers: { cookie: await api.signIn(userId) },
      ...(body !== undefined && { body }),
    });
const first = as(api.users.admin.userId);
const other = as(second.userId);
const byOperator = as(api.users.operator.userId);
const byOtherOperator = as(operator.userId);

const balanceOf = async (customerId: string): Promise<number> =>
  (
    await one<{ n: number }>(
      pool,
      sql`select coalesce(sum(amount), 0)::float8 as n from balance where customer_id = ${customerId}`,
    )
  ).n;
const stateOf = async (approvalId: string): Promise<string> =>
  (await one<{ state: string }>(pool, sql`select state from approval where approval_id = ${approvalId}`)).state;
const actionsOn = async (approvalId: string): Promise<string[]> =>
  (
    await many<{ action: string }>(
      pool,
      sql`select action from audit_log where subject_id = ${approvalId} order by audit_id`,
    )
  ).map(({ action }) => action);
const topUp = (customerId: string, amount: number, note = 'Transfer') =>
  first(`POST /customers/${customerId}/ledger`, { amount, note });
const asked = async (amount = limits.ledger + 1) => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  const answer = await topUp(customerId, amount);
  assert.equal(answer.status, 202, answer.text);
  return { customerId, amount, approvalId: answer.body.approvalId as string };
};

beforeEach(async () => {
  await run(pool, sql`update approval_limit set ledger = ${limits.ledger}, price = ${limits.price}`);
});

test('S70 a top-up at the limit takes effect; one above it, also summed over 24 hours, waits and moves nothing', async () => {
  const id = await buildCustomer(pool, { balance: 0 });
  assert.equal((await topUp(id, limits.ledger - 10)).status, 201);
  assert.equal((await topUp(id, 10)).status, 201);
  const beyond = await topUp(id, 1);
  assert.deepEqual([beyond.status, Object.keys(beyond.body)], [202, ['approvalId', 'expireTime']]);
  const minus = await first(`POST /customers/${id}/ledger`, { kind: 'adjustment', amount: -1, note: 'Back' });
  assert.equal(minus.status, 202, minus.text);
  assert.equal(await balanceOf(id), limits.ledger);
  // Another admin, and the same one a day later, have their own.
  assert.equal((await other(`POST /customers/${id}/ledger`, { amount: 5 })).status, 201);
  api.advance(day + 1_000);
  assert.equal((await topUp(id, 7)).status, 201);
  assert.equal(await balanceOf(id), limits.ledger + 12);
});

test('S70 of two concurrent top-ups that together exceed the limit, one waits', async () => {
  const id = await buildCustomer(pool, { balance: 0 });
  const half = limits.ledger / 2 + 1;
  const both = await Promise.all([topUp(id, half, 'a'), topUp(id, half, 'b')]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 202]);
  assert.equal(await balanceOf(id), half);
});

test('S70 a repeated request under one key is one pending approval', async () => {
  const id = await buildCustomer(pool, { balance: 0 });
  const cookie = await api.signIn(api.users.admin.userId);
  const ask = () =>
    api.ask(null, `POST /customers/${id}/ledger`, {
      body: { amount: limits.ledger + 1 },
      headers: { cookie, 'idempotency-key': 'slip-1' },
    });
  const answers = [...(await Promise.all([ask(), ask()])), await ask()];
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  assert.equal(new Set(answers.map(({ body }) => body.approvalId)).size, 1);
});

test('S70 the requester cannot approve; the second person does, once, and it is all on record', async () => {
  const { customerId, amount, approvalId } = await asked();
  const own = await first(`POST /approvals/${approvalId}/approve`);
  assert.deepEqual([own.status, own.body.code], [403, 'APPROVAL_OWN']);
  assert.equal((await first(`POST /approvals/${approvalId}/reject`, { reason: 'x' })).body.code, 'APPROVAL_OWN');
  assert.equal((await byOperator(`POST /approvals/${approvalId}/approve`)).status, 403);
  assert.equal(await balanceOf(customerId), 0);
  const listed = (await byOperator('GET /approvals?state=pending')).body;
  assert.partialDeepStrictEqual(
    listed.items.find((row: { approvalId: string }) => row.approvalId === approvalId),
    {
      kind: 'ledger',
      state: 'pending',
      customerId,
      request: { kind: 'topUp', amount, note: 'Transfer' },
      requestedBy: { account: api.users.admin.account },
    },
  );
  const done = await other(`POST /approvals/${approvalId}/approve`);
  assert.equal(done.status, 204, done.text);
  assert.equal(await balanceOf(customerId), amount);
  const again = await other(`POST /approvals/${approvalId}/approve`);
  assert.deepEqual([again.status, again.body.code], [409, 'APPROVAL_ENDED']);
  assert.equal(await balanceOf(customerId), amount);
  assert.deepEqual(await actionsOn(approvalId), ['requestApproval', 'approve']);
  const entry = await one<{ user_id: string; note: string }>(
    pool,
    sql`select user_id, note from ledger where customer_id = ${customerId}`,
  );
  assert.deepEqual({ ...entry }, { user_id: api.users.admin.userId, note: 'Transfer' });
});

test('S70 of concurrent approve, reject and withdraw one succeeds, and money moves at most once', async () => {
  for (let round = 0; round < 5; round++) {
    const { customerId, amount, approvalId } = await asked();
    const answers = await Promise.all([
      other(`POST /approvals/${approvalId}/approve`),
      other(`POST /approvals/${approvalId}/approve`),
      other(`POST /approvals/${approvalId}/reject`, { reason: 'No slip' }),
      first(`POST /approvals/${approvalId}/withdraw`),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409, 409, 409]);
    assert.equal(await balanceOf(customerId), (await stateOf(approvalId)) === 'approved' ? amount : 0);
    assert.equal((await actionsOn(approvalId)).length, 2);
  }
});

test('S70 what was rejected with a reason, withdrawn or has expired moves nothing', async () => {
  const rejected = await asked();
  assert.equal((await other(`POST /approvals/${rejected.approvalId}/reject`, { reason: '' })).status, 400);
  assert.equal((await other(`POST /approvals/${rejected.approvalId}/reject`, { reason: 'No slip' })).status, 204);
  const withdrawn = await asked();
  assert.equal((await other(`POST /approvals/${withdrawn.approvalId}/withdraw`)).status, 403);
  assert.equal((await first(`POST /approvals/${withdrawn.approvalId}/withdraw`)).status, 204);
  const expired = await asked();
  api.advance(7 * day);
  for (const { approvalId, customerId } of [rejected, withdrawn, expired]) {
    const late = await other(`POST /approvals/${approvalId}/approve`);
    assert.deepEqual([late.status, late.body.code], [409, 'APPROVAL_ENDED']);
    assert.equal(await balanceOf(customerId), 0);
  }
  assert.equal((await first(`POST /approvals/${expired.approvalId}/withdraw`)).body.code, 'APPROVAL_ENDED');
  const states = async (state: string) =>
    (await first(`GET /approvals?limit=200&state=${state}`)).body.items.map(
      ({ approvalId }: { approvalId: string }) => approvalId,
    );
  assert.ok((await states('rejected')).includes(rejected.approvalId));
  assert.ok((await states('withdrawn')).includes(withdrawn.approvalId));
  assert.ok((await states('expired')).includes(expired.approvalId));
  assert.ok(!(await states('pending')).includes(expired.approvalId));
  assert.deepEqual(await actionsOn(rejected.approvalId), ['requestApproval', 'reject']);
  assert.deepEqual(await actionsOn(withdrawn.approvalId), ['requestApproval', 'withdraw']);
});

test('S70 a price change above the limit waits, by every route; operators approve each other', async () => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  const near = await byOperator('POST /prices', { customerId, price: 5_500 });
  assert.equal(near.status, 201, near.text);
  const path = `/prices/${near.body.priceId}`;
  const priceNow = async () => (await first(`GET ${path}`)).body.price;
  const later = new Date(api.deps.now().getTime() + day).toISOString();
  const edit = await byOperator(`PATCH ${path}`, { price: 3_499, version: 1 });
  const waiting = [
    edit,
    await byOperator(`PATCH ${path}`, { price: 7_501, version: 1 }),
    await byOperator('POST /prices', { customerId, carrier: 'Globe', price: 0 }),
    await byOperator('POST /price-changes', { customerId, price: 0, effectiveTime: later }),
  ];
  assert.deepEqual(
    waiting.map(({ status }) => status),
    [202, 202, 202, 202],
  );
  assert.equal(waiting[3]?.body.expireTime, later);
  assert.equal(await priceNow(), 5_500);
  const globe = await byOtherOperator(`POST /approvals/${waiting[2]?.body.approvalId}/approve`);
  assert.equal(globe.status, 204, globe.text);
  const { items } = (await first(`GET /prices?customerId=${customerId}`)).body;
  assert.deepEqual(items.map(({ price }: { price: number }) => price).sort(), [0, 5_500]);
  // Two requests from the same version: once one is approved, the other is outdated.
  assert.equal((await byOperator(`POST /approvals/${edit.body.approvalId}/approve`)).body.code, 'APPROVAL_OWN');
  assert.equal((await byOtherOperator(`POST /approvals/${edit.body.approvalId}/approve`)).status, 204);
  assert.equal(await priceNow(), 3_499);
  const stale = await other(`POST /approvals/${waiting[1]?.body.approvalId}/approve`);
  assert.deepEqual([stale.status, stale.body.code], [409, 'CONFLICT']);
  assert.equal(await stateOf(waiting[1]?.body.approvalId), 'pending');
  assert.equal((await other(`POST /approvals/${waiting[3]?.body.approvalId}/approve`)).status, 204);
  const planned = (await first('GET /price-changes?planned=1')).body.items[0];
  assert.partialDeepStrictEqual(planned, { price: 0, effectiveTime: later, account: api.users.operator.account });
});

test('S70 a removal is measured by the price that counts then; a taken scope is refused and not left waiting', async () => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  const { body } = await first('POST /prices', { customerId, price: 5_400 });
  await run(pool, sql`update price set price = 9_000, version = 2 where price_id = ${body.priceId}`);
  const removal = await first(`DELETE /prices/${body.priceId}`);
  assert.equal(removal.status, 202, removal.text);
  const taken = await first('POST /prices', { customerId, price: 0 });
  assert.deepEqual([taken.status, taken.body.code], [409, 'PRICE_TAKEN']);
  assert.equal((await other(`POST /approvals/${removal.body.approvalId}/approve`)).status, 204);
  assert.equal((await first(`GET /prices/${body.priceId}`)).status, 404);
});

test('S70 a limit is lowered immediately and raised only by a second admin', async () => {
  const read = async () => (await byOperator('GET /approval-limits')).body;
  const set = async (body: object) => first('PATCH /approval-limits', { ...(await read()), ...body });
  assert.equal((await byOperator('PATCH /approval-limits', { ...(await read()) })).status, 403);
  const lowered = await set({ ledger: 500 });
  assert.deepEqual([lowered.status, lowered.body.ledger], [200, 500]);
  assert.equal((await set({ version: 1_000 })).body.code, 'CONFLICT');
  const raised = await set({ ledger: 600 });
  assert.equal(raised.status, 202, raised.text);
  assert.equal((await read()).ledger, 500);
  assert.equal((await byOperator(`POST /approvals/${raised.body.approvalId}/approve`)).status, 403);
  assert.equal((await first(`POST /approvals/${raised.body.approvalId}/approve`)).body.code, 'APPROVAL_OWN');
  assert.equal((await other(`POST /approvals/${raised.body.approvalId}/approve`)).status, 204);
  assert.equal((await read()).ledger, 600);
  const id = await buildCustomer(pool, { balance: 0 });
  assert.deepEqual([(await topUp(id, 600)).status, (await topUp(id, 1)).status], [201, 202]);
});

test('S70 approvers are notified, not the requester; only staff can see approvals', async () => {
  const { approvalId } = await asked();
  const told = await many<{ user_id: string }>(
    pool,
    sql`select user_id from notice where kind = 'approvalPending' and params->>'approvalId' = ${approvalId}`,
  );
  assert.deepEqual(
    told.map(({ user_id }) => user_id),
    [second.userId],
  );
  const { rowCount } = await pool.query(
    `select 1 from mail where subject like '%needs approval%' or subject like '%等待审批%'`,
  );
  assert.ok(rowCount !== null && rowCount > 0);
  for (const who of ['owner', 'member', 'viewer', 'other', 'reviewer'] as const)
    for (const route of ['GET /approvals', `POST /approvals/${approvalId}/approve`, 'GET /approval-limits'])
      assert.equal((await as(api.users[who].userId)(route)).status, 404, `${who} ${route}`);
  assert.equal((await api.ask(null, 'GET /approvals')).status, 401);
  assert.equal((await other(`POST /approvals/${api.customerId}/approve`)).status, 404);
});

test('S70 approving needs a fresh proof', async () => {
  const { approvalId } = await asked();
  const cookie = await api.signIn(second.userId);
  api.advance(11 * 60_000);
  const late = await api.ask(null, `POST /approvals/${approvalId}/approve`, { headers: { cookie } });
  assert.deepEqual([late.status, late.body.code], [403, 'STEP_UP_REQUIRED']);
  assert.equal(await stateOf(approvalId), 'pending');
});
