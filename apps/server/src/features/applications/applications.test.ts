import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { many, one, sql, uuidV7 } from '@pahatid/db';
import { buildApplication, defaultPassword } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerApplications } from './routes.ts';

const api = await makeTestApi({ features: [registerApplications] });
let serial = 0;
const add = (body: Record<string, unknown> = {}, who: 'owner' | 'other' = 'owner') => {
  serial += 1;
  return api.ask(who, 'POST /applications', {
    body: { appName: `Added ${serial}`, remarkInfo: 'For orders', ...body },
  });
};

test('an application is added with its secrets shown once, and kept as hashes', async () => {
  const { status, body } = await add({ whiteListIp: ['203.0.113.0/24', '2001:DB8::1', '203.0.113.0/24'] });
  assert.equal(status, 201);
  assert.match(body.appSecret, /^[A-Za-z0-9_-]{43}$/);
  assert.match(body.smppPassword, /^[A-Za-z0-9]{8}$/);
  assert.match(body.account, /^[A-Za-z0-9_-]{3,15}$/);
  assert.deepEqual(body.whiteListIp, ['203.0.113.0/24', '2001:db8::1']);
  assert.equal(body.chargeType, 'SenderPays');

  const detail = await api.ask('viewer', `GET /applications/${body.appId}`);
  assert.equal(detail.body.secrets.length, 1);
  assert.equal(detail.body.secrets[0].hint, body.appSecret.slice(-4));
  assert.equal(detail.body.smpp.systemId, body.account);
  assert.equal(detail.body.accessType, 3, 'HTTP and SMPP');
  assert.equal(detail.body.smpp.passwordSet, true);
  assert.ok(!detail.text.includes(body.appSecret) && !detail.text.includes(body.smppPassword));

  const rows = await many<{ kind: string; hash: Buffer; whole: string }>(
    api.db.pool,
    sql`select kind, secret_hash as hash, s::text as whole from application_secret s where app_id = ${body.appId}`,
  );
  assert.deepEqual(
    rows.find(({ kind }) => kind === 'http')?.hash,
    createHash('sha256').update(body.appSecret).digest(),
  );
  const smppHash = rows.find(({ kind }) => kind === 'smpp')?.hash ?? Buffer.alloc(0);
  assert.ok(api.deps.secrets.verifySmppPassword(body.account, body.smppPassword, smppHash));
  const dump = JSON.stringify([rows, await many(api.db.pool, sql`select * from audit_log`)]);
  assert.ok(!dump.includes(body.appSecret) && !dump.includes(body.smppPassword), 'S55 neither table holds a secret');
});

test('a name is unique in a customer, ignoring case, also for two concurrent requests', async () => {
  await add({ appName: 'Shop' });
  assert.equal((await add({ appName: 'SHOP' })).body.code, 'APP_NAME_TAKEN');
  assert.equal((await add({ appName: 'Shop' }, 'other')).status, 201);
  const answers = await Promise.all([add({ appName: 'Race' }), add({ appName: 'race' })]);
  assert.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [201, 409],
  );
});

test('fields are checked: names, addresses, callback, connections, and nothing that staff set', async () => {
  const cases: [Record<string, unknown>, string, string][] = [
    [{ appName: '  ' }, 'VALIDATION_FAILED', 'appName'],
    [{ remarkInfo: '' }, 'VALIDATION_FAILED', 'remarkInfo'],
    [{ maxConnectNum: 21 }, 'VALIDATION_FAILED', 'maxConnectNum'],
    [{ chargeType: 'ReceiverPays' }, 'VALIDATION_FAILED', 'chargeType'],
    [{ tps: 100_000 }, 'VALIDATION_FAILED', 'tps'],
    [{ account: 'mine' }, 'VALIDATION_FAILED', 'account'],
    [{ callbackUrl: 'ftp://example.com/x' }, 'VALIDATION_FAILED', 'callbackUrl'],
    [{ callbackUrl: 'https://user:pass@example.com/x' }, 'CALLBACK_URL_INVALID', 'callbackUrl'],
    ...['1.2.3', '1.2.3.4/33', '1.2.3.4/08', 'fe80::1%eth0', '::1/129', 'example.com', '1.2.3.4/', '1.2.3.4/8/8'].map(
      (value): [Record<string, unknown>, string, string] => [
        { whiteListIp: ['10.0.0.1', value] },
        'ALLOWED_IP_INVALID',
        'whiteListIp.1',
      ],
    ),
  ];
  for (const [body, code, field] of cases) {
    const answer = await add(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.body.code, code, JSON.stringify(body));
    assert.equal(answer.body.errors[0].field, field);
  }
});

test('access: all read, only the owner changes', async () => {
  for (const who of ['member', 'viewer', 'reviewer', 'operator', 'admin'] as const) {
    assert.equal((await api.ask(who, `GET /applications/${api.appId}`)).status, 200, who);
    for (const route of ['', '/enable', '/disable', '/secret', '/smpp-password'])
      assert.equal(
        (await api.ask(who, `POST /applications${route && `/${api.appId}`}${route}`)).status,
        403,
        who + route,
      );
    assert.equal((await api.ask(who, `PATCH /applications/${api.appId}`, { body: {} })).status, 403);
  }
  assert.equal((await api.ask(null, `GET /applications/${api.appId}`)).status, 401);
});

test("another customer's application does not exist", async () => {
  for (const [route, body] of [
    [`GET /applications/${api.otherAppId}`, undefined],
    [`PATCH /applications/${api.otherAppId}`, { appName: 'Mine' }],
    [`POST /applications/${api.otherAppId}/disable`, undefined],
    [`POST /applications/${api.otherAppId}/secret`, { currentPassword: 'wrong' }],
    [`POST /applications/${api.otherAppId}/smpp-password`, { currentPassword: 'wrong' }],
    [`DELETE /applications/${api.otherAppId}/secrets/${uuidV7()}`, undefined],
    ['GET /applications/nothing', undefined],
  ] as const)
    assert.equal((await api.ask('owner', route, { body })).body.code, 'NOT_FOUND', route);
  const { useState } = await one<{ useState: number }>(
    api.db.pool,
    sql`select use_state as "useState" from application where app_id = ${api.otherAppId}`,
  );
  assert.equal(useState, 1);
});

test('how long messages may wait is set by send type, shorter than the default', async () => {
  const { body: added } = await add({ appName: 'Waiting' });
  assert.deepEqual(added.validFor, { verification: null, notification: null, marketing: null });
  const validFor = { verification: 120, notification: 3_600, marketing: 604_800 };
  const edit = (body: unknown, by: 'owner' | 'viewer' = 'owner') =>
    api.ask(by, `PATCH /applications/${added.appId}`, { body });
  const saved = await edit({ validFor, version: added.version });
  assert.deepEqual([saved.status, saved.body.validFor], [200, validFor]);
  assert.equal((await edit({ validFor, version: added.version })).body.code, 'VERSION_CONFLICT');
  for (const bad of [
    { ...validFor, verification: 29 },
    { ...validFor, verification: 301 },
    { ...validFor, notification: 86_401 },
    { ...validFor, marketing: 604_801 },
    { ...validFor, verification: 60.5 },
    { verification: 60 },
  ])
    assert.equal((await edit({ validFor: bad })).status, 400, JSON.stringify(bad));
  assert.equal((await edit({ validFor }, 'viewer')).status, 403);
  assert.equal((await api.ask('owner', `PATCH /applications/${api.otherAppId}`, { body: { validFor } })).status, 404);
  const stored = await api.ask('viewer', `GET /applications/${added.appId}`);
  assert.deepEqual(stored.body.validFor, validFor);
  const [entry] = await many<{ before: unknown; after: unknown }>(
    api.db.pool,
    sql`select before->'validFor' as before, after->'validFor' as after from audit_log
        where subject_id = ${added.appId} and action = 'edit'`,
  );
  assert.deepEqual(entry, { before: added.validFor, after: validFor });
});

test('what SMPP software means with service_type, and whether its repeats are sent, is set by the owner', async () => {
  const { body: added } = await add({ appName: 'Over SMPP' });
  assert.deepEqual([added.serviceTypes, added.smppDeduplication], [{}, false]);
  const edit = (body: unknown, by: 'owner' | 'viewer' = 'owner') =>
    api.ask(by, `PATCH /applications/${added.appId}`, { body });
  const set = { serviceTypes: { OTP: 1, PROMO: 3 }, smppDeduplication: true };
  assert.equal((await edit(set)).status, 200);
  const { body } = await api.ask('viewer', `GET /applications/${added.appId}`);
  assert.deepEqual({ serviceTypes: body.serviceTypes, smppDeduplication: body.smppDeduplication }, set);
  for (const serviceTypes of [{ TOOLONG: 1 }, { 'A B': 1 }, { OTP: 4 }, { '': 1 }])
    assert.equal((await edit({ serviceTypes })).status, 400, JSON.stringify(serviceTypes));
  assert.equal((await edit({ smppDeduplication: 'yes' })).status, 400);
  assert.equal((await edit({ smppDeduplication: false }, 'viewer')).status, 403);
});

test('edits what is given and leaves the rest; what changed is on record', async () => {
  const { body: added } = await add({ callbackUrl: 'https://example.com/in' });
  const policy = { verification: 'hold', notification: 'hold', marketing: 'resend' };
  const { body } = await api.ask('owner', `PATCH /applications/${added.appId}`, {
    body: { remarkInfo: 'New\nlines', whiteListIp: ['::1'], callbackUrl: null, doubtPolicy: policy },
  });
  assert.deepEqual(body, {
    ...Object.fromEntries(Object.entries(added).filter(([key]) => key !== 'appSecret' && key !== 'smppPassword')),
    callbackSecret: null,
    remarkInfo: 'New\nlines',
    whiteListIp: ['::1'],
    callbackUrl: null,
    doubtPolicy: policy,
    version: added.version + 1,
  });
  const log = await many<{ action: string; before: { remarkInfo: string } }>(
    api.db.pool,
    sql`select action, before from audit_log where subject_id = ${added.appId} order by audit_id`,
  );
  assert.deepEqual(
    log.map(({ action }) => action),
    ['add', 'edit'],
  );
  assert.equal(log[1]?.before.remarkInfo, 'For orders');
  const renamed = await api.ask('owner', `PATCH /applications/${added.appId}`, { body: { appName: 'Added 1' } });
  assert.equal(renamed.body.code, 'APP_NAME_TAKEN');
  assert.equal((await api.ask('owner', `PATCH /applications/${added.appId}`, { body: {} })).status, 200);
});

test('is disabled and enabled; doing it twice is no error', async () => {
  const { body: added } = await add();
  for (const [act, useState] of [
    ['disable', 0],
    ['disable', 0],
    ['enable', 1],
  ] as const)
    assert.equal((await api.ask('owner', `POST /applications/${added.appId}/${act}`)).body.useState, useState);
});

const rotate = (appId: string, what = 'secret', more: object = {}) =>
  api.ask('owner', `POST /applications/${appId}/${what}`, { body: { currentPassword: defaultPassword, ...more } });
const detailOf = async (appId: string) => (await api.ask('owner', `GET /applications/${appId}`)).body;

test('a new password requires the current password of the user', async () => {
  const { body: added } = await add();
  for (const what of ['secret', 'smpp-password']) {
    const wrong = await rotate(added.appId, what, { currentPassword: 'not-mine' });
    assert.deepEqual([wrong.status, wrong.body.code], [403, 'REAUTHENTICATE'], what);
    const without = await api.ask('owner', `POST /applications/${added.appId}/${what}`, { body: {} });
    assert.deepEqual([without.status, without.body.code], [400, 'VALIDATION_FAILED'], what);
  }
  const { secrets, smpp } = await detailOf(added.appId);
  assert.deepEqual([secrets.length, smpp.passwords.length], [1, 1]);
});

test('the previous one is ended immediately: with the new one, or later separately; the current one never', async () => {
  const { body: added } = await add();
  const first = await rotate(added.appId, 'secret', { endPrevious: true });
  assert.ok(Date.parse(first.body.previousExpireTime) <= Date.now());
  assert.equal((await detailOf(added.appId)).secrets.length, 1);
  await rotate(added.appId);
  await rotate(added.appId, 'smpp-password');
  const { secrets, smpp } = await detailOf(added.appId);
  assert.deepEqual(
    [...secrets, ...smpp.passwords].map((each: { expireTime: string | null; lastUsedTime: string | null }) => [
      each.expireTime !== null,
      each.lastUsedTime,
    ]),
    [
      [false, null],
      [true, null],
      [false, null],
      [true, null],
    ],
  );
  assert.deepEqual(
    smpp.passwords.map((each: { hint: string }) => each.hint),
    ['', ''],
    'no character of an SMPP password is shown again',
  );
  for (const [current, replaced] of [secrets, smpp.passwords]) {
    const end = (secretId: string, who: 'owner' | 'member' | 'other' = 'owner') =>
      api.ask(who, `DELETE /applications/${added.appId}/secrets/${secretId}`);
    assert.equal((await end(current.secretId)).body.code, 'SECRET_CURRENT');
    assert.equal((await end(replaced.secretId, 'member')).status, 403);
    assert.equal((await end(replaced.secretId, 'other')).status, 404);
    const both = await Promise.all([end(replaced.secretId), end(replaced.secretId)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [204, 404]);
  }
  const log = await many<{ action: string }>(
    api.db.pool,
    sql`select action from audit_log where subject_id = ${added.appId} and action = 'endSecret'`,
  );
  assert.equal(log.length, 2);
});

test('a rotated secret works for 24 hours alongside the new one; rotating again ends it immediately', async () => {
  const { body: added } = await add();
  const before = Date.now();
  const first = await rotate(added.appId);
  assert.equal(first.status, 201);
  assert.notEqual(first.body.appSecret, added.appSecret);
  const overlapMs = Date.parse(first.body.previousExpireTime) - before;
  assert.ok(overlapMs >= 86_400_000 && overlapMs < 86_460_000);
  const live = async () => (await api.ask('owner', `GET /applications/${added.appId}`)).body.secrets;
  assert.deepEqual(
    (await live()).map((secret: { hint: string }) => secret.hint),
    [first.body.appSecret.slice(-4), added.appSecret.slice(-4)],
  );
  const second = await rotate(added.appId);
  assert.deepEqual(
    (await live()).map((secret: { hint: string }) => secret.hint),
    [second.body.appSecret.slice(-4), first.body.appSecret.slice(-4)],
  );
  const smpp = await rotate(added.appId, 'smpp-password');
  assert.match(smpp.body.smppPassword, /^[A-Za-z0-9]{8}$/);
  assert.ok(smpp.body.previousExpireTime);
});

test('two concurrent rotations leave one current and one expiring secret', async () => {
  const { body: added } = await add();
  const answers = await Promise.all([1, 2, 3].map(() => rotate(added.appId)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  );
  const rows = await many<{ current: boolean }>(
    api.db.pool,
    sql`select expires_at is null as current from application_secret where app_id = ${added.appId} and kind = 'http' order by 1`,
  );
  assert.deepEqual(
    rows.map(({ current }) => current),
    [false, true],
  );
});

test('the list pages through every application once in each order, and shows the own ones alone', async () => {
  for (let n = 0; n < 7; n++)
    await buildApplication(api.db.pool, { customerId: api.otherCustomerId, createdAt: new Date(Date.UTC(2026, 0, 1)) });
  for (const sort of ['-createTime', 'createTime', 'appName']) {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: '3', sort, ...(cursor !== null && { cursor }) };
      const { body } = await api.ask('other', 'GET /applications', { query });
      seen.push(...body.items.map((row: { appId: string }) => row.appId));
      cursor = body.nextCursor;
      assert.equal(body.total, 9);
    } while (cursor !== null);
    assert.equal(seen.length, 9, sort);
    assert.equal(new Set(seen).size, 9, sort);
  }
  const own = await many<{ id: string }>(
    api.db.pool,
    sql`select app_id as id from application where customer_id = ${api.otherCustomerId}`,
  );
  assert.ok(own.length === 9);
  const staff = await api.ask('reviewer', 'GET /applications', { query: { limit: '200' } });
  assert.ok(staff.body.items.length > 9);
});

test('the list filters by text and state, takes text literally, and refuses a cursor of another order', async () => {
  await add({ appName: '100% off', remarkInfo: 'x' });
  const byText = await api.ask('owner', 'GET /applications', { query: { search: '0%' } });
  assert.deepEqual(
    byText.body.items.map((row: { appName: string }) => row.appName),
    ['100% off'],
  );
  const page = await api.ask('owner', 'GET /applications', { query: { limit: '1', useState: '1' } });
  for (const cursor of [page.body.nextCursor, 'x', Buffer.from('["createTime","x","y"]').toString('base64url')])
    assert.equal(
      (await api.ask('owner', 'GET /applications', { query: { sort: 'createTime', cursor } })).body.code,
      'CURSOR_INVALID',
    );
});

test('the list as csv holds every row', async () => {
  const { text } = await api.ask('other', 'GET /applications', {
    headers: { accept: 'text/csv' },
    query: { limit: '1' },
  });
  assert.equal(text.split('\r\n').length - 2, 9);
  assert.match(text, /^\ufeffApplication ID,Application name/);
});
