/** Verifies that strangers that know an address or a phone cannot affect its owner's codes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, sql } from '@pahatid/db';
import { defaultPassword } from '@pahatid/db/builders';
import { type Browser, makeCodeWorld, type Person } from '../../codes/testing/code-world.ts';

const world = await makeCodeWorld();
const { pool } = world;
const signIn = { purpose: 'signIn' } as const;
const reset = { purpose: 'resetPassword' } as const;
const newPassword = 'Rf7!kxm2vB';

/** So many strangers, each from a separate network, request a code to the same destination. */
async function attack(requests: number, wanted: object): Promise<void> {
  for (let n = 0; n < requests; n += 1) {
    const { status } = await world.browser().ask('POST /codes', wanted);
    assert.equal(status, 202);
  }
  await world.work();
}

/** A browser in which the person has signed in, and is signed out again. */
async function knownBrowser({ account }: Person): Promise<Browser> {
  const browser = world.browser();
  assert.equal((await browser.ask('POST /session', { account, password: defaultPassword })).status, 200);
  assert.equal((await browser.ask('DELETE /session')).status, 204);
  return browser;
}

test('S69 the live code of the owner survives a hundred requests of others', async () => {
  const { email, account } = await world.person();
  const owner = world.browser();
  await owner.ask('POST /codes', { ...signIn, email });
  await world.work();
  const code = await world.codeOf(email);
  await attack(100, { ...signIn, email });
  const entered = await owner.ask('POST /session', { email, code });
  assert.equal(entered.status, 200, entered.text);
  assert.equal(entered.body.user.account, account);
});

test('S69 a known browser asks for a code, signs in and resets the password by mail and by SMS during an attack', async () => {
  for (const by of ['email', 'phone'] as const) {
    const person = await world.person();
    const browser = await knownBrowser(person);
    const destination = by === 'email' ? { email: person.email } : { phone: person.msisdn };
    await attack(25, { ...reset, ...destination });
    assert.equal((await browser.ask('POST /codes', { ...reset, ...destination })).status, 202);
    await world.work();
    if (by === 'email') {
      const code = await world.codeOf(person.email);
      const verified = await browser.ask('POST /password-resets/verify', { email: person.email, code });
      assert.equal(verified.status, 200, verified.text);
      const body = { grant: verified.body.grant, newPassword, confirmPassword: newPassword };
      assert.equal((await browser.ask('POST /password-resets', body)).status, 204);
    } else {
      const code = await world.smsCodeOf(person.msisdn);
      const body = { phone: person.msisdn, code, newPassword, confirmPassword: newPassword };
      const done = await browser.ask('POST /password-resets/by-phone', body);
      assert.equal(done.status, 204, done.text);
    }
    const { account } = person;
    assert.equal((await browser.ask('POST /session', { account, password: newPassword })).status, 200);
  }
});

test('S69 the budget of a known browser is its own and has an end; its network and its neighbours do not touch it', async () => {
  const person = await world.person();
  const browser = await knownBrowser(person);
  const { email } = person;
  // Strangers in its own network take all that the network has.
  for (let n = 0; n < 6; n += 1) await world.browserAt(browser.ip).ask('POST /codes', { ...signIn, email });
  assert.equal((await world.browserAt(browser.ip).ask('POST /codes', { ...signIn, email })).status, 429);
  for (let n = 0; n < 5; n += 1) {
    assert.equal((await browser.ask('POST /codes', { ...signIn, email })).status, 202);
    assert.equal((await browser.ask('POST /codes', { ...signIn, email })).status, 429, 'within the minute');
    world.advance(61_000);
  }
  assert.equal((await browser.ask('POST /codes', { ...signIn, email })).status, 429, 'the sixth of the hour');
  // For another user it is not a known browser.
  const other = await world.person();
  for (let n = 0; n < 5; n += 1)
    await world.browserAt(browser.ip).ask('POST /codes', { ...signIn, email: other.email });
  assert.equal((await browser.ask('POST /codes', { ...signIn, email: other.email })).status, 429);
});

test('S69 strangers cost at most the budget of the destination, and an unsent code opens nothing', async () => {
  const person = await world.person();
  await attack(12, { ...reset, phone: person.msisdn });
  assert.equal((await world.smsTo(person.msisdn)).length, 5);
  await attack(25, { ...reset, email: person.email });
  assert.equal((await world.mailTo(person.email)).length, 20);
  const rows = await many<{ channel: string; live: number }>(
    pool,
    sql`select channel, count(user_id)::int as live from one_time_code
        where destination in (${person.msisdn}, ${person.email}) group by 1 order by 1`,
  );
  assert.deepEqual(
    rows.map(({ channel, live }) => [channel, live]),
    [
      ['email', 20],
      ['sms', 5],
    ],
  );
});

test('S69 guesses of strangers in one network leave a known browser its tries', async () => {
  const person = await world.person();
  const browser = await knownBrowser(person);
  const { email } = person;
  await browser.ask('POST /codes', { ...signIn, email });
  await world.work();
  for (let n = 0; n < 70; n += 1)
    await world.browserAt(browser.ip).ask('POST /session', { email: `of-${n}@pahatid.test`, code: '123456' });
  assert.equal((await world.browserAt(browser.ip).ask('POST /session', { email, code: '123456' })).status, 429);
  const code = await world.codeOf(email);
  assert.equal((await browser.ask('POST /session', { email, code })).status, 200);
});

test('S74 one network has a share of the SMS of a day, and of the requests of an hour', async () => {
  const [first] = await Promise.all([world.person(), world.person()]);
  const now = world.api.deps.now();
  // As if 203.0.113.0/24 had sent its two hundred.
  await many(
    pool,
    sql`insert into attempt (what, key_hash, attempt_count, started_at, ends_at)
        values ('code.sms.network', sha256(convert_to('["code.sms.network","203.0.113.0/24"]', 'UTF8')), 200, ${now},
                ${new Date(now.getTime() + 86_000_000)}) returning what`,
  );
  const ask = async (ip: string) => {
    await world.browserAt(ip).ask('POST /codes', { ...reset, phone: first.msisdn });
    await world.work();
    return (await world.smsTo(first.msisdn)).length;
  };
  assert.equal(await ask('203.0.113.9'), 0);
  assert.equal(await ask('198.51.100.9'), 1);
  const statuses: number[] = [];
  for (let n = 0; n < 130; n += 1) {
    const { status } = await world
      .browserAt(`192.0.2.${n}`)
      .ask('POST /codes', { ...signIn, email: `n-${n}@pahatid.test` });
    statuses.push(status);
  }
  assert.equal(statuses.filter((status) => status === 202).length, 120);
});
