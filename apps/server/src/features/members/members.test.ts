import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { many, run, sql } from '@pahatid/db';
import { buildUser } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { otherCustomerId } = api;
const { pool } = api.db;

const password = 'Kumusta@2026';
let unique = 0;
const freshEmail = (): string => `person-${++unique}@shop.example`;

beforeEach(async () => {
  // The limits have separate tests.
  await run(pool, sql`delete from attempt`);
});

/** The link of the newest mail to an address. */
const tokenFor = async (email: string): Promise<string> => {
  const [mail] = await many<{ text: string }>(
    pool,
    sql`select body_text as text from mail where recipient = ${email} order by created_at desc, mail_id desc limit 1`,
  );
  const token = /\/invitation#token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  assert.ok(token, `no link was mailed to ${email}`);
  return token;
};

const invite = async (email = freshEmail(), role = 'viewer') => {
  const { status, body, text } = await api.ask('owner', 'POST /members', { body: { email, role } });
  assert.equal(status, 201, text);
  return { email, invitationId: body.invitationId, token: await tokenFor(email), body };
};

const accept = (token: string, account: string, more: object = {}) =>
  api.ask(null, 'POST /invitations/accept', { body: { token, account, name: 'New Person', password, ...more } });

const joinAs = async (role: string, email = freshEmail()) => {
  const { token } = await invite(email, role);
  const account = `person-${++unique}`;
  const { status, text } = await accept(token, account);
  assert.equal(status, 200, text);
  const [user] = await many<{ userId: string }>(
    pool,
    sql`select user_id as "userId" from app_user where account = ${account}`,
  );
  assert.ok(user);
  return { ...user, account, email, cookie: await api.signIn(user.userId) };
};

const auditOf = (subjectId: string) =>
  many<{ action: string; before: object | null; after: object | null }>(
    pool,
    sql`select action, before, after from audit_log where subject_id = ${subjectId} order by audit_id`,
  );

test('S21 accepting an invitation rejects a common password and one with own names; the link stays valid', async () => {
  const { token } = await invite();
  const refusal = async (given: string) =>
    (await accept(token, 'careful-person', { password: given })).body.errors?.map(
      ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
    );
  assert.deepEqual(await refusal('Passw0rd!'), ['password PASSWORD_COMMON']);
  assert.deepEqual(await refusal('Careful-Person1!'), ['password PASSWORD_CONTEXT']);
  assert.equal((await accept(token, 'careful-person')).status, 200);
});

test('a new member gets the language of the page; a returning one keeps the chosen language', async () => {
  const localeOf = async (account: string) =>
    (await many<{ locale: string | null }>(pool, sql`select locale from app_user where account = ${account}`))[0]
      ?.locale;
  const [filipino, unsaid, spoilt] = [await invite(), await invite(), await invite()];
  await accept(filipino.token, 'in-tagalog', { locale: 'fil-PH' });
  await accept(unsaid.token, 'in-none');
  assert.deepEqual([await localeOf('in-tagalog'), await localeOf('in-none')], ['fil-PH', null]);
  assert.equal((await accept(spoilt.token, 'in-nonsense', { locale: 'x;y' })).status, 400);
  const { body } = await api.ask('owner', 'GET /members', { query: { search: filipino.email } });
  await api.ask('owner', `DELETE /members/${body.items[0].userId}`);
  const again = await invite(filipino.email);
  const back = { token: again.token, name: 'Back', password, locale: 'en-US' };
  assert.equal((await api.ask(null, 'POST /invitations/accept', { body: back })).status, 200);
  assert.equal(await localeOf('in-tagalog'), 'fil-PH');
});

test('an invited person becomes a member with the role that was offered', async () => {
  const { email, token, body, invitationId } = await invite('Maria.Santos@Shop.example'.toLowerCase(), 'member');
  assert.equal(body.isExpired, false);
  const check = await api.ask(null, 'POST /invitations/check', { body: { token } });
  assert.equal(check.status, 200, check.text);
  assert.deepEqual(
    { ...check.body, expiresTime: '' },
    {
      customerName: 'Customer A',
      email,
      role: 'member',
      kind: 'new',
      account: 'maria.santos',
      name: '',
      invitedBy: api.users.owner.account,
      expiresTime: '',
    },
  );
  const accepted = await accept(token, 'Maria.Santos', { name: 'Maria Santos' });
  assert.deepEqual([accepted.status, accepted.body], [200, { account: 'maria.santos' }]);
  const list = await api.ask('owner', 'GET /members', { query: { search: 'maria' } });
  assert.equal(list.body.items.length, 1);
  const { account, name, role, useState } = list.body.items[0];
  assert.deepEqual(
    { account, name, role, useState },
    { account: 'maria.santos', name: 'Maria Santos', role: 'member', useState: 1 },
  );
  assert.deepEqual(
    (await auditOf(invitationId)).map(({ action }) => action),
    ['add'],
  );
  const [joined] = await auditOf(list.body.items[0].userId);
  assert.equal(joined?.action, 'join');
  assert.doesNotMatch(JSON.stringify(joined), /Kumusta|token/);
});

test('an invitation works once, also for two at the same moment', async () => {
  const { token } = await invite();
  const answers = await Promise.all(['twice-one', 'twice-two'].map((account) => accept(token, account)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403]);
  const late = await accept(token, 'twice-three');
  assert.deepEqual([late.status, late.body.code], [403, 'INVITATION_INVALID']);
  const made = await many(pool, sql`select 1 from app_user where account like 'twice-%'`);
  assert.equal(made.length, 1);
});

test('a link opens nothing after 7 days, after it was sent again, or withdrawn', async () => {
  const { token, invitationId, email } = await invite();
  const again = await api.ask('owner', `POST /invitations/${invitationId}/resend`);
  assert.equal(again.status, 200, again.text);
  assert.equal((await accept(token, 'late')).body.code, 'INVITATION_INVALID');
  const newer = await tokenFor(email);
  assert.notEqual(newer, token);
  await run(
    pool,
    sql`update invitation set expires_at = ${new Date(Date.now() - 1_000)} where invitation_id = ${invitationId}`,
  );
  for (const route of ['check', 'accept']) {
    const body = { token: newer, ...(route === 'accept' && { account: 'late', name: 'Late', password }) };
    const answer = await api.ask(null, `POST /invitations/${route}`, { body });
    assert.deepEqual([answer.status, answer.body.code], [410, 'INVITATION_EXPIRED']);
  }
  const { body: list } = await api.ask('owner', 'GET /invitations');
  const shown = list.items.find((item: { invitationId: string }) => item.invitationId === invitationId);
  assert.equal(shown.isExpired, true);
  await api.ask('owner', `POST /invitations/${invitationId}/resend`);
  const last = await tokenFor(email);
  assert.equal((await api.ask('owner', `DELETE /invitations/${invitationId}`)).status, 204);
  assert.equal((await api.ask('owner', `DELETE /invitations/${invitationId}`)).status, 404);
  assert.equal((await accept(last, 'late')).body.code, 'INVITATION_INVALID');
  assert.deepEqual(
    (await auditOf(invitationId)).map(({ action }) => action),
    ['add', 'resend', 'resend', 'delete'],
  );
});

test('only the SHA-256 of a link is kept', async () => {
  const { token } = await invite();
  const rows = await many(pool, sql`select i::text from invitation i`);
  assert.ok(!JSON.stringify(rows).includes(token));
});

test('what is wrong in an invitation or an acceptance is refused with its field', async () => {
  for (const body of [
    { email: 'no address', role: 'viewer' },
    { email: freshEmail(), role: 'admin' },
    { role: 'viewer' },
  ])
    assert.equal((await api.ask('owner', 'POST /members', { body })).status, 400);
  const { token } = await invite();
  for (const [field, more] of [
    ['account', { account: 'x' }],
    ['password', { password: 'weak' }],
    ['name', { name: ' ' }],
  ] as const) {
    const { status, body } = await accept(token, 'someone', more);
    assert.equal(status, 400, field);
    assert.ok(
      body.errors.some((each: { field: string }) => each.field === field),
      JSON.stringify(body),
    );
  }
  const taken = await accept(token, api.users.viewer.account);
  assert.deepEqual([taken.status, taken.body.code], [409, 'ACCOUNT_TAKEN']);
  assert.equal((await accept(token, 'after-the-taken-one')).status, 200);
});

test('a member or an invited address is not invited twice, also at the same moment', async () => {
  const email = freshEmail();
  const both = await Promise.all(
    [1, 2].map(() => api.ask('owner', 'POST /members', { body: { email, role: 'viewer' } })),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
  assert.equal(both.find(({ status }) => status === 409)?.body.code, 'INVITATION_EXISTS');
  const { email: own } = await joinAs('viewer');
  const again = await api.ask('owner', 'POST /members', { body: { email: own.toUpperCase(), role: 'viewer' } });
  assert.deepEqual([again.status, again.body.code], [409, 'MEMBER_EXISTS']);
});

test('only the holder of an address learns whether it has an account elsewhere', async () => {
  const elsewhere = await buildUser(pool, { customerId: otherCustomerId, role: 'member', email: freshEmail() });
  const [{ email } = { email: '' }] = await many<{ email: string }>(
    pool,
    sql`select email from app_user where user_id = ${elsewhere.userId}`,
  );
  const { token } = await invite(email);
  const answer = await api.ask(null, 'POST /invitations/check', { body: { token } });
  assert.deepEqual([answer.status, answer.body.code], [409, 'EMAIL_TAKEN']);
  assert.equal((await accept(token, 'another-me')).body.code, 'EMAIL_TAKEN');
});

test('S9 a removed member is out at the next request, and may not sign in again', async () => {
  const { userId, cookie } = await joinAs('owner');
  const asThem = () => api.ask(null, 'GET /members', { headers: { cookie } });
  assert.equal((await asThem()).status, 200);
  assert.equal((await api.ask('owner', `DELETE /members/${userId}`)).status, 204);
  assert.equal((await asThem()).status, 401);
  assert.equal((await api.ask('owner', `DELETE /members/${userId}`)).status, 404);
  const [row] = await many<{ state: number; sessions: number }>(
    pool,
    sql`select use_state as state, (select count(*)::int from session s where s.user_id = u.user_id) as sessions
        from app_user u where user_id = ${userId}`,
  );
  assert.deepEqual(row, { state: 0, sessions: 0 });
  const { body } = await api.ask('owner', 'GET /members', { query: { limit: '200' } });
  assert.ok(!body.items.some((each: { userId: string }) => each.userId === userId));
});

test('a removed member can be invited again: here as the same user, elsewhere as a new one', async () => {
  const { userId, account, email } = await joinAs('viewer');
  await api.ask('owner', `DELETE /members/${userId}`);
  const { token } = await invite(email, 'member');
  const check = await api.ask(null, 'POST /invitations/check', { body: { token } });
  assert.deepEqual([check.body.kind, check.body.account], ['rejoin', account]);
  const back = await api.ask(null, 'POST /invitations/accept', { body: { token, name: 'Back Again', password } });
  assert.deepEqual([back.status, back.body], [200, { account }]);
  assert.deepEqual(
    (await auditOf(userId)).map(({ action }) => action),
    ['join', 'delete', 'rejoin'],
  );
  const cookie = await api.signIn(userId);
  assert.equal((await api.ask(null, 'GET /members', { headers: { cookie } })).status, 404);

  await api.ask('owner', `DELETE /members/${userId}`);
  await api.ask('other', 'POST /members', { body: { email, role: 'viewer' } });
  const elsewhere = await accept(await tokenFor(email), account);
  assert.deepEqual([elsewhere.status, elsewhere.body], [200, { account }]);
  const rows = await many<{ userId: string; customerId: string }>(
    pool,
    sql`select user_id as "userId", customer_id as "customerId" from app_user where account = ${account}`,
  );
  assert.equal(rows.length, 1);
  assert.notEqual(rows[0]?.userId, userId);
  assert.equal(rows[0]?.customerId, otherCustomerId);
});

test('a changed role holds at the next request, and is on record', async () => {
  const { userId, cookie } = await joinAs('owner');
  const lowered = await api.ask('owner', `PATCH /members/${userId}`, { body: { role: 'viewer' } });
  assert.deepEqual([lowered.status, lowered.body.role], [200, 'viewer']);
  assert.equal((await api.ask(null, 'GET /members', { headers: { cookie } })).status, 404);
  const edits = (await auditOf(userId)).filter(({ action }) => action === 'edit');
  assert.deepEqual(edits, [{ action: 'edit', before: { role: 'owner' }, after: { role: 'viewer' } }]);
  assert.equal((await api.ask('owner', `PATCH /members/${userId}`, { body: { role: 'reviewer' } })).status, 400);
});

test('the last owner can be neither demoted nor removed', async () => {
  for (const [route, body] of [
    [`PATCH /members/${api.users.other.userId}`, { role: 'member' }],
    [`DELETE /members/${api.users.other.userId}`, undefined],
  ] as const) {
    const answer = await api.ask('other', route, body && { body });
    assert.deepEqual([answer.status, answer.body.code], [409, 'LAST_OWNER'], route);
  }
});

test('two owners concurrently demoting or removing each other leave one owner', async () => {
  for (const how of ['PATCH', 'DELETE'] as const) {
    const pair = await Promise.all(
      [1, 2].map(async () => {
        const { userId } = await buildUser(pool, { customerId: otherCustomerId, role: 'owner' });
        return { userId, cookie: await api.signIn(userId) };
      }),
    );
    // They are the only ones meanwhile.
    await run(pool, sql`update app_user set role = 'member' where user_id = ${api.users.other.userId}`);
    const [a, b] = pair;
    assert.ok(a && b);
    const act = (who: typeof a, whom: typeof a) =>
      api.ask(null, `${how} /members/${whom.userId}`, {
        headers: { cookie: who.cookie },
        ...(how === 'PATCH' && { body: { role: 'viewer' } }),
      });
    const answers = await Promise.all([act(a, b), act(b, a)]);
    assert.equal(
      answers.filter(({ status }) => status < 300).length,
      1,
      JSON.stringify(answers.map((each) => each.text)),
    );
    const left = await many(
      pool,
      sql`select 1 from app_user where customer_id = ${otherCustomerId} and role = 'owner' and use_state = 1`,
    );
    assert.equal(left.length, 1, how);
    await run(pool, sql`update app_user set role = 'owner' where user_id = ${api.users.other.userId}`);
    for (const { userId } of pair) await run(pool, sql`update app_user set role = 'viewer' where user_id = ${userId}`);
  }
});

test('members are visible to the owners of their customer and to staff, who change nothing', async () => {
  const { userId } = await joinAs('viewer');
  const { invitationId } = await invite();
  const routes = [
    ['GET /members', undefined],
    ['GET /invitations', undefined],
    ['POST /members', { email: freshEmail(), role: 'viewer' }],
    [`PATCH /members/${userId}`, { role: 'owner' }],
    [`DELETE /members/${userId}`, undefined],
    [`POST /invitations/${invitationId}/resend`, undefined],
    [`DELETE /invitations/${invitationId}`, undefined],
  ] as const;
  for (const [route, body] of routes) {
    const input = body === undefined ? {} : { body };
    assert.equal((await api.ask(null, route, input)).status, 401, route);
    for (const who of ['member', 'viewer'] as const)
      assert.equal((await api.ask(who, route, input)).status, 404, `${route} as ${who}`);
    for (const who of ['reviewer', 'operator', 'admin'] as const)
      if (!route.startsWith('GET')) assert.equal((await api.ask(who, route, input)).status, 403, `${route} as ${who}`);
      else {
        // Of every customer, each with its name; or of one.
        const { body: all } = await api.ask(who, route, { query: { limit: '200' } });
        assert.ok(
          all.items.length > 0 && all.items.every((row: { operator: string }) => row.operator.length > 0),
          route,
        );
        const { customerId } = api;
        const { body: one } = await api.ask(who, route, { query: { customerId, limit: '200' } });
        assert.equal(new Set(one.items.map((row: { operator: string }) => row.operator)).size, 1, route);
      }
    if (/[0-9a-f-]{36}/.test(route)) assert.equal((await api.ask('other', route, input)).status, 404, route);
  }
  const { body } = await api.ask('other', 'GET /members', { query: { limit: '200' } });
  assert.ok(!JSON.stringify(body).includes(userId));
  assert.deepEqual((await api.ask('other', 'GET /invitations')).body.items, []);
});

test('a customer sends so many invitations an hour, and one address tries so many links a minute', async () => {
  const { invitationId } = await invite();
  const statuses: number[] = [];
  for (let n = 0; n < 52; n++)
    statuses.push((await api.ask('owner', `POST /invitations/${invitationId}/resend`)).status);
  assert.equal(statuses.filter((status) => status === 200).length, 49);
  assert.equal(statuses.at(-1), 429);
  const tries = [];
  for (let n = 0; n < 21; n++)
    tries.push(
      (await api.ask(null, 'POST /invitations/check', { body: { token: `guess-${n}` }, ip: '198.51.100.9' })).status,
    );
  assert.deepEqual([tries[19], tries[20]], [403, 429]);
});

test('the mail names the inviter and the customer, in the language of the inviter, and escapes input', async () => {
  await run(pool, sql`update app_user set name = '<b>Ana & Co</b>' where user_id = ${api.users.owner.userId}`);
  const email = freshEmail();
  const headers = { 'accept-language': 'zh-CN' };
  await api.ask('owner', 'POST /members', { body: { email, role: 'viewer' }, headers });
  const [mail] = await many<{ subject: string; html: string; text: string }>(
    pool,
    sql`select subject, body_html as html, body_text as text from mail where recipient = ${email}`,
  );
  assert.match(mail?.subject ?? '', /邀请您加入 Pahatid 上的 Customer A/);
  assert.match(mail?.text ?? '', /只读成员/);
  assert.doesNotMatch(mail?.html ?? '', /<b>Ana/);
  assert.match(mail?.html ?? '', /&#60;b&#62;Ana &#38; Co/);
});
