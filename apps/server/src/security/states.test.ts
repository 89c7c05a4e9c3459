/** Nothing reaches a state outside its transition table, whatever is called in whatever state. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuditStatus, routes, TaskStatus, UseState } from '@pahatid/contract';
import { maybe, one, sql } from '@pahatid/db';
import { buildSender, buildTemplate, buildTopUp } from '@pahatid/db/builders';
import { makeTaskWorld } from '../http/testing/task-world.ts';
import { makeTestApi, type Who } from '../http/testing/test-api.ts';
import { apiFeatures } from '../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { customerId, appId } = api;
const { pool } = api.db;
const world = await makeTaskWorld(pool, customerId, appId);
await buildTopUp(pool, { customerId, amount: 1_000_000 });

const statuses = Object.values(TaskStatus);
const statusOf = async (taskId: string): Promise<number | null> =>
  (await maybe<{ status: number }>(pool, sql`select task_status as status from task where task_id = ${taskId}`))
    ?.status ?? null;
const addTask = (taskStatus: TaskStatus) => world.addTask({ taskStatus });

/** What people may bring about by a call, from the product's table of transitions, written out again. */
const passing: Record<string, [from: number[], to: number]> = {
  submit: [[1], 0],
  confirm: [[2], 3],
  edit: [[1, 2, 3, 8, 11], 1],
  cancel: [[2, 3, 10], 7],
  approve: [[10], 3],
  reject: [[10], 11],
  terminate: [[4, 5], 9],
};
const acts: Record<string, [who: Who, route: (id: string) => string, body?: object]> = {
  submit: ['owner', (id) => `POST /tasks/${id}/submit`],
  confirm: ['owner', (id) => `POST /tasks/${id}/confirm`],
  edit: ['owner', (id) => `PATCH /tasks/${id}`, { taskName: 'Edited' }],
  cancel: ['owner', (id) => `POST /tasks/${id}/cancel`],
  terminate: ['owner', (id) => `POST /tasks/${id}/terminate`],
  pause: ['owner', (id) => `POST /tasks/${id}/pause`],
  resume: ['owner', (id) => `POST /tasks/${id}/resume`],
  retry: ['owner', (id) => `POST /tasks/${id}/retry`],
  resend: ['owner', (id) => `POST /tasks/${id}/resend`],
  approve: ['reviewer', (id) => `POST /reviews/tasks/${id}/approve`, {}],
  reject: ['reviewer', (id) => `POST /reviews/tasks/${id}/reject`, { reason: 'No.' }],
  delete: ['owner', (id) => `DELETE /tasks/${id}`],
};

/**
 * A reviewer claims an item before deciding; what can't be claimed can't be decided either, which the decision reports.
 */
const claim = async (kind: string, id: string): Promise<void> => {
  if ('POST /reviews/:kind/:id/claim' in routes) await api.ask('reviewer', `POST /reviews/${kind}/${id}/claim`);
};

test('S6 every action on a task in every status: the listed transitions pass, all others are rejected and change nothing', async () => {
  const reached = new Set<string>();
  for (const [act, [who, route, body]] of Object.entries(acts))
    for (const from of statuses) {
      const taskId = await addTask(from);
      if (who === 'reviewer') await claim('tasks', taskId);
      const answer = await api.ask(who, route(taskId), body === undefined ? {} : { body });
      const to = await statusOf(taskId);
      const about = `${act} in ${from}: ${answer.status} ${answer.text}`;
      const [allowed, leadsTo] = passing[act] ?? [[], -1];
      if (allowed.includes(from)) {
        assert.ok(answer.status < 300, about);
        assert.equal(to, leadsTo, about);
        if (from !== to) reached.add(`${from}>${to}`);
      } else if (act === 'delete' && from === TaskStatus.Draft) {
        assert.equal(answer.status, 204, about);
        assert.equal(to, null);
      } else if ((act === 'pause' && (from === 4 || from === 5)) || (act === 'resume' && answer.status < 300)) {
        // A flag next to the status.
        assert.equal(to, from, about);
      } else {
        assert.ok(answer.status === 409 || answer.status === 404, about);
        assert.equal(to, from, about);
      }
    }
  assert.deepEqual(
    [...reached].sort(),
    Object.values(passing)
      .flatMap(([from, to]) => from.filter((each) => each !== to).map((each) => `${each}>${to}`))
      .sort(),
  );
});

test('S6 none of the twelve times twelve transitions can be written into a task', async () => {
  const drafts = new Map<number, string>();
  for (const from of statuses) drafts.set(from, await addTask(from));
  for (const from of statuses)
    for (const to of statuses) {
      const taskId = drafts.get(from) ?? '';
      for (const field of ['taskStatus', 'task_status', 'status']) {
        const { status } = await api.ask('owner', `PATCH /tasks/${taskId}`, { body: { [field]: to } });
        assert.equal(status, 400, `${from} to ${to} by ${field}`);
      }
      assert.equal(await statusOf(taskId), from, `${from} to ${to}`);
    }
  for (const to of statuses)
    assert.equal((await api.ask('owner', 'POST /tasks', { body: { taskName: 'Made', taskStatus: to } })).status, 400);
});

test('S6 of two concurrent actions on one task one succeeds', async () => {
  for (const [left, right] of [
    ['cancel', 'confirm'],
    ['cancel', 'edit'],
    ['confirm', 'confirm'],
  ] as const) {
    const taskId = await addTask(TaskStatus.ValidationPassed);
    const answers = await Promise.all(
      [left, right].map((act) => {
        const [who, route, body] = acts[act] ?? assert.fail();
        return api.ask(who, route(taskId), body === undefined ? {} : { body });
      }),
    );
    const won = answers.filter((answer) => answer.status < 300).length;
    // A confirmed task may still be cancelled: then both succeeded, one after the other.
    const isBoth = left === 'cancel' && right === 'confirm' && (await statusOf(taskId)) === TaskStatus.Cancelled;
    assert.ok(
      won === 1 || (isBoth && won === 2),
      `${left} and ${right}: ${answers.map((answer) => answer.text).join()}`,
    );
  }
});

const reasonOf = (auditStatus: AuditStatus) => (auditStatus === AuditStatus.Rejected ? { auditReason: 'No.' } : {});

const review = async (kind: string, id: string, act: 'approve' | 'reject', body: object = {}) => {
  await claim(kind, id);
  return api.ask('reviewer', `POST /reviews/${kind}/${id}/${act}`, {
    body: act === 'reject' ? { reason: 'No.', ...body } : body,
  });
};

test('S6 templates and sender IDs are decided while they wait, and never again', async () => {
  const find = async (kind: string, id: string): Promise<number> => {
    const table = kind === 'templates' ? sql`template_version` : sql`sender`;
    const column = kind === 'templates' ? sql`template_id` : sql`id`;
    return (
      await one<{ status: number }>(pool, sql`select audit_status as status from ${table} where ${column} = ${id}`)
    ).status;
  };
  for (const kind of ['templates', 'senders'])
    for (const auditStatus of Object.values(AuditStatus))
      for (const act of ['approve', 'reject'] as const) {
        const id =
          kind === 'templates'
            ? await buildTemplate(pool, { customerId, appId, auditStatus, ...reasonOf(auditStatus) })
            : await buildSender(pool, {
                customerId,
                appId,
                auditStatus,
                senderId: `S6${act}${auditStatus}`.toUpperCase(),
                ...reasonOf(auditStatus),
              });
        const answer = await review(kind, id, act);
        const about = `${act} ${kind} in ${auditStatus}: ${answer.status} ${answer.text}`;
        const isOpen = auditStatus === AuditStatus.Pending;
        assert.equal(answer.status, isOpen ? 204 : 409, about);
        const after = isOpen ? (act === 'approve' ? AuditStatus.Approved : AuditStatus.Rejected) : auditStatus;
        assert.equal(await find(kind, id), after, about);
        // Its own customer can't write the state either.
        const patch = kind === 'templates' ? `PATCH /templates/${id}` : 'POST /senders';
        const { status } = await api.ask('owner', patch, { body: { auditStatus: 1 } });
        assert.equal(status, 400);
        assert.equal(await find(kind, id), after);
      }
});

test('S6 enabling and disabling a sender ID leaves its review alone', async () => {
  for (const auditStatus of Object.values(AuditStatus)) {
    const id = await buildSender(pool, {
      customerId,
      appId,
      auditStatus,
      senderId: `USE${auditStatus}X`,
      ...reasonOf(auditStatus),
    });
    for (const [act, useState] of [
      ['disable', UseState.Disabled],
      ['enable', UseState.Enabled],
    ] as const) {
      const { status, body } = await api.ask('owner', `POST /senders/${id}/${act}`);
      if (status === 200) assert.deepEqual([body.auditStatus, body.useState], [auditStatus, useState]);
      else assert.equal(status, 409);
    }
  }
});

test('S6 the new version of an approved template waits, is used by no task, and the approved one serves on', async () => {
  const added = await api.ask('owner', 'POST /templates', {
    body: { templateName: 'Served', smsType: 2, appId, content: 'Order {1} is ready, see {2}.' },
  });
  const { templateId } = added.body;
  assert.equal((await review('templates', templateId, 'approve')).status, 204);
  const edited = await api.ask('owner', `PATCH /templates/${templateId}`, {
    body: { content: 'A new text with {1} and {2}.' },
  });
  assert.deepEqual(
    [edited.body.version, edited.body.auditStatus, edited.body.servingVersion],
    [2, AuditStatus.Pending, 1],
    edited.text,
  );
  const fileId = await world.addFile(3);
  const made = await api.ask('owner', 'POST /tasks', {
    body: {
      taskName: 'Uses it',
      appId,
      smsType: 2,
      templateId,
      senderId: world.senderId,
      fileId,
      mapping: { variables: [1, 2] },
    },
  });
  assert.equal(made.status, 201, made.text);
  const detail = await api.ask('owner', `GET /tasks/${made.body.taskId}`);
  assert.ok(!String(detail.body.content).includes('new text'), detail.text);
  const versionOf = async (): Promise<number> =>
    (
      await one<{ version: number }>(
        pool,
        sql`select version from template_version where template_id = ${templateId} and audit_status = 1`,
      )
    ).version;
  assert.equal(await versionOf(), 1);
  assert.equal((await review('templates', templateId, 'reject')).status, 204);
  assert.equal(await versionOf(), 1, 'a rejected version takes nothing from the approved one');
});
