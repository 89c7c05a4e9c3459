import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract/enums';
import { buildGroup, buildTemplate, buildTopUp, defaultPassword } from '@pahatid/db/builders';
import { useNumberHash } from '@pahatid/db/queries/erased-opt-outs';
import { makeTaskWorld, msisdnAt, sendAll } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { findDifferences } from '../../verify/find-differences.ts';
import { options as all } from '../../verify/testing/agrees.ts';
import { registerFiles } from '../files/routes.ts';
import { registerGroups } from '../groups/routes.ts';
import { registerOptOuts } from '../opt-outs/routes.ts';
import { registerPrivacy } from '../privacy/routes.ts';
import { checkNextTask } from './check-next-task.ts';
import { finishTasks } from './finish-tasks.ts';
import { prepareNextTask } from './prepare-next-task.ts';
import { registerTasks } from './routes.ts';
import { startDueTasks } from './start-due-tasks.ts';

const api = await makeTestApi({
  features: [registerTasks, registerGroups, registerOptOuts, registerFiles, registerPrivacy],
});
const { customerId, appId, ask } = api;
const { pool } = api.db;
useNumberHash(api.deps.secrets.hashNumber);
await buildTopUp(pool, { customerId, amount: 1_000_000_000 });
const world = await makeTaskWorld(pool, customerId, appId);
const jobs = await world.jobs();
const marketing = await buildTemplate(pool, {
  customerId,
  appId,
  smsType: 3,
  content: 'Sale today, {1}! Reply T to unsubscribe',
});

let names = 0;
const group = (indexes: readonly number[], valuesOf = (index: number): string[] => [`Name ${index}`, `G-${index}`]) =>
  buildGroup(pool, {
    customerId,
    groupName: `Audience ${++names}`,
    variableNames: ['name', 'order'],
    members: indexes.map((index) => ({ msisdn: msisdnAt(index), variables: valuesOf(index) })),
  });
const span = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);
const create = (more: object) =>
  ask('member', 'POST /tasks', {
    body: { taskName: 'To groups', appId, smsType: 2, templateId: world.templateId, senderId: world.senderId, ...more },
  });
const created = async (more: object): Promise<string> => {
  const answer = await create(more);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.taskId;
};
const detailOf = async (taskId: string) => (await ask('owner', `GET /tasks/${taskId}`)).body;
const act = (taskId: string, what: string) => ask('owner', `POST /tasks/${taskId}/${what}`);
const send = async (taskId: string): Promise<{ msisdn: string; content: string }[]> => {
  assert.equal((await act(taskId, 'confirm')).status, 200);
  await startDueTasks(jobs);
  while (await prepareNextTask(jobs, { maxBatchesAhead: 100 }));
  const { rows } = await pool.query<{ msisdn: string; content: string }>(
    `select msisdn, content from message where task_id = $1 order by msisdn`,
    [taskId],
  );
  return rows;
};
const finish = async (taskId: string): Promise<void> => {
  await sendAll(pool, taskId, () => 'success');
  await finishTasks(jobs);
  assert.equal((await detailOf(taskId)).taskStatus, TaskStatus.Completed);
  const { differences } = await findDifferences(pool, all);
  // Messages sent manually here are not charged.
  const counted = ['taskTotal', 'taskEnd', 'file', 'group', 'batchRange', 'batchCounts'];
  assert.deepEqual(
    differences.filter((each) => counted.includes(each.check)),
    [],
  );
};
const check = async (): Promise<void> => {
  while (await checkNextTask(jobs));
};

test('a file and two groups are sent to as one audience, each number once, the file’s values before the groups’', async () => {
  const fileId = await world.addFile(1_500);
  const groupIds = [await group(span(1_400, 1_200)), await group(span(2_000, 1_000))];
  const taskId = await created({ fileId, groupIds });
  await check();
  const checked = await detailOf(taskId);
  assert.deepEqual(
    [checked.taskStatus, checked.totalCount, checked.droppedCount, checked.file.validCount],
    [TaskStatus.ValidationPassed, 3_000, 0, 1_500],
  );
  const { fileCount, memberCount, duplicateCount } = checked.audience;
  assert.deepEqual(
    { fileCount, memberCount, duplicateCount },
    { fileCount: 1_500, memberCount: 2_200, duplicateCount: 700 },
  );
  assert.deepEqual(
    checked.groups.map((each: { groupId: string }) => each.groupId),
    groupIds,
  );
  const messages = await send(taskId);
  assert.equal(new Set(messages.map((row) => row.msisdn)).size, 3_000);
  const textOf = (index: number) => messages.find((row) => row.msisdn === msisdnAt(index))?.content;
  assert.match(textOf(1_450) ?? '', /Name 1450.*A-1450/);
  assert.match(textOf(2_500) ?? '', /Name 2500.*G-2500/);
  await finish(taskId);
});

test('messages to a group are not in the order of their numbers, which would narrow masked digits', async () => {
  const taskId = await created({ groupIds: [await group(span(5_000, 3_000))] });
  await check();
  await send(taskId);
  const { rows } = await pool.query<{ msisdn: string }>(
    'select msisdn from message where task_id = $1 order by message_id',
    [taskId],
  );
  assert.equal(rows.length, 3_000);
  const ascents = rows.filter(({ msisdn }, index) => msisdn > (rows[index - 1]?.msisdn ?? '')).length;
  assert.ok(ascents > 1_200 && ascents < 1_800, `${ascents} of 3,000 follow a smaller number`);
  await finish(taskId);
});

test('group changes after the check do not affect the task, confirmed or not; the next task sees them', async () => {
  const groupId = await group(span(0, 50));
  const taskId = await created({ groupIds: [groupId] });
  await check();
  const path = `/groups/${groupId}/members`;
  const added = { members: [{ mobileNumber: '09179999999', variables: { name: 'Late', order: 'L' } }] };
  assert.equal((await ask('member', `POST ${path}`, { body: added })).body.addedCount, 1);
  assert.equal((await act(taskId, 'confirm')).status, 200);
  const changed = {
    members: [{ mobileNumber: msisdnAt(1), variables: { name: 'Renamed' } }],
    onDuplicate: 'overwrite',
  };
  await ask('member', `POST ${path}`, { body: changed });
  await ask('member', `POST ${path}/remove`, { body: { mobileNumbers: [msisdnAt(2), msisdnAt(3)] } });
  await startDueTasks(jobs);
  while (await prepareNextTask(jobs));
  const { rows } = await pool.query<{ msisdn: string; content: string }>(
    `select msisdn, content from message where task_id = $1`,
    [taskId],
  );
  assert.deepEqual(rows.map((row) => row.msisdn).sort(), span(0, 50).map(msisdnAt).sort());
  assert.match(rows.find((row) => row.msisdn === msisdnAt(1))?.content ?? '', /Name 1/);
  await finish(taskId);
  const next = await created({ groupIds: [groupId] });
  await check();
  assert.equal((await detailOf(next)).totalCount, 49);
});

test('an edited task to groups is rebuilt, and nothing of the old audience is left', async () => {
  const groupId = await group(span(0, 5));
  const taskId = await created({ groupIds: [groupId] });
  await check();
  const audiences = async () => (await pool.query(`select 1 from file where is_audience`)).rows.length;
  const before = await audiences();
  await ask('member', `POST /groups/${groupId}/members`, {
    body: { members: [{ mobileNumber: '09189999999', variables: { name: 'New', order: 'N' } }] },
  });
  assert.equal((await ask('member', `PATCH /tasks/${taskId}`, { body: { taskName: 'Again' } })).body.taskStatus, 1);
  assert.deepEqual([(await detailOf(taskId)).audience, await audiences()], [null, before - 1]);
  await act(taskId, 'submit');
  await check();
  assert.deepEqual([(await detailOf(taskId)).totalCount, await audiences()], [6, before]);
  const fileId = await world.addFile(2);
  await ask('member', `PATCH /tasks/${taskId}`, { body: { groupIds: [], fileId } });
  await act(taskId, 'submit');
  await check();
  const plain = await detailOf(taskId);
  assert.deepEqual([plain.totalCount, plain.audience, plain.groups], [2, null, []]);
});

test('values are matched by name in each group; members without one are rejected with the reason, in the report too', async () => {
  const [named, other] = [
    await group(span(0, 3), (index) => (index === 1 ? ['', 'x'] : [`Name ${index}`, 'x'])),
    await buildGroup(pool, {
      customerId,
      groupName: `Audience ${++names}`,
      variableNames: ['order', 'nick'],
      members: [{ msisdn: msisdnAt(9), variables: ['O-9', 'Nick 9'] }],
    }),
  ];
  const taskId = await created({
    groupIds: [named, other],
    mapping: { variables: [], groupVariables: ['name', 'order'] },
  });
  await check();
  const detail = await detailOf(taskId);
  assert.deepEqual([detail.totalCount, detail.droppedCount], [2, 2]);
  const report = await ask('member', `GET /tasks/${taskId}/rejects`);
  assert.ok(report.text.includes(msisdnAt(1)) && report.text.includes(msisdnAt(9)));
  assert.equal((await send(taskId)).length, 2);
  const none = await create({ groupIds: [named], mapping: { variables: [], groupVariables: ['name', 'nobody'] } });
  assert.deepEqual([none.body.code, none.body.params], ['MAPPING_INVALID', { variable: 2 }]);
});

test('opted-out members are excluded from marketing to a group, also if they opt out after the confirmation', async () => {
  const groupId = await group(span(0, 10), (index) => [`Name ${index}`, '']);
  await ask('member', 'POST /opt-outs', { body: { mobileNumbers: [msisdnAt(1)] } });
  const taskId = await created({
    groupIds: [groupId],
    smsType: 3,
    templateId: marketing,
    mapping: { variables: [], groupVariables: ['name'] },
  });
  await check();
  assert.equal((await detailOf(taskId)).totalCount, 9);
  assert.equal((await ask('owner', `GET /groups/${groupId}`)).body.suppressedCount, 1);
  assert.equal((await act(taskId, 'confirm')).status, 200);
  await ask('member', 'POST /opt-outs', { body: { mobileNumbers: [msisdnAt(2)] } });
  await startDueTasks(jobs);
  while (await prepareNextTask(jobs));
  const { rows } = await pool.query(`select msisdn from message where task_id = $1`, [taskId]);
  assert.equal(rows.length, 8);
  await finish(taskId);
});

test('a group that a task waits for is not deleted, and the refusal names the task; a sent or cancelled task frees it', async () => {
  const groupId = await group([1, 2]);
  const taskId = await created({
    groupIds: [groupId],
    planFlag: 1,
    planTime: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const refused = async () => {
    const answer = await ask('owner', `DELETE /groups/${groupId}`);
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.params],
      [409, 'GROUP_IN_USE', { taskName: 'To groups' }],
    );
  };
  await refused();
  await check();
  await refused();
  await act(taskId, 'confirm');
  await refused();
  assert.deepEqual((await ask('owner', `GET /groups/${groupId}`)).body.usedBy, [{ taskId, taskName: 'To groups' }]);
  await act(taskId, 'cancel');
  assert.equal((await ask('owner', `DELETE /groups/${groupId}`)).status, 204);
  const late = await create({ groupIds: [groupId] });
  assert.deepEqual([late.status, late.body.code], [400, 'GROUP_NOT_FOUND']);
  assert.equal((await detailOf(taskId)).groups[0].groupId, groupId);
});

test('a task needs a file or a group of its own customer that has members and is not being filled', async () => {
  const none = await create({});
  assert.deepEqual([none.status, none.body.code, none.body.errors[0].field], [400, 'TASK_INCOMPLETE', 'fileId']);
  assert.equal((await create({ groupIds: [await group([])] })).body.code, 'GROUP_EMPTY');
  const theirs = await buildGroup(pool, { customerId: api.otherCustomerId, members: [{ msisdn: msisdnAt(1) }] });
  assert.equal((await create({ groupIds: [theirs] })).body.code, 'GROUP_NOT_FOUND');
  const busy = await group([1]);
  await ask('member', `POST /groups/${busy}/import`, { body: { fileId: await world.addFile(2) } });
  assert.equal((await create({ groupIds: [busy] })).body.code, 'GROUP_BUSY');
  assert.equal((await create({ groupIds: [busy, busy] })).status, 400);
});

test('S58 an erased number leaves its groups and every frozen audience, and is not sent to any more', async () => {
  const [groupId, canary] = [await group(span(0, 4)), msisdnAt(3)];
  const taskId = await created({ groupIds: [groupId] });
  await check();
  const body = { mobileNumber: canary, currentPassword: defaultPassword };
  const held = await ask('owner', `POST /privacy/${customerId}/export`, { body: { mobileNumber: canary } });
  assert.equal(held.status, 200, held.text);
  assert.ok(held.body.groups.some((each: { groupId: string }) => each.groupId === groupId));
  const erased = (await ask('owner', `POST /privacy/${customerId}/erase`, { body })).body;
  assert.ok(erased.counts.groupCount >= 1);
  const { rows } = await pool.query(`select 1 from group_member where customer_id = $1 and msisdn = $2`, [
    customerId,
    canary,
  ]);
  assert.deepEqual(rows, []);
  assert.equal((await ask('owner', `GET /groups/${groupId}`)).body.memberCount, 3);
  assert.ok(!(await send(taskId)).some((row) => row.msisdn === canary));
  await finish(taskId);
});
