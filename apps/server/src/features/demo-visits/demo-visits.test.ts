/** Visits to a public demo: everything is read, nothing changed, and no visitor sees another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiPrefix, routes } from '@pahatid/contract';
import { many, one, run, sql } from '@pahatid/db';
import { buildUser } from '@pahatid/db/builders';
import { visitorAccount } from '@pahatid/db/queries/setup';
import { makeApp } from '../../http/app.ts';
import { isWork } from '../../http/proof-of-work.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { mostVisits, visitMs } from './limits.ts';

const api = await makeTestApi({ features: apiFeatures, config: { demo: false, visitors: true } });
const { pool } = api.db;
const { userId } = await buildUser(pool, { customerId: api.customerId, account: visitorAccount, role: 'viewer' });

let networks = 0;
const freshIp = (): string => `10.${Math.floor(++networks / 250)}.${networks % 250}.1`;
const work = (prefix: string, bits: number): string => {
  for (let n = 0; ; n++) if (isWork(prefix, String(n), bits)) return String(n);
};
const ticket = async (ip: string) => {
  const { body } = await api.ask(null, 'POST /demo-visits/ticket', { ip });
  return { ticket: body.ticket, proof: work(body.prefix, body.bits) };
};
const enter = async (ip = freshIp()) => api.ask(null, 'POST /demo-visits', { body: await ticket(ip), ip });
const cookieOf = (answer: Awaited<ReturnType<typeof enter>>): string =>
  String(answer.headers['set-cookie']).split(';')[0] ?? '';
const as =
  (cookie: string, ip = freshIp()) =>
  (route: string, more: object = {}) =>
    api.ask(null, route, { ip, headers: { cookie }, ...more });

test('without the operator’s permission there is no such route', async () => {
  const ip = freshIp();
  const body = await ticket(ip);
  const app = await makeApp({ ...api.deps, config: { ...api.deps.config, visitors: false } }, apiFeatures);
  for (const url of [`${apiPrefix}/demo-visits/ticket`, `${apiPrefix}/demo-visits`]) {
    const payload = url.endsWith('ticket') ? {} : { payload: body };
    const answer = await app.inject({ method: 'POST', url, remoteAddress: ip, ...payload });
    assert.equal(answer.statusCode, 404, url);
  }
  await app.close();
});

test('a visitor reads as a viewer for two hours, and changes nothing', async () => {
  const answer = await enter();
  assert.equal(answer.status, 200);
  assert.equal(answer.body.user.role, 'viewer');
  const leftMs = Date.parse(answer.body.visit?.until ?? '') - api.deps.now().getTime();
  assert.ok(leftMs > visitMs - 60_000 && leftMs <= visitMs);
  const visitor = as(cookieOf(answer));
  for (const read of ['GET /session', 'GET /overview', 'GET /tasks', 'GET /records', 'GET /audit-log', 'GET /members'])
    assert.notEqual((await visitor(read)).status, 500, read);
  assert.equal((await visitor('GET /tasks')).status, 200);
  const unsafe = Object.keys(routes).filter(
    (key) => !key.startsWith('GET ') && key !== 'DELETE /session' && key !== 'DELETE /support-view',
  );
  let refused = 0;
  for (const key of unsafe) {
    const { access } = routes[key as keyof typeof routes];
    if (access === 'public' || access === 'application') continue;
    const { status, body } = await visitor(key, { body: {} });
    assert.deepEqual([status, body.code], [403, 'DEMO_READ_ONLY'], key);
    refused += 1;
  }
  assert.ok(refused > 100);
  assert.equal((await visitor('DELETE /session')).status, 204);
  assert.equal((await visitor('GET /tasks')).status, 401);
});

test('nothing that identifies a visitor is stored, and none sees another', async () => {
  const [first, second] = [await enter(), await enter()];
  const visitor = as(cookieOf(first));
  const { body } = await visitor('GET /account/sessions');
  assert.equal(body.items.length, 1);
  const stored = await many<{ ip: string | null; agent: string | null }>(
    pool,
    sql`select host(ip) as ip, user_agent as agent from session where user_id = ${userId}`,
  );
  assert.ok(stored.length >= 2 && stored.every(({ ip, agent }) => ip === null && agent === null));
  // A file is downloaded: its entry in the audit log, which all visitors read, names no address.
  const csv = await visitor('GET /tasks', {
    headers: { cookie: cookieOf(second), accept: 'text/csv', 'user-agent': 'A browser' },
  });
  assert.equal(csv.status, 200);
  const entry = await one<{ ip: string | null; agent: string | null }>(
    pool,
    sql`select host(ip) as ip, user_agent as agent from audit_log where user_id = ${userId} order by audit_id desc limit 1`,
  );
  assert.deepEqual(entry, { ip: null, agent: null });
});

test('a ticket opens one visit from its address, and a wrong proof none', async () => {
  const ip = freshIp();
  const body = await ticket(ip);
  assert.equal((await api.ask(null, 'POST /demo-visits', { body, ip: freshIp() })).body.code, 'CAPTCHA_FAILED');
  assert.equal(
    (await api.ask(null, 'POST /demo-visits', { body: { ...body, proof: 'no' }, ip })).body.code,
    'CAPTCHA_FAILED',
  );
  assert.equal((await api.ask(null, 'POST /demo-visits', { body, ip })).status, 200);
  assert.equal((await api.ask(null, 'POST /demo-visits', { body, ip })).body.code, 'CAPTCHA_FAILED');
});

test('one address opens so many visits an hour, and all together so many at a time', async () => {
  const ip = freshIp();
  const answers: number[] = [];
  for (let n = 0; n < 21; n++) answers.push((await enter(ip)).status);
  assert.deepEqual([answers.filter((status) => status === 200).length, answers.at(-1)], [20, 429]);
  await run(
    pool,
    sql`insert into session (session_hash, user_id, created_at, last_seen_at, expires_at, visitor)
        select sha256(convert_to(n::text, 'UTF8')), ${userId}, now(), now(), now() + interval '1 hour', true
        from generate_series(1, ${mostVisits}) n`,
  );
  const full = await enter();
  assert.deepEqual([full.status, full.body.code], [429, 'RATE_LIMITED']);
  // Once they have ended there is room again.
  api.advance(visitMs);
  assert.equal((await enter()).status, 200);
});
