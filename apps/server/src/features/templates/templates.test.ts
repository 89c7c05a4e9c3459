import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, run, sql, uuidV7 } from '@pahatid/db';
import { buildTask, buildTemplate } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerTemplates } from './routes.ts';

const api = await makeTestApi({ features: [registerTemplates] });
await run(
  api.db.pool,
  sql`insert into prohibited_term (term_id, term, lang, category, level) values (${uuidV7()}, 'zorbloan', 'en', 'financial', 'block')`,
);
let serial = 0;
const submit = (body: Record<string, unknown> = {}, who: 'owner' | 'member' | 'other' = 'member') => {
  serial += 1;
  return api.ask(who, 'POST /templates', {
    body: {
      templateName: `Template ${serial}`,
      smsType: 2,
      appId: who === 'other' ? api.otherAppId : api.appId,
      content: 'Hello {1}, your order {2} is ready.',
      ...body,
    },
  });
};
const approve = (templateId: string) =>
  run(
    api.db.pool,
    sql`with v as (update template_version set audit_status = 1 where template_id = ${templateId} and audit_status = 0 returning version)
        update template set serving_version = (select max(version) from v) where template_id = ${templateId}`,
  );

test('a submitted template waits for review and shows until when', async () => {
  const { status, body } = await submit({ content: '  Hello {1},\r\nyour order is ready.  ' });
  assert.equal(status, 201);
  assert.equal(body.auditStatus, 0);
  assert.equal(body.servingVersion, null);
  assert.equal(body.content, 'Hello {1},\nyour order is ready.');
  assert.equal(body.variableCount, 1);
  assert.ok(Date.parse(body.expectedTime) > Date.now());
  assert.equal('operator' in body, false);
  const detail = await api.ask('viewer', `GET /templates/${body.templateId}`);
  assert.equal(detail.body.versions.length, 1);
  assert.equal(detail.body.versions[0].auditStatus, 0);
  const staff = await api.ask('reviewer', `GET /templates/${body.templateId}`);
  assert.equal(staff.body.operator, 'Customer A');
});

test('a text against the rules is refused with every finding and its place', async () => {
  const { status, body } = await submit({ smsType: 3, content: '【Shop】 Sale {2} ★' });
  assert.equal(status, 400);
  assert.equal(body.code, 'TEMPLATE_CONTENT_INVALID');
  const found = body.errors.map(({ code }) => code);
  for (const code of [
    'SIGNATURE_BRACKET',
    'UNSUPPORTED_SYMBOL',
    'VARIABLE_NOT_CONSECUTIVE',
    'UNSUBSCRIBE_LINE_MISSING',
  ])
    assert.ok(found.includes(code), code);
  const star = body.errors.find((each) => each.code === 'UNSUPPORTED_SYMBOL');
  assert.equal(star.field, 'content');
  assert.equal('【Shop】 Sale {2} ★'.slice(Number(star.params['from']), Number(star.params['to'])), '★');
});

test('the prohibited terms of staff decide', async () => {
  const { body } = await submit({ content: 'Get your Zorbloan today' });
  assert.equal(body.code, 'TEMPLATE_CONTENT_INVALID');
  assert.equal(body.errors[0].code, 'PROHIBITED');
});

test('fields are checked, and only what the author decides may be given', async () => {
  for (const [bad, field] of [
    [{ templateName: '' }, 'templateName'],
    [{ smsType: 4 }, 'smsType'],
    [{ auditStatus: 1 }, 'auditStatus'],
    [{ servingVersion: 1 }, 'servingVersion'],
    [{ content: 'a\u0000b' }, 'content'],
  ] as const) {
    const { status, body } = await submit(bad);
    assert.equal(status, 400);
    assert.equal(body.errors[0].field, field);
  }
  assert.equal((await submit({ appId: api.otherAppId })).body.code, 'APP_NOT_FOUND');
  await run(api.db.pool, sql`update application set use_state = 0 where app_id = ${api.appId}`);
  assert.equal((await submit()).body.code, 'APP_DISABLED');
  await run(api.db.pool, sql`update application set use_state = 1 where app_id = ${api.appId}`);
});

test('a name is unique in a customer, also for two concurrent requests, and free again after deleting', async () => {
  const first = await submit({ templateName: 'Greeting' });
  assert.equal((await submit({ templateName: 'GREETING' })).body.code, 'TEMPLATE_NAME_TAKEN');
  assert.equal((await submit({ templateName: 'Greeting' }, 'other')).status, 201);
  const race = await Promise.all([submit({ templateName: 'Race' }), submit({ templateName: 'Race' })]);
  assert.deepEqual(
    race.map(({ status }) => status).sort((a, b) => a - b),
    [201, 409],
  );
  assert.equal((await api.ask('member', `DELETE /templates/${first.body.templateId}`)).status, 204);
  assert.equal((await submit({ templateName: 'Greeting' })).status, 201);
});

test('S6 editing an approved template makes a new pending version while the approved one serves', async () => {
  const { body: added } = await submit();
  await approve(added.templateId);
  const { body } = await api.ask('member', `PATCH /templates/${added.templateId}`, {
    body: { content: 'New {1} text.' },
  });
  assert.equal(body.version, 2);
  assert.equal(body.auditStatus, 0);
  assert.equal(body.servingVersion, 1);
  const detail = await api.ask('member', `GET /templates/${added.templateId}`);
  assert.deepEqual(
    detail.body.versions.map((v: { version: number; auditStatus: number }) => [v.version, v.auditStatus]),
    [
      [2, 0],
      [1, 1],
    ],
  );
});

test('a new name alone, or nothing new, restarts no approval', async () => {
  const { body: added } = await submit();
  await approve(added.templateId);
  const patch = (body: object) => api.ask('member', `PATCH /templates/${added.templateId}`, { body });
  assert.equal((await patch({ templateName: 'Renamed' })).body.version, 1);
  assert.equal((await patch({ content: added.content, smsType: 2 })).body.version, 1);
  assert.equal((await patch({})).body.auditStatus, 1);
  assert.equal((await patch({ smsType: 1 })).body.version, 2);
  assert.equal(
    (await patch({ smsType: 3 })).body.code,
    'TEMPLATE_CONTENT_INVALID',
    'the text is judged by the new type',
  );
});

test('an approved text keeps its approval under a new name, also if a term of it is prohibited since', async () => {
  const content = 'A zorbloan for {1}';
  const templateId = await buildTemplate(api.db.pool, { customerId: api.customerId, appId: api.appId, content });
  const patch = (body: object) => api.ask('member', `PATCH /templates/${templateId}`, { body });
  const { status, body, text } = await patch({ templateName: 'Renamed and kept', content, smsType: 2 });
  assert.equal(status, 200, text);
  assert.deepEqual(
    [body.templateName, body.version, body.auditStatus, body.servingVersion],
    ['Renamed and kept', 1, 1, 1],
  );
  assert.equal((await patch({ content: `${content} now` })).body.code, 'TEMPLATE_CONTENT_INVALID');
});

test('two concurrent edits are two versions', async () => {
  const { body: added } = await submit();
  const edits = await Promise.all(
    ['A', 'B'].map((text) =>
      api.ask('member', `PATCH /templates/${added.templateId}`, { body: { content: `Text ${text}` } }),
    ),
  );
  assert.deepEqual(
    edits.map(({ body }) => body.version).sort((a, b) => a - b),
    [2, 3],
  );
});

test('an exempt type needs no review and sends immediately', async () => {
  await run(api.db.pool, sql`update customer set exempt_sms_types = '{1}' where customer_id = ${api.customerId}`);
  const { body } = await submit({ smsType: 1, content: 'Your code is {1}' });
  assert.equal(body.auditStatus, 3);
  assert.equal(body.servingVersion, 1);
  assert.equal(body.expectedTime, null);
  const edited = await api.ask('member', `PATCH /templates/${body.templateId}`, { body: { content: 'Code: {1}' } });
  assert.equal(edited.body.auditStatus, 3);
  assert.equal(edited.body.servingVersion, 2);
  assert.equal((await submit({ smsType: 2 })).body.auditStatus, 0);
  await run(api.db.pool, sql`update customer set exempt_sms_types = '{}' where customer_id = ${api.customerId}`);
});

test('a template that a waiting task uses is not deleted, and the error names the task', async () => {
  for (const taskStatus of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const) {
    const templateId = await buildTemplate(api.db.pool, { customerId: api.customerId, appId: api.appId });
    await buildTask(api.db.pool, {
      customerId: api.customerId,
      taskName: `Task in ${taskStatus}`,
      taskStatus,
      appId: api.appId,
      templateId,
      smsType: 2,
    });
    const { status, body } = await api.ask('member', `DELETE /templates/${templateId}`);
    if ([6, 7, 8, 9, 11].includes(taskStatus)) assert.equal(status, 204, `${taskStatus}`);
    else {
      assert.equal(body.code, 'TEMPLATE_IN_USE', `${taskStatus}`);
      assert.deepEqual(body.params, { taskName: `Task in ${taskStatus}` });
    }
  }
});

test('access: staff and viewers read; a template of another customer does not exist', async () => {
  const { body: theirs } = await submit({}, 'other');
  const { body: ours } = await submit();
  for (const who of ['viewer', 'reviewer', 'operator', 'admin'] as const) {
    assert.equal((await api.ask(who, `GET /templates/${ours.templateId}`)).status, 200, who);
    assert.equal((await api.ask(who, 'POST /templates', { body: {} })).status, 403, who);
    assert.equal((await api.ask(who, `PATCH /templates/${ours.templateId}`, { body: {} })).status, 403, who);
    assert.equal((await api.ask(who, `DELETE /templates/${ours.templateId}`)).status, 403, who);
  }
  for (const route of ['GET', 'PATCH', 'DELETE']) {
    const answer = await api.ask('member', `${route} /templates/${theirs.templateId}`, {
      ...(route === 'PATCH' && { body: { content: 'Mine now' } }),
    });
    assert.equal(answer.body.code, 'NOT_FOUND', route);
    assert.equal((await api.ask(null, `${route} /templates/${theirs.templateId}`)).status, 401);
  }
});

test('the list pages through all in each order, filters, and exports', async () => {
  for (const sort of ['-updateTime', 'updateTime', 'templateName']) {
    const seen: string[] = [];
    let cursor: string | null = null;
    let total = 0;
    do {
      const query: Record<string, string> = { limit: '5', sort, ...(cursor !== null && { cursor }) };
      const { body } = await api.ask('viewer', 'GET /templates', { query });
      seen.push(...body.items.map((row: { templateId: string }) => row.templateId));
      ({ nextCursor: cursor, total } = body);
    } while (cursor !== null);
    assert.equal(new Set(seen).size, total, sort);
    assert.equal(seen.length, total, sort);
  }
  const sendable = await api.ask('viewer', 'GET /templates', { query: { sendable: '1', limit: '200' } });
  assert.ok(sendable.body.items.length > 0);
  assert.ok(sendable.body.items.every((row: { servingVersion: number | null }) => row.servingVersion !== null));
  const pending = await api.ask('viewer', 'GET /templates', {
    query: { auditStatus: '0', smsType: '1,2', appId: api.appId },
  });
  assert.ok(pending.body.items.every((row: { auditStatus: number }) => row.auditStatus === 0));
  assert.equal((await api.ask('viewer', 'GET /templates', { query: { search: '%' } })).body.items.length, 0);
  const csv = await api.ask('viewer', 'GET /templates', { headers: { accept: 'text/csv' } });
  assert.ok(csv.text.split('\r\n').length > 10);
});

test('S56 each change is on record once', async () => {
  const { body } = await submit();
  await api.ask('member', `PATCH /templates/${body.templateId}`, { body: { content: 'Other text' } });
  await api.ask('member', `DELETE /templates/${body.templateId}`);
  const log = await many<{ action: string }>(
    api.db.pool,
    sql`select action from audit_log where subject_id = ${body.templateId} order by audit_id`,
  );
  assert.deepEqual(
    log.map(({ action }) => action),
    ['add', 'edit', 'delete'],
  );
});
