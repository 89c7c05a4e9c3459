import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, one, run, sql } from '@pahatid/db';
import { defaultPassword } from '@pahatid/db/builders';
import { makeCodeWorld, otherThan } from '../../codes/testing/code-world.ts';

const world = await makeCodeWorld();
const { pool, api } = world;
const purpose = 'resetPassword';
const fresh = 'Rf7!kxm2Qz';

/** A user that is signed in somewhere, and a browser elsewhere that requests a reset. */
const forgetful = async () => {
  const person = await world.person();
  return { person, open: await api.signIn(person.userId), browser: world.browser() };
};
const signIn = (account: string, password: string) => world.browser().ask('POST /session', { account, password });
const isOpen = async (cookie: string) => (await api.ask(null, 'GET /session', { headers: { cookie } })).status === 200;
const codesOf = ({ body }: { body: { errors?: { field: string; code: string }[] } }) =>
  (body.errors ?? []).map(({ field, code }) => `${field} ${code}`);

test('resets by phone: a code by SMS, six to twenty characters, and the old password is dead', async () => {
  const { person, browser } = await forgetful();
  const phone = `0${person.msisdn.slice(2)}`;
  assert.equal((await browser.ask('POST /codes', { purpose, phone })).status, 202);
  await world.work();
  const code = await world.smsCodeOf(person.msisdn);
  const body = { phone, code, newPassword: 'rf7kxm', confirmPassword: 'rf7kxm' };
  const done = await browser.ask('POST /password-resets/by-phone', body);
  assert.equal(done.status, 204, done.text);
  assert.equal((await signIn(person.account, 'rf7kxm')).status, 200);
  assert.equal((await signIn(person.account, defaultPassword)).status, 401);
  assert.equal((await browser.ask('POST /password-resets/by-phone', body)).body.code, 'CODE_INVALID', 'a second time');
});

test('resets by e-mail in three steps; the grant works once, in the same browser, for ten minutes', async () => {
  const { person, browser } = await forgetful();
  const { email } = person;
  await browser.ask('POST /codes', { purpose, email });
  await world.work();
  const wrong = await browser.ask('POST /password-resets/verify', {
    email,
    code: otherThan(await world.codeOf(email)),
  });
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'CODE_INVALID']);
  const verified = await browser.ask('POST /password-resets/verify', { email, code: await world.codeOf(email) });
  assert.equal(verified.status, 200, verified.text);
  const { grant } = verified.body;
  const body = { grant, newPassword: fresh, confirmPassword: fresh };
  assert.equal((await world.browser().ask('POST /password-resets', body)).body.code, 'RESET_ENDED', 'another browser');
  assert.equal((await browser.ask('POST /password-resets', { ...body, grant: 'x' })).body.code, 'RESET_ENDED');
  const both = await Promise.all([0, 1].map(() => browser.ask('POST /password-resets', body)));
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [204, 410], 'two at once');
  assert.equal((await signIn(person.account, fresh)).status, 200);

  world.advance(61_000);
  await browser.ask('POST /codes', { purpose, email });
  await world.work();
  const late = await browser.ask('POST /password-resets/verify', { email, code: await world.codeOf(email) });
  world.advance(10 * 60_000 + 1_000);
  const { status } = await browser.ask('POST /password-resets', { ...body, grant: late.body.grant });
  assert.equal(status, 410, 'too late');
});

test('S20 a reset does not sign in, ends every session, and is reported by mail and SMS', async () => {
  for (const how of ['sms', 'email'] as const) {
    const { person, open, browser } = await forgetful();
    const { email, msisdn } = person;
    assert.ok(await isOpen(open));
    await browser.ask('POST /codes', how === 'sms' ? { purpose, phone: `+${msisdn}` } : { purpose, email });
    await world.work();
    const passwords = { newPassword: fresh, confirmPassword: fresh };
    if (how === 'sms') {
      const code = await world.smsCodeOf(msisdn);
      await browser.ask('POST /password-resets/by-phone', { phone: `+${msisdn}`, code, ...passwords });
    } else {
      const { body } = await browser.ask('POST /password-resets/verify', { email, code: await world.codeOf(email) });
      await browser.ask('POST /password-resets', { grant: body.grant, ...passwords });
    }
    assert.equal(await isOpen(open), false);
    assert.equal((await browser.ask('GET /session')).status, 401);
    const [notice] = await world.mailTo(email);
    assert.equal(notice?.subject, 'Your password was reset');
    assert.match(notice?.bodyText ?? '', new RegExp(person.account));
    assert.match((await world.smsTo(msisdn))[0] ?? '', /password of your account was reset/);
    const entries = await many<{ action: string; after: unknown }>(
      pool,
      sql`select action, after from audit_log where account = ${person.account} and action <> 'sendCode'`,
    );
    assert.deepEqual(
      entries.map((row) => ({ ...row })),
      [{ action: 'resetPassword', after: { how, sessionsEnded: 1 } }],
    );
    const kept = await many(pool, sql`select 1 from one_time_code where user_id = ${person.userId}`);
    assert.equal(kept.length, 0, 'no other code of this person opens anything');
  }
});

test('S21 passwords are checked against the rule of the flow, common passwords and user data', async () => {
  const { person, browser } = await forgetful();
  const phone = `+${person.msisdn}`;
  const byPhone = (newPassword: string, confirmPassword = newPassword, code = '000000') =>
    browser.ask('POST /password-resets/by-phone', { phone, code, newPassword, confirmPassword });
  assert.deepEqual(codesOf(await byPhone('12345')), ['newPassword PASSWORD_LENGTH']);
  assert.deepEqual(codesOf(await byPhone('x'.repeat(21))), ['newPassword PASSWORD_LENGTH']);
  assert.deepEqual(codesOf(await byPhone('123456')), ['newPassword PASSWORD_COMMON']);
  assert.deepEqual(codesOf(await byPhone('rf7kxm', 'rf7kxn')), ['confirmPassword PASSWORD_MISMATCH']);
  await browser.ask('POST /codes', { purpose, phone });
  await world.work();
  const code = await world.smsCodeOf(person.msisdn);
  assert.deepEqual(codesOf(await byPhone(person.account, person.account, code)), ['newPassword PASSWORD_CONTEXT']);
  assert.equal((await byPhone('rf7kxm', 'rf7kxm', code)).status, 204, 'the code is not used up by a bad password');

  const change = (newPassword: string) =>
    api.ask('owner', 'POST /password', {
      body: { currentPassword: defaultPassword, newPassword, confirmPassword: newPassword },
    });
  assert.deepEqual(codesOf(await change('short')), [
    'newPassword PASSWORD_TOO_SHORT',
    'newPassword PASSWORD_NO_UPPERCASE',
    'newPassword PASSWORD_NO_NUMBER',
    'newPassword PASSWORD_NO_SPECIAL',
  ]);
  assert.deepEqual(codesOf(await change('Password1!')), ['newPassword PASSWORD_COMMON']);
  const long = `Aa1!${'ñ'.repeat(90)}`;
  assert.equal((await change(long)).status, 204, '64 characters and more');
  assert.equal(
    (await signIn(api.users.owner.account, long.normalize('NFD'))).status,
    200,
    'however an accent is typed',
  );
  assert.equal((await signIn(api.users.owner.account, long.slice(0, 72))).status, 401, 'nothing is cut off');
});

test('S9 changing the password asks for the current one, keeps this session and ends the others', async () => {
  const person = await world.person();
  const mine = await api.signIn(person.userId);
  const other = await api.signIn(person.userId);
  const change = (currentPassword: string, cookie: string | null = mine) =>
    api.ask(null, 'POST /password', {
      body: { currentPassword, newPassword: fresh, confirmPassword: fresh },
      headers: cookie === null ? {} : { cookie },
    });
  assert.equal((await change(defaultPassword, null)).status, 401);
  const wrong = await change('Wrong@1234');
  assert.deepEqual([wrong.status, wrong.body.code], [403, 'REAUTHENTICATE']);
  assert.ok(await isOpen(other));
  const done = await change(defaultPassword);
  assert.equal(done.status, 204, done.text);
  assert.deepEqual([await isOpen(mine), await isOpen(other)], [true, false]);
  assert.equal((await signIn(person.account, fresh)).status, 200);
  assert.equal((await world.mailTo(person.email))[0]?.subject, 'Your password was changed');
  assert.match((await world.smsTo(person.msisdn))[0] ?? '', /was changed/);
  const entries = await many(
    pool,
    sql`select action, after from audit_log where account = ${person.account} and action = 'changePassword'`,
  );
  assert.equal(entries.length, 1);
});

test('every role may change its own password, the viewer and the staff too', async () => {
  for (const who of ['viewer', 'reviewer', 'admin'] as const) {
    const body = { currentPassword: defaultPassword, newPassword: fresh, confirmPassword: fresh };
    assert.equal((await api.ask(who, 'POST /password', { body })).status, 204, who);
  }
});

test('the code of a person disabled meanwhile opens nothing', async () => {
  const { person, browser } = await forgetful();
  const { email } = person;
  await browser.ask('POST /codes', { purpose, email });
  await world.work();
  const { body } = await browser.ask('POST /password-resets/verify', { email, code: await world.codeOf(email) });
  await run(pool, sql`update app_user set use_state = 0 where user_id = ${person.userId}`);
  const reset = { grant: body.grant, newPassword: fresh, confirmPassword: fresh };
  assert.equal((await browser.ask('POST /password-resets', reset)).body.code, 'CODE_INVALID');
  const { hash } = await one<{ hash: string }>(
    pool,
    sql`select password_hash as hash from app_user where user_id = ${person.userId}`,
  );
  assert.ok(await api.app.api.passwords.verify(hash, defaultPassword));
});

test('the development mailbox is there in the demo on loopback, and nowhere else', async () => {
  const outside = await api.ask(null, 'GET /dev/outbox', { query: { to: 'person-1@pahatid.test' }, ip: '203.0.113.7' });
  assert.equal(outside.status, 404);
  const demo = await api.ask(null, 'GET /dev/outbox', { query: { to: 'PERSON-2@pahatid.test' } });
  assert.equal(demo.status, 200);
  assert.deepEqual(demo.body.items.map((item: { channel: string; to: string }) => [item.channel, item.to])[0], [
    'email',
    'person-2@pahatid.test',
  ]);
  const notice = demo.body.items.find(({ subject }: { subject: string }) => subject === 'Your password was reset');
  assert.match(notice.text, /sign in again/);
  assert.match(notice.html, /<p>/);
  const config = { ...api.deps.config, demo: false };
  const { makeApp } = await import('../../http/app.ts');
  const { apiFeatures } = await import('../../roles/api.ts');
  const app = await makeApp({ ...api.deps, config }, apiFeatures);
  assert.equal((await app.inject({ url: '/api/v1/dev/outbox?to=person-2@pahatid.test' })).statusCode, 404);
  await app.close();
});
