import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, one, sql } from '@pahatid/db';
import { defaultPassword } from '@pahatid/db/builders';
import { Secret, TOTP } from 'otpauth';
import { makeCodeWorld, otherThan } from '../../codes/testing/code-world.ts';

const world = await makeCodeWorld();
const { pool, api } = world;
const currentPassword = defaultPassword;
let phones = 0;
/** An unused number, in typed format. */
const freshPhone = () => `0918 555 ${String(++phones).padStart(4, '0')}`;
const digits = (phone: string): string => `63${phone.replaceAll(' ', '').slice(1)}`;

const enter = async (spec: Parameters<typeof world.person>[0] = {}) => {
  const person = await world.person(spec);
  const cookie = await api.signIn(person.userId);
  const as = (route: string, body?: object, by = cookie) =>
    api.ask(null, route, { headers: { cookie: by }, ...(body && { body }) });
  return { ...person, cookie, as };
};
const msisdnOf = async (userId: string): Promise<string | null> =>
  (await one<{ msisdn: string | null }>(pool, sql`select msisdn from app_user where user_id = ${userId}`)).msisdn;

test('a phone is set by the password and by the code that came to it, and codes to reset go there from then on', async () => {
  const { as, userId, msisdn: old, email } = await enter();
  const phone = freshPhone();
  const asked = await as('POST /account/phone/code', { phone, currentPassword });
  assert.deepEqual([asked.status, asked.body], [202, { resendAfterS: 60, expiresInS: 300 }], asked.text);
  await world.work();
  const code = await world.smsCodeOf(digits(phone));
  const wrong = await as('POST /account/phone', { phone, code: otherThan(code) });
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'CODE_INVALID']);
  const both = await Promise.all([0, 1].map(() => as('POST /account/phone', { phone, code })));
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400], 'two at once');
  assert.equal(
    both.find(({ status }) => status === 200)?.body.phone,
    `${digits(phone).slice(0, 2)}******${digits(phone).slice(-4)}`,
  );
  assert.equal(await msisdnOf(userId), digits(phone));

  const [mail] = await world.mailTo(email);
  assert.match(mail?.subject ?? '', /phone was changed/);
  assert.equal((await world.smsTo(old)).length, 1, 'the phone before is told');
  const [entry] = await many<{ before: unknown; after: unknown }>(
    pool,
    sql`select before, after from audit_log where subject_id = ${userId} and action = 'phone.set'`,
  );
  assert.doesNotMatch(JSON.stringify(entry), new RegExp(`${digits(phone)}|${old}`));

  const browser = world.browser();
  await browser.ask('POST /codes', { purpose: 'resetPassword', phone });
  await world.work();
  const forgot = {
    phone,
    code: await world.smsCodeOf(digits(phone)),
    newPassword: 'rf7kxm',
    confirmPassword: 'rf7kxm',
  };
  assert.equal((await browser.ask('POST /password-resets/by-phone', forgot)).status, 204);
});

test('without the right password no code goes out, and nothing is removed', async () => {
  const { as, userId, msisdn } = await enter();
  const phone = freshPhone();
  for (const given of [{}, { currentPassword: 'Wrong@1234' }, { totpCode: '123456' }]) {
    const { status, body } = await as('POST /account/phone/code', { phone, ...given });
    assert.deepEqual([status, body.code], [403, 'REAUTHENTICATE']);
    assert.equal((await as('POST /account/phone/remove', given)).status, 403);
  }
  await world.work();
  assert.deepEqual(await world.smsTo(digits(phone)), []);
  assert.equal(await msisdnOf(userId), msisdn);
});

test('with an authenticator app in force its code is asked for instead, and works once', async () => {
  const { as } = await enter();
  const { secret } = (await as('POST /account/two-factor', { currentPassword })).body;
  const codeNow = () => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: api.deps.now().getTime() });
  assert.equal((await as('POST /account/two-factor/confirm', { code: codeNow() })).status, 200);
  const phone = freshPhone();
  const byPassword = await as('POST /account/phone/code', { phone, currentPassword });
  assert.deepEqual([byPassword.status, byPassword.body.code], [400, 'TOTP_CODE_WRONG']);
  world.advance(60_000);
  const totpCode = codeNow();
  assert.equal((await as('POST /account/phone/code', { phone, totpCode })).status, 202);
  const again = await as('POST /account/phone/remove', { totpCode });
  assert.equal(again.body.code, 'TOTP_CODE_WRONG', 'the same code a second time');
  world.advance(60_000);
  const resent = await as('POST /account/phone/code', { phone });
  assert.equal(resent.status, 202, 'once more to the same phone asks for nothing');
  const elsewhere = await as('POST /account/phone/code', { phone: freshPhone() });
  assert.equal(elsewhere.status, 400, 'to another one it does');
});

test('S17 the code is good for the person, the session and the purpose that it was made for', async () => {
  const [person, stranger] = [await enter(), await enter()];
  const phone = freshPhone();
  await person.as('POST /account/phone/code', { phone, currentPassword });
  await world.work();
  const code = await world.smsCodeOf(digits(phone));
  const elsewhere = await api.signIn(person.userId);
  for (const by of [stranger.cookie, elsewhere])
    assert.equal((await person.as('POST /account/phone', { phone, code }, by)).body.code, 'CODE_INVALID');
  const newPassword = 'rf7kxm';
  const reset = await world
    .browser()
    .ask('POST /password-resets/by-phone', { phone, code, newPassword, confirmPassword: newPassword });
  assert.equal(reset.body.code, 'CODE_INVALID');
  world.advance(5 * 60_000 + 1_000);
  assert.equal((await person.as('POST /account/phone', { phone, code })).body.code, 'CODE_INVALID', 'too late');
  assert.equal(await msisdnOf(person.userId), person.msisdn);
});

test('S17 the sixth guess is not compared', async () => {
  const { as } = await enter();
  const phone = freshPhone();
  await as('POST /account/phone/code', { phone, currentPassword });
  await world.work();
  const code = await world.smsCodeOf(digits(phone));
  for (let guess = 0; guess < 5; guess += 1) await as('POST /account/phone', { phone, code: otherThan(code) });
  assert.equal((await as('POST /account/phone', { phone, code })).body.code, 'CODE_INVALID');
});

test('S16 a number of another user gets the same response, and is revealed only after the code', async () => {
  const [person, holder] = [await enter(), await enter()];
  const phone = `+${holder.msisdn}`;
  const asked = await person.as('POST /account/phone/code', { phone, currentPassword });
  assert.equal(asked.status, 202);
  await world.work();
  const taken = await person.as('POST /account/phone', { phone, code: await world.smsCodeOf(holder.msisdn) });
  assert.deepEqual([taken.status, taken.body.code], [409, 'PHONE_TAKEN']);
  assert.equal(await msisdnOf(holder.userId), holder.msisdn);
});

test('S19 a phone that is not Philippine is refused, and so is another code within a minute', async () => {
  const { as } = await enter();
  for (const phone of ['+14155550123', '12', '(02) 8123 4567']) {
    const { status, body } = await as('POST /account/phone/code', { phone, currentPassword });
    assert.deepEqual([status, body.errors], [400, [{ field: 'phone', code: 'PHONE' }]]);
  }
  const phone = freshPhone();
  assert.equal((await as('POST /account/phone/code', { phone, currentPassword })).status, 202);
  const again = await as('POST /account/phone/code', { phone });
  assert.equal(again.status, 429);
  assert.ok(again.body.params.retryAfterS <= 60);
});

test('removing a phone notifies it and sends mail; removing it again fails', async () => {
  const { as, userId, msisdn, email } = await enter({ customerId: null, role: 'reviewer' });
  const removed = await as('POST /account/phone/remove', { currentPassword });
  assert.deepEqual([removed.status, removed.body.phone], [200, null], removed.text);
  assert.equal(await msisdnOf(userId), null);
  assert.equal((await world.smsTo(msisdn)).length, 1);
  assert.match((await world.mailTo(email))[0]?.subject ?? '', /phone was removed/);
  assert.equal((await as('POST /account/phone/remove', { currentPassword })).status, 404);
});

test('unauthenticated callers cannot set a phone', async () => {
  for (const [route, body] of [
    ['POST /account/phone/code', { phone: freshPhone(), currentPassword }],
    ['POST /account/phone', { phone: freshPhone(), code: '123456' }],
    ['POST /account/phone/remove', { currentPassword }],
  ] as const)
    assert.equal((await api.ask(null, route, { body })).status, 401);
});
