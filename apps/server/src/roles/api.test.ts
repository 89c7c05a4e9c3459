import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCatalogue, type RouteDefinition, type RouteKey, routes, TaskStatus } from '@pahatid/contract';
import { many, run, sql, uuidV7 } from '@pahatid/db';
import { buildTask, defaultPassword } from '@pahatid/db/builders';
import { z } from 'zod';
import type { Who } from '../http/testing/test-api.ts';
import { allRoutes, makeSweep } from '../security/testing/sweep.ts';
import { tablesFile, visitorAnswers } from '../security/testing/sweep-tables.ts';

const sweep = await makeSweep();
const { api, ids, nobodys, fill, bodyOf, caller } = sweep;
const { customerId, appId } = api;
const { templateId = '', passkeyId } = ids;

/** Staff see the rows of both customers, where they see any. */
const sorter = (key: RouteKey): Who => {
  const { access } = routes[key];
  return Array.isArray(access) && (access as readonly string[]).includes('admin') ? 'admin' : caller(key);
};
const sortsOf = ({ query }: RouteDefinition): string[] => {
  const sort = (query as z.ZodObject | undefined)?.shape['sort'];
  return sort === undefined ? [] : ((z.toJSONSchema(sort as z.ZodType) as { enum?: string[] }).enum ?? []);
};
/** Read of one customer at a time. */
const narrowOnly: readonly RouteKey[] = ['GET /developer/keys', 'GET /keys', 'GET /calls'];
/** Within an application the newest come first, whichever way the applications are sorted. */
const keepsInner: readonly string[] = ['GET /developer/keys'];

test('every route of the contract is served', async () => {
  for (const [key, { access }] of allRoutes) {
    const answer = await api.ask(null, fill(key, nobodys), access === 'public' ? bodyOf(key) : {});
    const expected = access === 'public' ? visitorAnswers[key] : [401, 'NOT_SIGNED_IN'];
    assert.ok(expected, `${key}: add what a visitor is answered to visitorAnswers in ${tablesFile}`);
    assert.deepEqual([answer.status, answer.body?.code], expected, `${key}: ${answer.text}`);
  }
});

test('every list declared with csv returns csv', async () => {
  for (const [key, definition] of allRoutes) {
    if (definition.csv !== true) continue;
    const bySoftware = definition.access === 'application' ? { authorization: api.basic.app } : {};
    const headers = { accept: 'text/csv', ...bySoftware };
    const answer = await api.ask(bySoftware.authorization ? null : caller(key), fill(key, ids), {
      ...bodyOf(key),
      headers,
    });
    assert.equal(answer.status, 200, `${key}: ${answer.text}`);
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8', key);
    assert.ok(answer.text.startsWith('\ufeff'), key);
  }
});

test('a list is sorted by what its document names alone; its pages in one order are those of the other, reversed', async () => {
  const compared: string[] = [];
  for (const [key, definition] of allRoutes) {
    const sorts = sortsOf(definition);
    if (sorts.length === 0) continue;
    const isSoftware = definition.access === 'application';
    const ask = (query: Record<string, string>) =>
      api.ask(isSoftware ? null : sorter(key), fill(key, ids), {
        query: { ...(narrowOnly.includes(key) ? { customerId } : {}), ...query },
        headers: isSoftware ? { authorization: api.basic.app } : {},
      });
    const bad = await ask({ sort: 'constructor' });
    assert.deepEqual([bad.status, bad.body.code], [400, 'VALIDATION_FAILED'], `${key}: ${bad.text}`);
    assert.deepEqual(bad.body.errors[0]?.field, 'sort', `${key}: ${bad.text}`);
    const pages = new Map<string, unknown[]>();
    for (const sort of sorts) {
      const items: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { status, body, text } = await ask({
          sort,
          limit: items.length < 3 ? '1' : '200',
          ...(cursor !== '' && { cursor }),
        });
        assert.equal(status, 200, `${key} ${sort}: ${text}`);
        items.push(...body.items);
        cursor = body.nextCursor;
        const other = sorts.find((each) => each !== sort);
        if (cursor === null || other === undefined) continue;
        const refused = await ask({ sort: other, cursor });
        assert.deepEqual([refused.status, refused.body.code], [400, 'CURSOR_INVALID'], `${key} ${other}`);
      }
      pages.set(sort, items);
    }
    for (const [sort, items] of pages) {
      const reverse = pages.get(sort.startsWith('-') ? sort.slice(1) : `-${sort}`);
      if (reverse === undefined || items.length < 2) continue;
      if (!keepsInner.includes(key)) assert.deepEqual(items, reverse.toReversed(), `${key} ${sort}`);
      compared.push(key);
    }
  }
  assert.ok(new Set(compared).size >= 18, `the walk would notice: ${[...new Set(compared)]}`);
});

test('codes that a route names exist in the catalogue with the status they answer', () => {
  for (const [key, definition] of allRoutes)
    for (const code of definition.errors ?? []) assert.ok(errorCatalogue[code].status >= 400, `${key} ${code}`);
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

test('S56 an action from a link-local address is audited', async () => {
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

test('S56 each action writes one entry into the audit log, and no phone number', async () => {
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
  await act('reviewer', `POST /records/${ids['messageId']}/unmask`);
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
  await act('reviewer', `POST /reviews/templates/${made.templateId}/claim`);
  await act('reviewer', `POST /reviews/templates/${made.templateId}/approve`, {});
  const sender = await act('member', 'POST /senders', { appId: app.appId, areaCode: 'PH', senderId: 'AUDITED' });
  await act('reviewer', `POST /reviews/senders/${sender.id}/claim`);
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
