/** Requested top-ups: roles that may ask, see and decide; each request is entered once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, one, run, sql } from '@pahatid/db';
import { buildCustomer, buildUser } from '@pahatid/db/builders';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const limit = 1_000_000_000;
await run(pool, sql`update approval_limit set ledger = ${limit}`);
const pdf = Buffer.from('%PDF-1.7 a receipt');
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);

/** A customer of each test, so that sums within 24 hours start at zero. */
const makeWorld = async () => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  const { userId } = await buildUser(pool, { customerId, role: 'owner' });
  const headers = { cookie: await api.signIn(userId) };
  const byOwner = (path: string, body?: object) =>
    api.ask(null, path, { headers, ...(body !== undefined && { body }) });
  const ask = async (more: object = {}): Promise<string> => {
    const answer = await byOwner('POST /top-ups', { amount: 500_000_000, reference: 'BPI 4471', ...more });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.topUpId;
  };
  const balance = async (): Promise<number> =>
    (
      await one<{ n: number }>(
        pool,
        sql`select coalesce(sum(amount), 0)::float8 as n from ledger where customer_id = ${customerId}`,
      )
    ).n;
  return { customerId, userId, byOwner, ask, balance };
};
const stateOf = async (topUpId: string): Promise<string> =>
  (await one<{ state: string }>(pool, sql`select state from top_up_request where top_up_id = ${topUpId}`)).state;

test('an owner asks with a receipt, admins are notified, and approving enters what arrived once', async () => {
  const { customerId, byOwner, ask, balance } = await makeWorld();
  const topUpId = await ask({ receipt: { name: 'slip.pdf', content: pdf.toString('base64') } });
  const [notice] = await many<{ of: string }>(
    pool,
    sql`select params->>'of' as of from notice where user_id = ${api.users.admin.userId} and params->>'approvalId' = ${topUpId}`,
  );
  assert.equal(notice?.of, 'topUp');
  const receipt = await api.ask('admin', `GET /top-ups/${topUpId}/receipt`);
  assert.deepEqual(receipt.body, { name: 'slip.pdf', type: 'application/pdf', content: pdf.toString('base64') });
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      api.ask('admin', `POST /customers/${customerId}/top-ups/${topUpId}/approve`, { body: { amount: 499_000_000 } }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  assert.equal(await balance(), 499_000_000);
  const { body } = await byOwner('GET /top-ups');
  assert.equal(body.items.length, 1);
  const { state, amount, entered, reference, receiptName, ...rest } = body.items[0];
  assert.deepEqual(
    { state, amount, entered, reference, receiptName },
    { state: 'approved', amount: 500_000_000, entered: 499_000_000, reference: 'BPI 4471', receiptName: 'slip.pdf' },
  );
  assert.ok(!('operator' in rest) && !('approvalId' in rest));
  const [entry] = await many<{ note: string }>(pool, sql`select note from ledger where customer_id = ${customerId}`);
  assert.equal(entry?.note, 'BPI 4471');
  for (const [act, more] of [
    ['approve', { amount: 1 }],
    ['reject', { reason: 'Again' }],
  ] as const)
    assert.equal(
      (await api.ask('admin', `POST /customers/${customerId}/top-ups/${topUpId}/${act}`, { body: more })).body.code,
      'CONFLICT',
    );
  assert.equal((await byOwner(`POST /top-ups/${topUpId}/withdraw`)).body.code, 'CONFLICT');
});

test('S70 above the limit it waits for a second admin, is entered with the approval, and can be withdrawn before', async () => {
  const { customerId, byOwner, ask, balance } = await makeWorld();
  const second = await buildUser(pool, { role: 'admin' });
  const bySecond = async (path: string, body?: object) =>
    api.ask(null, path, { headers: { cookie: await api.signIn(second.userId) }, ...(body !== undefined && { body }) });
  const approve = (topUpId: string) =>
    api.ask('admin', `POST /customers/${customerId}/top-ups/${topUpId}/approve`, { body: { amount: limit + 1 } });
  const [topUpId, withdrawn] = [await ask(), await ask()];
  const answer = await approve(topUpId);
  assert.equal(answer.body.state, 'pending', answer.text);
  const { approvalId } = answer.body;
  assert.equal((await approve(topUpId)).body.code, 'CONFLICT');
  assert.equal(await balance(), 0);
  const decided = async () =>
    (
      await many<{ entered: number }>(
        pool,
        sql`select (params->>'entered')::float8 as entered from notice
            where customer_id = ${customerId} and kind = 'topUpDecided'`,
      )
    ).map(({ entered }) => entered);
  assert.deepEqual(await decided(), []);
  assert.equal((await bySecond(`POST /approvals/${approvalId}/approve`)).status, 204);
  assert.deepEqual([await balance(), await stateOf(topUpId)], [limit + 1, 'approved']);
  assert.deepEqual(await decided(), [limit + 1]);

  const { approvalId: late } = (await approve(withdrawn)).body;
  assert.equal((await byOwner(`POST /top-ups/${withdrawn}/withdraw`)).status, 204);
  assert.equal((await bySecond(`POST /approvals/${late}/approve`)).body.code, 'CONFLICT');
  assert.deepEqual([await balance(), await stateOf(withdrawn)], [limit + 1, 'withdrawn']);

  const again = await ask();
  const { approvalId: rejected } = (await approve(again)).body;
  assert.equal((await bySecond(`POST /approvals/${rejected}/reject`, { reason: 'Not yet' })).status, 204);
  assert.equal((await approve(again)).body.state, 'pending');
  assert.deepEqual(await decided(), [limit + 1]);
});

/** What a user was notified of about its customer's top-ups, and the mails. */
const noticesOf = (userId: string) =>
  many<{ params: object }>(pool, sql`select params from notice where user_id = ${userId} and kind = 'topUpDecided'`);
const mailsOf = async (userId: string): Promise<string[]> =>
  (
    await many<{ text: string }>(
      pool,
      sql`select m.subject || ' ' || m.body_text as text from mail m join app_user u on u.email = m.recipient
          where u.user_id = ${userId} order by m.mail_id`,
    )
  ).map(({ text }) => text);

test('owners are notified of each decision, with the amount, the reference and the reason, in their language', async () => {
  const { customerId, userId: owner, ask } = await makeWorld();
  const { userId: second } = await buildUser(pool, { customerId, role: 'owner' });
  const { userId: member } = await buildUser(pool, { customerId, role: 'member' });
  await run(pool, sql`update app_user set locale = 'en-US' where user_id = ${owner}`);
  await run(pool, sql`update app_user set locale = 'zh-CN' where user_id = ${second}`);
  const decide = async (act: string, body: object): Promise<string> => {
    const topUpId = await ask();
    const { status, text } = await api.ask('admin', `POST /customers/${customerId}/top-ups/${topUpId}/${act}`, {
      body,
    });
    assert.ok(status < 300, text);
    return topUpId;
  };
  const approved = await decide('approve', { amount: 499_000_000 });
  const rejected = await decide('reject', { reason: 'The bank does not know it' });
  const common = { amount: 500_000_000, reference: 'BPI 4471' };
  const expected = [
    { params: { ...common, topUpId: approved, approved: true, entered: 499_000_000, reason: null } },
    { params: { ...common, topUpId: rejected, approved: false, entered: null, reason: 'The bank does not know it' } },
  ];
  assert.deepEqual(await noticesOf(owner), expected);
  assert.deepEqual(await noticesOf(second), expected);
  assert.deepEqual(await noticesOf(member), []);
  const [yes = '', no = ''] = await mailsOf(owner);
  assert.match(yes, /^Your top-up has arrived .*₱49,900\.00 .*“BPI 4471”.* You requested ₱50,000\.00\./s);
  assert.match(no, /^Your top-up request was rejected .*₱50,000\.00 .*“BPI 4471”.* Reason: The bank does not know it/s);
  const [zhYes = '', zhNo = ''] = await mailsOf(second);
  assert.match(zhYes, /^充值已到账 .*₱49,900\.00.*“BPI 4471”/s);
  assert.match(zhNo, /^充值申请未通过 .*原因：The bank does not know it/s);
});

test('S2 each owner sees and withdraws its own, staff all; members ask for nothing and operators enter nothing', async () => {
  const { customerId, ask, byOwner } = await makeWorld();
  const topUpId = await ask({ receipt: { name: 'slip.png', content: png.toString('base64') } });
  const statuses = async (path: string, whos: readonly Who[], body?: object) =>
    Promise.all(whos.map(async (who) => (await api.ask(who, path, body === undefined ? {} : { body })).status));
  const inside: Who[] = ['member', 'viewer', 'reviewer'];
  assert.deepEqual(await statuses('GET /top-ups', [null, ...inside]), [401, 404, 404, 404]);
  assert.deepEqual(await statuses('POST /top-ups', [null, ...inside, 'admin'], { amount: 1, reference: 'x' }), [
    ...[401, 404, 404, 404, 403],
  ]);
  assert.deepEqual((await api.ask('owner', 'GET /top-ups')).body.items, []);
  assert.equal((await api.ask('owner', 'GET /top-ups', { query: { customerId } })).status, 404);
  assert.deepEqual(await statuses(`GET /top-ups/${topUpId}/receipt`, ['owner', 'operator']), [404, 200]);
  assert.deepEqual(await statuses(`POST /top-ups/${topUpId}/withdraw`, ['owner', 'admin']), [404, 403]);
  assert.deepEqual(
    await statuses(`POST /customers/${customerId}/top-ups/${topUpId}/approve`, ['owner', 'operator'], {
      amount: 1,
    }),
    [404, 403],
  );
  const elsewhere = await api.ask('admin', `POST /customers/${api.customerId}/top-ups/${topUpId}/approve`, {
    body: { amount: 1 },
  });
  assert.equal(elsewhere.status, 404);
  const listed = await api.ask('operator', 'GET /top-ups', { query: { customerId, state: 'pending' } });
  assert.deepEqual(
    listed.body.items.map((row: { topUpId: string }) => row.topUpId),
    [topUpId],
  );
  const csv = await api.ask('operator', 'GET /top-ups', { query: { customerId }, headers: { accept: 'text/csv' } });
  assert.match(csv.text, /50000,BPI 4471,slip\.png,pending/);
  const answer = await api.ask('operator', `POST /customers/${customerId}/top-ups/${topUpId}/reject`, {
    body: { reason: 'Not received' },
  });
  assert.equal(answer.status, 204);
  assert.equal((await byOwner('GET /top-ups')).body.items[0].reason, 'Not received');
});

test('a request says what is wrong with it; twenty may be pending', async () => {
  const { byOwner, ask } = await makeWorld();
  const wrong = async (body: object) => {
    const answer = await byOwner('POST /top-ups', { amount: 1, reference: 'x', ...body });
    return [answer.status, answer.body.errors?.[0]?.field, answer.body.errors?.[0]?.code];
  };
  const receipt = (content: Buffer) => ({ receipt: { name: 'slip.pdf', content: content.toString('base64') } });
  assert.deepEqual(await wrong({ amount: 0 }), [400, 'amount', 'TOO_SMALL']);
  assert.deepEqual(await wrong({ reference: ' ' }), [400, 'reference', 'TOO_SHORT']);
  assert.deepEqual(await wrong(receipt(Buffer.from('<html>'))), [400, 'receipt', 'FORMAT']);
  assert.deepEqual(await wrong({ receipt: { name: 'x', content: '%%%' } }), [400, 'receipt.content', 'FORMAT']);
  const large = Buffer.concat([pdf, Buffer.alloc(2 * 1024 * 1024 - pdf.length + 1)]);
  assert.equal((await wrong(receipt(large)))[0], 400);
  await ask(receipt(large.subarray(0, -1)));
  for (let n = 1; n < 20; n++) await ask();
  const answer = await byOwner('POST /top-ups', { amount: 1, reference: 'x' });
  assert.deepEqual([answer.status, answer.body.code], [429, 'RATE_LIMITED']);
});
