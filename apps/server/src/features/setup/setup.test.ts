import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { many, one, run, sql } from '@pahatid/db';
import { buildUser } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { makeSetupToken, setupAddress } from '../../secrets/setup-link.ts';
import { registerSession } from '../sign-in/routes.ts';
import { registerSetup } from './routes.ts';

const api = await makeTestApi({ features: [registerSession, registerSetup] });
const password = 'Ricefield7!';
let callers = 0;

// A separate address for each test, because attempts are counted by address.
let ip = '';
beforeEach(async () => {
  callers += 1;
  ip = `192.0.2.${callers}`;
  await run(api.db.pool, sql`delete from app_user where role = 'admin'`);
  await run(api.db.pool, sql`delete from setup_link`);
});

const makeToken = async (): Promise<string> => {
  const token = await makeSetupToken(api.db.url, api.deps.now());
  assert.ok(token);
  return token;
};
const check = (token: string) => api.ask(null, 'POST /setup/check', { body: { token }, ip });
const setUp = (token: string, more: Record<string, string> = {}) =>
  api.ask(null, 'POST /setup', {
    body: { token, email: 'First@Shop.example', account: 'First.Admin', password, ...more },
    ip,
  });
const admins = () =>
  many<{ account: string; email: string }>(
    api.db.pool,
    sql`select account, email from app_user where role = 'admin' order by account`,
  );

test('S22 the link creates the first admin, signed in immediately and by password later', async () => {
  const token = await makeToken();
  assert.equal((await check(token)).status, 204);
  const { status, headers } = await setUp(token, { locale: 'en-US' });
  assert.equal(status, 204);
  const cookie = String(headers['set-cookie']);
  assert.match(cookie, /^pahatid=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  const { body } = await api.ask(null, 'GET /session', { headers: { cookie: cookie.split(';')[0] ?? '' } });
  assert.equal(body.user.role, 'admin');
  assert.equal(body.user.kind, 'staff');
  assert.equal(body.user.locale, 'en-US', 'of the page');
  assert.deepEqual(await admins(), [{ account: 'first.admin', email: 'first@shop.example' }]);
  const later = await api.ask(null, 'POST /session', { body: { account: 'FIRST.ADMIN', password } });
  assert.equal(later.status, 200);
});

test('S22 once there is an admin the link is used up, and no start makes another', async () => {
  const token = await makeToken();
  await setUp(token);
  for (const answer of [await check(token), await setUp(token, { account: 'second', email: 'b@shop.example' })]) {
    assert.equal(answer.status, 409);
    assert.equal(answer.body.code, 'SETUP_DONE');
    assert.equal(answer.headers['set-cookie'], undefined);
  }
  assert.equal(await makeSetupToken(api.db.url, api.deps.now()), null);
});

test('S22 an admin made otherwise voids the link', async () => {
  const token = await makeToken();
  await buildUser(api.db.pool, { role: 'admin' });
  assert.equal((await setUp(token)).body.code, 'SETUP_DONE');
  assert.equal((await admins()).length, 1);
});

test('S22 of ten concurrent uses of the link, exactly one becomes admin', async () => {
  const token = await makeToken();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => setUp(token, { account: `admin-${n}`, email: `admin-${n}@shop.example` })),
  );
  assert.equal(answers.filter(({ status }) => status === 204).length, 1);
  assert.deepEqual(new Set(answers.flatMap(({ body }) => (body ? [body.code] : []))), new Set(['SETUP_DONE']));
  assert.equal((await admins()).length, 1);
});

test('S22 a wrong token, none at all and that of an earlier start are refused alike', async () => {
  assert.equal((await setUp('x'.repeat(43))).body.code, 'SETUP_LINK_INVALID', 'before any link was made');
  const earlier = await makeToken();
  const token = await makeToken();
  for (const wrong of [earlier, `${token}x`, token.slice(1), 'short', 'ñ'.repeat(100)]) {
    assert.equal((await check(wrong)).body.code, 'SETUP_LINK_INVALID');
    assert.equal((await setUp(wrong)).status, 403);
  }
  assert.deepEqual(await admins(), []);
  assert.equal((await setUp(token)).status, 204);
});

test('S22 rules are checked only with a valid link, by field, and a rejection does not use it up', async () => {
  const token = await makeToken();
  const wrong = { email: 'nobody', account: 'a b', password: 'abc' };
  assert.equal((await setUp('x'.repeat(43), wrong)).body.code, 'SETUP_LINK_INVALID');
  const { status, body } = await setUp(token, wrong);
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map((each: { field: string; code: string }) => `${each.field} ${each.code}`),
    [
      'email EMAIL',
      'account ACCOUNT',
      'password PASSWORD_TOO_SHORT',
      'password PASSWORD_NO_UPPERCASE',
      'password PASSWORD_NO_NUMBER',
      'password PASSWORD_NO_SPECIAL',
    ],
  );
  assert.equal((await setUp(token, { account: api.users.reviewer.account })).body.code, 'ACCOUNT_TAKEN');
  const taken = await one<{ email: string }>(
    api.db.pool,
    sql`select email from app_user where user_id = ${api.users.owner.userId}`,
  );
  assert.equal((await setUp(token, { email: taken.email.toUpperCase() })).body.code, 'EMAIL_TAKEN');
  assert.equal((await setUp(token)).status, 204);
});

test('S21 a first password that is common or made of the own names is refused, and does not use the link up', async () => {
  const token = await makeToken();
  const refusal = async (given: string) =>
    (await setUp(token, { password: given })).body.errors?.map(
      ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
    );
  assert.deepEqual(await refusal('Passw0rd!'), ['password PASSWORD_COMMON']);
  assert.deepEqual(await refusal('First.Admin1!'), ['password PASSWORD_CONTEXT']);
  assert.deepEqual(await admins(), []);
  assert.equal((await setUp(token)).status, 204);
});

test('S56 the set-up is in the audit log, with its address and without password or token', async () => {
  const token = await makeToken();
  await setUp(token);
  const rows = await many<{ action: string; ip: string; after: object; whole: string }>(
    api.db.pool,
    sql`select action, host(ip) as ip, after, a::text as whole from audit_log a where action = 'setUp' and ip = ${ip}::inet`,
  );
  assert.equal(rows.length, 1);
  assert.deepEqual(rows[0]?.after, { account: 'first.admin', email: 'first@shop.example', role: 'admin' });
  assert.ok(!rows[0]?.whole.includes(token) && !rows[0]?.whole.includes(password));
});

test('S8 the table stores only the token hash, and the address has the token in its fragment, which is never sent', async () => {
  const token = await makeToken();
  const row = await one<{ whole: string }>(api.db.pool, sql`select s::text as whole from setup_link s`);
  assert.ok(!row.whole.includes(token) && !row.whole.includes(Buffer.from(token).toString('hex')));
  const address = new URL(setupAddress('https://sms.example', token));
  assert.equal(address.pathname + address.search, '/setup');
  assert.equal(address.hash, `#token=${token}`);
});

test('an address that tries too often waits, another does not', async () => {
  const token = await makeToken();
  const answers = await Promise.all(Array.from({ length: 25 }, () => check('x')));
  assert.equal(answers.filter(({ status }) => status === 403).length, 20);
  const late = answers.find(({ status }) => status === 429);
  assert.equal(late?.body.code, 'RATE_LIMITED');
  assert.ok(Number(late?.headers['retry-after']) <= 60);
  assert.equal((await check(token)).status, 429);
  ip = '198.51.100.9';
  assert.equal((await check(token)).status, 204);
});

// Last, because it moves the clock.
test('S22 the link opens nothing after a day', async () => {
  const token = await makeToken();
  api.advance(24 * 3_600_000 - 1_000);
  assert.equal((await check(token)).status, 204);
  api.advance(2_000);
  assert.equal((await check(token)).status, 410);
  assert.equal((await setUp(token)).body.code, 'SETUP_LINK_EXPIRED');
  assert.deepEqual(await admins(), []);
});
