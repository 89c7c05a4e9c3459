import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listMailTo, many, one, sql, uuidV7 } from '@pahatid/db';
import { isWork, workBits } from '../../http/proof-of-work.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { ticketRules } from './limits.ts';
import { registerEnquiries } from './routes.ts';

/**
 * The work of four bits: the test verifies that it is required, not how long it takes. Times are far longer than the
 * tests themselves.
 */
const rules = { ...ticketRules, leastFillMs: 20_000, lifeMs: 300_000, bits: () => 4 };
const api = await makeTestApi({ features: [(app, deps) => registerEnquiries(app, deps, rules)] });
const given = {
  name: 'A visitor',
  email: 'visitor@shop.example',
  company: '',
  phone: '0917 123 4567',
  message: 'We want to reach 1,000 phones.\nHow much is that?',
  locale: 'en-US',
};
let networks = 0;
const freshIp = (): string => `10.${++networks}.0.1`;
const work = (prefix: string, bits: number): string => {
  for (let n = 0; ; n++) if (isWork(prefix, String(n), bits)) return String(n);
};
/** A ticket that has been worked and waited for. */
const takeTicket = async (ip: string): Promise<{ ticket: string; proof: string }> => {
  const { body } = await api.ask(null, 'POST /enquiries/ticket', { ip });
  api.advance(rules.leastFillMs);
  return { ticket: body.ticket, proof: work(body.prefix, body.bits) };
};
const post = async (body: object, ip = freshIp()) =>
  api.ask(null, 'POST /enquiries', { body: { ...(await takeTicket(ip)), ...body }, ip });
const mailsOf = async (role: 'operator' | 'admin' | 'reviewer' | 'owner') => {
  const { userId } = api.users[role];
  const user = await one<{ email: string }>(api.db.pool, sql`select email from app_user where user_id = ${userId}`);
  return listMailTo(api.db.pool, user.email, 5);
};
const count = async (): Promise<number> =>
  (await one<{ n: number }>(api.db.pool, sql`select count(*)::int as n from enquiry`)).n;

test('an enquiry is kept with what was left out as nothing, and mailed to operators and admins alone', async () => {
  assert.equal((await post(given)).status, 204);
  const row = await one<Record<string, unknown>>(
    api.db.pool,
    sql`select name, email, company, phone, message, locale from enquiry`,
  );
  assert.deepEqual(row, { ...given, company: null });
  for (const role of ['operator', 'admin'] as const) {
    const [mail] = await mailsOf(role);
    assert.ok(mail, role);
    assert.ok(mail.subject.includes('A visitor'));
    assert.ok(mail.bodyText.includes('We want to reach 1,000 phones.\nHow much is that?'));
    assert.ok(mail.bodyText.includes('visitor@shop.example'));
  }
  for (const role of ['reviewer', 'owner'] as const) assert.deepEqual(await mailsOf(role), []);
});

test('a name with line breaks makes no header of a mail, and what is too short, too long or no address is refused', async () => {
  const before = await count();
  const refused = async (change: object) => (await post({ ...given, ...change })).status;
  assert.equal(await refused({ name: 'A\r\nBcc: all@shop.example' }), 400);
  assert.equal(await refused({ email: 'visitor' }), 400);
  assert.equal(await refused({ message: 'too short' }), 400);
  assert.equal(await refused({ message: 'x'.repeat(4_001) }), 400);
  assert.equal(await refused({ locale: 'fr-FR' }), 400);
  assert.equal(await refused({ customerId: 'x' }), 400);
  assert.equal(await count(), before);
});

test('what a program fills in is answered like any other and not kept', async () => {
  const before = await count();
  assert.equal((await post({ ...given, website: 'https://spam.example' })).status, 204);
  assert.equal(await count(), before);
});

test('a ticket opens one enquiry, also for concurrent requests, and none for another address', async () => {
  const before = await count();
  const ip = freshIp();
  const own = await takeTicket(ip);
  const refused = await api.ask(null, 'POST /enquiries', { body: { ...given, ...own }, ip: freshIp() });
  assert.deepEqual([refused.status, refused.body.code], [403, 'CAPTCHA_FAILED']);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => api.ask(null, 'POST /enquiries', { body: { ...given, ...own }, ip })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 403, 403, 403]);
  assert.equal(await count(), before + 1);
});

test('a ticket is refused too soon, too late, altered, without its work, and where there is none', async () => {
  const before = await count();
  const ip = freshIp();
  const tryWith = async (ticket: { ticket?: string; proof?: string }) =>
    (await api.ask(null, 'POST /enquiries', { body: { ...given, ...ticket }, ip })).status;
  const { body } = await api.ask(null, 'POST /enquiries/ticket', { ip });
  const proof = work(body.prefix, body.bits);
  api.advance(rules.leastFillMs / 2);
  assert.equal(await tryWith({ ticket: body.ticket, proof }), 403);
  api.advance(rules.leastFillMs / 2);
  let wrong = 0;
  while (isWork(body.prefix, String(wrong), body.bits)) wrong += 1;
  assert.equal(await tryWith({ ticket: body.ticket, proof: String(wrong) }), 403);
  const [id, issued, bits, signature] = body.ticket.split('.');
  assert.equal(await tryWith({ ticket: [id, Number(issued) - 60_000, bits, signature].join('.'), proof }), 403);
  assert.equal(await tryWith({ ticket: [id, issued, 0, signature].join('.'), proof }), 403);
  assert.equal(await tryWith({ ticket: 'x', proof }), 403);
  assert.equal(await tryWith({}), 400);
  // None of these has used it up; neither has one refused for its content.
  assert.equal(await tryWith({ ticket: body.ticket, proof, email: 'visitor' } as object), 400);
  api.advance(rules.lifeMs);
  assert.equal(await tryWith({ ticket: body.ticket, proof }), 403);
  const late = await takeTicket(ip);
  assert.equal(await tryWith(late), 204);
  assert.equal(await count(), before + 1);
});

test('a network that asks for many tickets works more for each, and is stopped', async () => {
  assert.deepEqual([1, 8, 16, 300].map(workBits), [17, 18, 19, 23]);
  const ip = freshIp();
  const answers = [];
  for (let n = 0; n < 31; n++) answers.push(await api.ask(null, 'POST /enquiries/ticket', { ip }));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...Array.from({ length: 30 }, () => 200), 429],
  );
});

test('operators and admins read enquiries in pages, newest first; no one else can see them', async () => {
  for (let n = 0; n < 10; n++) await post(given);
  const first = await api.ask('admin', 'GET /enquiries', { query: { limit: '5' } });
  assert.equal(first.status, 200);
  assert.equal(first.body.items.length, 5);
  const second = await api.ask('operator', 'GET /enquiries', { query: { limit: '5', cursor: first.body.nextCursor } });
  const ids = [...first.body.items, ...second.body.items].map(({ enquiryId }) => enquiryId);
  assert.deepEqual(ids, [...new Set(ids)].sort().reverse());
  assert.equal((await api.ask('admin', 'GET /enquiries', { query: { cursor: 'x' } })).body.code, 'CURSOR_INVALID');
  assert.equal((await api.ask(null, 'GET /enquiries')).status, 401);
  for (const role of ['owner', 'viewer', 'reviewer'] as const)
    assert.equal((await api.ask(role, 'GET /enquiries')).status, 404);
});

test('an enquiry is read by its id, as listed, by users who can read the list', async () => {
  await post(given);
  const { body } = await api.ask('admin', 'GET /enquiries', { query: { limit: '1' } });
  const [listed] = body.items;
  const read = (who: Parameters<typeof api.ask>[0], id: string = listed.enquiryId) =>
    api.ask(who, `GET /enquiries/${id}`);
  for (const role of ['admin', 'operator'] as const) assert.deepEqual((await read(role)).body, listed, role);
  for (const role of ['owner', 'viewer', 'reviewer'] as const) assert.equal((await read(role)).status, 404, role);
  assert.equal((await read(null)).status, 401);
  for (const id of [uuidV7(), 'x']) assert.equal((await read('admin', id)).body.code, 'NOT_FOUND', id);
});

test('an enquiry is deleted once, permanently; the log has the actor but not the content', async () => {
  const { body } = await api.ask('admin', 'GET /enquiries', { query: { limit: '1' } });
  const { enquiryId } = body.items[0];
  const twice = await Promise.all([1, 2].map(() => api.ask('admin', `DELETE /enquiries/${enquiryId}`)));
  assert.deepEqual(twice.map(({ status }) => status).sort(), [204, 404]);
  const log = await many<{ line: string }>(
    api.db.pool,
    sql`select audit_log::text as line from audit_log where subject_type = 'enquiry'`,
  );
  assert.equal(log.length, 1);
  assert.ok(!log[0]?.line.includes('visitor@shop.example'));
});

test('one address writes five times an hour, its network ten times a day; programs count too', async () => {
  const ip = freshIp();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => post(n % 2 ? { ...given, website: 'x' } : given, ip)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 204, 204, 204, 204, 429, 429, 429]);
  api.advance(3_600_000);
  assert.equal((await post(given, ip)).status, 204);

  const network = freshIp().replace(/\.1$/, '');
  const statuses: number[] = [];
  for (let host = 1; host <= 8; host++)
    for (let n = 0; n < 4; n++) statuses.push((await post(given, `${network}.${host}`)).status);
  assert.deepEqual(
    [statuses.filter((each) => each === 204).length, statuses.filter((each) => each === 429).length],
    [10, 22],
  );
});

test('S74 a block of networks has sixty enquiries of a day, so that a few networks do not use up those of all', async () => {
  let sent = 0;
  for (let network = 0; network < 17; network++)
    for (let n = 0; n < 10; n++) {
      const { status } = await post(given, `172.31.${network}.${n}`);
      if (status === 204) sent += 1;
    }
  assert.equal(sent, 60);
  assert.equal((await post(given, '172.30.0.1')).status, 204);
});
