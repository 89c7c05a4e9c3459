/** Actions that create lasting access or move money need a fresh proof, on every such route, and are mailed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isStepUpRoute,
  type Role,
  type RouteDefinition,
  type RouteKey,
  routes,
  type StepUpRoute,
  stepUpRoutes,
} from '@pahatid/contract';
import { many, run, sql } from '@pahatid/db';
import { buildUser, defaultPassword } from '@pahatid/db/builders';
import { describeAct } from '../mail/account/sensitive-acts.ts';
import { makeSweep } from '../security/testing/sweep.ts';

const origin = 'http://localhost:8080';
const sweep = await makeSweep({ config: { publicUrl: origin } });
const { api, ids } = sweep;
const { pool } = api.db;
const keys = Object.keys(stepUpRoutes) as StepUpRoute[];
const all = Object.entries(routes) as [RouteKey, RouteDefinition][];

/** Bodies that make the action require the proof, if not every call of the route does. */
const bodies: Partial<Record<StepUpRoute, object>> = {
  'PATCH /applications/:appId': { whiteListIp: ['203.0.113.0/24'], version: 1 },
  'POST /thresholds': {
    kind: 'frequency',
    perDay: 9,
    webhooks: ['https://hooks.example/x'],
  },
  'PATCH /thresholds/:thresholdId': { webhooks: ['https://hooks.example/y'] },
  'POST /members': { email: 'new-owner@shop.example', role: 'owner' },
  'PATCH /members/:userId': { role: 'owner' },
  'PATCH /account/customer': { requireTwoFactor: false },
  'PATCH /customers/:customerId/applications/:appId': { chargeType: 'ReceiverPays' },
  'PATCH /suppliers/:supplierId': { password: 'changed1', version: 1 },
};
const whoMay = ({ access }: RouteDefinition): Role =>
  Array.isArray(access) && access.includes('owner') ? 'owner' : 'admin';
const member = await buildUser(pool, { customerId: api.customerId, role: 'member' });
const by = { ...ids, userId: member.userId };
const askAs = (key: StepUpRoute, cookie: string) =>
  api.ask(null, sweep.fill(key, by), {
    headers: { cookie },
    ...((bodies[key] ?? routes[key].body) !== undefined && { body: bodies[key] ?? sweep.bodies[key] }),
  });

test('S70 every listed action is rejected for a session whose last proof is older than ten minutes', async () => {
  for (const key of keys) {
    if (stepUpRoutes[key] === 'byBody') continue;
    const who = whoMay(routes[key]);
    const cookie = await api.signIn(api.users[who].userId);
    await run(pool, sql`update session set created_at = ${new Date(api.deps.now().getTime() - 11 * 60_000)}`);
    const { status, body, text } = await askAs(key, cookie);
    assert.deepEqual([status, body?.code], [403, 'STEP_UP_REQUIRED'], `${key}: ${text}`);
  }
  await run(pool, sql`update session set created_at = ${api.deps.now()}`);
});

test('S70 no route that gives a secret, a role, a price or money is missing from the list', () => {
  // Detected by their bodies and responses: a new route with one of these must be listed, or ask for the password
  // itself.
  const telling = /Secret|smppPassword|callbackUrl|whiteListIp|chargeType|"amount"|"price"|"role"|requireTwoFactor/;
  const harmless: Partial<Record<RouteKey, string>> = {
    'POST /setup': 'nobody is signed in yet',
    'POST /setup/check': 'looks',
    'POST /top-ups': 'asks: staff enter it',
    'POST /session': 'is the proof',
    'POST /session/second-factor': 'is the proof',
    'POST /session/passkey': 'is the proof',
    'POST /invitations/accept': 'by the link that was mailed',
    'POST /invitations/check': 'looks',
    'POST /invitations/:invitationId/resend': 'goes to the address that an owner chose with a proof',
    'DELETE /members/:userId': 'takes access away',
  };
  for (const [key, { access, body, response }] of all) {
    if (key.startsWith('GET ') || access === 'public' || access === 'application' || isStepUpRoute(key)) continue;
    if (key in harmless) continue;
    const fields = (schema: unknown): string =>
      JSON.stringify(Object.keys((schema as { shape?: object })?.shape ?? {}));
    if (/currentPassword/.test(fields(body))) continue;
    const given = fields(body);
    const answered = /"(appSecret|smppPassword|secret)"/.test(fields(response));
    assert.ok(!telling.test(given) && !answered, `${key} ${given}`);
  }
});

test('S70 a fresh sign-in is the proof; later the password or a code is, for ten minutes of that session alone', async () => {
  const cookie = await api.signIn(api.users.owner.userId);
  const second = await api.signIn(api.users.owner.userId);
  const add = (with_: string) =>
    api.ask(null, 'POST /applications', {
      headers: { cookie: with_ },
      body: { appName: `Shop ${Math.random()}`, remarkInfo: 'x' },
    });
  assert.equal((await add(cookie)).status, 201);
  api.advance(11 * 60_000);
  assert.equal((await add(cookie)).body.code, 'STEP_UP_REQUIRED');
  const prove = (body: object) => api.ask(null, 'POST /session/proof', { headers: { cookie }, body });
  assert.equal((await prove({})).body.code, 'REAUTHENTICATE');
  assert.equal((await prove({ currentPassword: 'wrong' })).body.code, 'REAUTHENTICATE');
  assert.equal((await add(cookie)).body.code, 'STEP_UP_REQUIRED');
  assert.equal((await prove({ currentPassword: defaultPassword })).status, 204);
  assert.equal((await add(cookie)).status, 201);
  assert.equal((await add(second)).body.code, 'STEP_UP_REQUIRED', 'another session of the same person');
  api.advance(11 * 60_000);
  assert.equal((await add(cookie)).body.code, 'STEP_UP_REQUIRED');
  assert.equal(
    (await api.ask(null, 'POST /session/proof', { body: { currentPassword: defaultPassword } })).status,
    401,
  );
});

test('S70 what changes no access needs no proof: a name, a role below owner, a removal of the callback', async () => {
  const cookie = await api.signIn(api.users.owner.userId);
  api.advance(11 * 60_000);
  const ask = (route: string, body: object) => api.ask(null, route, { headers: { cookie }, body });
  const { body: app } = await ask(`GET /applications/${api.appId}`, {}).then(() =>
    api.ask(null, `GET /applications/${api.appId}`, { headers: { cookie } }),
  );
  const named = await ask(`PATCH /applications/${api.appId}`, {
    remarkInfo: 'new',
    whiteListIp: app.whiteListIp,
    callbackUrl: null,
    ...(app.version !== undefined && { version: app.version }),
  });
  assert.equal(named.status, 200, named.text);
  const lowered = await ask(`PATCH /members/${member.userId}`, { role: 'viewer' });
  assert.equal(lowered.status, 200, lowered.text);
});

test('S70 all owners are mailed, each in their language; admins for staff actions; no one for rejected ones', async () => {
  const chinese = await buildUser(pool, { customerId: api.customerId, role: 'owner', email: 'zh-owner@shop.example' });
  await run(pool, sql`update app_user set locale = 'zh-CN' where user_id = ${chinese.userId}`);
  const cookie = await api.signIn(api.users.owner.userId);
  const mails = () =>
    many(
      pool,
      sql<{
        to: string;
        subject: string;
        text: string;
      }>`select recipient as to, subject, body_text as text from mail order by created_at`,
    );
  const before = (await mails()).length;
  const added = await api.ask(null, 'POST /applications', {
    headers: { cookie },
    body: { appName: 'Told', remarkInfo: 'x' },
  });
  assert.equal(added.status, 201);
  const told = (await mails()).slice(before);
  assert.deepEqual(told.map(({ subject }) => subject).sort(), [
    'Pahatid: an application was added',
    'Pahatid：新增了一个应用',
  ]);
  assert.ok(told.every(({ text }) => text.includes(added.body.appId) && text.includes(api.users.owner.account)));
  const rotated = await api.ask(null, `POST /applications/${added.body.appId}/secret`, {
    headers: { cookie },
    body: { currentPassword: defaultPassword },
  });
  assert.equal(rotated.status, 201, rotated.text);
  assert.equal((await mails()).length, before + 4, 'a new secret, to both owners');
  await run(
    pool,
    sql`insert into totp (user_id, seed_sealed, created_at, confirmed_at) values (${member.userId}, 'sealed', now(), now())`,
  );
  const seen = (await mails()).length;
  const reset = await api.ask(null, `POST /members/${member.userId}/reset-two-factor`, {
    headers: { cookie },
    body: { currentPassword: defaultPassword, reason: 'Lost phone' },
  });
  assert.equal(reset.status, 204, reset.text);
  const ofReset = (await mails()).slice(seen).map(({ subject }) => subject);
  assert.ok(ofReset.includes('Pahatid: the second factors of a member were removed'), ofReset.join());
  assert.ok(ofReset.includes('Pahatid：一位成员的两步验证已被重置'), ofReset.join());
  const admin = await api.signIn(api.users.admin.userId);
  const topUp = await api.ask(null, `POST /customers/${api.customerId}/ledger`, {
    headers: { cookie: admin },
    body: { amount: 10_000, note: '' },
  });
  assert.equal(topUp.status, 201, topUp.text);
  assert.equal((await mails()).at(-1)?.subject, 'Pahatid: the balance of a customer was changed');
  const count = (await mails()).length;
  api.advance(11 * 60_000);
  assert.equal((await askAs('POST /prices', admin)).status, 403);
  assert.equal((await mails()).length, count);
  for (const key of keys)
    for (const lang of ['en-US', 'zh-CN'] as const) {
      const { subject } = describeAct({ key, account: 'a', subject: 'b', ip: '::1' }, lang);
      assert.equal(/\p{Script=Han}/u.test(subject), lang === 'zh-CN', subject);
    }
});
