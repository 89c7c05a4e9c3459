import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, run, sql } from '@pahatid/db';
import { buildUser, defaultPassword } from '@pahatid/db/builders';
import { Secret, TOTP } from 'otpauth';
import { type Answer, makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });

const stepMs = 30_000;
/** The code that the app of this secret shows, `steps` of 30 s from now. */
const codeOf = (secret: string, steps = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: api.deps.now().getTime() + steps * stepMs });
/** To the begin of the step after the next: no code that was taken comes again, and those made now have all their time. */
const later = (): void => api.advance(2 * stepMs - (api.deps.now().getTime() % stepMs));

const cookiesOf = ({ headers }: Answer): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => String(line).split(';')[0])
    .join('; ');

interface Person {
  userId: string;
  account: string;
  cookie: string;
}
const enter = async (role: 'member' | 'viewer' | 'owner' = 'member'): Promise<Person> => {
  const user = await buildUser(api.db.pool, { customerId: api.customerId, role });
  return { ...user, cookie: await api.signIn(user.userId) };
};
const as = (person: Person, route: string, body?: object): Promise<Answer> =>
  api.ask(null, route, { headers: { cookie: person.cookie }, ...(body && { body }) });

/** Enrols a user with an authenticator app; returns its secret and the recovery codes. */
const enrol = async (person: Person): Promise<{ secret: string; recoveryCodes: string[] }> => {
  const begun = await as(person, 'POST /account/two-factor', { currentPassword: defaultPassword });
  assert.equal(begun.status, 200, begun.text);
  const { secret } = begun.body;
  const confirmed = await as(person, 'POST /account/two-factor/confirm', { code: codeOf(secret) });
  assert.equal(confirmed.status, 200, confirmed.text);
  later();
  return { secret, recoveryCodes: confirmed.body.recoveryCodes };
};

interface Step {
  challenge: string;
  methods: string[];
  cookie: string;
}
/** Passes the first factor of a user that has a second one. */
const firstFactor = async ({ account }: Person): Promise<Step> => {
  const answer = await api.ask(null, 'POST /session', { body: { account, password: defaultPassword } });
  assert.deepEqual([answer.status, answer.body.code], [401, 'SECOND_FACTOR_REQUIRED'], answer.text);
  const { challenge, methods } = answer.body.params;
  return { challenge: String(challenge), methods: String(methods).split(','), cookie: cookiesOf(answer) };
};
const secondFactor = (step: Step, method: string, code: string, cookie = step.cookie): Promise<Answer> =>
  api.ask(null, 'POST /session/second-factor', {
    body: { challenge: step.challenge, method, code },
    headers: { cookie },
  });
const enrolled = async () => {
  const person = await enter();
  return { person, ...(await enrol(person)) };
};

test('a code of the app enables it, and ten recovery codes are shown once', async () => {
  const person = await enter();
  const begun = await as(person, 'POST /account/two-factor', { currentPassword: defaultPassword });
  const { secret, uri } = begun.body;
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.equal(
    uri,
    `otpauth://totp/Pahatid:${person.account}?issuer=Pahatid&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
  // No code is required before it is confirmed.
  const { status } = await api.ask(null, 'POST /session', {
    body: { account: person.account, password: defaultPassword },
  });
  assert.equal(status, 200);
  const wrong = await as(person, 'POST /account/two-factor/confirm', { code: codeOf(secret, 10) });
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'TOTP_CODE_WRONG']);
  const spaced = codeOf(secret).replace(/(...)/, '$1 ');
  const confirmed = await as(person, 'POST /account/two-factor/confirm', { code: spaced });
  assert.equal(confirmed.status, 200, confirmed.text);
  const codes: string[] = confirmed.body.recoveryCodes;
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  const again = await as(person, 'POST /account/two-factor', { currentPassword: defaultPassword });
  assert.deepEqual([again.status, again.body.code], [409, 'TWO_FACTOR_ON']);
});

test('S55 the seed is sealed and recovery codes are hashed: neither is in a dump of the database', async () => {
  const { secret, recoveryCodes } = await enrolled();
  const rows = await many<{ whole: string }>(
    api.db.pool,
    sql`select t::text as whole from totp t union all select r::text from recovery_code r union all
        select encode(code_hash, 'escape') from recovery_code union all select coalesce(after::text, '') from audit_log`,
  );
  const dump = rows.map(({ whole }) => whole).join('\n');
  for (const hidden of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))])
    assert.ok(!dump.includes(hidden));
});

test('the password alone opens nothing: the second step does, and only in the browser that took the first', async () => {
  const { person, secret } = await enrolled();
  const step = await firstFactor(person);
  assert.deepEqual(step.methods, ['totp', 'recoveryCode']);
  assert.doesNotMatch(step.cookie, /pahatid=/);
  const elsewhere = await secondFactor(step, 'totp', codeOf(secret), 'pahatid-visitor=somebody-else');
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [410, 'SIGN_IN_STEP_ENDED']);
  const bare = await secondFactor(step, 'totp', codeOf(secret), '');
  assert.equal(bare.status, 410);
  const opened = await secondFactor(step, 'totp', codeOf(secret));
  assert.equal(opened.status, 200, opened.text);
  assert.equal(opened.body.user.account, person.account);
  const me = await api.ask(null, 'GET /session', { headers: { cookie: cookiesOf(opened) } });
  assert.equal(me.body.user.userId, person.userId);
  later();
  const twice = await secondFactor(step, 'totp', codeOf(secret));
  assert.equal(twice.status, 410, 'a step is answered once');
  const [entry] = await many(
    api.db.pool,
    sql`select action, after from audit_log where user_id = ${person.userId} order by audit_id desc limit 1`,
  );
  assert.deepEqual(entry, { action: 'signIn', after: { how: 'password', secondFactor: 'totp' } });
});

test('a code works once, also if sent nine times concurrently, and no earlier code works afterwards', async () => {
  const { person, secret } = await enrolled();
  const steps = [];
  // Nine, and one wrong one below, are as many guesses as a person has.
  for (let n = 0; n < 9; n += 1) steps.push(await firstFactor(person));
  const code = codeOf(secret);
  const answers = await Promise.all(steps.map((step) => secondFactor(step, 'totp', code)));
  assert.deepEqual(
    answers.filter(({ status }) => status === 200).length,
    1,
    JSON.stringify(answers.map((a) => a.text)),
  );
  const before = codeOf(secret, -1);
  const after = codeOf(secret, 1);
  const { body } = await secondFactor(await firstFactor(person), 'totp', before);
  assert.equal(body.code, 'SECOND_FACTOR_WRONG');
  assert.equal((await secondFactor(await firstFactor(person), 'totp', after)).status, 200);
});

test('a code of the step before or after is taken, one of a minute ago is not', async () => {
  const { person, secret } = await enrolled();
  assert.equal((await secondFactor(await firstFactor(person), 'totp', codeOf(secret, -2))).status, 401);
  assert.equal((await secondFactor(await firstFactor(person), 'totp', codeOf(secret, 2))).status, 401);
  assert.equal((await secondFactor(await firstFactor(person), 'totp', codeOf(secret, -1))).status, 200);
  for (const nonsense of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
    assert.ok((await secondFactor(await firstFactor(person), 'totp', nonsense)).status >= 400, nonsense);
});

test('a recovery code works once, in any spelling; ten concurrent uses open one session', async () => {
  const { person, recoveryCodes } = await enrolled();
  const [first = '', second = ''] = recoveryCodes;
  const typed = ` ${first.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
  assert.equal((await secondFactor(await firstFactor(person), 'recoveryCode', typed)).status, 200);
  const again = await secondFactor(await firstFactor(person), 'recoveryCode', first);
  assert.deepEqual([again.status, again.body.code], [401, 'SECOND_FACTOR_WRONG']);
  const steps = [];
  for (let n = 0; n < 8; n += 1) steps.push(await firstFactor(person));
  const answers = await Promise.all(steps.map((step) => secondFactor(step, 'recoveryCode', second)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const other = await enrolled();
  const stolen = await secondFactor(await firstFactor(other.person), 'recoveryCode', recoveryCodes[2] ?? '');
  assert.equal(stolen.status, 401, "another person's code opens nothing");
});

test('five wrong codes end a step, also if a hundred arrive concurrently; ten block the quarter of an hour', async () => {
  const { person, secret } = await enrolled();
  const step = await firstFactor(person);
  const flood = await Promise.all(Array.from({ length: 100 }, () => secondFactor(step, 'totp', '000000')));
  const compared = flood.filter(({ body }) => body.code === 'SECOND_FACTOR_WRONG');
  assert.deepEqual(compared.map(({ body }) => body.params.left).sort(), [0, 1, 2, 3, 4]);
  assert.equal(flood.filter(({ body }) => body.code === 'SIGN_IN_STEP_ENDED').length, 95);
  assert.equal((await secondFactor(step, 'totp', codeOf(secret))).body.code, 'SIGN_IN_STEP_ENDED');
  const next = await firstFactor(person);
  for (let n = 0; n < 5; n += 1) assert.equal((await secondFactor(next, 'totp', '000000')).status, 401);
  const late = await secondFactor(await firstFactor(person), 'totp', codeOf(secret));
  assert.deepEqual([late.status, late.body.code], [429, 'RATE_LIMITED']);
  assert.ok(Number(late.headers['retry-after']) > 800);
  api.advance(15 * 60_000);
  assert.equal((await secondFactor(await firstFactor(person), 'totp', codeOf(secret))).status, 200);
});

test('a caller with the password has 50 code guesses a day, across all addresses', async () => {
  const { person } = await enrolled();
  let compared = 0;
  for (let round = 0; round < 8; round += 1) {
    for (let n = 0; n < 3; n += 1) {
      const step = await firstFactor(person);
      for (let guess = 0; guess < 5; guess += 1) {
        const { body } = await api.ask(null, 'POST /session/second-factor', {
          body: { challenge: step.challenge, method: 'totp', code: '000000' },
          headers: { cookie: step.cookie },
          ip: `203.0.113.${round * 30 + n * 5 + guess + 1}`,
        });
        if (body.code === 'SECOND_FACTOR_WRONG') compared += 1;
      }
    }
    api.advance(16 * 60_000);
  }
  assert.equal(compared, 50);
});

test('a step ends after five minutes, with the password that began it, and with the person', async () => {
  const { person, secret } = await enrolled();
  const slow = await firstFactor(person);
  api.advance(5 * 60_000 + 1);
  assert.equal((await secondFactor(slow, 'totp', codeOf(secret))).status, 410);
  const cut = await firstFactor(person);
  const { deleteUserSessions } = await import('@pahatid/db');
  await deleteUserSessions(api.db.pool, person.userId);
  assert.equal((await secondFactor(cut, 'totp', codeOf(secret))).status, 410);
  const disabled = await firstFactor(person);
  await run(api.db.pool, sql`update app_user set use_state = 0 where user_id = ${person.userId}`);
  assert.equal((await secondFactor(disabled, 'totp', codeOf(secret))).status, 410);
});

test('what changes the factors asks for the password again', async () => {
  const person = await enter();
  for (const body of [{}, { currentPassword: 'Wrong@1234' }])
    assert.equal((await as(person, 'POST /account/two-factor', body)).body.code, 'REAUTHENTICATE');
  const off = await as(person, 'POST /account/two-factor/disable', { currentPassword: defaultPassword });
  assert.deepEqual([off.status, off.body.code], [409, 'TWO_FACTOR_OFF']);
  const { recoveryCodes } = await enrol(person);
  for (const route of ['disable', 'recovery-codes']) {
    const { status, body } = await as(person, `POST /account/two-factor/${route}`, { currentPassword: 'Wrong@1234' });
    assert.deepEqual([status, body.code], [403, 'REAUTHENTICATE']);
  }
  const renewed = await as(person, 'POST /account/two-factor/recovery-codes', { currentPassword: defaultPassword });
  assert.equal(renewed.body.recoveryCodes.length, 10);
  assert.equal((await secondFactor(await firstFactor(person), 'recoveryCode', recoveryCodes[0] ?? '')).status, 401);
  const done = await as(person, 'POST /account/two-factor/disable', { currentPassword: defaultPassword });
  assert.equal(done.status, 204, done.text);
  const { status } = await api.ask(null, 'POST /session', {
    body: { account: person.account, password: defaultPassword },
  });
  assert.equal(status, 200);
  const left = await many(api.db.pool, sql`select 1 from recovery_code where user_id = ${person.userId}`);
  assert.deepEqual(left, []);
});

test('concurrent confirmations enable one app and return one set of codes', async () => {
  const person = await enter();
  const { secret } = (await as(person, 'POST /account/two-factor', { currentPassword: defaultPassword })).body;
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => as(person, 'POST /account/two-factor/confirm', { code: codeOf(secret) })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
});

test('if a customer requires two factors, a user without one can only enrol, and keeps the last one', async () => {
  const ask = (required: boolean) =>
    run(
      api.db.pool,
      sql`update customer set require_two_factor = ${required} where customer_id = ${api.otherCustomerId}`,
    );
  await ask(true);
  const user = await buildUser(api.db.pool, { customerId: api.otherCustomerId, role: 'member' });
  const signedIn = await api.ask(null, 'POST /session', { body: { account: user.account, password: defaultPassword } });
  assert.equal(signedIn.status, 200);
  assert.equal(signedIn.body.mustEnrol, true);
  const person = { ...user, cookie: cookiesOf(signedIn) };
  assert.equal((await as(person, 'GET /session')).body.mustEnrol, true);
  const refused = await as(person, 'POST /account/two-factor/recovery-codes', { currentPassword: defaultPassword });
  assert.deepEqual([refused.status, refused.body.code], [403, 'SECOND_FACTOR_ENROLMENT']);
  // The password was given a moment ago.
  const { secret } = (await as(person, 'POST /account/two-factor', {})).body;
  assert.equal((await as(person, 'POST /account/two-factor/confirm', { code: codeOf(secret) })).status, 200);
  assert.equal((await as(person, 'GET /session')).body.mustEnrol, undefined);
  const last = await as(person, 'POST /account/two-factor/disable', { currentPassword: defaultPassword });
  assert.deepEqual([last.status, last.body.code], [409, 'SECOND_FACTOR_NEEDED']);
  later();
  assert.equal((await secondFactor(await firstFactor(person), 'totp', codeOf(secret))).status, 200);
  await ask(false);
  const free = await as(person, 'POST /account/two-factor/disable', { currentPassword: defaultPassword });
  assert.equal(free.status, 204);
});
