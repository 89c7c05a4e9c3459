import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Role } from '@pahatid/contract';
import { listMailTo, one, run, sql } from '@pahatid/db';
import { buildUser, defaultPassword } from '@pahatid/db/builders';
import { makeTestApi, type Who } from '../http/testing/test-api.ts';
import { apiFeatures } from '../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures, config: { demo: false } });
const { customerId, otherCustomerId } = api;
const { pool } = api.db;
const reason = 'The phone with the app was lost';
const currentPassword = defaultPassword;
let people = 0;

beforeEach(async () => {
  // The limits have separate tests.
  await run(pool, sql`delete from attempt`);
});

/** A user with an authenticator app, two passkeys and ten recovery codes, signed in. */
const secured = async (of: string | null, role: Role) => {
  const email = `secured-${++people}@pahatid.test`;
  const { userId, account } = await buildUser(pool, {
    customerId: of,
    role,
    email,
    msisdn: `6391766${String(people).padStart(5, '0')}`,
  });
  await run(
    pool,
    sql`insert into totp (user_id, seed_sealed, created_at, confirmed_at) values (${userId}, 'sealed', now(), now())`,
  );
  await run(
    pool,
    sql`insert into passkey (passkey_id, user_id, name, credential_id, public_key, sign_count, transports, backed_up, created_at)
        select gen_random_uuid(), ${userId}, 'Key', ${userId} || n, '\\x00', 0, '{}', false, now() from generate_series(1, 2) n`,
  );
  await run(
    pool,
    sql`insert into recovery_code (user_id, code_hash) select ${userId}, sha256(n::text::bytea) from generate_series(1, 10) n`,
  );
  return { userId, account, email, cookie: await api.signIn(userId) };
};
const left = async (userId: string): Promise<number> =>
  (
    await one<{ n: number }>(
      pool,
      sql`select (select count(*) from totp where user_id = ${userId})::int
               + (select count(*) from passkey where user_id = ${userId})::int
               + (select count(*) from recovery_code where user_id = ${userId})::int as n`,
    )
  ).n;
const reset = (who: Who, path: string, body: object = { reason, currentPassword }) =>
  api.ask(who, `POST ${path}/reset-two-factor`, { body });
const memberPath = (userId: string) => `/members/${userId}`;
const userPath = (userId: string, of: string | null = customerId) => `/customers/${of}/users/${userId}`;
const staffPath = (userId: string) => `/staff/${userId}`;

test('a user that lost every second factor signs in with the password again; sessions end, it is notified and audited', async () => {
  const ways: [Who, string | null, Role, (userId: string) => string, RegExp][] = [
    ['owner', customerId, 'member', memberPath, /An owner of your customer/],
    ['operator', customerId, 'owner', userPath, /Pahatid staff removed/],
    ['admin', null, 'operator', staffPath, /Pahatid staff removed/],
  ];
  for (const [who, of, role, path, said] of ways) {
    const person = await secured(of, role);
    const done = await reset(who, path(person.userId));
    assert.equal(done.status, 204, done.text);
    assert.equal(await left(person.userId), 0);
    assert.equal((await api.ask(null, 'GET /session', { headers: { cookie: person.cookie } })).status, 401);
    const body = { account: person.account, password: defaultPassword };
    const entered = await api.ask(null, 'POST /session', { body });
    assert.equal(entered.status, 200, entered.text);
    assert.equal(entered.body.mustEnrol, of === null ? true : undefined, 'where one is asked for, it is enrolled anew');
    const mails = await listMailTo(pool, person.email, 5);
    const mail = mails.find(({ subject }) => /two-factor sign-in was reset/.test(subject));
    assert.match(mail?.bodyText ?? '', said);
    const entry = await one(
      pool,
      sql`select customer_id as "customerId", user_id as "userId", before, after from audit_log
          where action = 'twoFactor.reset' and subject_id = ${person.userId}`,
    );
    assert.deepEqual(entry, {
      customerId: of,
      userId: api.users[who as Role].userId,
      before: { totp: true, passkeys: 2, recoveryCodes: 10 },
      after: { reason, sessionsEnded: 1 },
    });
    const again = await reset(who, path(person.userId));
    assert.deepEqual([again.status, again.body.code], [409, 'TWO_FACTOR_OFF']);
  }
});

test('of two concurrent resets one acts', async () => {
  const { userId } = await secured(customerId, 'viewer');
  const both = await Promise.all(
    ['owner', 'operator'].map((who) => reset(who as Who, who === 'owner' ? memberPath(userId) : userPath(userId))),
  );
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [204, 409]);
});

test('unauthorized callers are rejected, and nothing is removed', async () => {
  const member = await secured(customerId, 'member');
  const theirs = await secured(otherCustomerId, 'member');
  const reviewer = await secured(null, 'reviewer');
  const peer = await secured(null, 'operator');
  const cases: [Who, string, number][] = [
    [null, memberPath(member.userId), 401],
    ['member', memberPath(member.userId), 404],
    ['viewer', memberPath(member.userId), 404],
    ['owner', memberPath(theirs.userId), 404],
    ['other', memberPath(member.userId), 404],
    // Staff read a customer's members.
    ['operator', memberPath(member.userId), 403],
    ['owner', userPath(member.userId), 404],
    ['reviewer', userPath(member.userId), 403],
    ['operator', userPath(theirs.userId), 404],
    ['operator', userPath(reviewer.userId), 404],
    ['operator', staffPath(reviewer.userId), 404],
    ['operator', staffPath(peer.userId), 404],
    ['reviewer', staffPath(peer.userId), 404],
    ['owner', staffPath(peer.userId), 404],
    ['admin', staffPath(member.userId), 404],
    ['admin', userPath(peer.userId), 404],
  ];
  for (const [who, path, status] of cases) {
    const answer = await reset(who, path);
    assert.equal(answer.status, status, `${who} ${path} ${answer.text}`);
  }
  for (const { userId } of [member, theirs, reviewer, peer]) assert.equal(await left(userId), 13);
});

test('no user resets their own factors: that would bypass the last mandatory factor', async () => {
  for (const [who, path] of [
    ['owner', memberPath],
    ['admin', staffPath],
  ] as const) {
    const answer = await reset(who, path(api.users[who].userId));
    assert.deepEqual([answer.status, answer.body.code], [409, 'OWN_FACTORS']);
  }
});

test('a reason and the own password are asked for', async () => {
  const { userId } = await secured(customerId, 'member');
  const path = userPath(userId);
  for (const body of [
    { currentPassword },
    { reason: '  ', currentPassword },
    { reason: 'x'.repeat(201), currentPassword },
  ])
    assert.equal((await reset('admin', path, body)).status, 400);
  const wrong = await reset('admin', path, { reason, currentPassword: 'Wrong@1234' });
  assert.deepEqual([wrong.status, wrong.body.code], [403, 'REAUTHENTICATE']);
  assert.equal(await left(userId), 13);
});

test('lists show who has a second factor: to the owner, to staff, and of staff only to an admin', async () => {
  const { userId } = await secured(customerId, 'member');
  const peer = await secured(null, 'reviewer');
  const of = (items: { userId: string; hasTwoFactor: boolean }[], id: string) =>
    items.find((each) => each.userId === id)?.hasTwoFactor;
  const members = (await api.ask('owner', 'GET /members', { query: { limit: '200' } })).body.items;
  assert.deepEqual([of(members, userId), of(members, api.users.owner.userId)], [true, false]);
  const { users } = (await api.ask('reviewer', `GET /customers/${customerId}`)).body;
  assert.deepEqual([of(users, userId), of(users, api.users.owner.userId)], [true, false]);
  const staff = await api.ask('admin', 'GET /staff');
  assert.deepEqual([of(staff.body.items, peer.userId), of(staff.body.items, userId)], [true, undefined]);
  for (const who of ['operator', 'reviewer', 'owner'] as const)
    assert.equal((await api.ask(who, 'GET /staff')).status, 404);
});
