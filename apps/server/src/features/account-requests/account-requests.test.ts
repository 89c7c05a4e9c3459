/** From "Request an account" to the invitation: what visitors may do, and what staff decide. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listMailTo, many, one, run, sql, uuidV7 } from '@pahatid/db';
import { buildAccountRequest, buildUser } from '@pahatid/db/builders';
import { isWork } from '../../http/proof-of-work.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { sweep } from '../../roles/housekeeping.ts';
import { ticketRules } from './limits.ts';
import { registerAccountRequests } from './routes.ts';

/** The work of four bits: the tests verify that it is required, not how long it takes. */
const rules = { ...ticketRules, leastFillMs: 20_000, lifeMs: 300_000, bits: () => 4 };
const others = apiFeatures.filter((each) => each !== registerAccountRequests);
const api = await makeTestApi({ features: [...others, (app, deps) => registerAccountRequests(app, deps, rules)] });
const { pool } = api.db;
const dayMs = 86_400_000;

let unique = 0;
const freshIp = (): string => `10.${++unique}.0.1`;
const freshEmail = (): string => `maria${++unique}@sampaguita.example`;
const given = {
  ...{ name: 'Maria Reyes', company: 'Sampaguita Clinic', phone: '0917 555 0142', senderId: 'SAMPAGUITA' },
  ...{ uses: ['notices', 'campaigns'], monthlyVolume: 'to100k', channels: ['console'], firstMessageDay: '2026-12-08' },
  ...{ message: 'Reminders the evening before.', locale: 'en-US', consent: true },
};
const work = (prefix: string, bits: number): string => {
  for (let n = 0; ; n++) if (isWork(prefix, String(n), bits)) return String(n);
};
const takeTicket = async (ip: string) => {
  const { body } = await api.ask(null, 'POST /account-requests/ticket', { ip });
  api.advance(rules.leastFillMs);
  return { ticket: body.ticket, proof: work(body.prefix, body.bits) };
};
const post = async (change: object, ip = freshIp()) =>
  api.ask(null, 'POST /account-requests', { body: { ...given, ...(await takeTicket(ip)), ...change }, ip });
const confirm = (token: string) => api.ask(null, 'POST /account-requests/confirm', { body: { token }, ip: freshIp() });
const mailsTo = (email: string) => listMailTo(pool, email, 9);
const tokenIn = (text: string): string => /#confirm=([\w-]+)/.exec(text)?.[1] ?? assert.fail(text);
const rowOf = (email: string) =>
  one<Record<string, unknown>>(
    pool,
    sql`select account_request_id as id, state, name, company, phone, uses, monthly_volume as "monthlyVolume", channels,
          sender_id as "senderId", first_message_on::text as "firstMessageDay", message, locale
        from account_request where email = ${email}`,
  );
const decide = (id: unknown, what: 'approve' | 'reject', body: object, who: 'admin' | 'operator' = 'admin') =>
  api.ask(who, `POST /account-requests/${id}/${what}`, { body });

test('a request is stored as written, and its address is confirmed once by the link that was mailed to it', async () => {
  const email = freshEmail();
  assert.equal((await post({ email })).status, 204);
  const { id, ...row } = await rowOf(email);
  const { consent: _, ...written } = given;
  assert.deepEqual(row, { ...written, state: 'unconfirmed' });
  const [mail, ...more] = await mailsTo(email);
  assert.ok(mail);
  assert.equal(more.length, 0);
  assert.ok(!mail.bodyText.includes('Maria'), 'what a stranger wrote goes to no address that a stranger chose');
  const token = tokenIn(mail.bodyText);
  assert.equal((await api.ask('admin', `GET /account-requests/${id}`)).body.state, 'unconfirmed');
  const admin = await one<{ email: string }>(
    pool,
    sql`select email from app_user where user_id = ${api.users.admin.userId}`,
  );
  const before = (await mailsTo(admin.email)).length;
  const answers = await Promise.all([confirm(token), confirm(token), confirm(token)]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204, 204],
  );
  assert.equal((await rowOf(email))['state'], 'pending');
  const notices = await mailsTo(admin.email);
  assert.equal(notices.length, before + 1);
  assert.ok(notices[0]?.bodyText.includes(`/accountRequest?open=${id}`));
  assert.equal((await confirm(`${token}x`)).body.code, 'NOT_FOUND');
});

test('the answer is the same for an address that a user has, and for one that gets no more mails', async () => {
  const known = await buildUser(pool, { customerId: api.customerId, role: 'member' });
  const { email } = await one<{ email: string }>(pool, sql`select email from app_user where user_id = ${known.userId}`);
  const answers = [];
  for (let n = 0; n < 5; n++) answers.push(await post({ email: n % 2 === 0 ? email : email.toUpperCase() }));
  assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))], ['204 ']);
  assert.equal((await mailsTo(email)).length, 3);
  const stored = await one<{ n: number }>(
    pool,
    sql`select count(*)::int as n from account_request where lower(email) = ${email}`,
  );
  assert.equal(stored.n, 5, 'strangers that use up the mails of an address take no request away');
});

test('what is missing, too long, invented or not agreed to is refused, and a program detects nothing', async () => {
  const count = async () => (await one<{ n: number }>(pool, sql`select count(*)::int as n from account_request`)).n;
  const before = await count();
  const email = freshEmail();
  for (const change of [
    { email: 'maria' },
    { consent: false },
    { uses: [] },
    { uses: ['notices', 'notices'] },
    { uses: ['spam'] },
    { monthlyVolume: '9' },
    { company: '' },
    { name: 'A\r\nBcc: all@shop.example' },
    { message: 'x'.repeat(2_001) },
    { firstMessageDay: '2026-02-31' },
    { locale: 'fr-FR' },
    { state: 'approved' },
  ])
    assert.equal((await post({ email, ...change })).status, 400, JSON.stringify(change).slice(0, 80));
  assert.equal((await post({ email, ticket: 'x' })).body.code, 'CAPTCHA_FAILED');
  assert.equal((await post({ email, website: 'https://spam.example' })).status, 204);
  assert.equal(await count(), before);
  assert.deepEqual(await mailsTo(email), []);
});

test('a ticket of the contact form opens nothing here, and one address asks three times an hour', async () => {
  const ip = freshIp();
  const { body } = await api.ask(null, 'POST /enquiries/ticket', { ip });
  api.advance(rules.leastFillMs);
  const foreign = { ticket: body.ticket, proof: work(body.prefix, body.bits) };
  assert.equal((await post({ email: freshEmail(), ...foreign }, ip)).body.code, 'CAPTCHA_FAILED');
  const answers = [];
  for (let n = 0; n < 5; n++) answers.push((await post({ email: freshEmail() }, ip)).status);
  assert.deepEqual(answers, [204, 204, 204, 429, 429]);
});

test('accepting adds one customer with the person that asked as its owner, also if two do it at the same time', async () => {
  const email = freshEmail();
  const id = await buildAccountRequest(pool, { email, locale: 'zh-CN' });
  const answers = await Promise.all(
    ['One', 'Two', 'Three'].map((customerName) => decide(id, 'approve', { customerName: `${customerName} ${id}` })),
  );
  const made = answers.filter(({ status }) => status === 200);
  assert.equal(made.length, 1);
  for (const { status, body } of answers) if (status !== 200) assert.deepEqual([status, body.code], [409, 'CONFLICT']);
  const customers = await many<{ customerId: string }>(
    pool,
    sql`select customer_id as "customerId" from customer where customer_name like ${`%${id}`}`,
  );
  assert.deepEqual(customers, [{ customerId: made[0]?.body.customerId }]);
  const mails = await mailsTo(email);
  assert.equal(mails.length, 1);
  assert.match(mails[0]?.bodyText ?? '', /您已成为/);
  const token = /#token=([\w-]+)/.exec(mails[0]?.bodyText ?? '')?.[1];
  const owner = { token, account: `owner${++unique}`, name: 'Maria Reyes', password: 'Ricefield7!kx' };
  const entered = await api.ask(null, 'POST /invitations/accept', { body: owner });
  assert.ok(entered.status < 300, entered.text);
  const user = await one<{ role: string; customerId: string }>(
    pool,
    sql`select role, customer_id as "customerId" from app_user where email = ${email}`,
  );
  assert.deepEqual({ ...user }, { role: 'owner', customerId: made[0]?.body.customerId });
  const { body } = await api.ask('admin', `GET /account-requests/${id}`);
  assert.equal(body.state, 'approved');
  assert.equal(body.openedCustomerId, made[0]?.body.customerId);
  assert.ok(body.decidedBy);
  assert.equal((await decide(id, 'reject', { reason: 'Too late' })).body.code, 'CONFLICT');
});

test('a name or an address that is taken leaves the request open', async () => {
  const taken = await one<{ name: string }>(pool, sql`select customer_name as name from customer limit 1`);
  const id = await buildAccountRequest(pool);
  const first = await decide(id, 'approve', { customerName: taken.name });
  assert.deepEqual([first.status, first.body.code], [409, 'CUSTOMER_NAME_TAKEN']);
  const { email } = await one<{ email: string }>(
    pool,
    sql`select email from app_user where user_id = ${api.users.member.userId}`,
  );
  const ofUser = await buildAccountRequest(pool, { email });
  const second = await decide(ofUser, 'approve', { customerName: `Taken ${ofUser}` });
  assert.deepEqual([second.status, second.body.code], [409, 'EMAIL_TAKEN']);
  for (const each of [id, ofUser])
    assert.equal((await api.ask('admin', `GET /account-requests/${each}`)).body.state, 'pending');
  assert.equal((await decide(id, 'approve', { customerName: `Free ${id}` })).status, 200);
});

test('declining mails the reason to a confirmed address alone, and is logged without what was written', async () => {
  const [confirmed, unconfirmed] = [freshEmail(), freshEmail()];
  const one = await buildAccountRequest(pool, { email: confirmed });
  const other = await buildAccountRequest(pool, { email: unconfirmed, isConfirmed: false });
  for (const id of [one, other]) assert.equal((await decide(id, 'reject', { reason: 'No company found' })).status, 204);
  assert.match((await mailsTo(confirmed))[0]?.bodyText ?? '', /No company found/);
  assert.deepEqual(await mailsTo(unconfirmed), []);
  const log = await many<{ line: string }>(
    pool,
    sql`select audit_log::text as line from audit_log where subject_id in (${one}, ${other})`,
  );
  assert.equal(log.length, 2);
  assert.ok(log.every(({ line }) => line.includes('No company found') && !line.includes('sampaguita')));
});

test('operators read the queue, admins decide, and nobody else finds it', async () => {
  const id = await buildAccountRequest(pool);
  for (const role of ['operator', 'admin'] as const)
    assert.equal((await api.ask(role, `GET /account-requests/${id}`)).status, 200);
  assert.equal((await decide(id, 'approve', { customerName: `By ${id}` }, 'operator')).status, 403);
  assert.equal((await decide(id, 'reject', { reason: 'No' }, 'operator')).status, 403);
  for (const role of ['owner', 'viewer', 'reviewer'] as const) {
    assert.equal((await api.ask(role, 'GET /account-requests')).status, 404);
    assert.equal((await api.ask(role, `GET /account-requests/${id}`)).status, 404);
  }
  assert.equal((await api.ask(null, 'GET /account-requests')).status, 401);
  assert.equal((await decide(uuidV7(), 'reject', { reason: 'Nobody asked' })).status, 404);
  assert.equal((await decide(uuidV7(), 'approve', { customerName: 'Nobody asked' })).status, 404);
});

test('the list has confirmed requests, newest first, by state and by what is searched; the menu counts those that wait', async () => {
  await run(pool, sql`delete from account_request`);
  const hidden = await buildAccountRequest(pool, { isConfirmed: false });
  const ids = [];
  for (let n = 0; n < 5; n++) ids.unshift(await buildAccountRequest(pool, { company: `Queue ${n}` }));
  await decide(ids[4], 'reject', { reason: 'No' });
  const list = async (query: Record<string, string>) =>
    (await api.ask('admin', 'GET /account-requests', { query })).body as {
      items: { accountRequestId: string }[];
      nextCursor: string;
    };
  const idsOf = async (query: Record<string, string>) =>
    (await list(query)).items.map(({ accountRequestId }) => accountRequestId);
  const first = await list({ limit: '2' });
  const rest = await idsOf({ limit: '9', cursor: first.nextCursor });
  assert.deepEqual([...first.items.map(({ accountRequestId }) => accountRequestId), ...rest], ids);
  assert.deepEqual(await idsOf({ sort: 'requestTime' }), [...ids].reverse());
  assert.deepEqual(await idsOf({ state: 'unconfirmed' }), [hidden]);
  assert.deepEqual(await idsOf({ state: 'rejected' }), [ids[4]]);
  assert.deepEqual(await idsOf({ search: 'queue 3' }), [ids[1]]);
  assert.deepEqual(await idsOf({ search: '%' }), []);
  const waits = async (who: 'admin' | 'operator' | 'owner') =>
    (await api.ask(who, 'GET /overview/waiting')).body.accountRequests;
  assert.deepEqual([await waits('admin'), await waits('operator'), await waits('owner')], [4, 0, 0]);
});

test('requests are deleted 7 days after they were written if unconfirmed, 30 days after a decision, 180 days without one', async () => {
  await run(pool, sql`delete from account_request`);
  const now = Date.now();
  const ago = (days: number) => new Date(now - days * dayMs);
  const kept = [
    await buildAccountRequest(pool, { isConfirmed: false, at: ago(6) }),
    await buildAccountRequest(pool, { at: ago(179) }),
    await buildAccountRequest(pool, { at: ago(170) }),
  ];
  await buildAccountRequest(pool, { isConfirmed: false, at: ago(8) });
  await buildAccountRequest(pool, { at: ago(181) });
  const decided = await buildAccountRequest(pool, { at: ago(60) });
  const state = (id: unknown, days: number) =>
    run(
      pool,
      sql`update account_request set state = 'rejected', decided_at = ${ago(days)} where account_request_id = ${id}`,
    );
  await state(decided, 31);
  await state(kept[2], 29);
  await sweep({ pool, log: api.deps.log, offsetMs: 0 } as Parameters<typeof sweep>[0]);
  const left = await many<{ id: string }>(pool, sql`select account_request_id as id from account_request`);
  assert.deepEqual(left.map(({ id }) => id).sort(), kept.sort());
});

// Last: each request advances the clock, by which sessions end.
test('S74 a network has six requests of a day, a block of networks forty, so that others still get through', async () => {
  const network = freshIp().replace(/\.1$/, '');
  const statuses: number[] = [];
  for (let host = 1; host <= 8; host++)
    statuses.push((await post({ email: freshEmail() }, `${network}.${host}`)).status);
  assert.deepEqual(statuses, [204, 204, 204, 204, 204, 204, 429, 429]);
  let sent = 0;
  for (let net = 0; net < 9; net++)
    for (let n = 1; n <= 6; n++)
      if ((await post({ email: freshEmail() }, `172.31.${net}.${n}`)).status === 204) sent += 1;
  assert.equal(sent, 40);
  assert.equal((await post({ email: freshEmail() }, '172.30.0.1')).status, 204);
});
