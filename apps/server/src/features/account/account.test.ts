import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, one, sql } from '@pahatid/db';
import { buildUser, defaultPassword } from '@pahatid/db/builders';
import { type Answer, makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });

const enter = async (customerId: string | null = api.customerId) => {
  const user = await buildUser(api.db.pool, { customerId, ...(customerId !== null && { role: 'member' as const }) });
  return { ...user, cookie: await api.signIn(user.userId) };
};
type Person = Awaited<ReturnType<typeof enter>>;
const as = ({ cookie }: Person, route: string, body?: object): Promise<Answer> =>
  api.ask(null, route, { headers: { cookie }, ...(body && { body }) });
const signIn = async (person: Person, userAgent: string, ip: string): Promise<Person> => {
  const body = { account: person.account, password: defaultPassword };
  const answer = await api.ask(null, 'POST /session', { body, ip, headers: { 'user-agent': userAgent } });
  assert.equal(answer.status, 200, answer.text);
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map((line) => String(line).split(';')[0] ?? '');
  return { ...person, cookie: cookies.find((each) => each.startsWith('pahatid=')) ?? '' };
};

const edge =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0';
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1';

test('every user, including staff, reads their own profile; anonymous callers do not', async () => {
  const { body } = await api.ask('viewer', 'GET /account');
  assert.equal(body.account, api.users.viewer.account);
  assert.deepEqual(body.twoFactor, { totpTime: null, recoveryCodesLeft: 0, passkeyCount: 0, required: false });
  assert.deepEqual(body.customer, { requireTwoFactor: false });
  assert.equal((await api.ask('reviewer', 'GET /account')).body.customer, null);
  assert.equal((await api.ask(null, 'GET /account')).status, 401);
});

test('name, zone, language and theme are stored per user and returned at every sign-in', async () => {
  const person = await enter();
  const change = { name: 'Ana Reyes', zone: 'Europe/Berlin', locale: 'zh-CN', theme: 'dark' };
  const { status, body } = await as(person, 'PATCH /account', change);
  assert.equal(status, 200);
  for (const [name, value] of Object.entries(change)) assert.equal(body[name], value, name);
  const { user } = (await as(person, 'GET /session')).body;
  assert.deepEqual([user.name, user.zone, user.locale, user.theme], ['Ana Reyes', 'Europe/Berlin', 'zh-CN', 'dark']);
  const back = await as(person, 'PATCH /account', { locale: null });
  assert.deepEqual([back.body.locale, back.body.theme, back.body.name], [null, 'dark', 'Ana Reyes']);
  const [entry] = await many(
    api.db.pool,
    sql`select before, after from audit_log where user_id = ${person.userId} order by audit_id limit 1`,
  );
  assert.deepEqual(entry, {
    before: { name: person.account, zone: 'Asia/Manila', locale: null, theme: null },
    after: change,
  });
});

test('a zone, a language or a theme that is none is refused', async () => {
  for (const body of [
    { zone: 'Manila' },
    { zone: '+08:00' },
    { zone: "Asia/Manila'" },
    { locale: '<b>' },
    { theme: 'pink' },
    { name: '' },
    { name: 'a\nb' },
    { email: 'other@shop.example' },
    { role: 'owner' },
  ])
    assert.equal((await api.ask('owner', 'PATCH /account', { body })).status, 400, JSON.stringify(body));
});

test('S11 sessions are listed with device, address and last use, the own one marked', async () => {
  const person = await enter();
  const here = await signIn(person, edge, '203.0.113.5');
  api.advance(5 * 60_000);
  await signIn(person, phone, '2001:db8::7');
  const { items } = (await as(here, 'GET /account/sessions')).body;
  // The one that the test opened with has no device.
  assert.equal(items.length, 3);
  const own = items.find((each: { current: boolean }) => each.current);
  assert.deepEqual([own.browser, own.system, own.isPhone, own.ip], ['Edge', 'Windows', false, '203.0.113.5']);
  const other = items.find((each: { isPhone: boolean }) => each.isPhone);
  assert.deepEqual([other.browser, other.system, other.ip, other.current], ['Safari', 'iPhone', '2001:db8::7', false]);
  assert.ok(new Date(other.createTime).getTime() - new Date(own.createTime).getTime() >= 5 * 60_000);
});

test('S11 one session is ended, or all but this one; what has ended is no longer listed', async () => {
  const person = await enter();
  const [here, there] = [await signIn(person, edge, '203.0.113.5'), await signIn(person, phone, '203.0.113.6')];
  const list = async () =>
    (await as(here, 'GET /account/sessions')).body.items as { sessionId: string; isPhone: boolean }[];
  const { sessionId = '' } = (await list()).find((each) => each.isPhone) ?? {};
  assert.equal((await as(here, `DELETE /account/sessions/${sessionId}`)).status, 204);
  assert.equal((await as(there, 'GET /session')).status, 401);
  assert.equal((await as(here, `DELETE /account/sessions/${sessionId}`)).status, 404);
  for (let n = 0; n < 3; n += 1) await signIn(person, phone, '203.0.113.7');
  assert.equal((await list()).length, 5);
  const ended = await as(here, 'DELETE /account/sessions');
  assert.deepEqual([ended.status, ended.body], [200, { ended: 4 }]);
  assert.equal((await list()).length, 1);
  assert.equal((await as(here, 'GET /session')).status, 200);
  const idle = await signIn(person, phone, '203.0.113.8');
  api.advance(20 * 60_000);
  await as(here, 'GET /session');
  api.advance(11 * 60_000);
  assert.equal((await list()).length, 1, 'a session that nobody used for half an hour has ended');
  assert.equal((await as(idle, 'GET /session')).status, 401);
});

test('S11 the session of another user cannot be ended and looks like a missing one', async () => {
  const [person, colleague] = [await enter(), await enter()];
  const { items } = (await as(person, 'GET /account/sessions')).body;
  const route = `DELETE /account/sessions/${items[0].sessionId}`;
  for (const stranger of [colleague, await enter(api.otherCustomerId), await enter(null)]) {
    const answer = await as(stranger, route);
    assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_FOUND']);
  }
  assert.equal((await as(person, 'GET /session')).status, 200);
});

test('S55 a listed session reveals nothing that opens it', async () => {
  const person = await enter();
  const { text } = await as(person, 'GET /account/sessions');
  const { hash } = await one<{ hash: string }>(
    api.db.pool,
    sql`select encode(session_hash, 'hex') as hash from session where user_id = ${person.userId}`,
  );
  assert.ok(!text.includes(hash) && !text.includes(person.cookie.slice('pahatid='.length)));
});

test('the owner alone asks everybody for two factors; open sessions go on, the next sign-in enrols', async () => {
  const owner = await buildUser(api.db.pool, { customerId: api.otherCustomerId, role: 'owner' });
  const boss = { ...owner, cookie: await api.signIn(owner.userId) };
  const member = await enter(api.otherCustomerId);
  const body = { requireTwoFactor: true };
  assert.equal((await as(member, 'PATCH /account/customer', body)).status, 403);
  assert.equal((await as(await enter(null), 'PATCH /account/customer', body)).status, 403);
  const set = await as(boss, 'PATCH /account/customer', body);
  assert.deepEqual([set.body.customer, set.body.twoFactor.required], [{ requireTwoFactor: true }, true]);
  assert.equal((await as(member, 'GET /account/sessions')).status, 200);
  const next = await signIn(member, edge, '203.0.113.9');
  const refused = await as(next, 'GET /account/sessions');
  assert.deepEqual([refused.status, refused.body.code], [403, 'SECOND_FACTOR_ENROLMENT']);
  assert.equal((await as(next, 'GET /account')).body.twoFactor.required, true);
  assert.equal((await as(await enter(), 'GET /account')).body.twoFactor.required, false, 'no other customer is asked');
  const [entry] = await many(
    api.db.pool,
    sql`select before, after from audit_log where user_id = ${owner.userId} and action = 'customer.requireTwoFactor'`,
  );
  assert.deepEqual(entry, { before: { requireTwoFactor: false }, after: body });
});
