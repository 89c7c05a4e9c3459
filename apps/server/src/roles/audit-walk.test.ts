/**
 * Every unsafe route of the contract, called so that it succeeds, writes exactly one entry into the audit log. A route
 * that is neither walked nor listed with a reason fails the test: new routes must be added here.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ClientStatus, makeOpenApi, routes, TaskStatus } from '@pahatid/contract';
import { many, one, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import {
  buildAccountRequest,
  buildAssignedNumber,
  buildCustomer,
  buildKey,
  buildSender,
  buildSmppBind,
  buildTemplate,
  buildUser,
  defaultPassword,
} from '@pahatid/db/builders';
import { saveAbTest } from '@pahatid/db/queries/ab-tests';
import { insertEnquiry } from '@pahatid/db/queries/enquiries';
import { insertInbound } from '@pahatid/db/queries/inbound';
import { pauseLanes } from '@pahatid/db/queries/restores';
import { Secret, TOTP } from 'otpauth';
import { makeTaskWorld, putInDoubt } from '../http/testing/task-world.ts';
import { type Answer, makeTestApi, type Who } from '../http/testing/test-api.ts';
import { Authenticator } from '../second-factors/testing/authenticator.ts';
import { apiFeatures } from './api.ts';

const origin = 'http://localhost:8080';
const api = await makeTestApi({ features: apiFeatures, config: { publicUrl: origin } });
const { customerId, appId } = api;
const { pool } = api.db;
const world = await makeTaskWorld(pool, customerId, appId);
const currentPassword = defaultPassword;
const fresh = 'Kumusta@2026';
let unique = 0;
const word = (): string => `walk${++unique}`;

/** Not in the log, and why. */
const unlogged: Record<string, string> = {
  'POST /messages': 'a message is its own record, with its application and its time',
  'POST /messages/preview': 'looks',
  'POST /groups/count-selection': 'looks',
  'DELETE /messages/:messageId': 'a cancelled message says so itself, with its application and its time',
  'POST /verifications': 'a verification is its own record, with its application and its time',
  'POST /verifications/:verificationId/check': 'the state of the verification is its own record',
  'POST /verifications/:verificationId/cancel': 'the state of the verification is its own record',
  'POST /messages/:messageId/conversion': 'the report is its own record, with its time',
  'POST /captcha/work': 'a visitor is about to ask for a puzzle; nothing is kept',
  'POST /captcha': 'shows a visitor a puzzle',
  'POST /enquiries/ticket': 'a visitor begins to write; nothing is kept',
  'POST /enquiries': 'an enquiry is its own record',
  'POST /demo-visits/ticket': 'a visitor asks to look; nothing is kept',
  'POST /demo-visits': 'a visit to a demo is not identified',
  'POST /account-requests/ticket': 'a visitor begins to write; nothing is kept',
  'POST /account-requests': 'a request for an account is its own record',
  'POST /account-requests/confirm': 'the state of the request is its own record',
  'POST /captcha/:captchaId/answer': 'a visitor answers a puzzle',
  'POST /session/passkey/question': 'a question to an authenticator; what signs in is the answer',
  'POST /session/second-factor/passkey': 'a question to an authenticator; what signs in is the answer',
  'POST /setup/check': 'looks',
  'PUT /view-settings/:list': 'how a person has a list is no act on anything',
  'POST /invitations/check': 'looks',
  'POST /thresholds/forecast': 'looks',
  'POST /notices/read': 'a person looks at its own notices',
  'POST /notices/:noticeId/read': 'a person looks at its own notices',
  'POST /conversations/:conversationId/messages/preview': 'looks',
  'POST /keyword-rules/test': 'looks',
  'POST /conversations/:conversationId/read': 'people of a customer look at its replies',
  'POST /password-resets/verify': 'a step of a reset, which has its entry at the end',
};

/** Needs what only that test has (an authenticator, an empty installation, a code by SMS). */
const elsewhere: Record<string, string> = {
  'POST /setup': 'features/setup/setup.test.ts',
  'POST /codes': 'features/codes/codes.test.ts',
  'POST /password-resets/by-phone': 'features/passwords/passwords.test.ts',
  'POST /password-resets': 'features/passwords/passwords.test.ts',
  'POST /account/phone': 'features/account/phone.test.ts',
};

type Step = (key: string) => Promise<Answer>;
/** A call that succeeds; its prerequisites are created first, directly or by separate calls. */
const ask =
  (who: Who, ids: Record<string, string> | (() => Promise<Record<string, string>>), body?: object): Step =>
  async (key) => {
    const by = typeof ids === 'function' ? await ids() : ids;
    const route = key.replace(/:(\w+)/g, (_, name: string) => by[name] ?? assert.fail(`${key}: no ${name}`));
    counted = await count();
    const { cookie } = by;
    return api.ask(cookie === undefined ? who : null, route, {
      ...(body !== undefined && { body }),
      ...(cookie !== undefined && { headers: { cookie } }),
    });
  };
let counted = 0;
const count = async (): Promise<number> =>
  (await one<{ n: number }>(pool, sql`select count(*)::int as n from audit_log`)).n;

const made = async (who: Who, key: string, body?: object): Promise<Answer['body']> => {
  const answer = await api.ask(who, key, body === undefined ? {} : { body });
  assert.ok(answer.status < 300, `${key}: ${answer.text}`);
  return answer.body;
};
const task = (taskStatus: TaskStatus) => async () => ({ taskId: await world.addTask({ taskStatus }) });
/** A webhook address, which the guard keeps unreachable, and an event for it. */
const told = async () => {
  const [endpointId, eventId] = [uuidV7(), uuidV7()];
  await run(
    pool,
    sql`insert into callback_endpoint (endpoint_id, customer_id, kind, url, state)
        values (${endpointId}, ${customerId}, 'alert', ${`https://127.0.0.1/${word()}`}, 'enabled')`,
  );
  await run(
    pool,
    sql`insert into callback_event (event_id, customer_id, endpoint_id, type, facts, at, next_at)
        values (${eventId}, ${customerId}, ${endpointId}, 'test', '{}', now(), now())`,
  );
  return { endpointId, eventId };
};
const template = async () => ({ templateId: await buildTemplate(pool, { customerId, appId }) });
/** Each conversation has a separate phone. */
let phones = 1_234_567;
const conversation = async () => {
  const conversationId = uuidV7();
  await insertInbound(pool, {
    ...{ customerId, appId, messageId: null, taskId: null, supplierId: uuidV7(), inboundId: conversationId },
    ...{ msisdn: `63917${String(++phones).padStart(7, '0')}`, content: 'Hello?', receivedMs: Date.now() },
    ...{ destination: 'SHOP', isOptOut: false },
  });
  return { conversationId };
};
const file = async () => {
  const fileId = await world.addFile(3);
  await run(
    pool,
    sql`insert into file_chunk (file_id, seq, customer_id, bytes) values (${fileId}, 0, ${customerId}, 'phone')`,
  );
  return { fileId };
};
const number = async (digits: string) => {
  const made = await buildAssignedNumber(pool, { customerId, appId, number: digits });
  return { customerId, numberId: made };
};
const sender = async () => ({
  id: (await made('owner', 'POST /senders', { appId, areaCode: 'PH', senderId: word().toUpperCase() })).id as string,
});
const application = async () => ({
  appId: (await made('owner', 'POST /applications', { appName: word(), remarkInfo: 'x' })).appId as string,
});
const supplierBody = () => ({
  supplierAccount: word(),
  host: 'localhost',
  port: 2775,
  systemId: 'x',
  password: 'secret',
});
const supplier = async () => ({
  supplierId: (await made('admin', 'POST /suppliers', supplierBody())).supplierId as string,
});
const routeBody = async () => ({ routeName: word(), ...(await supplier()) });
const route = async () => ({ routeId: (await made('admin', 'POST /routes', await routeBody())).routeId as string });
const priceBody = async () => ({ customerId: await buildCustomer(pool, {}), price: 3_500 });
const price = async () => ({ priceId: (await made('admin', 'POST /prices', await priceBody())).priceId as string });
const enquiry = async () => {
  const given = {
    name: 'Walk',
    email: 'walk@shop.example',
    message: 'How much is it, please?',
    locale: 'en-US' as const,
  };
  const row = { ...given, company: null, phone: null, ip: '203.0.113.9', createdAt: api.deps.now() };
  return { enquiryId: await insertEnquiry(api.db.pool, row) };
};
const accountRequest = async () => ({ accountRequestId: await buildAccountRequest(pool) });
const prefix = async () => ({
  prefix: (await made('admin', 'POST /prefixes', { prefix: `6388${++unique}`, carrier: 'Smart' })).prefix as string,
});
const planBody = async () => ({
  ...(await priceBody()),
  effectiveTime: new Date(Date.now() + 86_400_000).toISOString(),
});
const plan = async () => ({
  changeId: (await made('admin', 'POST /price-changes', await planBody())).changeId as string,
});
const claimed = async () => {
  const id = await world.addTask({ taskStatus: TaskStatus.PendingReview });
  await made('reviewer', `POST /reviews/tasks/${id}/claim`);
  return { kind: 'tasks', id };
};
const customer = async () => ({ customerId: await buildCustomer(pool, {}) });
/** A top-up of one admin that awaits approval by another, whose session it is. */
const waiting = async () => {
  const { approvalId } = await made('admin', `POST /customers/${(await customer()).customerId}/ledger`, {
    amount: 2_000_000_000,
  });
  const { userId } = await buildUser(pool, { role: 'admin' });
  return { approvalId: approvalId as string, cookie: await api.signIn(userId) };
};
const paper = { kind: 'other', name: 'Permit.pdf', content: Buffer.from('%PDF-1.7').toString('base64') };
const dossier = async (state: string) => {
  const senderKey = await buildSender(pool, { customerId, appId, senderId: word().slice(0, 11) });
  const { dossierId } = await made('member', `POST /senders/${senderKey}/dossiers`, { carrier: 'Globe' });
  const { papers } = await made('member', `POST /dossiers/${dossierId}/papers`, paper);
  await made('member', `POST /dossiers/${dossierId}/domains`, { domain: 'walk.example' });
  await run(pool, sql`update sender_dossier set state = ${state} where dossier_id = ${dossierId}`);
  return { customerId, senderKey, dossierId, paperId: papers[0].paperId, domain: 'walk.example' };
};
const topUp = async () => ({
  customerId,
  topUpId: (await made('owner', 'POST /top-ups', { amount: 10_000, reference: 'Slip' })).topUpId as string,
});
const member = async () => ({ userId: (await buildUser(pool, { customerId, role: 'member' })).userId });
const inviteBody = () => ({ email: `${word()}@shop.example`, role: 'viewer' });
const invitation = async () => ({
  invitationId: (await made('owner', 'POST /members', inviteBody())).invitationId as string,
});
const person = async () => {
  const user = await buildUser(pool, { customerId, role: 'member' });
  return { ...user, cookie: await api.signIn(user.userId) };
};
/** A person with an authenticator app: begun, or in force. */
const withApp = async (isOn: boolean) => {
  const found = await person();
  const headers = { cookie: found.cookie };
  const begun = await api.ask(null, 'POST /account/two-factor', { headers, body: { currentPassword } });
  const code = TOTP.generate({
    secret: Secret.fromBase32(begun.body.secret),
    timestamp: api.deps.now().getTime(),
  });
  if (!isOn) return { ...found, code, recoveryCode: '' };
  const confirmed = await api.ask(null, 'POST /account/two-factor/confirm', { headers, body: { code } });
  return { ...found, code, recoveryCode: confirmed.body.recoveryCodes[0] };
};
const cookiesOf = ({ headers }: Answer): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => String(line).split(';')[0])
    .join('; ');
const beginPasskey = async () => {
  const [found, authenticator] = [await person(), new Authenticator(origin, 'localhost')];
  const headers = { cookie: found.cookie };
  const { body } = await api.ask(null, 'POST /account/passkeys/question', { headers, body: { currentPassword } });
  const attestation = authenticator.register(body.options);
  return { found, authenticator, making: { challenge: body.challenge, name: 'Walk', attestation } };
};
const passkeyOf = async () => {
  const found = await person();
  const passkeyId = (await one<{ id: string }>(pool, sql`select gen_random_uuid() as id`)).id;
  await run(
    pool,
    sql`insert into passkey (passkey_id, user_id, name, credential_id, public_key, sign_count, transports, backed_up, created_at)
        values (${passkeyId}, ${found.userId}, 'Walk', ${passkeyId}, '\\x00', 0, '{}', false, now())`,
  );
  return { ...found, passkeyId };
};
/** A user with a passkey, which another user removes. */
const secured = async (of: string | null = customerId) => {
  const { userId } = await buildUser(pool, { customerId: of, role: of === null ? 'reviewer' : 'member' });
  await run(
    pool,
    sql`insert into passkey (passkey_id, user_id, name, credential_id, public_key, sign_count, transports, backed_up, created_at)
        values (gen_random_uuid(), ${userId}, 'Walk', ${userId}, '\\x00', 0, '{}', false, now())`,
  );
  return { customerId, userId };
};
const reset = { reason: 'The phone was lost', currentPassword };
const messageOf = (clientStatus: ClientStatus) => ({
  msisdn: '639171234567',
  content: 'x',
  carrier: 'Globe',
  clientStatus,
});
/** One message that failed, and one of which it is not known. */
/** An A/B test whose variants have begun. */
const begunTest = async () => {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Confirmed });
  const variants = [0, 60].map((delayMinutes) => ({ templateId: world.templateId, share: 10, delayMinutes }));
  await saveAbTest(pool, { taskId, customerId }, { variants, rule: 'manual', waitMinutes: 60, fallback: null });
  await pool.query(`update ab_test set started_at = now() where task_id = $1`, [taskId]);
  await pool.query(
    `update ab_variant set content = 'Hi', template_version = 1, rest_segments = 1, rest_cost = 1 where task_id = $1`,
    [taskId],
  );
  return { taskId };
};
const sent = async () => {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Completed, endedAt: new Date() });
  const batchId = await world.addBatch(taskId, [messageOf(ClientStatus.Rejected), messageOf(ClientStatus.Submitted)]);
  await putInDoubt(pool, [String(batchId + 1n)], 73);
  return { taskId };
};
const message = async () => {
  const taskId = await world.addTask({ taskStatus: TaskStatus.Sending });
  const messageId = await world.addBatch(taskId, [messageOf(ClientStatus.Delivered)]);
  return { messageId: String(messageId) };
};
const customerBody = () => ({ customerName: word(), ownerEmail: `${word()}@shop.example`, invite: 'link' });
const frequency = { kind: 'frequency', perDay: 3 };

const consent = { source: 'store', givenTime: '2026-01-05T02:00:00Z', wording: 'Yes, send me offers' };
const linkBody = () => ({ linkName: word(), targetUrl: 'https://example.com/' });
const link = async () => ({ linkId: (await made('member', 'POST /short-links', linkBody())).linkId as string });
const chartBody = () => ({ tabName: word(), chartType: 'line', selectedMetrics: ['reqTotalNum'] });
const rule = async () => ({
  thresholdId: (await made('owner', 'POST /thresholds', { kind: 'frequency', perDay: 9 })).thresholdId as string,
});
const pausingRule = async () => {
  const body = { kind: 'quality', metric: 'failed', bound: 100, windowMinutes: 5, act: 'pauseApplication', appId };
  const { thresholdId } = await made('owner', 'POST /thresholds', body);
  await run(pool, sql`update application set paused_by = ${thresholdId} where app_id = ${appId}`);
  return { thresholdId: thresholdId as string };
};
const chart = async () => ({ chartId: (await made('member', 'POST /charts', chartBody())).chartId as string });

const savedFilterBody = () => ({ list: 'records', name: word(), filters: { days: 7 } });
const keywordRuleBody = async () => {
  const templateId = await buildTemplate(pool, { customerId, appId, content: 'Open from 9 to 8.', smsType: 2 });
  return { appId, keywords: ['hours'], templateId };
};
const keywordRule = async () => ({
  ruleId: (await made('member', 'POST /keyword-rules', await keywordRuleBody())).ruleId as string,
});
const savedReply = async () => ({
  savedReplyId: (await made('member', 'POST /saved-replies', { name: word(), content: 'Thanks' }))
    .savedReplyId as string,
});
const savedFilter = async () => ({
  filterId: (await made('viewer', 'POST /saved-filters', savedFilterBody())).filterId as string,
});
const exported = async (who: Who, isOver: boolean) => {
  const { exportId } = await made(who, 'POST /exports', { list: 'records' });
  if (isOver) await made(who, `POST /exports/${exportId}/cancel`);
  return { exportId: exportId as string };
};

const group = async () => {
  const { groupId } = await made('member', 'POST /groups', { groupName: word(), variableNames: ['name'] });
  await made('member', `POST /groups/${groupId}/members`, { members: [{ mobileNumber: '09171234567' }] });
  return { groupId: groupId as string };
};

const steps: Record<string, Step> = {
  'POST /session': async (key) => ask(null, {}, { account: (await person()).account, password: defaultPassword })(key),
  'POST /session/second-factor': async (key) => {
    const { account, recoveryCode } = await withApp(true);
    const first = await api.ask(null, 'POST /session', { body: { account, password: defaultPassword } });
    const { challenge } = first.body.params;
    return ask(null, { cookie: cookiesOf(first) }, { challenge, method: 'recoveryCode', code: recoveryCode })(key);
  },
  'POST /session/passkey': async (key) => {
    const { found, authenticator, making } = await beginPasskey();
    await api.ask(null, 'POST /account/passkeys', { headers: { cookie: found.cookie }, body: making });
    const asked = await api.ask(null, 'POST /session/passkey/question', { body: {} });
    const assertion = authenticator.sign(asked.body.options);
    return ask(null, { cookie: cookiesOf(asked) }, { challenge: asked.body.challenge, assertion })(key);
  },
  'DELETE /session': ask(null, person),
  'POST /session/proof': ask(null, person, { currentPassword }),
  'POST /account/phone/code': ask(null, person, { phone: '0917 555 0101', currentPassword }),
  'POST /account/phone/remove': ask(
    null,
    async () => {
      const found = await person();
      await run(pool, sql`update app_user set msisdn = '639175550102' where user_id = ${found.userId}`);
      return found;
    },
    { currentPassword },
  ),
  'POST /account/passkeys/question': ask(null, person, { currentPassword }),
  'POST /account/passkeys': async (key) => {
    const { found, making } = await beginPasskey();
    return ask(null, found, making)(key);
  },
  'PATCH /account': ask(null, person, { name: 'Another Name' }),
  'PATCH /account/customer': ask('owner', {}, { requireTwoFactor: false }),
  'POST /account/two-factor': ask(null, person, { currentPassword }),
  'POST /account/two-factor/confirm': async (key) => {
    const { code, ...by } = await withApp(false);
    return ask(null, by, { code })(key);
  },
  'POST /account/two-factor/disable': ask(null, () => withApp(true), { currentPassword }),
  'POST /account/two-factor/recovery-codes': ask(null, () => withApp(true), { currentPassword }),
  'PATCH /account/passkeys/:passkeyId': ask(null, passkeyOf, { name: 'New' }),
  'POST /account/passkeys/:passkeyId/delete': ask(null, passkeyOf, { currentPassword }),
  'DELETE /account/sessions/:sessionId': ask(null, async () => {
    const found = await person();
    await api.signIn(found.userId);
    const listed = await api.ask(null, 'GET /account/sessions', { headers: { cookie: found.cookie } });
    const other = listed.body.items.find((each) => !each.current);
    return { ...found, sessionId: other.sessionId };
  }),
  'DELETE /account/sessions': ask(null, async () => {
    const found = await person();
    await api.signIn(found.userId);
    return found;
  }),
  'POST /password': ask(null, person, { currentPassword, newPassword: fresh, confirmPassword: fresh }),
  'POST /applications': ask('owner', {}, { appName: word(), remarkInfo: 'x' }),
  'PATCH /applications/:appId': ask('owner', application, { remarkInfo: 'another' }),
  'POST /applications/:appId/enable': ask('owner', async () => {
    const by = await application();
    await made('owner', `POST /applications/${by.appId}/disable`);
    return by;
  }),
  'POST /applications/:appId/disable': ask('owner', application),
  'POST /applications/:appId/secret': ask('owner', application, { currentPassword }),
  'PATCH /callback-endpoints/:endpointId': ask('owner', told, { batched: true }),
  'POST /keys': ask('owner', {}, { keyName: 'Walk', appId, scopes: ['tasks'] }),
  'DELETE /keys/:keyId': ask('owner', async () => ({ keyId: (await buildKey(pool, { customerId, appId })).keyId })),
  'POST /callback-endpoints/:endpointId/test': ask('owner', told),
  'POST /callback-endpoints/:endpointId/secret': ask('owner', told, { currentPassword }),
  'POST /callback-endpoints/:endpointId/replay': ask('owner', told, { from: '2026-01-01T00:00:00Z' }),
  'POST /callbacks/:eventId/retry': ask('owner', told),
  'POST /applications/:appId/smpp-password': ask('owner', application, { currentPassword }),
  'POST /applications/:appId/test-bind': ask('owner', application, { password: 'x' }),
  'DELETE /applications/:appId/binds/:bindId': ask('owner', async () => {
    const by = await application();
    return { ...by, bindId: await buildSmppBind(pool, { customerId, appId: by.appId }) };
  }),
  'DELETE /applications/:appId/secrets/:secretId': ask('owner', async () => {
    const by = await application();
    await made('owner', `POST /applications/${by.appId}/secret`, { currentPassword });
    const [old] = await many<{ id: string }>(
      pool,
      sql`select secret_id as id from application_secret where app_id = ${by.appId} and kind = 'http' and expires_at is not null`,
    );
    return { ...by, secretId: old?.id ?? '' };
  }),
  'POST /templates': ask('member', {}, { templateName: word(), smsType: 2, appId, content: 'Hello there' }),
  'PATCH /templates/:templateId': ask('member', template, { content: 'Hello again' }),
  'DELETE /templates/:templateId': ask('member', template),
  'POST /senders': ask('member', {}, { appId, areaCode: 'PH', senderId: 'WALKED' }),
  'POST /senders/:id/disable': ask('member', sender),
  'POST /senders/:id/enable': ask('member', async () => {
    const by = await sender();
    await made('member', `POST /senders/${by.id}/disable`);
    return by;
  }),
  'PUT /reviews/senders/:id/carriers': ask('operator', sender, { carrier: 'Globe', auditStatus: 1 }),
  'POST /files': async () => {
    counted = await count();
    const body = new FormData();
    body.set('file', new File(['phone\n09171234567\n'], 'walk.csv', { type: 'text/csv' }));
    // Uploads are read off a socket.
    const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
    const { cookie } = api.users.member;
    const got = await fetch(`${url}/api/v1/files`, { method: 'POST', headers: { cookie }, body });
    return { status: got.status, text: await got.text(), headers: {}, body: undefined };
  },
  'POST /files/:fileId/read': ask('member', file, { hasHeader: true, phoneColumn: 0 }),
  'DELETE /files/:fileId': ask('member', file),
  'POST /groups': ask('member', {}, { groupName: word() }),
  'POST /groups/combine': async (key) => {
    const groupIds = [(await group()).groupId, (await group()).groupId];
    return ask('member', {}, { groupName: word(), combination: 'subtract', groupIds })(key);
  },
  'POST /groups/dynamic': async (key) => {
    const conditions = [{ field: 'replied', operator: 'within', days: 7 }];
    const selection = { groupIds: [(await group()).groupId], conditions };
    return ask('member', {}, { groupName: word(), selection })(key);
  },
  'POST /groups/from-task': async (key) =>
    ask('member', {}, { groupName: word(), ...(await sent()), outcomes: ['refused'] })(key),
  'PATCH /groups/:groupId': ask('member', group, { groupName: word() }),
  'DELETE /groups/:groupId': ask('member', group),
  'POST /groups/:groupId/members': ask('member', group, { members: [{ mobileNumber: '09171234567' }] }),
  'PUT /groups/:groupId/members': async () => {
    const { groupId } = await group();
    counted = await count();
    const body = { members: [{ mobileNumber: '09171234567', variables: { name: 'Ana' } }], onDuplicate: 'overwrite' };
    return api.ask(null, `PUT /groups/${groupId}/members`, { body, headers: { authorization: api.basic.app } });
  },
  'POST /groups/:groupId/members/remove': ask('member', group, { mobileNumbers: ['09171234567'] }),
  'POST /groups/:groupId/import': async (key) => ask('member', group, { ...(await file()), onDuplicate: 'keep' })(key),
  'POST /opt-outs': ask('member', {}, { mobileNumbers: ['09171234567'], evidence: 'By telephone' }),
  'POST /opt-outs/remove': async (key) => {
    await made('member', 'POST /opt-outs', { mobileNumbers: ['09170000009'] });
    return ask('member', {}, { mobileNumber: '09170000009', reason: 'A mistake' })(key);
  },
  'POST /opt-outs/import': async (key) => ask('member', {}, await file())(key),
  'POST /consents': ask('member', {}, { mobileNumbers: ['09171234568'], ...consent }),
  'POST /consents/import': async (key) => ask('member', {}, { ...(await file()), ...consent })(key),
  'POST /consents/withdraw': async (key) => {
    await made('member', 'POST /consents', { mobileNumbers: ['09170000008'], ...consent });
    return ask('member', {}, { mobileNumber: '09170000008', reason: 'A mistake' })(key);
  },
  'PATCH /marketing-policy': ask('owner', {}, { consentRequired: true }),
  'POST /conversations/:conversationId/messages': ask('member', conversation, { content: 'We close at eight.' }),
  'PATCH /conversations/:conversationId': ask('member', conversation, { assigneeId: api.users.member.userId }),
  'POST /tasks': ask('member', {}, { taskName: 'Walked', draft: true }),
  'PATCH /tasks/:taskId': ask('member', task(TaskStatus.Draft), { taskName: 'Walked again' }),
  'DELETE /tasks/:taskId': ask('member', task(TaskStatus.Draft)),
  'POST /tasks/:taskId/submit': ask('member', task(TaskStatus.Draft)),
  'POST /tasks/:taskId/confirm': ask('member', task(TaskStatus.ValidationPassed)),
  'POST /tasks/:taskId/cancel': ask('member', task(TaskStatus.Confirmed)),
  'POST /tasks/:taskId/terminate': ask('operator', task(TaskStatus.Sending)),
  'POST /tasks/:taskId/pause': ask('operator', task(TaskStatus.Sending)),
  'POST /tasks/:taskId/resume': ask('operator', async () => ({
    taskId: await world.addTask({ taskStatus: TaskStatus.Sending, paused: 1 }),
  })),
  'POST /tasks/:taskId/ab-test/decide': ask('member', begunTest, { winner: 0 }),
  'POST /tasks/:taskId/retry': ask('member', sent),
  'POST /tasks/:taskId/resend': ask('member', sent),
  'POST /tasks/:taskId/copy': ask('member', task(TaskStatus.Draft), { taskName: 'A copy' }),
  'POST /tasks/:taskId/test': ask('member', task(TaskStatus.ValidationPassed), { mobileNumber: '09171234567' }),
  'POST /reviews/:kind/:id/claim': ask('reviewer', async () => ({
    kind: 'tasks',
    id: await world.addTask({ taskStatus: TaskStatus.PendingReview }),
  })),
  'POST /reviews/:kind/:id/release': ask('reviewer', claimed),
  'POST /reviews/:kind/:id/approve': ask('reviewer', claimed, {}),
  'POST /reviews/:kind/:id/reject': ask('reviewer', claimed, { reason: 'No.' }),
  'PUT /prohibited-terms': ask('admin', {}, { term: 'walked', lang: 'en', category: 'violent', level: 'flag' }),
  'DELETE /prohibited-terms/:id': ask('admin', async () => {
    const word = { term: 'walked away', lang: 'en', category: 'violent', level: 'flag' };
    return { id: (await made('admin', 'PUT /prohibited-terms', word)).id };
  }),
  'PUT /holidays/:day': ask('admin', { day: '2026-03-20' }, { name: 'Eidul Fitr' }),
  'DELETE /holidays/:day': ask('admin', async () => {
    await made('admin', 'PUT /holidays/2026-05-27', { name: 'Eidul Adha' });
    return { day: '2026-05-27' };
  }),
  'POST /records/:messageId/unmask': ask('reviewer', message),
  'PUT /privacy/:customerId': ask('owner', { customerId }, { recordDays: 90, uploadDays: 20 }),
  'POST /privacy/:customerId/find': ask('owner', { customerId }, { mobileNumber: '09170000009' }),
  'POST /privacy/:customerId/export': ask('owner', { customerId }, { mobileNumber: '09170000009' }),
  'POST /privacy/:customerId/report': ask(
    'owner',
    { customerId },
    { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', currentPassword },
  ),
  'POST /privacy/:customerId/erase': ask('owner', { customerId }, { mobileNumber: '09170000009', currentPassword }),
  'POST /suppliers': ask('admin', {}, supplierBody()),
  'PATCH /suppliers/:supplierId': ask('admin', supplier, { version: 1, tps: 7 }),
  'POST /suppliers/:supplierId/disable': ask('admin', supplier),
  'POST /suppliers/:supplierId/enable': ask('admin', async () => {
    const by = await supplier();
    await made('admin', `POST /suppliers/${by.supplierId}/disable`);
    return by;
  }),
  'POST /routes': async (key) => ask('admin', {}, await routeBody())(key),
  'PATCH /routes/:routeId': ask('admin', route, { version: 1, weight: 7 }),
  'POST /routes/:routeId/disable': ask('admin', route),
  'POST /routes/:routeId/enable': ask('admin', async () => {
    const by = await route();
    await made('admin', `POST /routes/${by.routeId}/disable`);
    return by;
  }),
  'DELETE /routes/:routeId': ask('admin', route),
  'POST /prices': async (key) => ask('admin', {}, await priceBody())(key),
  'PATCH /prices/:priceId': ask('admin', price, { price: 4_000, version: 1 }),
  'DELETE /prices/:priceId': ask('admin', price),
  'POST /suppliers/test-bind': ask('admin', {}, { host: '127.0.0.1', port: 1, systemId: 'x', password: 'secret' }),
  'POST /prefixes': ask('admin', {}, { prefix: '638899', carrier: 'Smart' }),
  'PATCH /prefixes/:prefix': ask('admin', prefix, { carrier: 'Globe', version: 1 }),
  'DELETE /prefixes/:prefix': ask('admin', prefix),
  'DELETE /enquiries/:enquiryId': ask('admin', enquiry),
  'POST /keyword-rules': async (key) => ask('member', {}, await keywordRuleBody())(key),
  'PATCH /keyword-rules/:ruleId': ask('member', keywordRule, { useState: 0 }),
  'DELETE /keyword-rules/:ruleId': ask('member', keywordRule),
  'POST /saved-replies': ask('member', {}, { name: 'Walked', content: 'We close at eight.' }),
  'PATCH /saved-replies/:savedReplyId': ask('member', savedReply, { content: 'We close at nine.' }),
  'DELETE /saved-replies/:savedReplyId': ask('member', savedReply),
  'POST /account-requests/:accountRequestId/approve': ask('admin', accountRequest, { customerName: word() }),
  'POST /account-requests/:accountRequestId/reject': ask('admin', accountRequest, { reason: 'No address' }),
  'POST /saved-filters': ask('viewer', {}, savedFilterBody()),
  'PATCH /saved-filters/:filterId': ask('viewer', savedFilter, { isDefault: 1 }),
  'DELETE /saved-filters/:filterId': ask('viewer', savedFilter),
  'POST /exports': ask('reviewer', {}, { list: 'records', query: {} }),
  'POST /exports/:exportId/cancel': ask('viewer', () => exported('viewer', false)),
  'DELETE /exports/:exportId': ask('owner', () => exported('owner', true)),
  'POST /price-changes': async (key) => ask('admin', {}, await planBody())(key),
  'DELETE /price-changes/:changeId': ask('admin', plan),
  'POST /members/:userId/reset-two-factor': ask('owner', secured, reset),
  'POST /customers/:customerId/users/:userId/reset-two-factor': ask('operator', secured, reset),
  'POST /staff/:userId/reset-two-factor': ask('admin', () => secured(null), reset),
  'POST /members': ask('owner', {}, inviteBody()),
  'PATCH /members/:userId': ask('owner', member, { role: 'viewer' }),
  'DELETE /members/:userId': ask('owner', member),
  'POST /invitations/:invitationId/resend': ask('owner', invitation),
  'DELETE /invitations/:invitationId': ask('owner', invitation),
  'POST /invitations/accept': async (key) => {
    const body = inviteBody();
    await made('owner', 'POST /members', body);
    const mail = await one<{ text: string }>(
      pool,
      sql`select body_text as text from mail where recipient = ${body.email}`,
    );
    const token = /#token=([\w-]+)/.exec(mail.text)?.[1];
    return ask(null, {}, { token, account: word(), name: 'Walker', password: fresh })(key);
  },
  'POST /customers': ask('admin', {}, customerBody()),
  'PATCH /customers/:customerId': ask('admin', customer, { version: 1, lowBalance: 5 }),
  'POST /customers/:customerId/owners': ask('admin', customer, { ownerEmail: 'walk@shop.example', invite: 'link' }),
  'POST /customers/:customerId/suspend': ask('admin', customer, { reason: 'Unpaid' }),
  'POST /customers/:customerId/resume': ask('admin', async () => {
    const by = await customer();
    await made('admin', `POST /customers/${by.customerId}/suspend`, { reason: 'Unpaid' });
    return by;
  }),
  'POST /customers/:customerId/ledger': ask('admin', customer, { amount: 10_000 }),
  'POST /top-ups': ask('owner', {}, { amount: 10_000, reference: 'Slip' }),
  'POST /senders/:id/dossiers': ask('member', async () => ({ id: (await dossier('draft')).senderKey }), {
    carrier: 'DITO',
  }),
  'POST /dossiers/:dossierId/papers': ask('member', () => dossier('draft'), paper),
  'DELETE /dossiers/:dossierId/papers/:paperId': ask('member', () => dossier('draft')),
  'POST /dossiers/:dossierId/domains': ask('member', () => dossier('draft'), { domain: 'walked.example' }),
  'DELETE /dossiers/:dossierId/domains/:domain': ask('member', () => dossier('draft')),
  'POST /dossiers/:dossierId/submit': ask('member', () => dossier('draft')),
  'PUT /company-details': ask(
    'owner',
    {},
    {
      ...{
        legalName: 'Walked Inc.',
        registrationNumber: 'CS1',
        address: 'Cebu',
        signatory: 'X',
        signatoryTitle: 'CEO',
      },
    },
  ),
  'POST /customers/:customerId/dossiers/:dossierId/send': ask('reviewer', () => dossier('submitted')),
  'POST /customers/:customerId/dossiers/:dossierId/approve': ask('operator', () => dossier('sent'), {
    approvedUntil: '2099-01-01',
  }),
  'POST /customers/:customerId/dossiers/:dossierId/return': ask('operator', () => dossier('sent'), {
    ...{ answer: 'No letter', answeredBy: 'A2P desk' },
  }),
  'POST /top-ups/:topUpId/withdraw': ask('owner', topUp),
  'POST /customers/:customerId/top-ups/:topUpId/approve': ask('admin', topUp, { amount: 10_000 }),
  'POST /customers/:customerId/top-ups/:topUpId/reject': ask('admin', topUp, { reason: 'Nothing came' }),
  'PATCH /approval-limits': ask('admin', {}, { ledger: 1_000_000_000, price: 2_000, version: 1 }),
  'POST /restores/:restoreId/lanes/:lane/decide': ask(
    'admin',
    async () => {
      const restoreId = uuidV7();
      await withTransaction(pool, (tx) => pauseLanes(tx, restoreId, new Date(), new Date()));
      return { restoreId, lane: '2' };
    },
    { decision: 'hold' },
  ),
  'POST /set-aside-events/:eventId/handle': ask('operator', async () => {
    const eventId = uuidV7();
    await run(
      pool,
      sql`insert into set_aside_event (event_id, event_key, kind, supplier_id, error_code, content, set_aside_at)
          values (${eventId}, ${eventId}, 'receipt', ${uuidV7()}, '54000', '{}', now())`,
    );
    return { eventId };
  }),
  'POST /approvals/:approvalId/approve': ask('admin', waiting),
  'POST /approvals/:approvalId/reject': ask('admin', waiting, { reason: 'No slip' }),
  'POST /approvals/:approvalId/withdraw': ask('admin', async () => ({ approvalId: (await waiting()).approvalId })),
  'PATCH /customers/:customerId/applications/:appId': ask('admin', { customerId, appId }, { tps: 9 }),
  'POST /customers/:customerId/limits': ask('admin', customer, frequency),
  'DELETE /customers/:customerId/limits/:thresholdId': ask('admin', async () => {
    const by = await customer();
    await made('admin', `POST /customers/${by.customerId}/limits`, frequency);
    const { id } = await one<{ id: string }>(
      pool,
      sql`select threshold_id as id from threshold where customer_id = ${by.customerId}`,
    );
    return { ...by, thresholdId: id };
  }),
  'PUT /blocked-links/:linkId': ask('reviewer', link, { reason: 'Phishing' }),
  'DELETE /blocked-links/:linkId': ask('reviewer', async () => {
    const by = await link();
    await made('reviewer', `PUT /blocked-links/${by.linkId}`, { reason: 'Phishing' });
    return by;
  }),
  'PUT /blocked-link-domains/:domain': ask('reviewer', { domain: 'walked.example' }, { reason: 'Phishing' }),
  'DELETE /blocked-link-domains/:domain': ask('reviewer', async () => {
    await made('reviewer', 'PUT /blocked-link-domains/gone.example', { reason: 'Phishing' });
    return { domain: 'gone.example' };
  }),
  'DELETE /link-reports/:reportId': ask('reviewer', async () => {
    const reportId = uuidV7();
    await run(
      pool,
      sql`insert into link_report values (${reportId}, ${customerId}, ${uuidV7()}, 'abcd2345', 'x', now())`,
    );
    return { reportId };
  }),
  'POST /customers/:customerId/numbers': ask('operator', { customerId }, { appId, number: '2881' }),
  'POST /customers/:customerId/numbers/:numberId/disable': ask('operator', () => number('2882')),
  'POST /customers/:customerId/numbers/:numberId/enable': ask('operator', () => number('2883')),
  'DELETE /customers/:customerId/numbers/:numberId': ask('operator', () => number('2884')),
  'POST /customers/:customerId/view': ask('operator', customer),
  'DELETE /support-view': ask('operator', {}),
  'POST /short-links': ask('member', {}, linkBody()),
  'PATCH /short-links/:linkId': ask('member', link, { version: 1, useState: 0 }),
  'DELETE /short-links/:linkId': ask('member', link),
  'PATCH /call-log': ask('owner', {}, { bodies: true }),
  'PATCH /quiet-hours': ask('owner', {}, { from: 20, to: 8 }),
  'POST /charts': ask('member', {}, chartBody()),
  'PATCH /charts/:chartId': ask('member', chart, { version: 1, tabName: word() }),
  'POST /charts/:chartId/copy': ask('member', chart, { tabName: word() }),
  'POST /charts/:chartId/default': ask('member', chart),
  'PUT /charts/order': ask('other', {}, { chartIds: [] }),
  'DELETE /charts/:chartId': ask('member', chart),
  'POST /thresholds': ask('owner', {}, { kind: 'frequency', perDay: 9 }),
  'PATCH /thresholds/:thresholdId': ask('owner', rule, { perDay: 8 }),
  'DELETE /thresholds/:thresholdId': ask('owner', rule),
  'POST /thresholds/:thresholdId/resume': ask('owner', pausingRule),
  'PUT /notices/settings': ask('owner', {}, { items: [{ kind: 'balanceLow', bell: true, email: false }] }),
};

const safe = new Set(['GET']);
const unsafe = Object.keys(routes).filter((key) => !safe.has(key.split(' ')[0] ?? ''));

test('S56 every unsafe route is walked, or named with the reason why not; nothing else is', () => {
  const known = [steps, unlogged, elsewhere].flatMap((each) => Object.keys(each));
  assert.deepEqual(
    unsafe.filter((key) => !known.includes(key)),
    [],
  );
  assert.deepEqual(
    known.filter((key) => !unsafe.includes(key)),
    [],
  );
  assert.equal(known.length, new Set(known).size);
  for (const [key, file] of Object.entries(elsewhere)) {
    const text = readFileSync(path.join(import.meta.dirname, '..', file), 'utf8');
    assert.match(text, /from audit_log/, `${file} does not look into the log for ${key}`);
    assert.ok(text.includes(key), `${file} does not call ${key}`);
  }
  // What the contract names is what the OpenAPI document names.
  const documented = Object.values(makeOpenApi().paths).flatMap((path) => Object.keys(path));
  assert.equal(documented.filter((method) => method !== 'get').length, unsafe.length);
});

for (const key of unsafe.filter((each) => each in steps)) {
  test(`S56 ${key} writes one entry, and no secret or whole phone into it`, async () => {
    await run(pool, sql`delete from attempt`);
    const answer = await steps[key]!(key);
    assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
    assert.equal((await count()) - counted, 1);
    const { whole, isWho } = await one<{ whole: string; isWho: boolean }>(
      pool,
      sql`select a::text as whole, user_id is not null or account is not null or app_id is not null or action = 'sendCode' as "isWho"
          from audit_log a order by audit_id desc limit 1`,
    );
    assert.ok(isWho, whole);
    assert.doesNotMatch(whole, /9171234567|9170000009|Demo@1234|Kumusta@2026/);
  });
}

test('S56 a failed sign-in writes one entry into the log of the customer that owns the account, with no actor', async () => {
  const { account } = await person();
  for (const [typed, owner] of [
    [account, customerId],
    ['some-password-typed-as-a-name', null],
  ] as const) {
    counted = await count();
    const answer = await api.ask(null, 'POST /session', { body: { account: typed, password: 'wrong' } });
    assert.equal(answer.status, 401);
    assert.equal((await count()) - counted, 1);
    const entry = await one<{ action: string; owner: string | null; user: string | null; whole: string }>(
      pool,
      sql`select action, customer_id as owner, user_id as user, a::text as whole from audit_log a order by audit_id desc limit 1`,
    );
    assert.deepEqual([entry.action, entry.owner, entry.user], ['signInFailed', owner, null]);
    assert.doesNotMatch(entry.whole, /some-password|wrong/);
  }
});
