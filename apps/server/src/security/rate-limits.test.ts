/** Call rate limits, and that a client over its limit does not affect others. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { ProblemError } from '../http/problem.ts';
import { makeRateLimiter, type Tenant } from '../http/rate-limit.ts';
import { serve } from '../http/serve.ts';
import { makeTestApi } from '../http/testing/test-api.ts';
import { apiFeatures } from '../roles/api.ts';
import { allRoutes, makeSweep } from './testing/sweep.ts';

const sweep = await makeSweep();
const { fill, ids, bodyOf } = sweep;

test('S65 every route answers 429 with Retry-After once its caller has no call left, and probes never do', async () => {
  // Less than one call in the bucket.
  const rates = { people: 0.001, application: 0.001, address: 0.001 };
  const api = await makeTestApi({ features: apiFeatures, config: { rates } });
  for (const [key, { access }] of allRoutes) {
    const who = access === 'public' || access === 'application' ? null : 'admin';
    const headers: Record<string, string> = access === 'application' ? { authorization: api.basic.app } : {};
    const { status, body, headers: said } = await api.ask(who, fill(key, ids), { ...bodyOf(key), headers });
    assert.deepEqual([status, body?.code], [429, 'RATE_LIMITED'], key);
    assert.match(String(said['retry-after']), /^[1-9]\d*$/, key);
    assert.equal(body.params.retryAfterS, Number(said['retry-after']), key);
    assert.deepEqual([said['ratelimit-policy'], said.ratelimit], ['"calls";q=0;w=4', '"calls";r=0;t=4'], key);
  }
  // Callers with missing or invalid credentials are counted by address.
  for (const headers of [{}, { cookie: `pahatid=${'A'.repeat(43)}` }] as Record<string, string>[])
    assert.equal((await api.ask(null, 'GET /tasks', { headers })).status, 429);
  assert.equal((await api.ask(null, 'GET /messages/1', { headers: { authorization: 'Basic eDp5' } })).status, 429);
  for (const probe of ['/healthz', '/readyz', '/metrics'])
    assert.equal((await api.app.inject({ url: probe })).statusCode, 200, probe);
});

test('S65 a customer without calls left does not affect others: only its own users wait', async () => {
  const api = await makeTestApi({
    features: apiFeatures,
    config: { rates: { people: 0.5, application: 0.5, address: 1e9 } },
  });
  const ask = async (who: 'owner' | 'member' | 'other' | 'reviewer' | 'admin') =>
    (await api.ask(who, 'GET /session')).status;
  assert.deepEqual([await ask('owner'), await ask('member')], [200, 200]);
  assert.equal(await ask('owner'), 429);
  assert.equal(await ask('member'), 429, 'of the same customer');
  assert.equal(await ask('other'), 200);
  assert.deepEqual([await ask('reviewer'), await ask('admin'), await ask('admin')], [200, 200, 200]);
  assert.equal(await ask('admin'), 429);
  assert.equal(await ask('reviewer'), 200, 'the staff each for themselves');
  const send = async (app: 'app' | 'otherApp') =>
    (await api.ask(null, 'GET /messages/1', { headers: { authorization: api.basic[app] } })).status;
  assert.deepEqual([await send('app'), await send('app'), await send('app')], [404, 404, 429]);
  assert.equal(await send('otherApp'), 404);
});

test('S65 while the process is more than half full no caller holds more than an equal share of it', async () => {
  const waiting = new Set<() => void>();
  const api = await makeTestApi({
    limits: { requests: 8 },
    features: [
      (app) => {
        serve(
          app,
          'GET /account',
          () => new Promise((_, reject) => waiting.add(() => reject(new ProblemError('CONFLICT')))),
        );
      },
    ],
  });
  const ask = (who: 'owner' | 'other' | 'admin') => api.ask(who, 'GET /account').then(({ status }) => status);
  // One at a time, so that each is admitted before the next call.
  const enter = async (who: 'owner' | 'other' | 'admin'): Promise<number | null> => {
    const before = waiting.size;
    const answer = ask(who);
    let refusal: number | null = null;
    void answer.then((status) => {
      refusal = status;
    });
    while (waiting.size === before && refusal === null) await new Promise((resolve) => setImmediate(resolve));
    return refusal;
  };
  assert.equal(await enter('other'), null);
  // Two callers: four places of eight each.
  const first = [];
  for (let n = 0; n < 5; n++) first.push(await enter('owner'));
  assert.deepEqual(first, [null, null, null, null, 429]);
  assert.deepEqual([await enter('other'), await enter('other')], [null, null], 'there is room for who has less');
  assert.equal(await enter('owner'), 429);
  for (const end of waiting) end();
  waiting.clear();
  await new Promise((resolve) => setImmediate(resolve));
  while (api.deps.signal.aborted === false && (await enter('owner')) !== null);
  for (const end of waiting) end();
});

test('S65 tokens refill with time, up to four seconds of them', () => {
  let atMs = 0;
  const limiter = makeRateLimiter({ people: 10, application: 1, address: 1 }, 1_000, () => atMs);
  const people: Tenant = { kind: 'people', id: 'a' };
  const admit = (tenant: Tenant): number => {
    const raw = new EventEmitter();
    try {
      limiter.admit(tenant, { raw, header: () => undefined } as never, false);
      raw.emit('close');
      return 0;
    } catch (error) {
      assert.ok(error instanceof ProblemError && error.code === 'RATE_LIMITED');
      return Number(error.params?.retryAfterS);
    }
  };
  const passed = (tenant: Tenant): number => {
    let n = 0;
    while (admit(tenant) === 0) n += 1;
    return n;
  };
  assert.equal(passed(people), 40);
  assert.equal(admit(people), 1);
  atMs += 1_000;
  assert.equal(passed(people), 10);
  atMs += 3_600_000;
  assert.equal(passed(people), 40);
  assert.equal(passed({ kind: 'people', id: 'b' }), 40);
  assert.equal(passed({ kind: 'application', id: 'a' }), 4);
  assert.equal(passed({ kind: 'address', ip: '2001:db8::1' }), 4);
  assert.equal(passed({ kind: 'address', ip: '2001:db8::2' }), 0, 'one line');
  assert.equal(passed({ kind: 'address', ip: '2001:db8:0:1::1' }), 4);
  for (let n = 0; n < 30_000; n++) admit({ kind: 'address', ip: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` });
  assert.equal(admit(people), 1, 'a crowd of addresses does not bring a customer its calls back');
});
