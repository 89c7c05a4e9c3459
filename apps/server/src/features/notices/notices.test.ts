import assert from 'node:assert/strict';
import { test } from 'node:test';
import { many, run, sql, uuidV7 } from '@pahatid/db';
import { buildTemplate, buildUser } from '@pahatid/db/builders';
import { sweepNotices } from '@pahatid/db/queries/notices';
import { makeTestApi } from '../../http/testing/test-api.ts';
import type { AnyNotice } from '../../notices/any-notice.ts';
import { notify } from '../../notices/notify.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { customerId } = api;
const deps = { publicUrl: 'https://pahatid.example' };

const low = (onceKey?: string): AnyNotice => ({
  kind: 'balanceLow',
  customerId,
  params: { available: 500_000, line: 1_000_000 },
  ...(onceKey !== undefined && { onceKey }),
});
const ended = (userIds: string[]): AnyNotice => ({
  kind: 'taskEnded',
  customerId,
  userIds,
  params: { taskId: uuidV7(), taskName: 'Payday <b>', taskStatus: 6, total: 10, success: 9, failed: 1, reason: null },
});
const unread = async (who: Parameters<typeof api.ask>[0]): Promise<number> =>
  (await api.ask(who, 'GET /notices/unread')).body.unread;
const mailsTo = (email: string) =>
  many<{ subject: string; text: string }>(
    api.db.pool,
    sql`select subject, body_text as text from mail where recipient = ${email} order by mail_id`,
  );
const emailOf = async (userId: string): Promise<string> =>
  (await many<{ email: string }>(api.db.pool, sql`select email from app_user where user_id = ${userId}`))[0]!.email;

test('a notice reaches the roles that receive its kind, and no one of another customer or of the staff', async () => {
  assert.equal(await notify(api.db.pool, low(), deps), 1);
  assert.equal(await unread('owner'), 1);
  for (const who of ['member', 'viewer', 'other', 'admin'] as const) assert.equal(await unread(who), 0, who);
  const { body } = await api.ask('owner', 'GET /notices');
  assert.deepEqual(
    body.items.map(({ kind, read, params }: { kind: string; read: boolean; params: unknown }) => ({
      kind,
      read,
      params,
    })),
    [{ kind: 'balanceLow', read: false, params: { available: 500_000, line: 1_000_000 } }],
  );
  const [mail] = await mailsTo(await emailOf(api.users.owner.userId));
  assert.match(mail!.text, /https:\/\/pahatid\.example\/billing/);
});

test('concurrent notices with the same key are sent once', async () => {
  const told = await Promise.all([1, 2, 3].map(() => notify(api.db.pool, low('balance:1'), deps)));
  assert.deepEqual(told.sort(), [0, 0, 1]);
});

test('only the named user is notified, in the chosen language, and the name stays text', async () => {
  const { userId } = api.users.member;
  for (const [locale, subject] of [
    ['en-US', 'Task “Payday <b>” is completed'],
    ['zh-CN', '任务“Payday <b>”已完成'],
  ] as const) {
    await run(api.db.pool, sql`update app_user set locale = ${locale} where user_id = ${userId}`);
    await notify(api.db.pool, ended([userId]), deps);
    assert.equal((await mailsTo(await emailOf(userId))).at(-1)?.subject, subject);
  }
  const [{ html } = { html: '' }] = await many<{ html: string }>(
    api.db.pool,
    sql`select body_html as html from mail where recipient = ${await emailOf(userId)} limit 1`,
  );
  assert.ok(html.includes('&#60;b&#62;') && !html.includes('<b>'));
  assert.equal(await unread('member'), 2);
  assert.equal(await unread('owner'), 2);
});

test('one is read, then all up to the newest seen; no user reads for another', async () => {
  const { body } = await api.ask('owner', 'GET /notices');
  const [newest, oldest] = [body.items[0].noticeId, body.items.at(-1).noticeId];
  assert.equal((await api.ask('member', `POST /notices/${newest}/read`)).status, 404);
  assert.deepEqual((await api.ask('owner', `POST /notices/${oldest}/read`)).body, { unread: 1 });
  assert.deepEqual((await api.ask('owner', `POST /notices/${oldest}/read`)).body, { unread: 1 });
  assert.deepEqual((await api.ask('owner', 'POST /notices/read', { body: { upTo: oldest } })).body, { unread: 1 });
  await notify(api.db.pool, low(), deps);
  assert.deepEqual((await api.ask('owner', 'POST /notices/read', { body: { upTo: newest } })).body, { unread: 1 });
  assert.deepEqual((await api.ask('owner', 'POST /notices/read', { body: {} })).body, { unread: 0 });
  assert.equal(await unread('member'), 2);
});

test('the list is paged, newest first, and narrowed by kind and to what is unread', async () => {
  const first = await api.ask('owner', 'GET /notices', { query: { limit: '2' } });
  const second = await api.ask('owner', 'GET /notices', { query: { limit: '2', cursor: first.body.nextCursor } });
  const ids = [...first.body.items, ...second.body.items].map(({ noticeId }) => noticeId);
  assert.equal(ids.length, 3);
  assert.deepEqual(ids, [...new Set(ids)].sort().reverse());
  const kinds = async (query: Record<string, string>) =>
    (await api.ask('member', 'GET /notices', { query })).body.items.length;
  assert.deepEqual(
    [await kinds({ kind: 'taskEnded' }), await kinds({ kind: 'balanceLow' }), await kinds({ unread: '1' })],
    [2, 0, 2],
  );
  assert.equal((await api.ask('owner', 'GET /notices', { query: { cursor: 'x' } })).body.code, 'CURSOR_INVALID');
});

test('each role configures its own kinds; disabled ones neither ring nor mail', async () => {
  const kindsOf = async (who: Parameters<typeof api.ask>[0]) =>
    (await api.ask(who, 'GET /notices/settings')).body.items.map(({ kind }: { kind: string }) => kind);
  assert.deepEqual(await kindsOf('viewer'), ['exportReady']);
  assert.deepEqual(await kindsOf('operator'), ['exportReady', 'bindDown', 'approvalPending']);
  assert.ok((await kindsOf('owner')).includes('thresholdAlert'));

  const email = await emailOf(api.users.owner.userId);
  const set = (bell: boolean, mailed: boolean) =>
    api.ask('owner', 'PUT /notices/settings', { body: { items: [{ kind: 'balanceLow', bell, email: mailed }] } });
  const before = (await mailsTo(email)).length;
  assert.equal((await set(false, false)).status, 200);
  assert.equal(await notify(api.db.pool, low(), deps), 0);
  await set(false, true);
  await notify(api.db.pool, low('quiet'), deps);
  await notify(api.db.pool, low('quiet'), deps);
  assert.equal((await mailsTo(email)).length, before + 1);
  assert.equal(await unread('owner'), 0);
  await set(true, false);
  await notify(api.db.pool, low(), deps);
  assert.equal(await unread('owner'), 1);
  assert.equal((await mailsTo(email)).length, before + 1);
});

test('settings of kinds that a role does not get, or named twice, are refused', async () => {
  const put = (who: Parameters<typeof api.ask>[0], items: object[]) =>
    api.ask(who, 'PUT /notices/settings', { body: { items } });
  const one = { kind: 'balanceLow', bell: true, email: true };
  assert.equal((await put('viewer', [one])).body.errors[0].code, 'NOT_AN_OPTION');
  assert.equal((await put('owner', [one, one])).status, 400);
  assert.equal((await put('owner', [])).status, 400);
  assert.equal((await put(null, [one])).status, 401);
});

test('of old notices nothing stays, read or not', async () => {
  await run(
    api.db.pool,
    sql`update notice set created_at = created_at - interval '91 days' where customer_id = ${customerId}`,
  );
  await notify(api.db.pool, ended([api.users.owner.userId]), deps);
  assert.ok((await sweepNotices(api.db.pool, 90 * 86_400_000, 1_000)) >= 4);
  assert.equal((await api.ask('owner', 'GET /notices')).body.items.length, 1);
});

test('owners are notified of a new member role and of a removal, except the acting owner', async () => {
  const second = await buildUser(api.db.pool, { customerId, role: 'owner' });
  const { userId } = api.users.viewer;
  const notifiedUsers = (reader: string) =>
    many<{ change: string }>(
      api.db.pool,
      sql`select params ->> 'change' as change from notice where user_id = ${reader} and kind = 'memberChanged' order by notice_id`,
    );
  assert.equal((await api.ask('owner', `PATCH /members/${userId}`, { body: { role: 'member' } })).status, 200);
  assert.equal((await api.ask('owner', `PATCH /members/${userId}`, { body: { role: 'member' } })).status, 200);
  assert.equal((await api.ask('owner', `DELETE /members/${userId}`)).status, 204);
  assert.deepEqual(await notifiedUsers(second.userId), [{ change: 'role' }, { change: 'removed' }]);
  assert.deepEqual(await notifiedUsers(api.users.owner.userId), []);
});

test('the submitter is notified of the decision; a deleted one is substituted', async () => {
  const decide = async (createdBy: string | undefined, action: string, body: object) => {
    const id = await buildTemplate(api.db.pool, {
      customerId,
      appId: api.appId,
      auditStatus: 0,
      ...(createdBy !== undefined && { createdBy }),
    });
    await api.ask('reviewer', `POST /reviews/templates/${id}/claim`);
    assert.equal((await api.ask('reviewer', `POST /reviews/templates/${id}/${action}`, { body })).status, 204);
    return many<{ userId: string; approved: boolean; reasonCode: string | null }>(
      api.db.pool,
      sql`select user_id as "userId", (params ->> 'approved')::boolean as approved, params ->> 'reasonCode' as "reasonCode"
          from notice where kind = 'reviewDecided' and params ->> 'id' = ${id}`,
    );
  };
  const member = api.users.member.userId;
  assert.deepEqual(await decide(member, 'approve', {}), [{ userId: member, approved: true, reasonCode: null }]);
  assert.deepEqual(await decide(member, 'reject', { reasonCode: 'MISLEADING', reason: '' }), [
    { userId: member, approved: false, reasonCode: 'MISLEADING' },
  ]);
  assert.ok((await decide(undefined, 'approve', {})).length >= 2);
});
