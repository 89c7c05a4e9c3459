import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '@pahatid/contract';
import { buildUser, defaultPassword } from '@pahatid/db/builders';
import { Secret, TOTP } from 'otpauth';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures, config: { demo: false } });

test('S23 staff without a second factor may do nothing but enrol one, on every route there is', async () => {
  const user = await buildUser(api.db.pool, { customerId: null, role: 'admin' });
  const body = { account: user.account, password: defaultPassword };
  const signedIn = await api.ask(null, 'POST /session', { body });
  assert.equal(signedIn.body.mustEnrol, true, signedIn.text);
  const cookie = [signedIn.headers['set-cookie'] ?? []]
    .flat()
    .map((line) => String(line).split(';')[0])
    .join('; ');
  const ask = (route: string, input?: object) =>
    api.ask(null, route, { headers: { cookie }, ...(input && { body: input }) });

  const open: string[] = [];
  let walked = 0;
  for (const [key, definition] of Object.entries(routes)) {
    const { access } = definition;
    if (access === 'public' || access === 'application') continue;
    if (Array.isArray(access) && !access.includes('admin')) continue;
    if (key === 'DELETE /session') continue;
    const [method = '', path = ''] = key.split(' ');
    if (!api.app.hasRoute({ method, url: `/api/v1${path}` })) continue;
    walked += 1;
    const { body: answer } = await ask(key.replace(/:\w+/g, '0198c0de-0000-7000-8000-000000000000'));
    if (answer?.code !== 'SECOND_FACTOR_ENROLMENT') open.push(key);
  }
  assert.ok(walked > 60, `${walked} routes`);
  assert.deepEqual(open.sort(), [
    'GET /account',
    'GET /account/passkeys',
    'GET /session',
    'POST /account/passkeys',
    'POST /account/passkeys/question',
    'POST /account/two-factor',
    'POST /account/two-factor/confirm',
  ]);

  const { secret } = (await ask('POST /account/two-factor', {})).body;
  const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: api.deps.now().getTime() });
  assert.equal((await ask('POST /account/two-factor/confirm', { code })).status, 200);
  assert.equal((await ask('GET /reviews')).status, 200);
  const last = await ask('POST /account/two-factor/disable', { currentPassword: defaultPassword });
  assert.equal(last.body.code, 'SECOND_FACTOR_NEEDED');
  const next = await api.ask(null, 'POST /session', { body });
  assert.equal(next.body.code, 'SECOND_FACTOR_REQUIRED');
});

test("S23 a customer's users are not asked unless their owner does", async () => {
  const user = await buildUser(api.db.pool, { customerId: api.customerId, role: 'member' });
  const signedIn = await api.ask(null, 'POST /session', { body: { account: user.account, password: defaultPassword } });
  assert.equal(signedIn.body.mustEnrol, undefined);
});
