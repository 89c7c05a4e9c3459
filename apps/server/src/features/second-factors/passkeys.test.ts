import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, sql } from '@pahatid/db';
import { buildUser, defaultPassword } from '@pahatid/db/builders';
import { type Answer, makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { Authenticator } from '../../second-factors/testing/authenticator.ts';

const origin = 'https://sms.example';
const api = await makeTestApi({
  features: apiFeatures,
  config: { publicUrl: origin },
});
const makeAuthenticator = () => new Authenticator(origin, 'sms.example');

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
const enter = async (customerId: string | null = api.customerId): Promise<Person> => {
  const user = await buildUser(api.db.pool, { customerId, role: customerId === null ? 'reviewer' : 'member' });
  const cookie = (await api.signIn(user.userId)).replace('pahatid=', '__Host-pahatid=');
  return { ...user, cookie };
};
const as = (person: Person, route: string, body?: object): Promise<Answer> =>
  api.ask(null, route, { headers: { cookie: person.cookie }, ...(body && { body }) });
const ask = (route: string, body: object, cookie = ''): Promise<Answer> =>
  api.ask(null, route, { body, headers: { cookie } });

const question = (person: Person): Promise<Answer> =>
  as(person, 'POST /account/passkeys/question', { currentPassword: defaultPassword });

/** Creates a passkey; returns the server's response. */
const add = async (person: Person, authenticator: Authenticator, name = 'Laptop'): Promise<Answer> => {
  const { body } = await question(person);
  const attestation = authenticator.register(body.options);
  return as(person, 'POST /account/passkeys', { challenge: body.challenge, name, attestation });
};
const withPasskey = async () => {
  const [person, authenticator] = [await enter(), makeAuthenticator()];
  const added = await add(person, authenticator);
  assert.equal(added.status, 201, added.text);
  return { person, authenticator, passkeyId: added.body.passkey.passkeyId as string, codes: added.body.recoveryCodes };
};

const beginAlone = async () => {
  const asked = await ask('POST /session/passkey/question', {});
  assert.equal(asked.status, 200, asked.text);
  return { ...asked.body, cookie: cookiesOf(asked) } as { challenge: string; options: never; cookie: string };
};
const beginSecond = async ({ account }: Person) => {
  const first = await ask('POST /session', { account, password: defaultPassword });
  assert.equal(first.body.code, 'SECOND_FACTOR_REQUIRED', first.text);
  const { challenge, methods } = first.body.params;
  const cookie = cookiesOf(first);
  const { body } = await ask('POST /session/second-factor/passkey', { challenge }, cookie);
  return { challenge, methods, cookie, options: body.options };
};

test('passkeys are made with names, listed with their last use, renamed, and removed with the password', async () => {
  const { person, authenticator, passkeyId, codes } = await withPasskey();
  assert.equal(codes.length, 10, 'the first factor comes with recovery codes');
  const second = await add(person, makeAuthenticator(), 'Phone');
  assert.equal(second.body.recoveryCodes, null);
  const begun = await beginAlone();
  const { cookie, challenge } = begun;
  assert.equal(
    (await ask('POST /session/passkey', { challenge, assertion: authenticator.sign(begun.options) }, cookie)).status,
    200,
  );
  const listed = (await as(person, 'GET /account/passkeys')).body.items;
  assert.deepEqual(
    listed.map((each: { name: string }) => each.name),
    ['Laptop', 'Phone'],
  );
  assert.ok(listed[0].lastUsedTime !== null && listed[1].lastUsedTime === null);
  const renamed = await as(person, `PATCH /account/passkeys/${passkeyId}`, { name: 'Work laptop' });
  assert.equal(renamed.body.name, 'Work laptop');
  const route = `POST /account/passkeys/${passkeyId}/delete`;
  assert.equal((await as(person, route, { currentPassword: 'Wrong@1234' })).body.code, 'REAUTHENTICATE');
  assert.equal((await as(person, route, { currentPassword: defaultPassword })).status, 204);
  assert.equal((await as(person, route, { currentPassword: defaultPassword })).status, 404);
  const gone = await beginAlone();
  const refused = await ask(
    'POST /session/passkey',
    { challenge: gone.challenge, assertion: authenticator.sign(gone.options) },
    gone.cookie,
  );
  assert.deepEqual([refused.status, refused.body.code], [400, 'PASSKEY_REFUSED']);
});

test('what is asked of an authenticator names this host, this person, and the passkeys there are', async () => {
  const { person } = await withPasskey();
  const { options } = (await question(person)).body;
  assert.deepEqual(options.rp, { name: 'Pahatid', id: 'sms.example' });
  assert.equal(options.user.name, person.account);
  assert.equal(options.excludeCredentials.length, 1);
  assert.equal(options.attestation, 'none');
  const { options: alone } = await beginAlone();
  assert.equal((alone as { userVerification: string }).userVerification, 'required');
  assert.equal((alone as { allowCredentials?: unknown[] }).allowCredentials, undefined);
});

test('a passkey is refused from another site, for another host, of another question, or registered already', async () => {
  const person = await enter();
  const authenticator = makeAuthenticator();
  const behaviours = [{ origin: 'https://sms.examp1e' }, { rpId: 'evil.example' }] as const;
  for (const behaviour of behaviours) {
    const { body } = await question(person);
    const attestation = authenticator.register(body.options, behaviour);
    const answer = await as(person, 'POST /account/passkeys', { challenge: body.challenge, name: 'x', attestation });
    assert.deepEqual([answer.status, answer.body.code], [400, 'PASSKEY_REFUSED'], JSON.stringify(behaviour));
  }
  const [one, two] = [(await question(person)).body, (await question(person)).body];
  const attestation = authenticator.register(one.options);
  const crossed = await as(person, 'POST /account/passkeys', { challenge: two.challenge, name: 'x', attestation });
  assert.equal(crossed.body.code, 'PASSKEY_REFUSED');
  const stranger = await enter();
  const stolen = await as(stranger, 'POST /account/passkeys', { challenge: one.challenge, name: 'x', attestation });
  assert.deepEqual([stolen.status, stolen.body.code], [410, 'SIGN_IN_STEP_ENDED']);
  assert.equal(
    (await as(person, 'POST /account/passkeys', { challenge: one.challenge, name: 'x', attestation })).status,
    201,
  );
  const again = await as(person, 'POST /account/passkeys', { challenge: one.challenge, name: 'x', attestation });
  assert.equal(again.body.code, 'SIGN_IN_STEP_ENDED');
  const twice = await add(person, authenticator);
  assert.deepEqual([twice.status, twice.body.code], [409, 'PASSKEY_KNOWN']);
});

test('at most ten passkeys, also for two concurrent additions', async () => {
  const person = await enter();
  for (let n = 0; n < 9; n += 1) assert.equal((await add(person, makeAuthenticator())).status, 201);
  const questions = [(await question(person)).body, (await question(person)).body];
  const answers = await Promise.all(
    questions.map(({ challenge, options }) =>
      as(person, 'POST /account/passkeys', {
        challenge,
        name: 'x',
        attestation: makeAuthenticator().register(options),
      }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
  assert.equal((await question(person)).body.code, 'PASSKEY_LIMIT');
});

test('signs in by a passkey alone, once for each question, where the authenticator knows its holder', async () => {
  const { person, authenticator } = await withPasskey();
  const { challenge, options, cookie } = await beginAlone();
  const assertion = authenticator.sign(options);
  const elsewhere = await ask('POST /session/passkey', { challenge, assertion }, '__Host-pahatid-visitor=x');
  assert.equal(elsewhere.status, 410);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => ask('POST /session/passkey', { challenge, assertion }, cookie)),
  );
  const opened = answers.filter(({ status }) => status === 200);
  assert.equal(opened.length, 1, answers.map(({ text }) => text).join('\n'));
  assert.equal(opened[0]?.body.user.userId, person.userId);

  for (const behaviour of [
    { verified: false },
    { count: 1 },
    { origin: 'https://evil.example' },
    { userHandle: 'AAAA' },
  ]) {
    const begun = await beginAlone();
    const answer = await ask(
      'POST /session/passkey',
      { challenge: begun.challenge, assertion: authenticator.sign(begun.options, behaviour) },
      begun.cookie,
    );
    assert.deepEqual([answer.status, answer.body.code], [400, 'PASSKEY_REFUSED'], JSON.stringify(behaviour));
  }
  const disabled = await beginAlone();
  await run(api.db.pool, sql`update app_user set use_state = 0 where user_id = ${person.userId}`);
  const out = await ask(
    'POST /session/passkey',
    { challenge: disabled.challenge, assertion: authenticator.sign(disabled.options, { count: 900 }) },
    disabled.cookie,
  );
  assert.equal(out.body.code, 'PASSKEY_REFUSED');
});

test('own passkeys are a second factor after a password, those of others are not', async () => {
  const { person, authenticator } = await withPasskey();
  const other = await withPasskey();
  const step = await beginSecond(person);
  assert.equal(step.methods, 'passkey,recoveryCode');
  const answer = (assertion: object) =>
    ask('POST /session/second-factor', { challenge: step.challenge, method: 'passkey', assertion }, step.cookie);
  const foreign = await answer(other.authenticator.sign(step.options));
  assert.deepEqual([foreign.status, foreign.body.code], [401, 'SECOND_FACTOR_WRONG']);
  // A key without fingerprint or PIN is enough in addition to a password.
  const opened = await answer(authenticator.sign(step.options, { verified: false }));
  assert.equal(opened.status, 200, opened.text);
  assert.equal((await answer(authenticator.sign(step.options))).status, 410);
});

test('an answer that was heard is no answer to the next question', async () => {
  const { person, authenticator } = await withPasskey();
  const first = await beginSecond(person);
  const heard = authenticator.sign(first.options, { count: 50 });
  const next = await beginSecond(person);
  const body = { challenge: next.challenge, method: 'passkey', assertion: heard };
  assert.equal((await ask('POST /session/second-factor', body, next.cookie)).body.code, 'SECOND_FACTOR_WRONG');
});

test('malformed answers of an authenticator are refused, none breaks the server', async () => {
  const { person, authenticator } = await withPasskey();
  const step = await beginSecond(person);
  const good = authenticator.sign(step.options) as { response: Record<string, string> };
  for (const field of ['clientDataJSON', 'authenticatorData', 'signature'])
    for (const value of ['', 'AAAA', 'x'.repeat(4000), '!', 1, null]) {
      const assertion = { ...good, response: { ...good.response, [field]: value } };
      const body = { challenge: step.challenge, method: 'passkey', assertion };
      const { status, text } = await ask('POST /session/second-factor', body, step.cookie);
      assert.ok(status >= 400 && status < 500, `${field} ${String(value).slice(0, 20)}: ${status} ${text}`);
    }
});

test('S1 the passkey of another user looks like a missing one, also within a customer', async () => {
  const { passkeyId } = await withPasskey();
  for (const stranger of [await enter(), await enter(api.otherCustomerId), await enter(null)]) {
    const routes: [string, object][] = [
      [`PATCH /account/passkeys/${passkeyId}`, { name: 'Mine' }],
      [`POST /account/passkeys/${passkeyId}/delete`, { currentPassword: defaultPassword }],
    ];
    for (const [route, body] of routes) {
      const { status, body: answer } = await as(stranger, route, body);
      assert.deepEqual([status, answer.code], [404, 'NOT_FOUND'], route);
    }
    assert.deepEqual((await as(stranger, 'GET /account/passkeys')).body.items, []);
  }
});

test('questions to authenticators are limited by address', async () => {
  const ip = '198.51.100.7';
  const answers = [];
  for (let n = 0; n < 61; n += 1)
    answers.push((await api.ask(null, 'POST /session/passkey/question', { body: {}, ip })).status);
  assert.deepEqual([...new Set(answers.slice(0, 60))], [200]);
  assert.equal(answers[60], 429);
});
