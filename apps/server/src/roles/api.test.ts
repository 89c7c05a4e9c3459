import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  errorCatalogue,
  makeOpenApi,
  type Role,
  type RouteDefinition,
  routes,
  staffRoles,
  TaskStatus,
} from '@pahatid/contract';
import { many, run, sql, uuidV7, writeAudit } from '@pahatid/db';
import {
  buildDefaultPrice,
  buildFile,
  buildRoute,
  buildSender,
  buildSupplier,
  buildTask,
  buildTemplate,
  defaultPassword,
} from '@pahatid/db/builders';
import { makeTestApi, type Who } from '../http/testing/test-api.ts';
import { apiFeatures } from './api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { customerId, appId } = api;
const all = Object.entries<RouteDefinition>(routes);

const templateId = await buildTemplate(api.db.pool, { customerId, appId });
const supplierId = await buildSupplier(api.db.pool, {
  supplierAccount: 'sweep',
  port: 2775,
  systemId: 'sweep',
  password: 'sweep',
  secrets: api.deps.secrets,
});
await buildDefaultPrice(api.db.pool);
const [price] = await many(api.db.pool, sql<{ id: string }>`select price_id as id from price`);
const [ownSession] = await many(
  api.db.pool,
  sql<{ id: string }>`select session_id as id from session where user_id = ${api.users.owner.userId}`,
);
const passkeyId = uuidV7();
await run(
  api.db.pool,
  sql`insert into passkey (passkey_id, user_id, name, credential_id, public_key, sign_count, transports, backed_up, created_at)
      values (${passkeyId}, ${api.users.owner.userId}, 'Sweep', 'sweep', '\\x00', 0, '{}', false, now())`,
);
const invitationId = uuidV7();
await run(
  api.db.pool,
  sql`insert into invitation (invitation_id, customer_id, email, role, token_hash, invited_by, created_at, sent_at, expires_at)
      values (${invitationId}, ${customerId}, 'sweep@shop.example', 'viewer', ${Buffer.alloc(32)}, ${api.users.owner.userId},
              now(), now(), now() + interval '7 days')`,
);
await writeAudit(api.db.pool, {
  ...{ customerId, userId: null, account: null, ip: null, action: 'complete', subjectType: 'task' },
  ...{ subjectId: uuidV7(), before: null, after: null },
});
const [entry] = await many(api.db.pool, sql<{ id: string }>`select max(audit_id)::text as id from audit_log`);
const thresholdId = uuidV7();
await run(
  api.db.pool,
  sql`insert into threshold (threshold_id, customer_id, kind, per_day, set_by) values (${thresholdId}, ${customerId}, 'frequency', 9, 'staff')`,
);
const ids: Record<string, string> = {
  thresholdId,
  captchaId: uuidV7(),
  userId: api.users.member.userId,
  invitationId,
  auditId: entry?.id ?? '',
  sessionId: ownSession?.id ?? '',
  passkeyId,
  supplierId,
  routeId: await buildRoute(api.db.pool, { routeName: 'Sweep', supplierId }),
  priceId: price?.id ?? '',
  customerId,
  appId,
  templateId,
  id: await buildSender(api.db.pool, { customerId, appId }),
  fileId: await buildFile(api.db.pool, {
    customerId,
    columns: ['phone'],
    rows: [],
    encodeBlock: () => new Uint8Array(),
  }),
  taskId: await buildTask(api.db.pool, { customerId, taskStatus: TaskStatus.Draft, appId, templateId, smsType: 2 }),
  messageId: '123456789012345678',
  secretId: uuidV7(),
  kind: 'templates',
};
await run(
  api.db.pool,
  sql`insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
        charge_type, price, route_id, supplier_id)
      values (${customerId}, ${ids.messageId}, ${appId}, 2, '639171234567', 'PH', 'SHOP', 'Hello', 1, 'SenderPays', 3500,
              ${uuidV7()}, ${uuidV7()})`,
);
/** Shaped like the real ones, and nobody's. */
const nobodys: Record<string, string> = {
  thresholdId: uuidV7(),
  captchaId: uuidV7(),
  userId: uuidV7(),
  invitationId: uuidV7(),
  auditId: '999999999999',
  sessionId: uuidV7(),
  passkeyId: uuidV7(),
  supplierId: uuidV7(),
  routeId: uuidV7(),
  priceId: uuidV7(),
  customerId: uuidV7(),
  appId: 'app-of-nobody',
  templateId: uuidV7(),
  id: uuidV7(),
  fileId: uuidV7(),
  taskId: uuidV7(),
  messageId: '123456789012345679',
  secretId: uuidV7(),
  kind: 'templates',
};

/** How a caller of the route's kind says who it is: applications by their password, people by their session. */
const basicFor = (definition: RouteDefinition, app: 'app' | 'otherApp'): { headers?: Record<string, string> } =>
  definition.access === 'application' ? { headers: { authorization: api.basic[app] } } : {};

const fill = (key: string, by: Record<string, string>): string =>
  key.replace(/:(\w+)/g, (_, name: string) => {
    const value = by[name];
    assert.ok(value, `${key}: no id to ask with for ${name}`);
    return value;
  });

const assertion = {
  id: 'AA',
  rawId: 'AA',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
};

/** A body that passes the schema, so that what refuses a call is not its body. */
const bodies: Record<string, object> = {
  'POST /session': { account: 'nobody', password: 'x' },
  'POST /session/second-factor': { challenge: 'x', method: 'totp', code: '000000' },
  'POST /session/second-factor/passkey': { challenge: 'x' },
  'POST /session/passkey/question': {},
  'POST /session/passkey': { challenge: 'x', assertion },
  'PATCH /account': { theme: 'dark' },
  'PATCH /account/customer': { requireTwoFactor: false },
  'POST /account/two-factor': { currentPassword: 'x' },
  'POST /account/two-factor/confirm': { code: '000000' },
  'POST /account/two-factor/disable': { currentPassword: 'x' },
  'POST /account/two-factor/recovery-codes': { currentPassword: 'x' },
  'POST /account/passkeys/question': { currentPassword: 'x' },
  'POST /account/passkeys': {
    challenge: 'x',
    name: 'x',
    attestation: { ...assertion, response: { clientDataJSON: 'AA', attestationObject: 'AA' } },
  },
  'PATCH /account/passkeys/:passkeyId': { name: 'x' },
  'POST /account/passkeys/:passkeyId/delete': { currentPassword: 'x' },
  'POST /captcha': { kind: 'words' },
  'POST /captcha/:captchaId/answer': { answer: 'x', proof: 'x' },
  'POST /codes': { purpose: 'signIn', email: 'nobody@shop.example' },
  'POST /password-resets/by-phone': {
    phone: '09171234567',
    code: '000000',
    newPassword: 'Ricefield7!kx',
    confirmPassword: 'Ricefield7!kx',
  },
  'POST /password-resets/verify': { email: 'nobody@shop.example', code: '000000' },
  'POST /password-resets': { grant: 'x', newPassword: 'Ricefield7!kx', confirmPassword: 'Ricefield7!kx' },
  'POST /password': { currentPassword: 'x', newPassword: 'x', confirmPassword: 'x' },
  'POST /customers': { customerName: 'Sweep', ownerEmail: 'sweep.owner@shop.example', invite: 'link' },
  'PATCH /customers/:customerId': { version: 1 },
  'POST /customers/:customerId/owners': { ownerEmail: 'sweep.owner@shop.example', invite: 'link' },
  'POST /customers/:customerId/suspend': { reason: 'x' },
  'POST /customers/:customerId/ledger': { amount: 1 },
  'PATCH /customers/:customerId/applications/:appId': { tps: 9 },
  'POST /customers/:customerId/limits': { kind: 'frequency', perDay: 9 },
  'POST /members': { email: 'sweep.again@shop.example', role: 'viewer' },
  'PATCH /members/:userId': { role: 'viewer' },
  'POST /invitations/check': { token: 'x' },
  'POST /invitations/accept': { token: 'x', account: 'nobody', name: 'x', password: 'x' },
  'POST /setup/check': { token: 'x' },
  'POST /setup': { token: 'x', account: 'nobody', email: 'nobody@shop.example', password: 'x' },
  'POST /applications': { appName: 'Sweep', remarkInfo: 'x' },
  'PATCH /applications/:appId': { remarkInfo: 'x' },
  'POST /templates': { templateName: 'Sweep', smsType: 2, appId: 'app-of-nobody', content: 'Hello there' },
  'PATCH /templates/:templateId': { templateName: 'Sweep' },
  'POST /senders': { appId: 'app-of-nobody', senderId: 'SWEEP' },
  'POST /tasks': { taskName: 'Sweep', draft: true },
  'PATCH /tasks/:taskId': { taskName: 'Sweep' },
  'POST /tasks/:taskId/test': { mobileNumber: '09171234567' },
  'POST /messages': { to: '09171234567', smsType: 2, content: 'Hello there' },
  'POST /files/:fileId/read': { hasHeader: true, phoneColumn: 0 },
  'POST /reviews/:kind/:id/approve': {},
  'POST /reviews/:kind/:id/reject': { reason: 'x' },
  'POST /suppliers': { supplierAccount: 'sweep', host: 'localhost', port: 2775, systemId: 'sweep', password: 'sweep' },
  'PATCH /suppliers/:supplierId': { version: 1 },
  'POST /routes': { routeName: 'Sweep', supplierId },
  'PATCH /routes/:routeId': { version: 1 },
  'POST /prices': { customerId: null, price: 3_500 },
  'PATCH /prices/:priceId': { price: 3_500, version: 1 },
  'POST /applications/:appId/secret': { currentPassword: 'x' },
  'POST /applications/:appId/smpp-password': { currentPassword: 'x' },
  'PUT /privacy/:customerId': { recordDays: 180, uploadDays: 30 },
  'POST /privacy/:customerId/find': { mobileNumber: '09171234567' },
  'POST /privacy/:customerId/export': { mobileNumber: '09171234567' },
  'POST /privacy/:customerId/erase': { mobileNumber: '09171234567', currentPassword: 'x' },
};
const bodyOf = (key: string, definition: RouteDefinition): { body?: object } => {
  if (definition.body === undefined) return {};
  const body = bodies[key];
  assert.ok(body, `${key}: no body to ask with`);
  return { body };
};

/** What the public routes answer to a visitor who knows nothing, where there is an admin. */
const publicAnswers: Record<string, [status: number, code: string | undefined]> = {
  'POST /session': [401, 'PASSWORD_INCORRECT'],
  'POST /session/second-factor': [410, 'SIGN_IN_STEP_ENDED'],
  'POST /session/second-factor/passkey': [410, 'SIGN_IN_STEP_ENDED'],
  'POST /session/passkey/question': [200, undefined],
  'POST /session/passkey': [410, 'SIGN_IN_STEP_ENDED'],
  'POST /captcha': [200, undefined],
  'POST /captcha/:captchaId/answer': [403, 'CAPTCHA_FAILED'],
  'POST /codes': [202, undefined],
  'POST /password-resets/by-phone': [400, 'CODE_INVALID'],
  'POST /password-resets/verify': [400, 'CODE_INVALID'],
  'POST /password-resets': [410, 'RESET_ENDED'],
  'GET /dev/outbox': [400, 'VALIDATION_FAILED'],
  'POST /invitations/check': [403, 'INVITATION_INVALID'],
  'POST /invitations/accept': [403, 'INVITATION_INVALID'],
  'POST /setup/check': [409, 'SETUP_DONE'],
  'POST /setup': [409, 'SETUP_DONE'],
};

test('every route of the contract is served', async () => {
  for (const [key, definition] of all) {
    const answer = await api.ask(
      null,
      fill(key, nobodys),
      definition.access === 'public' ? bodyOf(key, definition) : {},
    );
    const expected = definition.access === 'public' ? publicAnswers[key] : [401, 'NOT_SIGNED_IN'];
    assert.deepEqual([answer.status, answer.body.code], expected, `${key}: ${answer.text}`);
  }
});

test("S1 another customer's id is answered like an id of nobody, on every route that takes one", async () => {
  // What a visitor has an id of is no customer's.
  const withId = all.filter(([key, { access }]) => key.includes(':') && access !== 'public');
  assert.ok(withId.length >= 30);
  for (const [key, definition] of withId) {
    const ask = async (by: Record<string, string>) => {
      const given = { ...bodyOf(key, definition), ...basicFor(definition, 'otherApp') };
      const { status, body } = await api.ask('other', fill(key, by), given);
      return { status, code: body?.code, title: body?.title, params: body?.params, errors: body?.errors };
    };
    const theirs = await ask(ids);
    assert.equal(theirs.status, 404, `${key}: ${JSON.stringify(theirs)}`);
    assert.deepEqual(theirs, await ask(nobodys), key);
  }
  const touched = await many(api.db.pool, sql`select 1 from audit_log where user_id = ${api.users.other.userId}`);
  assert.equal(touched.length, 0);
});

test('S2 a role that the contract does not name is refused on every route, before anything else is looked at', async () => {
  for (const [key, { access }] of all) {
    if (typeof access === 'string') continue;
    for (const role of ['owner', 'member', 'viewer', ...staffRoles] as const satisfies Role[]) {
      if (access.includes(role)) continue;
      const { status } = await api.ask(role, fill(key, ids));
      assert.ok(status === 403 || status === 404, `${key} as ${role}: ${status}`);
    }
  }
});

test('S5 a field that the contract does not name is refused on every route that takes a body, and changes nothing', async () => {
  const before = await many(api.db.pool, sql`select count(*) from audit_log`);
  for (const [key, definition] of all) {
    if (definition.body === undefined || definition.access === 'public') continue;
    const who: Who = Array.isArray(definition.access) && definition.access.includes('owner') ? 'owner' : 'admin';
    for (const field of ['customerId', 'role', 'auditStatus', 'taskStatus', 'chargeType', 'useState', 'price']) {
      // Prices are made of these.
      if (field in (bodies[key] ?? {})) continue;
      const answer = await api.ask(who, fill(key, ids), {
        body: { ...bodies[key], [field]: 1 },
        ...basicFor(definition, 'app'),
      });
      assert.equal(answer.status, 400, `${key} with ${field}: ${answer.text}`);
      assert.equal(answer.body.code, 'VALIDATION_FAILED');
      assert.ok(answer.body.errors.some((each: { field: string }) => each.field === field));
    }
  }
  assert.deepEqual(await many(api.db.pool, sql`select count(*) from audit_log`), before);
});

test("S3 another customer's ids in a query or a body find nothing", async () => {
  for (const [key, definition] of all) {
    if (!key.startsWith('GET ') || key.includes(':') || definition.query === undefined) continue;
    if (!Array.isArray(definition.access) || !definition.access.includes('owner')) continue;
    const { status } = await api.ask('other', key, { query: { customerId } });
    assert.ok(status === 400 || status === 404, `${key}: ${status}`);
  }
  for (const key of ['GET /templates', 'GET /senders', 'GET /tasks']) {
    const { status, body } = await api.ask('other', key, { query: { appId } });
    assert.equal(status, 200, key);
    assert.deepEqual(body.items, [], key);
  }
  for (const [key, body, code] of [
    ['POST /templates', { templateName: 'Mine', smsType: 2, appId, content: 'Hello there' }, 'APP_NOT_FOUND'],
    ['POST /senders', { appId, senderId: 'MINE' }, 'APP_NOT_FOUND'],
    ['POST /tasks', { taskName: 'Mine', appId, draft: true }, 'APP_NOT_FOUND'],
    ['POST /tasks', { taskName: 'Mine', templateId, draft: true }, 'TEMPLATE_NOT_FOUND'],
    ['POST /tasks', { taskName: 'Mine', fileId: ids['fileId'], draft: true }, 'FILE_NOT_FOUND'],
  ] as const)
    assert.equal((await api.ask('other', key, { body })).body.code, code, key);
});

test('every list that says so answers csv', async () => {
  for (const [key, definition] of all) {
    if (definition.csv !== true) continue;
    const who: Who = Array.isArray(definition.access) && !definition.access.includes('owner') ? 'admin' : 'owner';
    const answer = await api.ask(who, fill(key, ids), { ...bodyOf(key, definition), headers: { accept: 'text/csv' } });
    assert.equal(answer.status, 200, `${key}: ${answer.text}`);
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8', key);
    assert.ok(answer.text.startsWith('\ufeff'), key);
  }
});

test('codes that a route names exist in the catalogue with the status they answer', () => {
  for (const [key, definition] of all)
    for (const code of definition.errors ?? []) assert.ok(errorCatalogue[code].status >= 400, `${key} ${code}`);
});

test('S31 no value of any field or query brings the server to a fault', async () => {
  const hostile: unknown[] = [
    null,
    '',
    ' ',
    '\u202e\u200b\ufeff',
    '%_\\\'";--',
    '{1}'.repeat(500),
    '😀'.repeat(200),
    'x'.repeat(5_000),
    -1,
    0,
    2 ** 53,
    1.5,
    true,
    [],
    [[[]]],
    {},
    '2026-13-45T99:99:99Z',
    '9999-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2026-01-01T00:00:00+23:59',
    // A zone to one table of zones, and not to another.
    'VST',
    '../../etc/passwd',
  ];
  const { paths } = makeOpenApi();
  let calls = 0;
  for (const [key, definition] of all) {
    const [method = '', template = ''] = key.split(' ');
    // Streams stay open, uploads have tests of their own, and signing in is slow on purpose.
    if (definition.answer === 'events' || definition.multipart === true || definition.access === 'public') continue;
    const operation = paths[template.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    const who: Who = Array.isArray(definition.access) && !definition.access.includes('owner') ? 'admin' : 'owner';
    const ask = async (input: { query?: Record<string, string>; body?: object }) => {
      calls += 1;
      // Ended sessions, removed rows and a customer that is suspended are not the point here.
      const isEnd = key.startsWith('DELETE') || key.endsWith('/suspend');
      const route = key === 'DELETE /session' ? 'GET /session' : fill(key, isEnd ? nobodys : ids);
      const { status, text } = await api.ask(who, route, { ...input, ...basicFor(definition, 'app') });
      assert.ok(status < 500, `${key} ${JSON.stringify(input).slice(0, 200)}: ${status} ${text}`);
      assert.doesNotMatch(text.slice(0, 2_000), /\bat .+\.[jt]s:\d+/);
    };
    for (const { name } of operation?.parameters?.filter((each) => each.in === 'query') ?? [])
      for (const value of hostile)
        await ask({ query: { [name]: typeof value === 'string' ? value : JSON.stringify(value) } });
    const schema = operation?.requestBody?.content['application/json']?.schema as { properties?: object } | undefined;
    for (const name of Object.keys(schema?.properties ?? {}))
      for (const value of hostile) await ask({ body: { ...bodies[key], [name]: value } });
  }
  assert.ok(calls > 1_500, `${calls} calls`);
});

test('a cursor of an instant that never was is no cursor', async () => {
  const cursorOf = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  for (const time of ['2026-02-30 00:00:00+00', '0000-01-01 00:00:00+00', '2026-01-01 24:00:00+00'])
    for (const [who, key, cursor] of [
      ['owner', 'GET /tasks', cursorOf('tasks:-createTime', time, uuidV7())],
      ['owner', 'GET /templates', cursorOf('-updateTime', time, uuidV7())],
      ['owner', `GET /tasks/${ids['taskId']}/log`, cursorOf('log', time)],
      ['reviewer', 'GET /reviews', cursorOf('reviews:0', time, uuidV7(), '1')],
    ] as const) {
      const { status, body } = await api.ask(who, key, { query: { cursor } });
      assert.deepEqual([status, body.code], [400, 'CURSOR_INVALID'], `${key} ${time}`);
    }
});

test('S56 an act from a link-local address is on record', async () => {
  const { status, text } = await api.ask('owner', 'POST /tasks', {
    body: { taskName: 'From the next room', draft: true },
    ip: 'fe80::1%eth0',
  });
  assert.equal(status, 201, text);
  const [row] = await many<{ ip: string }>(
    api.db.pool,
    sql`select host(ip) as ip from audit_log where subject_type = 'task' order by audit_id desc limit 1`,
  );
  assert.equal(row?.ip, 'fe80::1');
});

test('S56 each act writes one entry into the audit log, and no phone number', async () => {
  const entries = async () =>
    many<{ action: string; text: string }>(
      api.db.pool,
      sql`select action, coalesce(before::text, '') || coalesce(after::text, '') as text from audit_log order by audit_id`,
    );
  const act = async (who: Who, route: string, body?: object, headers: Record<string, string> = {}) => {
    const before = (await entries()).length;
    const answer = await api.ask(who, route, { ...(body && { body }), headers });
    assert.ok(answer.status < 300, `${route}: ${answer.text}`);
    const written = (await entries()).slice(before);
    assert.equal(written.length, 1, `${route}: ${JSON.stringify(written)}`);
    assert.doesNotMatch(written[0]?.text ?? '', /9171234567/);
    return answer.body;
  };
  // Wrong passwords of the tests before.
  await run(api.db.pool, sql`delete from attempt`);
  const app = await act('owner', 'POST /applications', { appName: 'Audited', remarkInfo: 'x' });
  for (const action of ['disable', 'enable']) await act('owner', `POST /applications/${app.appId}/${action}`);
  for (const action of ['secret', 'smpp-password'])
    await act('owner', `POST /applications/${app.appId}/${action}`, { currentPassword: defaultPassword });
  const { secrets } = (await api.ask('owner', `GET /applications/${app.appId}`)).body;
  await act('owner', `DELETE /applications/${app.appId}/secrets/${secrets[1].secretId}`);
  await act('reviewer', `POST /records/${ids.messageId}/unmask`);
  const number = { mobileNumber: '0917 123 4567' };
  await act('owner', `PUT /privacy/${customerId}`, { recordDays: 180, uploadDays: 30 });
  await act('owner', `POST /privacy/${customerId}/find`, number);
  await act('admin', `POST /privacy/${customerId}/export`, number);
  await act('admin', `POST /privacy/${customerId}/export`, number, { accept: 'text/csv' });
  const mine = { mobileNumber: '0918 765 4321', currentPassword: defaultPassword };
  await act('owner', `POST /privacy/${customerId}/erase`, mine);
  await act('owner', `PATCH /applications/${app.appId}`, { appName: 'Audited again' });
  const ofApp = { appId: app.appId, smsType: 2 };
  const made = await act('member', 'POST /templates', { ...ofApp, templateName: 'Audited', content: 'Hello there' });
  await act('member', `PATCH /templates/${made.templateId}`, { content: 'Hello again' });
  await act('reviewer', `POST /reviews/templates/${made.templateId}/approve`, {});
  const sender = await act('member', 'POST /senders', { appId: app.appId, senderId: 'AUDITED' });
  await act('reviewer', `POST /reviews/senders/${sender.id}/reject`, { reason: 'No.' });
  for (const action of ['disable', 'enable']) await act('member', `POST /senders/${sender.id}/${action}`);
  await act('member', `DELETE /templates/${made.templateId}`);
  const draft = await act('member', 'POST /tasks', { taskName: 'Audited', draft: true });
  await act('member', `PATCH /tasks/${draft.taskId}`, { taskName: 'Audited again' });
  await act('member', `DELETE /tasks/${draft.taskId}`);
  const task = { customerId, appId, templateId, smsType: 2, totalCount: 1 } as const;
  const going = await buildTask(api.db.pool, { ...task, taskStatus: TaskStatus.Sending });
  for (const [who, action] of [
    ['operator', 'pause'],
    ['operator', 'resume'],
    ['admin', 'terminate'],
  ] as const)
    await act(who, `POST /tasks/${going}/${action}`);
  const waiting = await buildTask(api.db.pool, { ...task, taskStatus: TaskStatus.Confirmed });
  await act('owner', `POST /tasks/${waiting}/cancel`);
  const csv = { accept: 'text/csv' };
  await act('viewer', 'GET /records?phoneAddress=0917+123+4567', undefined, csv);
  await act('reviewer', `GET /tasks/${going}/details?mobileNumber=%2B63-917-123-4567`, undefined, csv);
  await act('member', 'PATCH /account', { theme: 'dark' });
  await act('owner', 'PATCH /account/customer', { requireTwoFactor: false });
  await act('member', 'POST /account/two-factor', { currentPassword: defaultPassword });
  await act('owner', `PATCH /account/passkeys/${passkeyId}`, { name: 'Audited' });
  await act('owner', 'POST /account/two-factor/recovery-codes', { currentPassword: defaultPassword });
  await act('owner', `POST /account/passkeys/${passkeyId}/delete`, { currentPassword: defaultPassword });
  await act('member', 'DELETE /account/sessions');
  await act('owner', 'DELETE /session');
});
