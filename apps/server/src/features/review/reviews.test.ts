import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { many, one, run, sql } from '@pahatid/db';
import { buildSender, buildTask, buildTemplate } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { customerId, appId } = api;
type Reviewer = 'reviewer' | 'operator' | 'admin';
const claim = (kind: string, id: string, who: Reviewer = 'reviewer') =>
  api.ask(who, `POST /reviews/${kind}/${id}/claim`);
const release = (kind: string, id: string, who: Reviewer = 'reviewer') =>
  api.ask(who, `POST /reviews/${kind}/${id}/release`);
const bareDecide = (kind: string, id: string, action: string, body: object = {}, who: Reviewer = 'reviewer') =>
  api.ask(who, `POST /reviews/${kind}/${id}/${action}`, { body });
/** As the console does it: an opened item is claimed. */
const decide = async (kind: string, id: string, action: string, body: object = {}, who: Reviewer = 'reviewer') => {
  await claim(kind, id, who);
  return bareDecide(kind, id, action, body, who);
};
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort((a, b) => a - b);
const reject = (kind: string, id: string) => decide(kind, id, 'reject', { reason: 'The sender is not named' });
const pendingTemplate = (content = 'Hello {1}, welcome.') =>
  buildTemplate(api.db.pool, { customerId, appId, content, auditStatus: 0, createdBy: api.users.member.userId });
const pendingSender = (senderId: string) =>
  buildSender(api.db.pool, { customerId, appId, senderId, auditStatus: 0, createdBy: api.users.member.userId });
const pendingTask = async (status: TaskStatus = TaskStatus.PendingReview) => {
  const templateId = await buildTemplate(api.db.pool, { customerId, appId });
  return buildTask(api.db.pool, {
    customerId,
    taskStatus: status,
    appId,
    templateId,
    smsType: 2,
    content: 'Hello {1}, welcome.',
    totalCount: 10,
    createdBy: api.users.member.userId,
  });
};
const taskRow = (taskId: string) =>
  one<{
    status: number;
    reason: string | null;
    note: string | null;
    confirmed: Date | null;
    released: Date | null;
    reserved: string;
  }>(
    api.db.pool,
    sql`select t.task_status as status, t.status_reason as reason, t.status_note as note, t.confirmed_at as confirmed,
               r.released_at as released, r.amount as reserved
        from task t join reservation r using (task_id) where task_id = ${taskId}`,
  );

test('the queue holds what waits, oldest first, with what a reviewer must know', async () => {
  const templateId = await pendingTemplate('Hello {1}, your ₱500 voucher at https://bit.ly/abc waits.');
  const senderRowId = await pendingSender('QUEUE');
  const taskId = await pendingTask();
  const { status, body } = await api.ask('reviewer', 'GET /reviews');
  assert.equal(status, 200);
  assert.deepEqual(
    body.items.map((item: { kind: string; id: string }) => [item.kind, item.id]),
    [
      ['template', templateId],
      ['sender', senderRowId],
      ['task', taskId],
    ],
  );
  const [template, sender, task] = body.items;
  assert.equal(template.operator, 'Customer A');
  assert.equal(template.version, 1);
  assert.ok(template.findings.some((each: { code: string }) => each.code === 'LINK_PRESENT'));
  assert.ok(template.submittedBy);
  assert.ok(template.expectedTime > template.submitTime);
  assert.equal(sender.senderId, 'QUEUE');
  assert.equal(task.totalCount, 10);
  assert.equal(task.estimatedCost, 35_000);
  assert.equal(task.content, 'Hello {1}, welcome.');

  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { limit: '1', ...(cursor !== null && { cursor }) };
    const page = await api.ask('admin', 'GET /reviews', { query });
    seen.push(...page.body.items.map((item: { id: string }) => item.id));
    cursor = page.body.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(seen, [templateId, senderRowId, taskId]);
  for (const kind of ['template', 'sender', 'task']) {
    const only = await api.ask('reviewer', 'GET /reviews', { query: { kind } });
    assert.deepEqual(
      only.body.items.map((item: { kind: string }) => item.kind),
      [kind],
    );
  }
  await decide('templates', templateId, 'approve');
  await decide('senders', senderRowId, 'approve');
  await decide('tasks', taskId, 'approve');
  assert.deepEqual((await api.ask('reviewer', 'GET /reviews')).body.items, []);
});

test('an approved template sends; a rejected one has a reason that the customer reads', async () => {
  const approved = await pendingTemplate();
  assert.equal((await decide('templates', approved, 'approve', { version: 1 })).status, 204);
  const detail = await api.ask('viewer', `GET /templates/${approved}`);
  assert.deepEqual([detail.body.auditStatus, detail.body.servingVersion], [1, 1]);
  assert.ok(detail.body.versions[0].auditTime);

  const rejected = await pendingTemplate();
  assert.equal((await reject('templates', rejected)).status, 204);
  const refused = await api.ask('viewer', `GET /templates/${rejected}`);
  assert.deepEqual(
    [refused.body.auditStatus, refused.body.auditReason, refused.body.servingVersion],
    [2, 'The sender is not named', null],
  );
});

test('a rejected new version leaves the approved one serving, an approved one takes its place', async () => {
  const templateId = await pendingTemplate('First {1} text');
  await decide('templates', templateId, 'approve');
  const edit = (content: string) => api.ask('member', `PATCH /templates/${templateId}`, { body: { content } });
  await edit('Second {1} text');
  const queue = await api.ask('reviewer', 'GET /reviews', { query: { kind: 'template' } });
  assert.equal(queue.body.items[0].previousContent, 'First {1} text');
  await reject('templates', templateId);
  assert.equal((await api.ask('viewer', `GET /templates/${templateId}`)).body.servingVersion, 1);
  await edit('Third {1} text');
  assert.equal((await decide('templates', templateId, 'approve', { version: 2 })).body.code, 'ALREADY_REVIEWED');
  assert.equal((await decide('templates', templateId, 'approve', { version: 3 })).status, 204);
  assert.equal((await api.ask('viewer', `GET /templates/${templateId}`)).body.servingVersion, 3);
});

test('a pending version that a newer one has overtaken is in no queue', async () => {
  const templateId = await pendingTemplate('Older {1} text');
  await api.ask('member', `PATCH /templates/${templateId}`, { body: { content: 'Newer {1} text' } });
  const queue = await api.ask('reviewer', 'GET /reviews', { query: { kind: 'template' } });
  assert.deepEqual(
    queue.body.items.map((item: { version: number; content: string }) => [item.version, item.content]),
    [[2, 'Newer {1} text']],
  );
  await decide('templates', templateId, 'approve');
});

test('a sender ID is approved or rejected with each carrier', async () => {
  const approved = await pendingSender('YESNAME');
  const rejected = await pendingSender('NONAME');
  assert.equal((await decide('senders', approved, 'approve')).status, 204);
  assert.equal((await reject('senders', rejected)).status, 204);
  const rows = await many(
    api.db.pool,
    sql`select s.sender_id as name, s.audit_status as status, s.audit_reason as reason,
               array_agg(distinct k.audit_status) as carriers from sender s join sender_carrier k using (id)
        where s.id in (${approved}, ${rejected}) group by s.id order by 1`,
  );
  assert.deepEqual(rows, [
    { name: 'NONAME', status: 2, reason: 'The sender is not named', carriers: [2] },
    { name: 'YESNAME', status: 1, reason: null, carriers: [1] },
  ]);
});

test('an approved task is confirmed and keeps its reservation; a rejected one releases it and has a reason', async () => {
  const approved = await pendingTask();
  assert.equal((await decide('tasks', approved, 'approve')).status, 204);
  const yes = await taskRow(approved);
  assert.equal(yes.status, TaskStatus.Confirmed);
  assert.ok(yes.confirmed);
  assert.equal(yes.released, null);
  assert.equal(Number(yes.reserved), 35_000);

  const rejected = await pendingTask();
  assert.equal((await reject('tasks', rejected)).status, 204);
  const no = await taskRow(rejected);
  assert.deepEqual(
    [no.status, no.reason, no.note],
    [TaskStatus.Rejected, 'REVIEW_REJECTED', 'The sender is not named'],
  );
  assert.ok(no.released);
  const event = await one<{ action: string; status: number; note: string; who: string }>(
    api.db.pool,
    sql`select action, task_status as status, note, user_id as who from task_event where task_id = ${rejected} and action = 'reject'`,
  );
  assert.deepEqual(event, {
    action: 'reject',
    status: 11,
    note: 'The sender is not named',
    who: api.users.reviewer.userId,
  });
});

test('S6 a task in any other state is not decided', async () => {
  for (const status of Object.values(TaskStatus)) {
    if (status === TaskStatus.PendingReview) continue;
    const taskId = await pendingTask(status);
    for (const answer of [await decide('tasks', taskId, 'approve'), await reject('tasks', taskId)]) {
      assert.equal(answer.body.code, 'TASK_TRANSITION', `${status}`);
      assert.equal(answer.body.params.from, status);
    }
  }
});

test('of two concurrent reviewers one claims, and is named in the queue and in the refusal', async () => {
  for (const [kind, id] of [
    ['templates', await pendingTemplate()],
    ['senders', await pendingSender('RACENAME')],
    ['tasks', await pendingTask()],
  ] as const) {
    const answers = await Promise.all([claim(kind, id), claim(kind, id, 'admin'), claim(kind, id, 'operator')]);
    assert.deepEqual(statuses(answers), [200, 409, 409], kind);
    const winner = (['reviewer', 'admin', 'operator'] as const)[answers.findIndex(({ status }) => status === 200)]!;
    const loser = winner === 'admin' ? 'reviewer' : 'admin';
    const { name } = await one<{ name: string }>(
      api.db.pool,
      sql`select name from app_user where user_id = ${api.users[winner].userId}`,
    );
    for (const { status, body } of answers)
      if (status === 409) assert.deepEqual([body.code, body.params], ['REVIEW_CLAIMED', { name }], kind);
    const find = async (who: Reviewer) =>
      (await api.ask(who, 'GET /reviews')).body.items.find((item: { id: string }) => item.id === id).claim;
    const [mine, theirs] = [await find(winner), await find(loser)];
    assert.deepEqual([mine.isMine, theirs.isMine, theirs.name], [true, false, name]);
    for (const action of ['approve', 'reject']) {
      const refused = await bareDecide(kind, id, action, action === 'reject' ? { reason: 'No' } : {}, loser);
      assert.deepEqual([refused.status, refused.body.code], [409, 'REVIEW_CLAIMED'], kind);
    }
    // Several windows of the same reviewer.
    const twice = await Promise.all([
      bareDecide(kind, id, 'approve', {}, winner),
      bareDecide(kind, id, 'reject', { reason: 'No' }, winner),
      bareDecide(kind, id, 'approve', {}, winner),
    ]);
    assert.deepEqual(statuses(twice), [204, 409, 409], kind);
    for (const { status, body } of twice) if (status === 409) assert.equal(body.code, 'ALREADY_REVIEWED', kind);
    assert.equal((await claim(kind, id, loser)).body.code, 'ALREADY_REVIEWED', kind);
    const log = await many<{ action: string }>(
      api.db.pool,
      sql`select action from audit_log where subject_id = ${id} order by audit_id`,
    );
    assert.equal(log.length, 2, 'S56 one claim, one decision');
    assert.equal(log[0]?.action, 'review.claim');
  }
});

test('a claim is released, expires after five minutes, and is extended while its reviewer is active', async () => {
  const id = await pendingTemplate();
  const until = Date.parse((await claim('templates', id)).body.until);
  assert.ok(until - Date.now() > 4.9 * 60_000 && until - Date.now() <= 5 * 60_000 + 2_000);
  assert.ok(Date.parse((await claim('templates', id)).body.until) >= until, 'taken again by the same reviewer');
  assert.equal((await release('templates', id, 'admin')).status, 204);
  assert.equal((await claim('templates', id, 'admin')).status, 409, 'nobody gives back what another has');
  assert.equal((await release('templates', id)).status, 204);
  assert.equal((await claim('templates', id, 'admin')).status, 200);
  assert.equal((await bareDecide('templates', id, 'approve')).body.code, 'REVIEW_CLAIMED');

  await run(
    api.db.pool,
    sql`update review_claim set lease_until = now() - interval '1 second' where subject_id = ${id}`,
  );
  const queue = await api.ask('reviewer', 'GET /reviews', { query: { kind: 'template' } });
  assert.equal(queue.body.items[0].claim, null);
  const again = await Promise.all([claim('templates', id), claim('templates', id, 'operator')]);
  assert.deepEqual(statuses(again), [200, 409], 'one takes over what was left');
  const winner = again[0]?.status === 200 ? 'reviewer' : 'operator';
  assert.equal((await bareDecide('templates', id, 'approve', {}, winner)).status, 204);
  const left = await many(api.db.pool, sql`select 1 from review_claim where subject_id = ${id}`);
  assert.equal(left.length, 0, 'a decision ends the claim');
});

test('an unclaimed item is decided without a claim, by one of many, and is unclaimed afterwards', async () => {
  const kinds = [
    ['templates', await pendingTemplate()],
    ['senders', await pendingSender('UNOPENED')],
    ['tasks', await pendingTask()],
  ] as const;
  for (const [kind, id] of kinds) {
    const answers = await Promise.all([
      bareDecide(kind, id, 'approve'),
      bareDecide(kind, id, 'reject', { reason: 'No' }, 'admin'),
      bareDecide(kind, id, 'approve', {}, 'operator'),
    ]);
    assert.deepEqual(statuses(answers), [204, 409, 409], kind);
    const log = await many(api.db.pool, sql`select 1 from audit_log where subject_id = ${id}`);
    const left = await many(api.db.pool, sql`select 1 from review_claim where subject_id = ${id}`);
    assert.deepEqual([log.length, left.length], [1, 0], kind);
  }
  const missing = await bareDecide('templates', kinds[1][1], 'approve');
  assert.deepEqual([missing.status, missing.body.code], [404, 'NOT_FOUND']);
  assert.equal((await many(api.db.pool, sql`select 1 from review_claim`)).length, 0);
});

test('an item withdrawn or edited by its author in the meantime cannot be decided', async () => {
  const id = await pendingTemplate();
  await claim('templates', id);
  await api.ask('member', `PATCH /templates/${id}`, { body: { content: 'Newer {1} text' } });
  assert.equal((await bareDecide('templates', id, 'approve', { version: 1 })).body.code, 'ALREADY_REVIEWED');
  assert.equal((await bareDecide('templates', id, 'approve', { version: 2 })).status, 204);
  const taskId = await pendingTask();
  await claim('tasks', taskId);
  await api.ask('owner', `POST /tasks/${taskId}/cancel`);
  assert.equal((await bareDecide('tasks', taskId, 'approve')).body.code, 'TASK_TRANSITION');
});

test('a rejection needs a reason: a matching one of the catalogue, or free text', async () => {
  const id = await pendingTemplate();
  const content = 'Hello {1}, welcome.';
  for (const body of [
    {},
    { reason: '  ' },
    { reason: 'x'.repeat(501) },
    { reason: 'No', auditStatus: 1 },
    { reasonCode: 'NO_SUCH' },
    { reasonCode: 'FILE_MISMATCH' },
    { reasonCode: 'PROHIBITED', span: { from: 5, to: 5 } },
    { reasonCode: 'PROHIBITED', span: { from: 0, to: content.length + 1 } },
    { reasonCode: 'PROHIBITED', span: { from: -1, to: 2 } },
    { reasonCode: 'PROHIBITED', span: { from: 0 } },
  ])
    assert.equal((await decide('templates', id, 'reject', body)).status, 400, JSON.stringify(body));
  const span = { from: 6, to: 9 };
  assert.equal((await decide('templates', id, 'reject', { reasonCode: 'MISLEADING', span })).status, 204);
  for (const who of ['viewer', 'member'] as const) {
    const { body } = await api.ask(who, `GET /templates/${id}`);
    assert.deepEqual([body.auditCode, body.auditSpan, body.auditReason], ['MISLEADING', span, '']);
    assert.deepEqual(body.versions[0].auditSpan, span);
  }
  const sender = await pendingSender('SPANNED');
  const unfit = await decide('senders', sender, 'reject', { reasonCode: 'UNSUBSCRIBE_MISSING' });
  assert.equal(unfit.body.code, 'REASON_UNFIT');
  const spanned = await decide('senders', sender, 'reject', { reasonCode: 'MISLEADING', span: { from: 0, to: 1 } });
  assert.equal(spanned.body.code, 'SPAN_INVALID');
  assert.equal((await decide('senders', sender, 'reject', { reasonCode: 'NAME_UNPROVEN' })).status, 204);
  const shown = (await api.ask('viewer', 'GET /senders', { query: { search: 'SPANNED' } })).body.items[0];
  assert.equal(shown.auditCode, 'NAME_UNPROVEN');
  const taskId = await pendingTask();
  await decide('tasks', taskId, 'reject', { reasonCode: 'FILE_MISMATCH', reason: 'Row 3', span });
  const task = (await api.ask('viewer', `GET /tasks/${taskId}`)).body;
  assert.deepEqual([task.auditCode, task.auditSpan, task.statusNote], ['FILE_MISMATCH', span, 'Row 3']);
});

test('access: all staff, with cumulative rights; a customer sees nothing of it', async () => {
  const templateId = await pendingTemplate();
  for (const who of ['reviewer', 'operator', 'admin'] as const)
    assert.equal((await api.ask(who, 'GET /reviews')).status, 200, who);
  for (const who of ['owner', 'member', 'viewer', 'other'] as const) {
    assert.equal((await api.ask(who, 'GET /reviews')).status, 404, who);
    for (const action of ['claim', 'release'])
      assert.equal((await api.ask(who, `POST /reviews/templates/${templateId}/${action}`)).status, 404, who);
    assert.equal((await api.ask(who, `POST /reviews/templates/${templateId}/approve`, { body: {} })).status, 404, who);
  }
  assert.equal((await api.ask(null, 'GET /reviews')).status, 401);
  assert.equal((await api.ask(null, `POST /reviews/templates/${templateId}/claim`)).status, 401);
  const nothing = '019a0000-0000-7000-8000-000000000000';
  for (const kind of ['templates', 'senders', 'tasks']) {
    assert.equal((await claim(kind, nothing)).status, 404);
    assert.equal((await release(kind, nothing)).status, 404);
  }
  for (const kind of ['templates', 'senders', 'tasks'])
    assert.equal((await decide(kind, '019a0000-0000-7000-8000-000000000000', 'approve')).body.code, 'NOT_FOUND', kind);
  assert.equal((await decide('customers', templateId, 'approve')).status, 404);
  const { status } = await one<{ status: number }>(
    api.db.pool,
    sql`select audit_status as status from template_version where template_id = ${templateId}`,
  );
  assert.equal(status, 0);
});

test('what was decided can be looked up, newest first, in pages', async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  let last = '9999';
  do {
    const query: Record<string, string> = { limit: '3', auditStatus: '1,2', ...(cursor !== null && { cursor }) };
    const page = await api.ask('reviewer', 'GET /reviews', { query });
    assert.equal(page.status, 200);
    for (const item of page.body.items) {
      assert.ok([1, 2].includes(item.auditStatus));
      seen.push(`${item.kind} ${item.id} ${item.version}`);
    }
    cursor = page.body.nextCursor;
    last = cursor ?? last;
  } while (cursor !== null);
  assert.ok(seen.length > 10);
  assert.equal(new Set(seen).size, seen.length);
  assert.ok(['template', 'sender', 'task'].every((kind) => seen.some((each) => each.startsWith(kind))));
  const other = await api.ask('reviewer', 'GET /reviews', { query: { cursor: last } });
  assert.equal(other.body.code, 'CURSOR_INVALID');
});
