import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, sql } from '@pahatid/db';
import { buildApplication } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerDeveloper } from './routes.ts';

const api = await makeTestApi({ features: [registerDeveloper] });
const { pool } = api.db;
const list = async (query: Record<string, string> = {}) =>
  (await api.ask('owner', 'GET /developer/keys', { query })).body;

test('live HTTP passwords of own applications are listed in pages, by application, newest first', async () => {
  const credentials = { appSecret: 'second-secret-9876', smppPassword: 'smpp1234', secrets: api.deps.secrets };
  const second = await buildApplication(pool, { customerId: api.customerId, appId: 'zz-second', credentials });
  // One that was replaced and still works, one that no longer works.
  await run(
    pool,
    sql`insert into application_secret (secret_id, customer_id, app_id, kind, secret_hash, hint, created_at, expires_at)
        select gen_random_uuid(), ${api.customerId}, ${second}, 'http', ${Buffer.alloc(32)}, hint, now(), now() + ends
        from (values ('live', interval '1 hour'), ('over', interval '-1 hour')) as v(hint, ends)`,
  );
  const { items, nextCursor } = await list();
  assert.equal(nextCursor, null);
  assert.deepEqual(
    items.map((row: { appId: string }) => row.appId),
    [api.appId, second, second],
  );
  const hints = items.slice(1).map((row: { hint: string }) => row.hint);
  assert.deepEqual(hints.sort(), ['9876', 'live']);
  const first = await list({ limit: '2' });
  const rest = await list({ limit: '2', cursor: first.nextCursor });
  assert.deepEqual([...first.items, ...rest.items].length, 3);
  assert.doesNotMatch(JSON.stringify(items), /secret-9876|smpp1234/);
});

test('members and viewers read it, other customers their own, staff those of one customer, visitors nothing', async () => {
  for (const who of ['member', 'viewer'] as const)
    assert.equal((await api.ask(who, 'GET /developer/keys')).status, 200);
  const { items } = (await api.ask('other', 'GET /developer/keys')).body;
  assert.deepEqual(
    items.map((row: { appId: string }) => row.appId),
    [api.otherAppId],
  );
  for (const who of ['reviewer', 'operator', 'admin'] as const) {
    const all = await api.ask(who, 'GET /developer/keys');
    assert.deepEqual([all.status, all.body.errors[0].field], [400, 'customerId']);
    const one = await api.ask(who, 'GET /developer/keys', { query: { customerId: api.otherCustomerId } });
    assert.deepEqual(one.body.items, items);
  }
  assert.equal((await api.ask(null, 'GET /developer/keys')).status, 401);
  assert.equal((await api.ask('owner', 'GET /developer/keys', { query: { cursor: 'x' } })).status, 400);
});
