/** What keys and the passwords of applications open, walked over every operation of the OpenAPI document. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiScope, apiScopes, makeOpenApi, type RouteKey, testMessagesADay, testScopes } from '@pahatid/contract';
import { buildApplication, buildKey } from '@pahatid/db/builders';
import { until } from '@pahatid/testkit';
import type { Answer } from '../http/testing/test-api.ts';
import { type Ids, makeSweep } from './testing/sweep.ts';

const sweep = await makeSweep();
const { api, ids, fill, bodyOf } = sweep;
const { customerId, appId } = api;
const { pool } = api.db;

interface Listed {
  readonly key: RouteKey;
  /** null: for people alone, or for any software. */
  readonly scope: ApiScope | null;
  readonly isForSoftware: boolean;
  readonly isStream: boolean;
}

/** Every operation that is not for anybody, with the scope that the document names. */
const operations: readonly Listed[] = Object.entries(makeOpenApi().paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { security }]) => security.length > 0)
    .map(([method, { security, responses }]) => {
      const bearer = security.find((each) => 'bearer' in each)?.bearer;
      const scope = bearer?.[0] as ApiScope | undefined;
      return {
        key: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}` as RouteKey,
        scope: scope ?? null,
        isForSoftware: bearer !== undefined,
        isStream: Object.values(responses).some(({ content }) => content?.['text/event-stream'] !== undefined),
      };
    }),
);
const shared = operations.filter((each): each is Listed & { scope: ApiScope } => each.scope !== null);

const askWith = (apiKey: string, key: RouteKey, by: Ids = ids, ip?: string): Promise<Answer> =>
  api.ask(null, fill(key, by), {
    ...bodyOf(key),
    headers: { authorization: `Bearer ${apiKey}` },
    ...(ip !== undefined && { ip }),
  });
const of = { customerId, appId };

test('S77 without its scope a key is refused on every operation, by the name of the scope', async () => {
  const without = new Map<ApiScope, string>();
  for (const scope of apiScopes) {
    const scopes = apiScopes.filter((each) => each !== scope);
    without.set(scope, (await buildKey(pool, { ...of, scopes })).apiKey);
  }
  for (const { key, scope } of shared) {
    const { status, body } = await askWith(without.get(scope) ?? '', key);
    assert.deepEqual([status, body?.code, body?.params], [403, 'SCOPE_MISSING', { scope }], key);
  }
  assert.ok(shared.length >= 70, `${shared.length} operations`);
});

test('S77 what belongs to people is closed to keys and passwords of applications', async () => {
  const { apiKey } = await buildKey(pool, of);
  const forPeople = operations.filter((each) => !each.isForSoftware);
  for (const authorization of [`Bearer ${apiKey}`, api.basic.app])
    for (const { key } of forPeople) {
      const { status, body } = await api.ask(null, fill(key, ids), { ...bodyOf(key), headers: { authorization } });
      assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], key);
    }
  assert.ok(forPeople.length >= 100, `${forPeople.length} operations`);
});

test('S77 a key that is unknown, ended, expired or called from elsewhere opens nothing', async () => {
  const ended = await buildKey(pool, of);
  assert.equal((await askWith(ended.apiKey, 'GET /templates')).status, 200);
  assert.equal((await api.ask('member', `DELETE /keys/${ended.keyId}`)).status, 204);
  await until(async () => (await askWith(ended.apiKey, 'GET /templates')).status === 401, { what: 'the ended key' });
  const expired = await buildKey(pool, { ...of, createTime: new Date(0), expireTime: new Date(1_000) });
  const elsewhere = await buildKey(pool, { ...of, whiteListIp: ['192.0.2.0/28'] });
  const invalid = [401, 'APP_CREDENTIALS_INVALID'];
  for (const [apiKey, expected] of [
    [`pk_live_${'A'.repeat(43)}`, invalid],
    [ended.apiKey, invalid],
    [expired.apiKey, invalid],
    [elsewhere.apiKey, [403, 'ADDRESS_NOT_ALLOWED']],
  ] as const)
    for (const { key } of operations) {
      const { status, body } = await askWith(apiKey, key);
      assert.deepEqual([status, body.code], expected, key);
    }
  assert.equal((await askWith(elsewhere.apiKey, 'GET /templates', ids, '192.0.2.9')).status, 200);
});

test('S77 with all ids of another customer a key finds nothing', async () => {
  const { apiKey } = await buildKey(pool, { customerId: api.otherCustomerId, appId: api.otherAppId });
  for (const { key } of shared.filter((each) => each.key.includes(':'))) {
    const { status, body } = await askWith(apiKey, key);
    assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], key);
  }
});

test('S77 with a test key nothing real is found but templates and sender IDs, and those are not changed', async () => {
  const body = { keyName: 'Try', appId, scopes: testScopes, mode: 'test' };
  const { apiKey } = (await api.ask('owner', 'POST /keys', { body })).body;
  const isLent = (scope: ApiScope): boolean => scope === 'templates' || scope === 'senders';
  for (const { key, scope } of shared) {
    const isOpen = testScopes.includes(scope) && !/\/(?:short-links|callback-endpoints|keyword-rules)/.test(key);
    if (isOpen && key.startsWith('GET ') && (isLent(scope) || !key.includes(':'))) continue;
    if (isOpen && !isLent(scope) && !key.includes(':')) continue;
    const { status, body: answer } = await askWith(apiKey, key);
    const expected = isOpen && !isLent(scope) ? 'NOT_FOUND' : 'NOT_IN_TEST_MODE';
    assert.equal(answer?.code, expected, `${key} ${status}`);
  }
  for (const key of [
    'GET /messages',
    'GET /records',
    'GET /inbound',
    'GET /opt-outs',
    'GET /tasks',
    'GET /groups',
    'GET /callbacks',
  ] as const)
    assert.deepEqual((await askWith(apiKey, key)).body.items, [], key);
  const rules = (await askWith(apiKey, 'GET /thresholds')).body.items;
  assert.deepEqual(
    rules.map(({ kind, limitAt }: { kind: string; limitAt: number }) => [kind, limitAt]),
    [['volume', testMessagesADay]],
  );
  const asked = (await askWith(apiKey, 'GET /exports')).body.items;
  assert.ok(!asked.some(({ exportId }: { exportId: string }) => exportId === ids['exportId']));
});

test('S77 of its own customer a key finds nothing that belongs to another application', async () => {
  const second = await buildApplication(pool, { customerId });
  const { apiKey } = await buildKey(pool, { customerId, appId: second });
  // Files, groups and opt-outs are the customer's.
  const ofApplications =
    /^\w+ \/(?:tasks|templates|senders|numbers|records|messages|inbound|verifications|exports|callbacks|callback-endpoints)\/:/;
  const asked = shared.filter(({ key }) => ofApplications.test(key));
  for (const { key } of asked) {
    const { status, body } = await askWith(apiKey, key);
    assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], key);
  }
  assert.ok(asked.length >= 30);
  for (const key of [
    'GET /tasks',
    'GET /templates',
    'GET /senders',
    'GET /numbers',
    'GET /records',
    'GET /inbound',
    'GET /exports',
    'GET /callbacks',
    'GET /callback-endpoints',
  ] as const) {
    assert.deepEqual((await askWith(apiKey, key)).body.items, [], key);
    const { status, body } = await api.ask(null, key, {
      query: { appId },
      headers: { authorization: `Bearer ${apiKey}` },
    });
    if (!['GET /tasks', 'GET /exports'].includes(key))
      assert.deepEqual([status, body.code], [400, 'APP_NOT_FOUND'], key);
  }
  const body = { templateName: 'Of another', smsType: 2, appId, content: 'Hello there' };
  const made = await api.ask(null, 'POST /templates', { body, headers: { authorization: `Bearer ${apiKey}` } });
  assert.equal(made.status, 400, made.text);
});

test('S77 with its scope alone a key is let in on every operation, as the password of its application is', async () => {
  const byScope = new Map<ApiScope, string>();
  for (const scope of apiScopes) byScope.set(scope, (await buildKey(pool, { ...of, scopes: [scope] })).apiKey);
  // What removes comes last, so that the rest finds what it asks for.
  const asked = shared
    .filter(({ isStream }) => !isStream)
    .toSorted((a, b) => Number(a.key.startsWith('DELETE')) - Number(b.key.startsWith('DELETE')));
  for (const { key, scope } of asked) {
    const byKey = await askWith(byScope.get(scope) ?? '', key);
    assert.ok(byKey.status < 500 && ![401, 403].includes(byKey.status), `${key}: ${byKey.text}`);
    if (key.startsWith('GET ')) assert.notEqual(byKey.status, 404, `${key}: ${byKey.text}`);
    const byPassword = await api.ask(null, fill(key, ids), {
      ...bodyOf(key),
      headers: { authorization: api.basic.app },
    });
    assert.ok(byPassword.status < 500 && ![401, 403].includes(byPassword.status), `${key}: ${byPassword.text}`);
  }
});

test('S77 a leaked key is found by its beginning, by its customer and by staff, and ended in one act that is on record', async () => {
  const { apiKey, keyId } = await buildKey(pool, of);
  const prefix = apiKey.slice(0, 16);
  const found = async (who: 'viewer' | 'other' | 'operator') =>
    (await api.ask(who, 'GET /keys', { query: { prefix } })).body.items.map((row: { keyId: string }) => row.keyId);
  assert.deepEqual(await found('viewer'), [keyId]);
  assert.deepEqual(await found('operator'), [keyId]);
  assert.deepEqual(await found('other'), []);
  // The search of the shell finds it as well, also by the whole text.
  for (const who of ['viewer', 'other', 'reviewer'] as const) {
    const { items } = (await api.ask(who, 'GET /search', { query: { q: apiKey } })).body;
    assert.deepEqual(
      items.map((item: { kind: string; id: string }) => [item.kind, item.id]),
      who === 'other' ? [] : [['key', keyId]],
    );
  }
  assert.equal((await api.ask('viewer', `DELETE /keys/${keyId}`)).status, 403);
  assert.equal((await api.ask('operator', `DELETE /keys/${keyId}`)).status, 204);
  await until(async () => (await askWith(apiKey, 'GET /templates')).status === 401, { what: 'the ended key' });
  assert.deepEqual(await found('viewer'), []);
  const { items } = (await api.ask('owner', 'GET /audit-log', { query: { subjectId: keyId } })).body;
  assert.deepEqual(
    items.map((row: { action: string }) => row.action),
    ['delete'],
  );
});

test('S77 what a key did is on record under its beginning and its name', async () => {
  const { apiKey } = await buildKey(pool, { ...of, keyName: 'Loyalty batch' });
  const body = { groupName: 'Made by software', description: '', variableNames: [] };
  const made = await api.ask(null, 'POST /groups', { body, headers: { authorization: `Bearer ${apiKey}` } });
  assert.equal(made.status, 201, made.text);
  const { items } = (await api.ask('owner', 'GET /audit-log', { query: { actor: apiKey.slice(0, 16) } })).body;
  assert.deepEqual(
    items.map((row: { action: string; subjectId: string; actor: { kind: string; account: string } }) => [
      row.action,
      row.subjectId,
      row.actor.kind,
      row.actor.account,
    ]),
    [['add', made.body.groupId, 'application', `${apiKey.slice(0, 16)} Loyalty batch`]],
  );
});
