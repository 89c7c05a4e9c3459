import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, one, run, sql } from '@pahatid/db';
import { buildUser, defaultPassword } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerSession } from './routes.ts';

const api = await makeTestApi({ features: [registerSession] });

let addresses = 0;
/** Each from a separate address, so that tests do not share limits. */
const signIn = (account: string, password = defaultPassword, headers: Record<string, string> = {}) => {
  const ip = `10.0.${++addresses}.1`;
  return api.ask(null, 'POST /session', { body: { account, password }, headers, ip });
};
/** Returns the cookies of a response, the session's first. */
const cookiesOf = (headers: Record<string, unknown>): string[] => [headers['set-cookie']].flat().map(String);
const cookieOf = (headers: Record<string, unknown>): string => cookiesOf(headers)[0]?.split(';')[0] ?? '';

test('signs in with account and password, ignoring the case of the account, and returns the user', async () => {
  const { account } = api.users.owner;
  const { status, body, headers } = await signIn(account.toUpperCase());
  assert.equal(status, 200);
  assert.equal(body.user.account, account);
  assert.equal(body.user.kind, 'customer');
  assert.deepEqual(body.customer, {
    customerId: api.customerId,
    customerName: 'Customer A',
    balance: 1_000_000_000,
    reserved: 0,
  });
  const [cookie = '', device = ''] = cookiesOf(headers);
  assert.match(cookie, /^pahatid=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.match(device, /^pahatid-device=[A-Za-z0-9_-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/);
  const again = await api.ask(null, 'GET /session', { headers: { cookie: cookieOf(headers) } });
  assert.deepEqual(again.body, body);
});

test('staff have no customer', async () => {
  const { body } = await signIn(api.users.reviewer.account);
  assert.equal(body.user.kind, 'staff');
  assert.equal(body.customer, null);
});

test('a wrong password returns the count, for existing and unknown accounts', async () => {
  const { account } = await buildUser(api.db.pool, { customerId: api.customerId, role: 'member' });
  for (const name of [account, 'nobody-at-all']) {
    for (const count of [1, 2]) {
      const { status, body } = await signIn(name, 'Wrong@1234');
      assert.equal(status, 401);
      assert.equal(body.code, 'PASSWORD_INCORRECT');
      assert.deepEqual(body.params, { count });
    }
  }
  assert.equal((await signIn(account)).status, 200);
  assert.deepEqual((await signIn(account, 'Wrong@1234')).body.params, { count: 1 }, 'a success starts the count again');
});

test('a disabled user is answered like a wrong password, a suspended customer by its name', async () => {
  const disabled = await buildUser(api.db.pool, { customerId: api.customerId, role: 'member' });
  await run(api.db.pool, sql`update app_user set use_state = 0 where user_id = ${disabled.userId}`);
  assert.equal((await signIn(disabled.account)).body.code, 'PASSWORD_INCORRECT');
  await run(api.db.pool, sql`update customer set use_state = 0 where customer_id = ${api.otherCustomerId}`);
  assert.equal((await signIn(api.users.other.account)).body.code, 'CUSTOMER_SUSPENDED');
  assert.equal((await signIn(api.users.other.account, 'Wrong@1234')).body.code, 'PASSWORD_INCORRECT');
  await run(api.db.pool, sql`update customer set use_state = 1 where customer_id = ${api.otherCustomerId}`);
});

test('S8 the session id is new at each sign-in, the old one is dead, and the table holds hashes alone', async () => {
  const first = cookieOf((await signIn(api.users.member.account)).headers);
  const second = cookieOf((await signIn(api.users.member.account, defaultPassword, { cookie: first })).headers);
  assert.notEqual(first, second);
  assert.equal((await api.ask(null, 'GET /session', { headers: { cookie: first } })).status, 401);
  assert.equal((await api.ask(null, 'GET /session', { headers: { cookie: second } })).status, 200);
  const rows = await many<{ whole: string }>(api.db.pool, sql`select s::text as whole from session s`);
  assert.ok(rows.every(({ whole }) => !whole.includes(second.slice('pahatid='.length))));
});

test('S9 signing out ends the session immediately; a disabled user is signed out on the next request', async () => {
  const cookie = cookieOf((await signIn(api.users.member.account)).headers);
  const out = await api.ask(null, 'DELETE /session', { headers: { cookie } });
  assert.equal(out.status, 204);
  assert.match(String(out.headers['set-cookie']), /^pahatid=;.*Expires=Thu, 01 Jan 1970/);
  assert.equal((await api.ask(null, 'GET /session', { headers: { cookie } })).status, 401);

  const user = await buildUser(api.db.pool, { customerId: api.customerId, role: 'viewer' });
  const open = cookieOf((await signIn(user.account)).headers);
  await run(api.db.pool, sql`update app_user set use_state = 0 where user_id = ${user.userId}`);
  assert.equal((await api.ask(null, 'GET /session', { headers: { cookie: open } })).body.code, 'NOT_SIGNED_IN');
});

test('S9 suspending a customer ends only the sessions of its users, on the next request', async () => {
  const mine = cookieOf((await signIn(api.users.member.account)).headers);
  const theirs = api.users.other.cookie;
  const ask = async (cookie: string) => (await api.ask(null, 'GET /session', { headers: { cookie } })).status;
  assert.deepEqual([await ask(mine), await ask(theirs)], [200, 200]);
  const suspend = (state: 0 | 1) =>
    run(api.db.pool, sql`update customer set use_state = ${state} where customer_id = ${api.otherCustomerId}`);
  await suspend(0);
  assert.deepEqual([await ask(mine), await ask(theirs)], [200, 401]);
  const staff = await api.ask('admin', 'GET /session');
  assert.equal(staff.status, 200);
  await suspend(1);
});

test('S21 a hash with weaker parameters is renewed at sign-in', async () => {
  const { hash } = await import('@node-rs/argon2');
  const weak = await hash('Old@12345', { memoryCost: 1024, timeCost: 1, parallelism: 1 });
  const user = await buildUser(api.db.pool, { customerId: api.customerId, role: 'viewer' });
  await run(api.db.pool, sql`update app_user set password_hash = ${weak} where user_id = ${user.userId}`);
  assert.equal((await signIn(user.account, 'Old@12345')).status, 200);
  const row = await one<{ kept: string }>(
    api.db.pool,
    sql`select password_hash as kept from app_user where user_id = ${user.userId}`,
  );
  assert.match(row.kept, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal((await signIn(user.account, 'Old@12345')).status, 200);
});

test('S56 signing in and out are in the audit log, with the address they came from', async () => {
  const user = await buildUser(api.db.pool, { customerId: api.customerId, role: 'viewer' });
  const cookie = cookieOf((await signIn(user.account)).headers);
  await api.ask(null, 'DELETE /session', { headers: { cookie } });
  const rows = await many(
    api.db.pool,
    sql`select action, host(ip) as ip, customer_id as customer from audit_log where user_id = ${user.userId} order by audit_id`,
  );
  assert.deepEqual(rows, [
    { action: 'signIn', ip: `10.0.${addresses}.1`, customer: api.customerId },
    { action: 'signOut', ip: '127.0.0.1', customer: api.customerId },
  ]);
});

test('malformed sign-ins are refused by field', async () => {
  const { status, body } = await api.ask(null, 'POST /session', { body: { account: '', extra: 1 } });
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map((each: { field: string; code: string }) => [each.field, each.code]),
    [
      ['account', 'TOO_SHORT'],
      ['password', 'REQUIRED'],
      ['extra', 'UNKNOWN_FIELD'],
    ],
  );
});

// Last, because it moves the clock.
test('S10 a session ends after 30 minutes without a request, and after 12 hours in any case', async () => {
  const idle = cookieOf((await signIn(api.users.member.account)).headers);
  const busy = cookieOf((await signIn(api.users.viewer.account)).headers);
  const ask = async (cookie: string) => (await api.ask(null, 'GET /session', { headers: { cookie } })).status;
  api.advance(29 * 60_000);
  assert.equal(await ask(busy), 200);
  api.advance(2 * 60_000);
  assert.equal(await ask(idle), 401);
  for (let minutes = 31; minutes < 12 * 60 - 20; minutes += 20) {
    assert.equal(await ask(busy), 200, `after ${minutes} minutes`);
    api.advance(20 * 60_000);
  }
  api.advance(20 * 60_000);
  assert.equal(await ask(busy), 401);
});
