/** A world for sweeps over all routes: two customers, each with one of everything, and what each route is called with. */

import assert from 'node:assert/strict';
import { type RouteDefinition, type RouteKey, routes, TaskStatus } from '@pahatid/contract';
import { many, one, run, sql, uuidV7, withTransaction, writeAudit } from '@pahatid/db';
import {
  buildAccountRequest,
  buildAssignedNumber,
  buildDefaultPrice,
  buildFile,
  buildGroup,
  buildKey,
  buildPrefixes,
  buildRoute,
  buildSender,
  buildSmppBind,
  buildSupplier,
  buildTask,
  buildTemplate,
} from '@pahatid/db/builders';
import { saveAbTest } from '@pahatid/db/queries/ab-tests';
import { insertApiCalls } from '@pahatid/db/queries/api-calls';
import { pauseLanes } from '@pahatid/db/queries/restores';
import { insertVerification } from '@pahatid/db/queries/verifications';
import { findProof } from '../../features/captcha/testing/trails.ts';
import type { RegisterFeature } from '../../http/app.ts';
import { makeTestApi, type TestApi, type TestApiOptions, type Who } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { makeBodies, makeNobodys, tablesFile } from './sweep-tables.ts';

export type Ids = Record<string, string>;

export const allRoutes = Object.entries(routes) as [RouteKey, RouteDefinition][];

export interface Sweep {
  readonly api: TestApi;
  /** Ids of the first customer, whose owner is `owner`. */
  readonly ids: Ids;
  /** Ids of the second customer, whose owner is `other`. */
  readonly own: Ids;
  readonly nobodys: Ids;
  readonly bodies: Record<string, object>;
  /** The address with ids in place of names. */
  fill(key: string, by: Ids): string;
  /** Returns a body that passes the schema, so that the body is not the reason for a refusal. */
  bodyOf(key: RouteKey): { body?: object };
  /** Returns credentials for the kind of route: a password for applications, a session for people. */
  credentials(key: RouteKey, app: 'app' | 'otherApp'): { headers?: Record<string, string> };
  /** Returns a user that may call the route: the owner if there is a choice. */
  caller(key: RouteKey): Who;
}

export async function makeSweep(options: Partial<TestApiOptions> = {}): Promise<Sweep> {
  const features: readonly RegisterFeature[] = options.features ?? apiFeatures;
  const api = await makeTestApi({ ...options, features });
  const staffs = await makeStaffIds(api);
  const ids = { ...staffs, ...(await makeIds(api, 'owner')) };
  const own = { ...staffs, ...(await makeIds(api, 'other')) };
  const nobodys = makeNobodys();
  const bodies = makeBodies({ supplierId: staffs['supplierId'] ?? '' });
  return {
    api,
    ids,
    own,
    nobodys,
    bodies,
    fill: (key, by) =>
      key.replace(/:(\w+)/g, (_, name: string) => {
        assert.ok(
          name in nobodys,
          `${key}: the sweeps have no id to ask with for “${name}”. Add it to makeNobodys in ${tablesFile}, and a real one of each customer to makeIds in sweep.ts.`,
        );
        return by[name] ?? nobodys[name] ?? '';
      }),
    bodyOf: (key) => {
      if (routes[key].body === undefined) return {};
      const body = bodies[key];
      assert.ok(
        body,
        `${key}: takes a body, and the sweeps have none to send. Add a line “'${key}': {…}” to makeBodies in ${tablesFile}, with a body that passes the schema.`,
      );
      return { body };
    },
    credentials: (key, app) =>
      routes[key].access === 'application' ? { headers: { authorization: api.basic[app] } } : {},
    caller: (key) => {
      const { access } = routes[key];
      if (access === 'public') return null;
      return typeof access === 'string' || (access as readonly string[]).includes('owner') ? 'owner' : 'admin';
    },
  };
}

async function makeStaffIds(api: TestApi): Promise<Ids> {
  const { pool } = api.db;
  const { secrets } = api.deps;
  const supplierId = await buildSupplier(pool, {
    supplierAccount: 'swept',
    port: 2775,
    systemId: 'swept',
    password: 'swept',
    secrets,
  });
  await buildDefaultPrice(pool);
  await buildPrefixes(pool, [{ prefix: '63917', carrier: 'Globe' }]);
  const price = await one<{ id: string }>(pool, sql`select price_id as id from price limit 1`);
  const [changeId, enquiryId, approvalId] = [uuidV7(), uuidV7(), uuidV7()];
  const restoreId = uuidV7();
  await withTransaction(pool, (tx) => pauseLanes(tx, restoreId, new Date(), new Date()));
  const request = { kind: 'topUp', amount: 1, note: '' };
  await run(
    pool,
    sql`insert into approval (approval_id, kind, customer_id, request, requested_by, requested_at, expires_at)
        values (${approvalId}, 'ledger', ${api.otherCustomerId}, ${JSON.stringify(request)}, ${api.users.admin.userId}, now(),
          now() + interval '7 days')`,
  );
  await run(
    pool,
    sql`insert into enquiry (enquiry_id, name, email, message, locale, ip, created_at)
        values (${enquiryId}, 'Sweep', 'sweep@shop.example', 'Hello to all of you', 'en-US', '127.0.0.1', now())`,
  );
  const accountRequestId = await buildAccountRequest(pool);
  await run(
    pool,
    sql`insert into price_change (change_id, area_code, price, effective_at) values (${changeId}, 'PH', 3600, now() + interval '1 day')`,
  );
  return {
    supplierId,
    routeId: await buildRoute(pool, { routeName: 'Swept', supplierId }),
    priceId: price.id,
    prefix: '63917',
    domain: 'swept.example',
    reportId: uuidV7(),
    restoreId,
    lane: '2',
    changeId,
    enquiryId,
    accountRequestId,
    approvalId,
    day: '2031-01-02',
    kind: 'templates',
    list: 'records',
  };
}

async function makeIds(api: TestApi, who: 'owner' | 'other'): Promise<Ids> {
  const { pool } = api.db;
  const [customerId, appId] = who === 'owner' ? [api.customerId, api.appId] : [api.otherCustomerId, api.otherAppId];
  const { userId } = api.users[who];
  const [passkeyId, invitationId, thresholdId] = [uuidV7(), uuidV7(), uuidV7()];
  const [exportId, filterId, inboundId, verificationId] = [uuidV7(), uuidV7(), uuidV7(), uuidV7()];
  const [endpointId, eventId, topUpId] = [uuidV7(), uuidV7(), uuidV7()];
  const messageId = who === 'owner' ? '123456789012345678' : '123456789012345677';
  const templateId = await buildTemplate(pool, { customerId, appId });
  const encodeBlock = () => new Uint8Array();
  const fileId = await buildFile(pool, { customerId, columns: ['phone'], rows: [], encodeBlock });
  await run(
    pool,
    sql`insert into passkey (passkey_id, user_id, name, credential_id, public_key, sign_count, transports, backed_up, created_at)
        values (${passkeyId}, ${userId}, 'Swept', ${passkeyId}, '\\x00', 0, '{}', false, now())`,
  );
  await run(
    pool,
    sql`insert into invitation (invitation_id, customer_id, email, role, token_hash, invited_by, created_at, sent_at, expires_at)
        values (${invitationId}, ${customerId}, ${`${invitationId}@shop.example`}, 'viewer', ${Buffer.from(invitationId.slice(0, 32))},
                ${userId}, now(), now(), now() + interval '7 days')`,
  );
  await run(
    pool,
    sql`insert into threshold (threshold_id, customer_id, kind, per_day, set_by) values (${thresholdId}, ${customerId}, 'frequency', 9, 'customer')`,
  );
  await run(
    pool,
    sql`insert into callback_endpoint (endpoint_id, customer_id, kind, app_id, url, state)
        values (${endpointId}, ${customerId}, 'application', ${appId}, 'https://127.0.0.1/', 'enabled')`,
  );
  await run(
    pool,
    sql`insert into callback_event (event_id, customer_id, endpoint_id, type, facts, at, next_at)
        values (${eventId}, ${customerId}, ${endpointId}, 'test', '{"challenge":"x"}', now(), now())`,
  );
  await run(
    pool,
    sql`insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
          charge_type, price, route_id, supplier_id)
        values (${customerId}, ${messageId}, ${appId}, 2, '639171234567', 'PH', 'SHOP', 'Hello', 1, 'SenderPays', 3500,
                ${uuidV7()}, ${uuidV7()})`,
  );
  await run(
    pool,
    sql`insert into export_job (export_id, customer_id, app_id, list, request, lang, masked, state, created_at, ended_at, expires_at)
        values (${exportId}, ${customerId}, ${appId}, 'records', '{}', 'en-US', false, 'ready', now(), now(), now() + interval '1 day')`,
  );
  await run(
    pool,
    sql`insert into saved_filter (filter_id, customer_id, user_id, list, name, filters)
        values (${filterId}, ${customerId}, ${userId}, 'records', 'Kept', '{}')`,
  );
  await run(
    pool,
    sql`insert into top_up_request (top_up_id, customer_id, amount, reference, requested_by, requested_at, receipt_name,
          receipt_type, receipt)
        values (${topUpId}, ${customerId}, 1, 'Swept', ${userId}, now(), 'slip.pdf', 'application/pdf', '\\x25504446')`,
  );
  await run(
    pool,
    sql`insert into inbound (customer_id, inbound_id, supplier_id, msisdn, destination, content, received_at, message_id, app_id)
        values (${customerId}, ${inboundId}, ${uuidV7()}, '639171234567', 'SHOP', 'Thanks', now(), ${messageId}, ${appId})`,
  );
  const evidenceId = uuidV7();
  await run(
    pool,
    sql`insert into consent_evidence (customer_id, evidence_id, source, wording, file_name, file_type, file, created_at)
        values (${customerId}, ${evidenceId}, 'paper', 'Yes', 'slip.pdf', 'application/pdf', '\\x25504446', now())`,
  );
  const savedReplyId = uuidV7();
  await run(
    pool,
    sql`insert into saved_reply (customer_id, saved_reply_id, name, content)
        values (${customerId}, ${savedReplyId}, 'Kept', 'We close at eight.')`,
  );
  const ruleId = uuidV7();
  await run(
    pool,
    sql`insert into keyword_rule (customer_id, rule_id, app_id, place, keywords, template_id, use_state)
        values (${customerId}, ${ruleId}, ${appId}, 1, '{hours}', ${templateId}, 1)`,
  );
  const conversationId = uuidV7();
  await run(
    pool,
    sql`insert into conversation (customer_id, conversation_id, app_id, msisdn, last_inbound_id, last_at, last_text,
          last_destination, last_is_opt_out, unread_count)
        values (${customerId}, ${conversationId}, ${appId}, '639171234567', ${inboundId}, now(), 'Thanks', 'SHOP', false, 1)`,
  );
  await insertVerification(pool, {
    ...{ customerId, appId, verificationId, msisdn: '639171234568', areaCode: 'PH', codeHash: Buffer.alloc(32) },
    ...{ sentAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) },
  });
  const senderKey = await buildSender(pool, { customerId, appId, senderId: 'SWEPT' });
  const [dossierId, paperId] = [uuidV7(), uuidV7()];
  await run(
    pool,
    sql`insert into sender_dossier (dossier_id, customer_id, app_id, sender_key, carrier, changed_at)
        values (${dossierId}, ${customerId}, ${appId}, ${senderKey}, 'Globe', now())`,
  );
  await run(
    pool,
    sql`insert into sender_paper (paper_id, dossier_id, customer_id, kind, name, type, content, uploaded_at)
        values (${paperId}, ${dossierId}, ${customerId}, 'other', 'permit.pdf', 'application/pdf', '\\x25504446', now())`,
  );
  const taskId = await buildTask(pool, { customerId, taskStatus: TaskStatus.Draft, appId, templateId, smsType: 2 });
  const variants = [0, 60].map((delayMinutes) => ({ templateId, share: 10, delayMinutes }));
  await saveAbTest(pool, { taskId, customerId }, { variants, rule: 'delivered', waitMinutes: 60, fallback: null });
  const noticeId = uuidV7();
  await run(
    pool,
    sql`insert into notice (notice_id, customer_id, user_id, kind, params, created_at)
        values (${noticeId}, ${customerId}, ${userId}, 'exportReady', '{}', now())`,
  );
  const subjectId = uuidV7();
  await writeAudit(pool, {
    customerId,
    userId: null,
    account: null,
    ip: null,
    action: 'complete',
    subjectType: 'task',
    subjectId,
    before: null,
    after: null,
  });
  const [entry] = await many<{ id: string }>(pool, sql`select max(audit_id)::text as id from audit_log`);
  const session = await one<{ id: string }>(
    pool,
    sql`select session_id as id from session where user_id = ${userId} limit 1`,
  );
  const secret = await one<{ id: string }>(
    pool,
    sql`select secret_id as id from application_secret where app_id = ${appId} and kind = 'http'`,
  );
  const chart = await api.ask(who, 'POST /charts', { body: makeBodies({ supplierId: '' })['POST /charts'] });
  const link = await api.ask(who, 'POST /short-links', { body: makeBodies({ supplierId: '' })['POST /short-links'] });
  const { body: work } = await api.ask(null, 'POST /captcha/work');
  const captcha = await api.ask(null, 'POST /captcha', {
    body: { kind: 'words', ticket: work.ticket, proof: findProof(work.prefix, work.bits) },
  });
  assert.ok(entry);
  const { keyId } = await buildKey(pool, { customerId, appId });
  const callId = uuidV7();
  await insertApiCalls(pool, [
    {
      ...{ customerId, callId, appId, keyId, requestId: `swept-${callId}`, method: 'GET', route: '/templates' },
      ...{ path: '/templates', status: 200, errorCode: null, durationMs: 3, ip: '192.0.2.1' },
      ...{ requestBody: null, responseBody: null },
    },
  ]);
  const bindId = await buildSmppBind(pool, { customerId, appId });
  return {
    bindId,
    callId,
    keyId,
    requestId: `swept-${callId}`,
    exportId,
    filterId,
    noticeId,
    inboundId,
    conversationId,
    savedReplyId,
    ruleId,
    verificationId,
    endpointId,
    eventId,
    numberId: await buildAssignedNumber(pool, { customerId, appId, number: who === 'owner' ? '2871' : '2872' }),
    groupId: await buildGroup(pool, { customerId, groupName: 'Swept' }),
    customerId,
    appId,
    passkeyId,
    invitationId,
    thresholdId,
    topUpId,
    evidenceId,
    messageId,
    templateId,
    fileId,
    subjectId,
    assigneeId: who === 'owner' ? api.users.member.userId : userId,
    userId: who === 'owner' ? api.users.member.userId : userId,
    auditId: entry.id,
    sessionId: session.id,
    secretId: secret.id,
    captchaId: captcha.body.captchaId,
    ...(link.status === 201 && { linkId: link.body.linkId }),
    ...(chart.status === 201 && { chartId: chart.body.chartId }),
    id: senderKey,
    dossierId,
    paperId,
    taskId,
  };
}
