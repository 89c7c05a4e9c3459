import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listMailTo, run, sql } from '@pahatid/db';
import { buildUser, defaultPassword } from '@pahatid/db/builders';
import { countSegments } from '@pahatid/domain';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { type AccountEvent, describeEvent } from './texts.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
let people = 0;

const enter = async () => {
  const email = `told-${++people}@pahatid.test`;
  const user = await buildUser(pool, { customerId: api.customerId, role: 'member', email });
  const subjects = async () => (await listMailTo(pool, email, 50)).map(({ subject }) => subject).toReversed();
  return { ...user, email, subjects };
};
const signIn = async (account: string, headers: Record<string, string> = {}) => {
  const answer = await api.ask(null, 'POST /session', { body: { account, password: defaultPassword }, headers });
  assert.equal(answer.status, 200, answer.text);
  return [answer.headers['set-cookie'] ?? []].flat().map((line) => String(line).split(';')[0]);
};

const events: AccountEvent[] = [
  ...(['passwordReset', 'passwordChanged', 'totpAdded', 'totpRemoved', 'recoveryCodesRenewed'] as const).map(
    (what) => ({ what }),
  ),
  { what: 'passkeyAdded', name: 'Laptop' },
  { what: 'passkeyRemoved', name: 'Laptop' },
  { what: 'phoneSet', phone: '63******4567' },
  { what: 'phoneRemoved', phone: '63******4567' },
  { what: 'factorsReset', by: 'owner' },
  { what: 'factorsReset', by: 'staff' },
  { what: 'newDevice', device: { browser: null, system: null, ip: '203.0.113.9', time: 'now' } },
];

test('every change is reported in both languages, with the account name, and SMS take one segment', () => {
  for (const event of events)
    for (const lang of ['en-US', 'zh-CN'] as const) {
      const { subject, text, html, sms } = describeEvent(event, 'ana.reyes', lang);
      assert.equal(/\p{Script=Han}/u.test(subject), lang === 'zh-CN', subject);
      assert.match(text, /ana\.reyes/);
      assert.doesNotMatch(text, /undefined|null|\[object/);
      assert.match(html, /^<div/);
      if (sms !== null) assert.equal(countSegments(sms).segments, 1, sms);
    }
});

test('what people call their passkeys is no HTML in a mail', () => {
  const { html } = describeEvent({ what: 'passkeyAdded', name: '<img src=x>' }, 'ana', 'en-US');
  assert.doesNotMatch(html, /<img/);
});

test('a sign-in from a new browser is reported, with the browser, the address and the time in the user zone', async () => {
  const person = await enter();
  const edge =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0';
  const cookies = await signIn(person.account);
  assert.deepEqual(await person.subjects(), [], 'the first sign-in of all is no news');
  const known = cookies.filter((each) => each?.startsWith('pahatid-device=')).join('; ');
  await signIn(person.account, { cookie: known });
  assert.deepEqual(await person.subjects(), [], 'the same browser again');
  await run(pool, sql`update app_user set locale = 'zh-CN', zone = 'Asia/Shanghai' where user_id = ${person.userId}`);
  await signIn(person.account, { 'user-agent': edge });
  assert.deepEqual(await person.subjects(), ['您的账号有新的登录']);
  const [mail] = await listMailTo(pool, person.email, 1);
  assert.match(mail?.bodyText ?? '', /Edge.*Windows.*127\.0\.0\.1.*Asia\/Shanghai/s);
});

test('a browser without cookies triggers three sign-in mails in an hour, and no more', async () => {
  const person = await enter();
  for (let n = 0; n < 6; n += 1) await signIn(person.account);
  assert.equal((await person.subjects()).length, 3);
});

test('factors added and removed, and new recovery codes, are reported', async () => {
  const person = await enter();
  const cookie = await api.signIn(person.userId);
  await run(
    pool,
    sql`insert into totp (user_id, seed_sealed, created_at, confirmed_at) values (${person.userId}, 'sealed', now(), now())`,
  );
  for (const route of ['POST /account/two-factor/recovery-codes', 'POST /account/two-factor/disable']) {
    const { status } = await api.ask(null, route, { headers: { cookie }, body: { currentPassword: defaultPassword } });
    assert.ok(status < 300);
  }
  assert.deepEqual(await person.subjects(), ['You have new recovery codes', 'Your authenticator app was removed']);
});
