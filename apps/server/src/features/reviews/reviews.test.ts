import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract';
import { many, one, sql } from '@pahatid/db';
import { buildSender, buildTask, buildTemplate } from '@pahatid/db/builders';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { customerId, appId } = api;
const decide = (kind: string, id: string, action: string, body: object = {}, who: 'reviewer' | 'admin' = 'reviewer') =>
  api.ask(who, `POST /reviews/${kind}/${id}/${action}`, { body });
const reject = (kind: string, id: string) => decide(kind, id, 'reject', { reason: 'Say who you are' });
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
    const page = await api.ask('admin', 'GET /reviews', { query: { limit: '1', ...(cursor !== null && { cursor }) } });
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

test('an approved template sends; a rejected one says why, and its reason is read by the customer', async () => {
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
    [2, 'Say who you are', null],
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
    { name: 'NONAME', status: 2, reason: 'Say who you are', carriers: [2] },
    { name: 'YESNAME', status: 1, reason: null, carriers: [1] },
  ]);
});

test('an approved task is confirmed and keeps its money held; a rejected one gives it back and says why', async () => {
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
  assert.deepEqual([no.status, no.reason, no.note], [TaskStatus.Rejected, 'REVIEW_REJECTED', 'Say who you are']);
  assert.ok(no.released);
  const event = await one<{ action: string; status: number; note: string; who: string }>(
    api.db.pool,
    sql`select action, task_status as status, note, user_id as who from task_event where task_id = ${rejected} and action = 'reject'`,
  );
  assert.deepEqual(event, { action: 'reject', status: 11, note: 'Say who you are', who: api.users.reviewer.userId });
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

test('of two reviewers at once one decides, and the other is told so', async () => {
  for (const [kind, id] of [
    ['templates', await pendingTemplate()],
    ['senders', await pendingSender('RACENAME')],
    ['tasks', await pendingTask()],
  ] as const) {
    const answers = await Promise.all([
      decide(kind, id, 'approve'),
      decide(kind, id, 'reject', { reason: 'No' }, 'admin'),
      decide(kind, id, 'approve', {}, 'admin'),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [204, 409, 409],
      kind,
    );
    for (const { status, body } of answers) if (status === 409) assert.equal(body.code, 'ALREADY_REVIEWED', kind);
    const log = await many(api.db.pool, sql`select 1 from audit_log where subject_id = ${id}`);
    assert.equal(log.length, 1, 'S56 one decision, one entry');
  }
});

test('a rejection needs a reason', async () => {
  const templateId = await pendingTemplate();
  for (const body of [{}, { reason: '  ' }, { reason: 'x'.repeat(501) }, { reason: 'No', auditStatus: 1 }])
    assert.equal((await decide('templates', templateId, 'reject', body)).status, 400);
  await decide('templates', templateId, 'approve');
});

test('who may: all staff, whose rights add up; a customer sees no such thing', async () => {
  const templateId = await pendingTemplate();
  for (const who of ['reviewer', 'operator', 'admin'] as const)
    assert.equal((await api.ask(who, 'GET /reviews')).status, 200, who);
  for (const who of ['owner', 'member', 'viewer', 'other'] as const) {
    assert.equal((await api.ask(who, 'GET /reviews')).status, 404, who);
    assert.equal((await api.ask(who, `POST /reviews/templates/${templateId}/approve`, { body: {} })).status, 404, who);
  }
  assert.equal((await api.ask(null, 'GET /reviews')).status, 401);
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
    const page = await api.ask('reviewer', 'GET /reviews', {
      query: { limit: '3', auditStatus: '1,2', ...(cursor !== null && { cursor }) },
    });
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
