import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, run, sql, uuidV7 } from '@pahatid/db';
import { buildSender } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerSenders } from './routes.ts';

const api = await makeTestApi({ features: [registerSenders] });
const register = (body: Record<string, unknown> = {}, who: 'member' | 'other' = 'member') =>
  api.ask(who, 'POST /senders', {
    body: { appId: who === 'other' ? api.otherAppId : api.appId, areaCode: 'PH', senderId: 'MYSHOP', ...body },
  });

test('a sender ID is registered with each carrier and waits for review', async () => {
  const { status, body } = await register({ senderId: 'SARISARI', remarkInfo: 'Our shop' });
  assert.equal(status, 201);
  assert.equal(body.areaCode, 'PH');
  assert.equal(body.auditStatus, 0);
  assert.equal(body.useState, 1);
  assert.ok(body.expectedTime);
  assert.deepEqual(body.carriers, [
    { carrier: 'DITO', auditStatus: 0 },
    { carrier: 'Globe', auditStatus: 0 },
    { carrier: 'Smart', auditStatus: 0 },
  ]);
  assert.equal('operator' in body, false);
});

test('what a sender ID may not be is refused with the reason', async () => {
  for (const [senderId, reason] of [
    ['AB', 'LENGTH'],
    ['ABCDEFGHIJKL', 'LENGTH'],
    ['12345', 'NO_LETTER'],
    ['MY SHOP', 'CHARACTERS'],
    ['MY-SHOP', 'CHARACTERS'],
    ['TEST', 'GENERIC'],
    ['Globe1', 'CARRIER'],
  ]) {
    const { status, body } = await register({ senderId });
    assert.equal(status, 400);
    assert.equal(body.code, 'SENDER_ID_INVALID', senderId);
    assert.deepEqual(body.params, { reason });
    assert.deepEqual(body.errors, [{ field: 'senderId', code: reason }]);
  }
});

test('fields are checked', async () => {
  for (const [bad, field] of [
    [{ areaCode: undefined }, 'areaCode'],
    [{ areaCode: '' }, 'areaCode'],
    [{ areaCode: 'ph' }, 'areaCode'],
    // Shaped like codes of ISO 3166, which gives them to no country.
    [{ areaCode: 'ZZ' }, 'areaCode'],
    [{ areaCode: 'XA' }, 'areaCode'],
    [{ areaCode: 'EU' }, 'areaCode'],
    [{ auditStatus: 1 }, 'auditStatus'],
    [{ appId: '!' }, 'appId'],
    [{ senderId: '' }, 'senderId'],
  ] as const) {
    const { status, body } = await register(bad);
    assert.equal(status, 400);
    assert.equal(body.errors[0].field, field);
  }
  assert.equal((await register({ appId: api.otherAppId })).body.code, 'APP_NOT_FOUND');
  await run(api.db.pool, sql`update application set use_state = 0 where app_id = ${api.appId}`);
  assert.equal((await register()).body.code, 'APP_DISABLED');
  await run(api.db.pool, sql`update application set use_state = 1 where app_id = ${api.appId}`);
});

test('a sender ID is unique per application and country, ignoring case, also for two concurrent requests', async () => {
  await register({ senderId: 'ONCE' });
  assert.equal((await register({ senderId: 'once' })).body.code, 'SENDER_ID_TAKEN');
  assert.equal((await register({ senderId: 'ONCE', areaCode: 'SG' })).status, 201);
  assert.equal((await register({ senderId: 'ONCE' }, 'other')).status, 201);
  const race = await Promise.all([register({ senderId: 'RACE' }), register({ senderId: 'race' })]);
  assert.deepEqual(
    race.map(({ status }) => status).sort((a, b) => a - b),
    [201, 409],
  );
});

test('a rejected sender ID may be registered again and is pending once more', async () => {
  const id = await buildSender(api.db.pool, {
    customerId: api.customerId,
    appId: api.appId,
    senderId: 'AGAIN',
    auditStatus: 2,
    auditReason: 'No proof',
    useState: 0,
  });
  const { status, body } = await register({ senderId: 'AGAIN', remarkInfo: 'Permit attached' });
  assert.equal(status, 201);
  assert.deepEqual(
    [body.id, body.auditStatus, body.auditReason, body.useState, body.remarkInfo],
    [id, 0, null, 1, 'Permit attached'],
  );
  assert.ok(body.carriers.every((each: { auditStatus: number }) => each.auditStatus === 0));
});

test('is disabled and enabled; doing it twice is no error and moves no time', async () => {
  const { body: added } = await register({ senderId: 'SWITCH' });
  const act = (action: string) => api.ask('member', `POST /senders/${added.id}/${action}`);
  const off = await act('disable');
  assert.equal(off.body.useState, 0);
  assert.equal((await act('disable')).body.operateTime, off.body.operateTime);
  assert.equal((await act('enable')).body.useState, 1);
  const log = await many<{ action: string }>(
    api.db.pool,
    sql`select action from audit_log where subject_id = ${added.id} order by audit_id`,
  );
  assert.deepEqual(
    log.map(({ action }) => action),
    ['add', 'disable', 'disable', 'enable'],
  );
});

test('access: staff and viewers read; a sender ID of another customer does not exist', async () => {
  const { body: ours } = await register({ senderId: 'OURS' });
  const { body: theirs } = await register({ senderId: 'THEIRS' }, 'other');
  for (const who of ['viewer', 'reviewer', 'operator', 'admin'] as const) {
    assert.equal((await api.ask(who, 'GET /senders')).status, 200);
    assert.equal((await api.ask(who, 'POST /senders', { body: {} })).status, 403);
    assert.equal((await api.ask(who, `POST /senders/${ours.id}/disable`)).status, 403);
  }
  for (const action of ['enable', 'disable']) {
    assert.equal((await api.ask('member', `POST /senders/${theirs.id}/${action}`)).body.code, 'NOT_FOUND');
    assert.equal((await api.ask(null, `POST /senders/${theirs.id}/${action}`)).status, 401);
  }
  assert.equal((await api.ask(null, 'GET /senders')).status, 401);
  const staff = await api.ask('reviewer', 'GET /senders', { query: { search: 'THEIRS' } });
  assert.equal(staff.body.items[0].operator, 'Customer B');
});

test('one sender ID is read by its id, as the list shows it: by its own customer, and by staff across customers', async () => {
  const { body: ours } = await register({ senderId: 'LINKED', remarkInfo: 'Of a link' });
  const { body: theirs } = await register({ senderId: 'LINKEDTOO' }, 'other');
  const read = (who: Parameters<typeof api.ask>[0], id: string) => api.ask(who, `GET /senders/${id}`);
  for (const who of ['owner', 'member', 'viewer', 'reviewer', 'operator', 'admin'] as const) {
    const listed = await api.ask(who, 'GET /senders', { query: { search: 'Of a link' } });
    const { status, body } = await read(who, ours.id);
    assert.equal(status, 200, who);
    assert.deepEqual(body, listed.body.items[0], who);
  }
  assert.equal((await read('other', theirs.id)).body.senderId, 'LINKEDTOO');
  assert.equal((await read('reviewer', theirs.id)).body.operator, 'Customer B');
  for (const id of [theirs.id, uuidV7(), 'x']) {
    const { status, body } = await read('member', id);
    assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], id);
  }
  assert.equal((await read(null, ours.id)).status, 401);
  await api.ask('member', `POST /senders/${ours.id}/disable`);
  assert.equal((await read('viewer', ours.id)).body.useState, 0);
});

test('the list pages through all in each order, filters, and exports', async () => {
  await buildSender(api.db.pool, { customerId: api.customerId, appId: api.appId, senderId: 'READY' });
  for (const sort of ['-operateTime', 'operateTime', 'senderId']) {
    const seen: string[] = [];
    let cursor: string | null = null;
    let total = 0;
    do {
      const query: Record<string, string> = { limit: '2', sort, ...(cursor !== null && { cursor }) };
      const { body } = await api.ask('viewer', 'GET /senders', { query });
      seen.push(...body.items.map((row: { id: string }) => row.id));
      ({ nextCursor: cursor, total } = body);
    } while (cursor !== null);
    assert.equal(new Set(seen).size, total, sort);
    assert.equal(seen.length, total, sort);
  }
  const sendable = await api.ask('viewer', 'GET /senders', { query: { sendable: '1', appId: api.appId } });
  assert.deepEqual(
    sendable.body.items.map((row: { senderId: string }) => row.senderId),
    ['READY'],
  );
  const csv = await api.ask('viewer', 'GET /senders', { headers: { accept: 'text/csv' }, query: { useState: '1' } });
  assert.match(csv.text, /READY,PH/);
});
