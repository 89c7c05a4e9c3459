/** Conversations assigned to users of the team: by those that write, to those that may answer, until they leave. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { many, run, sql, uuidV7 } from '@pahatid/db';
import { buildKey } from '@pahatid/db/builders';
import { insertInbound } from '@pahatid/db/queries/inbound';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { customerId, appId, users } = api;
const ids: string[] = [];

const reply = async (msisdn: string): Promise<string> => {
  const [receivedMs, inboundId] = [Date.now() + ids.length, uuidV7(Date.now() + ids.length)];
  await insertInbound(pool, {
    ...{ customerId, appId, messageId: null, taskId: null, supplierId: uuidV7(), inboundId, msisdn, receivedMs },
    ...{ content: `From ${msisdn}`, destination: '21583', isOptOut: false },
  });
  return inboundId;
};
const assign = (id: string | undefined, assigneeId: string | null, who: Who = 'member') =>
  api.ask(who, `PATCH /conversations/${id}` as 'PATCH /conversations/:conversationId', { body: { assigneeId } });
const listed = async (query: Record<string, string>, who: Who = 'owner') =>
  (await api.ask(who, 'GET /conversations', { query })).body.items.map(({ conversationId }) => conversationId);

before(async () => {
  for (const msisdn of ['639170000001', '639170000002', '639170000003']) ids.push(await reply(msisdn));
});

test('the team is its owners and members by name, without viewers and those removed', async () => {
  const names = async (who: Who) =>
    (await api.ask(who, 'GET /conversation-assignees')).body.assignees.map(({ userId }) => userId).sort();
  assert.deepEqual(await names('viewer'), [users.owner.userId, users.member.userId].sort());
  assert.equal((await names('other')).includes(users.owner.userId), false);
  assert.equal((await api.ask('admin', 'GET /conversation-assignees')).status, 404);
});

test('an assigned conversation is found by its user, and no more among those assigned to no one', async () => {
  const [first, second, third] = ids;
  const { status, body, text } = await assign(first, users.owner.userId);
  assert.equal(status, 200, text);
  assert.equal(body.assignee?.userId, users.owner.userId);
  assert.deepEqual(await listed({ assigned: 'me' }), [first]);
  assert.deepEqual(await listed({ assigned: 'me' }, 'member'), []);
  assert.deepEqual(await listed({ assigned: 'none' }), [third, second]);
  assert.deepEqual(await listed({ assigned: 'none', text: '0002' }), [second]);
  assert.deepEqual(await listed({ assigned: 'none', limit: '1' }), [third]);
  await reply('639170000001');
  assert.deepEqual(await listed({ assigned: 'me' }), [first]);
  await assign(first, null);
  assert.deepEqual(await listed({ assigned: 'me' }), []);
  const logged = await many<{ action: string; before: object; after: object }>(
    pool,
    sql`select action, before, after from audit_log where subject_type = 'conversation' and subject_id = ${first}
        order by audit_id`,
  );
  const name = body.assignee?.name;
  assert.deepEqual(logged, [
    { action: 'assign', before: { assignee: null }, after: { assignee: name } },
    { action: 'assign', before: { assignee: name }, after: { assignee: null } },
  ]);
});

test('only owners and members of the customer are assigned to, and only by them', async () => {
  const [first] = ids;
  for (const userId of [users.viewer.userId, users.other.userId, users.admin.userId, uuidV7()]) {
    const { status, body } = await assign(first, userId);
    assert.deepEqual(
      [status, (body as unknown as { errors: unknown }).errors],
      [400, [{ field: 'assigneeId', code: 'NOT_FOUND' }]],
    );
  }
  assert.equal((await assign(first, users.owner.userId, 'viewer')).status, 403);
  assert.equal((await assign(first, users.other.userId, 'other')).status, 404);
  assert.equal((await assign(uuidV7(), null)).status, 404);
  const { apiKey } = await buildKey(pool, { customerId, appId });
  const route = `PATCH /conversations/${first}` as 'PATCH /conversations/:conversationId';
  const headers = { authorization: `Bearer ${apiKey}` };
  assert.equal((await api.ask(null, route, { body: { assigneeId: null }, headers })).status, 403);
  assert.deepEqual((await api.ask(null, 'GET /conversations', { query: { assigned: 'me' }, headers })).body.items, []);
});

test('two that assign at the same time leave one assignee, and the log has each step from where the other left', async () => {
  const [, second] = ids;
  await Promise.all([
    assign(second, users.owner.userId, 'owner'),
    assign(second, users.member.userId, 'member'),
    assign(second, users.owner.userId, 'member'),
  ]);
  const logged = await many<{ before: { assignee: string | null }; after: { assignee: string | null } }>(
    pool,
    sql`select before, after from audit_log where subject_id = ${second} order by audit_id`,
  );
  let now: string | null = null;
  for (const { before: from, after } of logged) {
    assert.equal(from.assignee, now);
    now = after.assignee;
  }
  const found = await api.ask('owner', `GET /conversations/${second}` as 'GET /conversations/:conversationId');
  assert.equal(found.body.assignee?.name ?? null, now);
});

test('who becomes a viewer, or is removed, has no conversations any more', async () => {
  const [first, , third] = ids;
  const member = (method: 'PATCH' | 'DELETE') =>
    `${method} /members/${users.member.userId}` as 'PATCH /members/:userId';
  for (const id of [first, third]) await assign(id, users.member.userId);
  await api.ask('owner', member('PATCH'), { body: { role: 'viewer' } });
  assert.equal((await listed({ assigned: 'none' })).includes(third ?? ''), true);
  await api.ask('owner', member('PATCH'), { body: { role: 'member' } });
  await assign(third, users.member.userId, 'owner');
  assert.equal((await listed({ assigned: 'none' })).includes(third ?? ''), false);
  // The removal and a second assignment at the same time: whichever comes first, no one is left assigned.
  await Promise.all([
    api.ask('owner', member('DELETE') as 'DELETE /members/:userId'),
    assign(first, users.member.userId, 'owner'),
  ]);
  const { items } = (await api.ask('owner', 'GET /conversations')).body;
  assert.equal(items.filter(({ assignee }) => assignee?.userId === users.member.userId).length, 0);
  assert.equal((await listed({ assigned: 'none' })).includes(first ?? ''), true);
  await run(pool, sql`update app_user set removed_at = null, use_state = 1 where user_id = ${users.member.userId}`);
});
