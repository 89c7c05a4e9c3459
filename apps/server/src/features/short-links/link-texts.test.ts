/**
 * S75 A text with a short link that is not approved, or that staff blocked, is refused wherever texts are sent. A template
 * may wait for review together with its link.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTemplate } from '@pahatid/db/builders';
import { makeTaskWorld, msisdnAt } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { checkNextTask } from '../tasks/check-next-task.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { customerId, appId } = api;
const world = await makeTaskWorld(pool, customerId, appId);
const jobs = await world.jobs();
const to = '0917 123 4567';

const addLink = async (linkName: string, more: object = {}) => {
  const body = { linkName, targetUrl: `https://${linkName.toLowerCase()}.example.com/`, mode: 'shared', ...more };
  const answer = await api.ask('owner', 'POST /short-links', { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body as { linkId: string; shortUrl: string; version: number };
};
const approve = async ({ linkId }: { linkId: string }) => {
  const answer = await api.ask('reviewer', `POST /reviews/links/${linkId}/approve`, { body: {} });
  assert.equal(answer.status, 204, answer.text);
};
const block = async ({ linkId }: { linkId: string }) => {
  const answer = await api.ask('reviewer', `PUT /blocked-links/${linkId}`, { body: { reason: 'Phishing' } });
  assert.equal(answer.status, 204, answer.text);
};
/** One link of each kind that must not be sent, with what it is refused with. */
const waiting = await addLink('Waiting');
const blocked = await addLink('Blocked');
await approve(blocked);
await block(blocked);
const disabled = await addLink('Disabled');
await approve(disabled);
const { body: read } = await api.ask('owner', `GET /short-links/${disabled.linkId}`);
await api.ask('owner', `PATCH /short-links/${disabled.linkId}`, { body: { version: read.version, useState: 0 } });
const good = await addLink('Good');
await approve(good);
const refused = [
  [waiting, { code: 'LINK_NOT_APPROVED', params: { linkName: 'Waiting' } }],
  [blocked, { code: 'LINK_NOT_APPROVED', params: { linkName: 'Blocked' } }],
  [disabled, { code: 'LINK_NOT_USABLE' }],
] as const;

const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.ask(null, 'POST /messages', { body, headers: { authorization: api.basic.app, ...headers } });
const template = (content: string) => buildTemplate(pool, { customerId, appId, content, smsType: 2 });
const countMessages = async () => Number((await pool.query('select count(*) from message')).rows[0].count);
const expectRefusal = (answer: { status: number; body: object }, problem: object, status = 409) => {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.partialDeepStrictEqual(answer.body, problem);
};

test('S75 POST /messages refuses a whole text, a template and a value that hold such a link; nothing is stored', async () => {
  const before = await countMessages();
  for (const [link, problem] of refused) {
    const templateId = await template(`See ${link.shortUrl} now`);
    expectRefusal(await post({ to, smsType: 2, content: `See ${link.shortUrl} now` }), problem);
    expectRefusal(await post({ to, smsType: 2, content: `See ${link.shortUrl.replace('http://', '')}` }), problem);
    expectRefusal(await post({ to, templateId }), problem);
  }
  assert.equal(await countMessages(), before);
  assert.equal((await post({ to, smsType: 2, content: `See ${good.shortUrl} now` })).status, 202);
  assert.equal((await post({ to, templateId: await template(`See ${good.shortUrl} now`) })).status, 202);
  // Of another domain, or of none: plain text.
  const code = waiting.shortUrl.slice(-8);
  assert.equal((await post({ to, smsType: 2, content: `See elsewhere.ph/s/${code} now` })).status, 202);
});

test('S75 of several messages only those with such a link are refused; a repeated call gets its first answer', async () => {
  const message = (content: string, index: number) => ({ to: msisdnAt(index), smsType: 2, content });
  const later = await addLink('Later');
  await approve(later);
  const body = {
    messages: [
      message('Hello', 1),
      message(`See ${waiting.shortUrl}`, 2),
      message(`See ${later.shortUrl}`, 3),
      message(`See ${disabled.shortUrl}`, 4),
    ],
  };
  const key = { 'idempotency-key': 'links-1' };
  const answer = await post(body, key);
  assert.equal(answer.status, 202, answer.text);
  assert.deepEqual(
    answer.body.messages.map((each: { error?: { code: string } }) => each.error?.code ?? 'accepted'),
    ['accepted', 'LINK_NOT_APPROVED', 'accepted', 'LINK_NOT_USABLE'],
  );
  await block(later);
  assert.deepEqual((await post(body, key)).body, answer.body);
  const all = await post({ messages: [message(`See ${waiting.shortUrl}`, 5), message(`See ${blocked.shortUrl}`, 6)] });
  expectRefusal(all, { code: 'MESSAGES_REFUSED' }, 400);
  assert.deepEqual(
    all.body.errors.map((each: { field: string; code: string }) => [each.field, each.code]),
    [
      ['messages.0', 'LINK_NOT_APPROVED'],
      ['messages.1', 'LINK_NOT_APPROVED'],
    ],
  );
});

const templateBody = (templateName: string, content: string) => ({ templateName, appId, smsType: 2, content });
const addTemplate = (name: string, content: string) =>
  api.ask('owner', 'POST /templates', { body: templateBody(name, content) });

test('S75 a template is kept with a link that waits; with one that is closed or unknown it is refused', async () => {
  const rejected = await addLink('Rejected');
  const refusal = { reasonCode: 'LINK_UNSAFE', reason: 'Gambling' };
  const answer = await api.ask('reviewer', `POST /reviews/links/${rejected.linkId}/reject`, { body: refusal });
  assert.equal(answer.status, 204, answer.text);
  const closed = [
    ...refused.slice(1),
    [rejected, { code: 'LINK_NOT_APPROVED', params: { linkName: 'Rejected' } }],
    [{ ...good, linkId: 'nobody', shortUrl: good.shortUrl.replace(/.{8}$/, 'zzzzzzzz') }, { code: 'LINK_NOT_USABLE' }],
  ] as const;
  for (const [link, problem] of closed)
    expectRefusal(await addTemplate(`With ${link.linkId}`, `See ${link.shortUrl} now`), problem);
  const added = await addTemplate('With a good link', `See ${good.shortUrl} now`);
  assert.equal(added.status, 201, added.text);
  const { templateId } = added.body;
  const edit = (content: string) => api.ask('owner', `PATCH /templates/${templateId}`, { body: { content } });
  for (const [link, problem] of closed) expectRefusal(await edit(`Look at ${link.shortUrl}`), problem);
  const { body: kept } = await api.ask('owner', `GET /templates/${templateId}`);
  assert.deepEqual([kept.version, kept.content], [1, `See ${good.shortUrl} now`]);
  const edited = await edit(`Look at ${waiting.shortUrl}`);
  assert.deepEqual([edited.status, edited.body.version, edited.body.auditStatus], [200, 2, 0]);
});

test('S75 a template and its link wait together; the template is approved after its link, and sends nothing before', async () => {
  const link = await addLink('Together');
  const added = await addTemplate('Together', `See ${link.shortUrl} now`);
  assert.deepEqual([added.status, added.body.auditStatus], [201, 0], added.text);
  const { templateId } = added.body;
  const approveTemplate = () => api.ask('reviewer', `POST /reviews/templates/${templateId}/approve`, { body: {} });
  const linksShown = async () => (await api.ask('reviewer', `GET /reviews/templates/${templateId}`)).body.links;
  const shown = { linkId: link.linkId, linkName: 'Together', targetUrl: 'https://together.example.com/' };
  assert.deepEqual(await linksShown(), [{ ...shown, linkState: 'pending' }]);
  expectRefusal(await approveTemplate(), { code: 'LINK_NOT_APPROVED', params: { linkName: 'Together' } });
  assert.equal((await api.ask('owner', `GET /templates/${templateId}`)).body.auditStatus, 0);
  assert.notEqual((await post({ to, templateId })).status, 202);
  await approve(link);
  assert.deepEqual(await linksShown(), [{ ...shown, linkState: 'active' }]);
  assert.equal((await approveTemplate()).status, 204);
  assert.equal((await post({ to, templateId })).status, 202);
  await block(link);
  expectRefusal(await post({ to, templateId }), { code: 'LINK_NOT_APPROVED' });
});

test('S75 a draft is kept with such a link, but is neither submitted nor tested; nor is a task added', async () => {
  for (const [link, problem] of refused) {
    const templateId = await template(`See ${link.shortUrl} now`);
    const fileId = await world.addFile(1);
    const body = { taskName: 'Links', appId, smsType: 2, templateId, senderId: world.senderId, fileId };
    expectRefusal(await api.ask('owner', 'POST /tasks', { body }), problem);
    const draft = await api.ask('owner', 'POST /tasks', { body: { ...body, draft: true } });
    assert.equal(draft.status, 201, draft.text);
    const { taskId } = draft.body;
    expectRefusal(await api.ask('owner', `POST /tasks/${taskId}/submit`), problem);
    expectRefusal(await api.ask('owner', `POST /tasks/${taskId}/test`, { body: { mobileNumber: to } }), problem);
    assert.equal((await api.ask('owner', `GET /tasks/${taskId}`)).body.taskStatus, 1);
  }
});

test('S75 no value brings a short link into a template: any link in a value is refused', async () => {
  const templateId = await template('See {1}');
  const errors = [{ field: 'variables', code: 'VALUE_IS_LINK', params: { variable: 1 } }];
  const problem = { code: 'VALIDATION_FAILED', errors };
  expectRefusal(await post({ to, templateId, variables: [blocked.shortUrl] }), problem, 400);
  const fileId = await world.addFile(1);
  const body = { taskName: 'Values', appId, smsType: 2, templateId, senderId: world.senderId, fileId, draft: true };
  const { taskId } = (await api.ask('owner', 'POST /tasks', { body })).body;
  const test = { mobileNumber: to, variables: [blocked.shortUrl] };
  expectRefusal(await api.ask('owner', `POST /tasks/${taskId}/test`, { body: test }), problem, 400);
});

test('S75 a link that is blocked between the submission and the check of a task fails the check', async () => {
  const link = await addLink('Between');
  await approve(link);
  const templateId = await template(`See ${link.shortUrl}`);
  const body = { taskName: 'Between', appId, smsType: 2, templateId, senderId: world.senderId };
  const added = await api.ask('owner', 'POST /tasks', { body: { ...body, fileId: await world.addFile(1) } });
  assert.equal(added.status, 201, added.text);
  await block(link);
  assert.equal(await checkNextTask(jobs), true);
  const { body: task } = await api.ask('owner', `GET /tasks/${added.body.taskId}`);
  assert.deepEqual([task.taskStatus, task.statusReason], [8, 'LINK_NOT_APPROVED']);
});

test('S75 a task that has failed messages is not repeated once its link is blocked', async () => {
  const link = await addLink('Repeat');
  await approve(link);
  const taskId = await world.addTask({ taskStatus: 6, endedAt: new Date(), content: `See ${link.shortUrl}` });
  await block(link);
  const answer = await api.ask('owner', `POST /tasks/${taskId}/retry`, { body: null });
  expectRefusal(answer, { code: 'LINK_NOT_APPROVED', params: { linkName: 'Repeat' } });
});
