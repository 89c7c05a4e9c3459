/** Numbers as sources: staff assign them, their owner alone sends from them. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { TaskStatus } from '@pahatid/contract/enums';
import { uuidV7 } from '@pahatid/db';
import { buildSender } from '@pahatid/db/builders';
import { readAssignedNumber } from '@pahatid/domain';
import { makeTaskWorld } from '../../http/testing/task-world.ts';
import { makeTestApi, type Who } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';
import { readLinkProfile } from '../../sending/link-profile.ts';
import { MessageEncoder } from '../../sending/submit/encode-message.ts';
import { checkNextTask } from '../tasks/check-next-task.ts';
import { prepareNextTask } from '../tasks/prepare-next-task.ts';
import { startDueTasks } from '../tasks/start-due-tasks.ts';

const api = await makeTestApi({ features: apiFeatures, config: { optOutNumber: '21583' } });
const { pool } = api.db;
const { customerId, appId } = api;
const world = await makeTaskWorld(pool, customerId, appId);

const path = `/customers/${customerId}/numbers`;
const other = { appId: api.otherAppId };
const assign = (number: string, more: object = {}, who: Who = 'operator', customer = customerId) =>
  api.ask(who, `POST /customers/${customer}/numbers`, { body: { appId, number, ...more } });
const send = (senderId: string, app: 'app' | 'otherApp' = 'app') =>
  api.ask(null, 'POST /messages', {
    body: { to: '09171234567', smsType: 1, content: 'Your code is 123456.', senderId },
    headers: { authorization: api.basic[app] },
  });

before(async () => {
  await buildSender(pool, { customerId: api.otherCustomerId, appId: api.otherAppId, senderId: 'OTHERSHOP' });
});

test('a number is accepted in any spelling; anything but a short code or number is rejected', async () => {
  for (const [typed, number] of [
    ['21 583', '21583'],
    ['+63 917 888 0021', '639178880021'],
    ['0917-888-0021', '639178880021'],
    ['+63 2 8123 4567', '63281234567'],
    ['12', null],
    ['SARISARI', null],
    ['+0123456789', null],
  ] as const)
    assert.equal(readAssignedNumber(typed), number, typed);
  const refused = await assign('12x456');
  assert.deepEqual([refused.status, refused.body.errors], [400, [{ field: 'number', code: 'NUMBER_INVALID' }]]);
});

test('staff assign a number once, also concurrently; the shared number stays unassigned', async () => {
  const both = await Promise.all([assign('2777'), assign('2777', other, 'operator', api.otherCustomerId)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
  assert.equal(both.find(({ status }) => status === 409)!.body.code, 'NUMBER_TAKEN');
  await pool.query('delete from assigned_number');
  assert.equal((await assign('21583')).body.code, 'NUMBER_TAKEN');
  assert.equal((await assign('2777', { appId: api.otherAppId })).body.code, 'APP_NOT_FOUND');
  assert.equal((await assign('2777', {}, 'operator', uuidV7())).status, 404);
  const { body, status } = await assign('2777', { remarkInfo: 'Promos' });
  assert.equal(status, 201);
  assert.partialDeepStrictEqual(body, { number: '2777', kind: 'shortCode', appId, useState: 1, remarkInfo: 'Promos' });
  const { rows } = await pool.query(
    `select action, customer_id, after from audit_log where subject_type = 'assignedNumber' and subject_id = $1`,
    [body.numberId],
  );
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ action: 'add', customer_id: customerId, after: { number: '2777', appId, remarkInfo: 'Promos' } }],
  );
});

test('S2 a customer sees its own numbers and changes none; reviewers read', async () => {
  const { body } = await api.ask('viewer', 'GET /numbers');
  assert.deepEqual(
    body.items.map((each: { number: string; operator?: string }) => [each.number, each.operator]),
    [['2777', undefined]],
  );
  assert.deepEqual((await api.ask('other', 'GET /numbers')).body.items, []);
  const staff = await api.ask('reviewer', 'GET /numbers', { query: { search: '27' } });
  assert.equal(typeof staff.body.items[0].operator, 'string');
  const [{ numberId }] = body.items;
  for (const who of ['owner', 'member', 'viewer', 'other'] as const)
    for (const call of [`POST ${path}/${numberId}/disable`, `DELETE ${path}/${numberId}`])
      assert.equal((await api.ask(who, call)).status, 404, `${who} ${call}`);
  assert.equal((await assign('2778', {}, 'owner')).status, 404);
  assert.equal((await assign('2778', {}, 'reviewer')).status, 403);
  assert.equal((await api.ask('reviewer', `DELETE ${path}/${numberId}`)).status, 403);
  assert.equal((await api.ask(null, 'GET /numbers')).status, 401);
  assert.equal((await api.ask('other', `GET /numbers/${numberId}`)).status, 404);
  const csv = await api.ask('owner', 'GET /numbers', { headers: { accept: 'text/csv' } });
  assert.match(csv.text, /2777,shortCode/);
});

test('only its owner sends from a number over HTTP', async () => {
  const sent = await send('2777');
  assert.equal(sent.status, 202, sent.text);
  const { rows } = await pool.query('select client_sid from message where message_id = $1', [sent.body.messageId]);
  assert.equal(rows[0].client_sid, '2777');
  assert.equal((await send('2777', 'otherApp')).body.code, 'SENDER_NOT_SENDABLE');
  assert.equal((await send('2779')).body.code, 'SENDER_NOT_SENDABLE');
});

test('a task is sent from a number, as a short code or as an international one on the wire', async () => {
  assert.equal((await assign('+639178880021')).status, 201);
  for (const senderId of ['2777', '+639178880021']) {
    const fileId = await world.addFile(1);
    const body = { taskName: 'From a number', appId, smsType: 2, templateId: world.templateId, senderId, fileId };
    const { body: task } = await api.ask('owner', 'POST /tasks', { body });
    assert.equal(await checkNextTask(await world.jobs()), true);
    assert.equal((await api.ask('owner', `POST /tasks/${task.taskId}/confirm`)).status, 200);
    const jobs = await world.jobs();
    await startDueTasks(jobs);
    while (await prepareNextTask(jobs, { maxBatchesAhead: 10_000 }));
    const { rows } = await pool.query('select client_sid from message where task_id = $1', [task.taskId]);
    assert.deepEqual(
      rows.map((row) => row.client_sid),
      [senderId.replace('+', '')],
    );
  }
  const encoder = new MessageEncoder(readLinkProfile({}));
  const addressOf = (clientSid: string) => {
    const message = { key: { clientSid }, msisdn: '639171234567', content: 'Hello' };
    const { source_addr_ton, source_addr_npi, source_addr } = encoder.encode(message as never, 1n, {
      part: 1,
      validForMs: null,
    });
    return [source_addr_ton, source_addr_npi, source_addr];
  };
  assert.deepEqual(addressOf('2777'), [3, 0, '2777']);
  assert.deepEqual(addressOf('639178880021'), [1, 1, '639178880021']);
});

test('a disabled number sends nothing; one that a task needs is not withdrawn; a withdrawn one is free again', async () => {
  const { body } = await api.ask('operator', 'GET /numbers', { query: { search: '2777' } });
  const { numberId } = body.items[0];
  assert.equal((await api.ask('operator', `POST ${path}/${numberId}/disable`)).body.useState, 0);
  const fileId = await world.addFile(1);
  const task = { taskName: 'Waits', appId, smsType: 2, templateId: world.templateId, senderId: '2777', fileId };
  assert.equal((await api.ask('owner', 'POST /tasks', { body: task })).body.code, 'SENDER_NOT_SENDABLE');
  assert.equal((await api.ask('operator', `POST ${path}/${numberId}/enable`)).body.useState, 1);
  await pool.query(`update task set task_status = 9, prepared = true where sender_id = '2777'`);
  const taskId = await world.addTask({ taskStatus: TaskStatus.Confirmed, senderId: '2777', taskName: 'Evening' });
  const inUse = await api.ask('operator', `DELETE ${path}/${numberId}`);
  assert.deepEqual([inUse.status, inUse.body.code, inUse.body.params], [409, 'NUMBER_IN_USE', { taskName: 'Evening' }]);
  await pool.query('update task set task_status = 7 where task_id = $1', [taskId]);
  assert.equal((await api.ask('operator', `DELETE ${path}/${numberId}`)).status, 204);
  assert.equal((await api.ask('operator', `DELETE ${path}/${numberId}`)).status, 404);
  assert.equal((await assign('2777', other, 'operator', api.otherCustomerId)).status, 201);
  const { rows } = await pool.query(
    `select action from audit_log where subject_type = 'assignedNumber' and subject_id = $1 order by audit_id`,
    [numberId],
  );
  assert.deepEqual(
    rows.map((row) => row.action),
    ['add', 'disable', 'enable', 'withdraw'],
  );
});

test('a sender ID of digits alone is still refused where a customer registers it', async () => {
  const answer = await api.ask('owner', 'POST /senders', { body: { appId, areaCode: 'PH', senderId: '21584' } });
  assert.deepEqual([answer.status, answer.body.params], [400, { reason: 'NO_LETTER' }]);
});
