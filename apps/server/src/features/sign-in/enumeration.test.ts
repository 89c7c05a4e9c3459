/** A failed sign-in does not reveal whether the account exists. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, sql } from '@pahatid/db';
import { buildUser, defaultPassword } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerSession } from './routes.ts';

const api = await makeTestApi({ features: [registerSession] });
const ask = (account: string, ip: string, password = 'Wrong@1234') =>
  api.ask(null, 'POST /session', { body: { account, password }, ip });

test('S16 accounts that exist, are disabled or never were get the same status, body and headers, failure by failure', async () => {
  const known = await buildUser(api.db.pool, { customerId: api.customerId, role: 'member' });
  const disabled = await buildUser(api.db.pool, { customerId: api.customerId, role: 'member' });
  await run(api.db.pool, sql`update app_user set use_state = 0 where user_id = ${disabled.userId}`);
  const answersOf = async (account: string, network: number, password?: string) => {
    const answers = [];
    for (let n = 1; n <= 5; n++) {
      const { status, body, headers } = await ask(account, `10.${network}.${n}.1`, password);
      const { date: _date, 'x-request-id': _id, ...rest } = headers;
      answers.push({ status, body: { ...body, requestId: '' }, headers: rest });
    }
    return answers;
  };
  const unknown = await answersOf('nobody-of-this-name', 1);
  assert.deepEqual(await answersOf(known.account, 2), unknown);
  assert.deepEqual(await answersOf(disabled.account, 3, defaultPassword), unknown);
  assert.deepEqual(
    unknown.map(({ body }) => body.code),
    ['PASSWORD_INCORRECT', 'PASSWORD_INCORRECT', 'PASSWORD_INCORRECT', 'CAPTCHA_REQUIRED', 'CAPTCHA_REQUIRED'],
  );
});

test('S16 the same hashes and the same statements are run for an account that exists as for one that does not', async () => {
  const known = await buildUser(api.db.pool, { customerId: api.customerId, role: 'member' });
  let hashes = 0;
  const { passwords } = api.app.api;
  const verify = passwords.verify.bind(passwords);
  passwords.verify = (kept, password) => {
    hashes += 1;
    return verify(kept, password);
  };
  const statements: string[] = [];
  api.db.pool.on('acquire', (client) => {
    const told = client as unknown as { query: (...given: unknown[]) => unknown; isTold?: true };
    if (told.isTold) return;
    told.isTold = true;
    const query = told.query.bind(client);
    told.query = (...given) => {
      const [first] = given as [string | { text: string }];
      statements.push(typeof first === 'string' ? first : first.text);
      return query(...given);
    };
  });
  const workOf = async (account: string, ip: string) => {
    hashes = 0;
    statements.length = 0;
    assert.equal((await ask(account, ip)).status, 401);
    return { hashes, statements: [...statements] };
  };
  const ofKnown = await workOf(known.account, '10.9.1.1');
  const ofUnknown = await workOf('no-such-person', '10.9.2.1');
  passwords.verify = verify;
  assert.equal(ofKnown.hashes, 1);
  assert.ok(ofKnown.statements.length > 3);
  assert.deepEqual(ofUnknown, ofKnown);
});

test('S16 a known account takes as long as an unknown one', async (t) => {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let n = 0; n < 40; n++)
    for (const which of ['known', 'unknown'] as const) {
      const { account } =
        which === 'known'
          ? await buildUser(api.db.pool, { customerId: api.customerId, role: 'viewer' })
          : { account: `nobody-${n}` };
      const start = performance.now();
      await ask(account, `10.${which === 'known' ? 20 : 21}.${n}.1`);
      times[which].push(performance.now() - start);
    }
  const median = (list: number[]): number => list.toSorted((a, b) => a - b)[list.length / 2] ?? 0;
  const [known, unknown] = [median(times.known), median(times.unknown)];
  t.diagnostic(`medians: known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms`);
  // A hash that is skipped is more than half of the time; a busy machine is not.
  assert.ok(Math.abs(known - unknown) < 0.35 * Math.max(known, unknown), `${known} ms against ${unknown} ms`);
});
