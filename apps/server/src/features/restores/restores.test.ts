/** After a restore: what staff read and decide, and what callers with an idempotency key get meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { one, run, sql } from '@pahatid/db';
import { buildDefaultPrice, buildSender, buildSimulatedCarriers } from '@pahatid/db/builders';
import { pauseLanes } from '@pahatid/db/queries/restores';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerMessages } from '../messages/routes.ts';
import { registerRestores } from './routes.ts';

const api = await makeTestApi({ features: [registerMessages, registerRestores] });
const { db, appId, customerId } = api;
const backupAt = new Date('2026-11-01T00:00:00Z');
const restoreId = '01970000-0000-7000-8000-000000000001';
const decide = (who: Parameters<typeof api.ask>[0], lane: number, decision: string, id = restoreId) =>
  api.ask(who, `POST /restores/${id}/lanes/${lane}/decide`, { body: { decision } });

test('without a restore there is nothing to decide', async () => {
  assert.deepEqual((await api.ask('admin', 'GET /restore')).body, { restore: null });
  assert.equal((await decide('admin', 1, 'hold')).status, 404);
});

test('P26 operators read it, admins decide each lane once, and nobody else sees it', async () => {
  await pauseLanes(db.pool, restoreId, backupAt, new Date());
  const { status, body } = await api.ask('operator', 'GET /restore');
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(body.restore, { restoreId, backupTime: backupAt.toISOString() });
  assert.deepEqual(
    (body.restore.lanes as { lane: number; decision: string | null }[]).map(({ lane, decision }) => [lane, decision]),
    [
      [1, null],
      [2, null],
      [3, null],
    ],
  );
  for (const who of ['owner', 'viewer', 'reviewer'] as const)
    assert.equal((await api.ask(who, 'GET /restore')).status, 404, who);
  assert.equal((await api.ask(null, 'GET /restore')).status, 401);
  assert.notEqual((await decide('operator', 3, 'hold')).status, 200);
  assert.equal((await decide('admin', 3, 'perhaps')).status, 400);
  assert.equal((await decide('admin', 4, 'hold')).status, 404);
  assert.equal((await decide('admin', 3, 'hold', '01970000-0000-7000-8000-000000000002')).status, 404);
  const both = await Promise.all([decide('admin', 3, 'hold'), decide('admin', 3, 'release')]);
  assert.deepEqual(both.map((each) => each.status).sort(), [200, 409]);
  const { n } = await one<{ n: number }>(
    db.pool,
    sql`select count(*)::int as n from audit_log where subject_type = 'restore' and subject_id = ${restoreId}`,
  );
  assert.equal(n, 1);
});

test('P26 a call with an unknown idempotency key is asked to come again while its lane is paused', async () => {
  await buildSimulatedCarriers(db.pool, { port: 1, secrets: api.deps.secrets });
  await buildDefaultPrice(db.pool, 3_500);
  await buildSender(db.pool, { customerId, appId, senderId: 'SARISARI' });
  await run(db.pool, sql`insert into balance (customer_id, writer, amount) values (${customerId}, 254, 1000000000)`);
  const post = (key: string | null) =>
    api.ask(null, 'POST /messages', {
      body: { to: '639170000001', smsType: 2, content: 'Your order is ready.' },
      headers: { authorization: api.basic.app, ...(key !== null && { 'idempotency-key': key }) },
    });
  const refused = await post('before-the-restore');
  assert.deepEqual([refused.status, refused.body.code], [503, 'UNAVAILABLE']);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await post(null)).status, 202);
  assert.equal((await one<{ n: number }>(db.pool, sql`select count(*)::int as n from message`)).n, 1);
});
