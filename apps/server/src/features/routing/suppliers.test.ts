import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saveBindStates, uuidV7 } from '@pahatid/db';
import { buildPrefixes, buildRoute } from '@pahatid/db/builders';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { readLinkProfile } from '../../sending/link-profile.ts';
import { registerSuppliers } from './supplier-routes.ts';

const api = await makeTestApi({ features: [registerSuppliers] });
const { pool } = api.db;

const canary = 'Cn4ry!x7';
let made = 0;
const bodyOf = (more: object = {}) => {
  made += 1;
  return {
    supplierAccount: `carrier-${made}`,
    host: 'smsc.example.net',
    port: 2775,
    systemId: 'pahatid',
    password: canary,
    ...more,
  };
};
const add = async (more: object = {}) => {
  const answer = await api.ask('operator', 'POST /suppliers', { body: bodyOf(more) });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
const complaints = (answer: { body: { errors?: { field: string; code: string }[] } }) =>
  Object.fromEntries((answer.body.errors ?? []).map(({ field, code }) => [field, code]));

test('an account is added with its settings, its password sealed and in no response', async () => {
  const profile = { idBase: 'hex', statusClasses: { '0x401': 'permanent' }, responseTimeoutMs: 30_000 };
  const added = await add({
    carrier: 'Globe',
    profile,
    tps: 500,
    windowSize: 20,
    bindCount: 3,
    bindType: 'transmitter+receiver',
  });
  assert.partialDeepStrictEqual(added, {
    carrier: 'Globe',
    profile,
    tps: 500,
    windowSize: 20,
    bindCount: 3,
    useState: 1,
    version: 1,
  });
  const { rows } = await pool.query('select password_sealed from supplier where supplier_id = $1', [added.supplierId]);
  assert.equal(api.deps.secrets.open('carrier-password', rows[0].password_sealed), canary);
  const answers = [
    await api.ask('admin', 'GET /suppliers'),
    await api.ask('admin', `GET /suppliers/${added.supplierId}`),
    await api.ask('admin', `PATCH /suppliers/${added.supplierId}`, { body: { version: 1, password: 'An0ther!' } }),
    await api.ask('admin', 'GET /suppliers', { headers: { accept: 'text/csv' } }),
  ];
  for (const { status, text } of answers) {
    assert.equal(status, 200, text);
    assert.ok(!text.includes(canary) && !text.includes('An0ther!') && !/sealed/i.test(text), text);
  }
  const logged = await pool.query<{ entry: string }>('select audit_log::text as entry from audit_log');
  assert.ok(logged.rows.length > 0);
  for (const { entry } of logged.rows)
    assert.ok(!entry.includes(canary) && !entry.includes('An0ther!') && !entry.includes('v1.'));
  const changed = await pool.query('select password_sealed from supplier where supplier_id = $1', [added.supplierId]);
  assert.equal(api.deps.secrets.open('carrier-password', changed.rows[0].password_sealed), 'An0ther!');
});

test('S2 operators and admins alone: to all others the accounts do not exist', async () => {
  const { supplierId } = await add();
  const calls = ['GET /suppliers', 'POST /suppliers', `GET /suppliers/${supplierId}`, `PATCH /suppliers/${supplierId}`];
  for (const call of [...calls, `POST /suppliers/${supplierId}/disable`]) {
    for (const who of ['owner', 'member', 'viewer', 'other', 'reviewer'] as Who[])
      assert.equal(
        (await api.ask(who, call, call.startsWith('GET') ? {} : { body: bodyOf() })).status,
        404,
        `${who} ${call}`,
      );
    assert.equal((await api.ask(null, call, call.startsWith('GET') ? {} : { body: bodyOf() })).status, 401, call);
  }
  assert.equal((await api.ask('operator', `GET /suppliers/${uuidV7()}`)).status, 404);
  assert.equal(
    (await api.ask('operator', `PATCH /suppliers/${uuidV7()}`, { body: { version: 1, tps: 1 } })).status,
    404,
  );
});

test('invalid input is reported by field', async () => {
  const wrong: Record<string, unknown> = {
    supplierAccount: '',
    host: 'http://smsc',
    port: 0,
    systemId: 'sixteen-octets-1',
    password: 'nine-char',
    bindType: 'both',
    bindCount: 65,
    windowSize: 0,
    tps: 0.5,
    profile: {
      idBase: 'octal',
      statusClasses: { '0x401': 'fine' },
      tlsVersion: 3,
      responseTimeoutMs: 10,
      receiptHours: 73,
      query: 'sometimes',
    },
    useState: 0,
  };
  const answer = await api.ask('operator', 'POST /suppliers', { body: bodyOf(wrong) });
  assert.equal(answer.status, 400);
  assert.deepEqual(complaints(answer), {
    supplierAccount: 'TOO_SHORT',
    host: 'FORMAT',
    port: 'TOO_SMALL',
    systemId: 'TOO_LONG',
    password: 'TOO_LONG',
    bindType: 'NOT_AN_OPTION',
    bindCount: 'TOO_BIG',
    windowSize: 'TOO_SMALL',
    tps: 'TYPE',
    'profile.idBase': 'NOT_AN_OPTION',
    'profile.statusClasses.0x401': 'NOT_AN_OPTION',
    'profile.responseTimeoutMs': 'TOO_SMALL',
    'profile.receiptHours': 'TOO_BIG',
    'profile.query': 'TYPE',
    'profile.tlsVersion': 'UNKNOWN_FIELD',
    useState: 'UNKNOWN_FIELD',
  });
  for (const host of ['smsc.globe.example', '10.1.2.3', '2001:db8::1', 'localhost']) await add({ host });
  for (const host of ['a b', '-x', 'x_y', 'smsc:2775', '']) {
    const refused = await api.ask('operator', 'POST /suppliers', { body: bodyOf({ host }) });
    assert.equal(refused.status, 400, host);
    assert.deepEqual(Object.keys(complaints(refused)), ['host']);
  }
});

test('every profile that is taken can be used by a sender', async () => {
  const whole = {
    idBase: 'text',
    alphabet: 'latin1',
    sourceTon: 5,
    sourceNpi: 0,
    destinationTon: 1,
    destinationNpi: 1,
    serviceType: 'CMT',
    systemType: 'VMA',
    validityPeriod: '000001000000000R',
    receiptZoneMinutes: 0,
    acceptdIsFinal: true,
    receiptMatch: 'phone',
    receiptHours: 1,
    query: true,
    queueFull: 'account',
    statusClasses: { '1025': 'throttled', '0x402': 'temporary' },
    tls: true,
    responseTimeoutMs: 5_000,
  };
  const added = await add({ profile: whole });
  assert.deepEqual(added.profile, whole);
  const read = readLinkProfile(added.profile);
  assert.deepEqual(read, { ...whole, statusClasses: { 20: 'throttled', 1025: 'throttled', 1026: 'temporary' } });
  const own = readLinkProfile({ queueFull: 'account', statusClasses: { '0x14': 'permanent' } });
  assert.deepEqual(own.statusClasses, { 20: 'permanent' });
  assert.deepEqual(readLinkProfile({}).statusClasses, {});
  assert.partialDeepStrictEqual(readLinkProfile({}), { alphabet: 'gsm7', tls: false, receiptZoneMinutes: 480 });
});

test('two equal names, two concurrent edits, two concurrent clicks: the second is rejected', async () => {
  const added = await add();
  const again = await api.ask('operator', 'POST /suppliers', {
    body: bodyOf({ supplierAccount: added.supplierAccount }),
  });
  assert.deepEqual([again.status, again.body.code], [409, 'SUPPLIER_ACCOUNT_TAKEN']);
  const edit = (tps: number) =>
    api.ask('operator', `PATCH /suppliers/${added.supplierId}`, { body: { version: 1, tps } });
  const edits = await Promise.all([edit(11), edit(12)]);
  assert.deepEqual(edits.map(({ status }) => status).sort(), [200, 409]);
  const kept = await api.ask('operator', `GET /suppliers/${added.supplierId}`);
  assert.equal(kept.body.tps, edits.find(({ status }) => status === 200)?.body.tps);
  assert.equal(kept.body.version, 2);
  const click = () => api.ask('operator', `POST /suppliers/${added.supplierId}/disable`);
  const clicks = await Promise.all([click(), click()]);
  assert.deepEqual(clicks.map(({ status }) => status).sort(), [200, 409]);
  const { rows } = await pool.query(
    `select action, count(*)::int n from audit_log where subject_type = 'supplier' and subject_id = $1 group by 1 order by 1`,
    [added.supplierId],
  );
  assert.deepEqual(rows, [
    { action: 'add', n: 1 },
    { action: 'disable', n: 1 },
    { action: 'edit', n: 1 },
  ]);
});

test('an operator sees bind states, the last failure and the pace used per customer', async () => {
  const added = await add({ bindType: 'transmitter+receiver', bindCount: 1 });
  const owner = uuidV7();
  await saveBindStates(pool, owner, [
    { supplierId: added.supplierId, bindNo: 1, state: 'bound', sinceMs: Date.now() - 5_000, lastError: null },
    {
      supplierId: added.supplierId,
      bindNo: 2,
      state: 'waiting',
      sinceMs: Date.now() - 1_000,
      lastError: 'refused: connect',
    },
  ]);
  await saveBindStates(pool, uuidV7(), [
    { supplierId: added.supplierId, bindNo: 1, state: 'bound', sinceMs: Date.now(), lastError: null },
  ]);
  // A sender that died last reported bound: it is no longer counted.
  await pool.query(`update bind_state set seen_at = now() - interval '1 minute' where owner <> $1`, [owner]);
  const { body } = await api.ask('operator', `GET /suppliers/${added.supplierId}`);
  assert.partialDeepStrictEqual(body, {
    boundCount: 1,
    senderCount: 1,
    lastError: 'refused: connect',
    failedTime: null,
    breaker: null,
    waitingCount: 0,
  });
  assert.deepEqual(
    body.binds.map((bind: { bindNo: number; bindType: string; state: string }) => [
      bind.bindNo,
      bind.bindType,
      bind.state,
    ]),
    [
      [1, 'transmitter', 'bound'],
      [2, 'receiver', 'waiting'],
    ],
  );
  assert.deepEqual(body.shares, []);
});

test('an operator sees why an account was suspended, with its figures, until it is enabled again', async () => {
  const { supplierId } = await add();
  const figures = { accepted: 1, refused: 2, errors: 30, throttled: 0, timeouts: 0, answerMs: 40 };
  await pool.query(
    `insert into supplier_breaker (supplier_id, state, reason, openings, changed_at, opened_at, figures)
     values ($1, 'open', 'errors', 1, now(), now(), $2)`,
    [supplierId, JSON.stringify(figures)],
  );
  const { body } = await api.ask('operator', `GET /suppliers/${supplierId}`);
  assert.partialDeepStrictEqual(body.breaker, { state: 'open', reason: 'errors', figures });
  assert.equal(body.failedTime, body.breaker.since);
  await api.ask('operator', `POST /suppliers/${supplierId}/disable`);
  await api.ask('operator', `POST /suppliers/${supplierId}/enable`);
  const after = await api.ask('operator', `GET /suppliers/${supplierId}`);
  assert.deepEqual([after.body.breaker, after.body.failedTime], [null, null]);
});

test('the list is paged by name without a gap, searched and filtered', async () => {
  const names = Array.from({ length: 7 }, (_, n) => `Paged ${String.fromCharCode(65 + n)}`);
  for (const supplierAccount of names) await add({ supplierAccount });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await api.ask('admin', 'GET /suppliers', {
      query: { search: 'paged', limit: '3', ...(cursor && { cursor }) },
    });
    assert.equal(body.total, 7);
    seen.push(...body.items.map((item: { supplierAccount: string }) => item.supplierAccount));
    cursor = body.nextCursor ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual(seen, names);
  assert.equal((await api.ask('admin', 'GET /suppliers', { query: { search: '%' } })).body.items.length, 0);
  assert.equal((await api.ask('admin', 'GET /suppliers', { query: { useState: '2' } })).status, 400);
  assert.equal((await api.ask('admin', 'GET /suppliers', { query: { cursor: 'x' } })).body.code, 'CURSOR_INVALID');
});

test('disabling the last route to a destination succeeds with a warning', async () => {
  await buildPrefixes(pool, [
    { prefix: '63917', carrier: 'Globe' },
    { prefix: '63918', carrier: 'Smart' },
  ]);
  const [wide, narrow] = [await add(), await add()];
  await buildRoute(pool, { routeName: 'wide', supplierId: wide.supplierId });
  await buildRoute(pool, { routeName: 'narrow', supplierId: narrow.supplierId, carrier: 'Smart' });
  const { status, body } = await api.ask('operator', `POST /suppliers/${wide.supplierId}/disable`);
  assert.equal(status, 200);
  const order = (warnings: { carrier: string | null }[]) =>
    warnings.toSorted((a, b) => (String(a.carrier) < String(b.carrier) ? -1 : 1));
  assert.deepEqual(order(body.warnings), [
    { code: 'NO_ROUTE_LEFT', areaCode: 'PH', carrier: 'Globe', smsTypes: [1, 2, 3] },
    { code: 'NO_ROUTE_LEFT', areaCode: 'PH', carrier: null, smsTypes: [1, 2, 3] },
  ]);
  const enabled = await api.ask('operator', `POST /suppliers/${wide.supplierId}/enable`);
  assert.deepEqual([enabled.status, enabled.body.warnings, enabled.body.useState], [200, [], 1]);
});
