import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ClientStatus, TaskStatus } from '@pahatid/contract/enums';
import { messageIdFloor, uuidV7, withTransaction } from '@pahatid/db';
import { buildBatch, buildClicks, buildGroup, buildShortLink, buildTopUp } from '@pahatid/db/builders';
import { archiveBlock } from '@pahatid/db/queries/archive-packing';
import { makeTaskWorld, msisdnAt } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { registerFiles } from '../files/routes.ts';
import { checkNextTask } from '../tasks/check-next-task.ts';
import { prepareNextTask } from '../tasks/prepare-next-task.ts';
import { registerTasks } from '../tasks/routes.ts';
import { startDueTasks } from '../tasks/start-due-tasks.ts';
import { registerGroups } from './routes.ts';

const api = await makeTestApi({ features: [registerGroups, registerTasks, registerFiles] });
const { customerId, otherCustomerId, appId, ask } = api;
const { pool } = api.db;
const world = await makeTaskWorld(pool, customerId, appId);
await buildTopUp(pool, { customerId, amount: 1_000_000_000 });
const jobs = await world.jobs();
const DAY_MS = 86_400_000;

let names = 0;
const nextName = (): string => `Dynamic ${++names}`;
const group = (indexes: readonly number[], more: object = {}) =>
  buildGroup(pool, {
    customerId,
    groupName: nextName(),
    variableNames: ['name', 'City'],
    members: indexes.map((index) => ({
      msisdn: msisdnAt(index),
      variables: [`Name ${index}`, index % 2 === 0 ? 'Cebu' : 'Davao'],
    })),
    ...more,
  });
const inCebu = { field: 'value', name: 'city', operator: 'is', value: 'CEBU' } as const;
const count = async (selection: object) => {
  const answer = await ask('member', 'POST /groups/count-selection', { body: { selection } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const add = (selection: object) =>
  ask('member', 'POST /groups/dynamic', { body: { groupName: nextName(), selection } });
const history = (field: string, operator: 'within' | 'notWithin', days: number) => ({ field, operator, days });

const first = await group([1, 2, 3, 4, 5, 6]);

/** 1: delivered 2 days ago; 2: failed 2 days ago; 3: delivered 50 days ago; 4: undelivered and clicked; 5: replied. */
before(async () => {
  const { suppliers, routes } = world.carriers;
  const send = (daysAgo: number, index: number, clientStatus: ClientStatus) =>
    withTransaction(pool, (tx) =>
      buildBatch(tx, {
        customerId,
        appId,
        smsType: 2,
        clientSid: 'SHOP',
        supplierId: suppliers.Globe,
        routeId: routes.Globe,
        at: new Date(Date.now() - daysAgo * DAY_MS - index * 60_000),
        messages: [{ msisdn: msisdnAt(index), content: 'Hi', carrier: 'Globe', clientStatus, receiptAfterMs: 100 }],
      }),
    );
  await send(2, 1, ClientStatus.Delivered);
  await send(2, 2, ClientStatus.Rejected);
  await send(50, 3, ClientStatus.Delivered);
  const messageId = await send(2, 4, ClientStatus.Undelivered);
  const linkId = await buildShortLink(pool, {
    ...{ customerId, appId, templateId: world.templateId, mode: 'perRecipient' as const },
    ...{ linkName: 'Offer', domain: 'example.ph', code: 'oFFer01', targetUrl: 'https://example.ph/offer' },
  });
  const click = { at: new Date(), os: 'iOS', browser: 'Safari', device: 'phone', verdict: 'human' as const };
  await withTransaction(pool, (tx) =>
    buildClicks(tx, { customerId, linkId }, [
      { code: 'cL1cked', messageId, taskId: null, areaCode: 'PH', carrier: 'Globe', clicks: [click] },
    ]),
  );
  const replyId = uuidV7();
  await pool.query(
    `insert into conversation (customer_id, conversation_id, app_id, msisdn, last_inbound_id, last_at, last_text,
       last_destination, last_is_opt_out, unread_count) values ($1, $2, $3, $4, $2, now(), 'Hi', 'SHOP', false, 0)`,
    [customerId, replyId, appId, msisdnAt(5)],
  );
});

const expectations: [condition: ReturnType<typeof history>, indexes: number[]][] = [
  [history('written', 'within', 7), [1, 4]],
  [history('written', 'notWithin', 7), [2, 3, 5, 6]],
  [history('written', 'within', 60), [1, 3, 4]],
  [history('delivered', 'within', 60), [1, 3]],
  [history('delivered', 'notWithin', 7), [2, 3, 4, 5, 6]],
  [history('clicked', 'within', 7), [4]],
  [history('replied', 'within', 1), [5]],
  [history('joined', 'within', 1), [1, 2, 3, 4, 5, 6]],
];
const assertFound = async (): Promise<void> => {
  for (const [condition, indexes] of expectations) {
    const found = await count({ groupIds: [first], conditions: [condition] });
    assert.deepEqual(
      [found.count, found.sample.toSorted(), found.isEstimate, found.margin],
      [indexes.length, indexes.map(msisdnAt).toSorted(), false, 0],
      JSON.stringify(condition),
    );
  }
};

test('members are found by what they got and did', assertFound);

test('archived messages count as rows do', async () => {
  const today = Math.floor(Date.now() / DAY_MS);
  let moved = 0;
  for (const daysAgo of [51, 50, 3, 2]) {
    const [low, high] = [today - daysAgo, today - daysAgo + 1].map((day) => messageIdFloor(day * DAY_MS));
    moved += await withTransaction(pool, (tx) => archiveBlock(tx, customerId, { low: low!, high: high! }));
  }
  assert.equal(moved, 4);
  await assertFound();
});

test('a number of several groups is counted once, with the values of the first in which it fits', async () => {
  const second = await group([2, 3, 4, 7, 8]);
  const both = await count({ groupIds: [first, second], conditions: [inCebu] });
  assert.deepEqual([both.count, both.sourceCount, both.unknownNames], [4, 11, []]);
  const any = await count({
    groupIds: [first, second],
    match: 'any',
    conditions: [inCebu, { field: 'value', name: 'Tier', operator: 'is', value: 'Gold' }],
  });
  assert.deepEqual([any.count, any.unknownNames], [4, ['Tier']]);
});

test('of many members the count is estimated from a sample, with its margin', async () => {
  const many = await group(Array.from({ length: 20_000 }, (_, index) => 100_000 + index));
  const found = await count({ groupIds: [many], conditions: [inCebu] });
  assert.equal(found.isEstimate, true);
  assert.ok(found.margin > 50 && found.margin < 500, String(found.margin));
  // Once in 10^7 runs it would be further away; numbers and the hash are always the same here.
  assert.ok(Math.abs(found.count - 10_000) < 3 * found.margin, String(found.count));
});

test('a task is sent to those who are found when it is checked', async () => {
  const source = await group([20, 21, 22]);
  const { body: dynamic } = await add({ groupIds: [source], conditions: [inCebu] });
  assert.deepEqual(
    [dynamic.memberCount, dynamic.source, dynamic.variableNames, dynamic.selection.match],
    [2, 'dynamic', ['City', 'name'], 'all'],
  );
  // Since then two have joined.
  const joined = [24, 25].map((index) => ({
    mobileNumber: msisdnAt(index),
    variables: { name: `Name ${index}`, City: index === 24 ? 'cebu' : 'Davao' },
  }));
  assert.equal((await ask('member', `POST /groups/${source}/members`, { body: { members: joined } })).status, 200);
  const task = {
    ...{ taskName: 'To Cebu', appId, smsType: 2, templateId: world.templateId, senderId: world.senderId },
    groupIds: [dynamic.groupId],
  };
  const { body: created, status, text } = await ask('member', 'POST /tasks', { body: task });
  assert.equal(status, 201, text);
  while (await checkNextTask(jobs));
  const checked = (await ask('owner', `GET /tasks/${created.taskId}`)).body;
  assert.deepEqual([checked.taskStatus, checked.totalCount], [TaskStatus.ValidationPassed, 3], checked.statusReason);
  // Too late for this task.
  await ask('member', `POST /groups/${source}/members/remove`, { body: { mobileNumbers: [msisdnAt(20)] } });
  assert.equal((await ask('owner', `POST /tasks/${created.taskId}/confirm`)).status, 200);
  await startDueTasks(jobs);
  while (await prepareNextTask(jobs, { maxBatchesAhead: 100 }));
  const { rows } = await pool.query('select msisdn, content from message where task_id = $1 order by 1', [
    created.taskId,
  ]);
  assert.deepEqual(
    rows.map(({ msisdn }) => msisdn),
    [20, 22, 24].map(msisdnAt).toSorted(),
  );
  assert.ok(
    rows.every(({ content }) => content.includes('Name 2')),
    rows[0].content,
  );
  const after = (await ask('owner', `GET /groups/${dynamic.groupId}`)).body;
  assert.equal(after.memberCount, 3);
  assert.deepEqual(
    after.sources.map((each: { groupId: string; memberCount: number }) => [each.groupId, each.memberCount]),
    [[source, 4]],
  );
});

test('a test message has the values of one who is found; a task that finds none has no recipients', async () => {
  const source = await group([31, 32]);
  const { body: dynamic } = await add({ groupIds: [source], conditions: [inCebu] });
  const { body: nobody } = await add({ groupIds: [source], conditions: [{ ...inCebu, value: 'Manila' }] });
  const task = { appId, smsType: 2, templateId: world.templateId, senderId: world.senderId };
  const make = async (groupId: string) => {
    const body = { ...task, taskName: nextName(), groupIds: [groupId] };
    const answer = await ask('member', 'POST /tasks', { body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.taskId;
  };
  const taskId = await make(dynamic.groupId);
  while (await checkNextTask(jobs));
  const sent = await ask('owner', `POST /tasks/${taskId}/test`, { body: { mobileNumber: '09171234567' } });
  assert.equal(sent.status, 202, sent.text);
  const { rows } = await pool.query(`select content from message where msisdn = '639171234567'`);
  assert.match(rows[0]?.content ?? '', /Name 32/);
  const empty = await make(nobody.groupId);
  while (await checkNextTask(jobs));
  const failed = (await ask('owner', `GET /tasks/${empty}`)).body;
  assert.deepEqual([failed.taskStatus, failed.statusReason], [TaskStatus.Failed, 'NO_RECIPIENTS']);
});

test('its members can be neither listed nor changed, and it is no source of another', async () => {
  const { body: dynamic } = await add({ groupIds: [first], conditions: [inCebu] });
  const { groupId } = dynamic;
  const members = { members: [{ mobileNumber: '09171234567' }] };
  const refused = [
    await ask('owner', `GET /groups/${groupId}/members`),
    await ask('member', `POST /groups/${groupId}/members`, { body: members }),
    await ask('member', `POST /groups/${groupId}/members/remove`, { body: { mobileNumbers: ['09171234567'] } }),
    await ask('member', `POST /groups/${groupId}/import`, { body: { fileId: await world.addFile(10) } }),
    await ask('member', 'POST /groups/combine', {
      body: { groupName: nextName(), combination: 'merge', groupIds: [groupId, first] },
    }),
    await ask('member', `PATCH /groups/${groupId}`, { body: { variableNames: ['name'] } }),
    await add({ groupIds: [groupId], conditions: [inCebu] }),
    await ask('member', 'POST /groups/count-selection', {
      body: { selection: { groupIds: [groupId], conditions: [inCebu] } },
    }),
  ];
  for (const [index, answer] of refused.entries())
    assert.deepEqual([answer.status, answer.body.code], [409, 'GROUP_IS_DYNAMIC'], `${index}: ${answer.text}`);
});

test('its selection is changed and counted again; a group with members gets none', async () => {
  const { body: dynamic } = await add({ groupIds: [first], conditions: [inCebu] });
  assert.equal(dynamic.memberCount, 3);
  const selection = { groupIds: [first], match: 'any', conditions: [inCebu, history('clicked', 'within', 7)] };
  const edit = (groupId: string, body: object) => ask('member', `PATCH /groups/${groupId}`, { body });
  const edited = await edit(dynamic.groupId, { selection, version: dynamic.version });
  assert.deepEqual([edited.status, edited.body.memberCount, edited.body.selection], [200, 3, selection]);
  assert.equal((await edit(dynamic.groupId, { selection, version: dynamic.version })).body.code, 'VERSION_CONFLICT');
  assert.equal((await edit(dynamic.groupId, { groupName: nextName() })).body.selection.match, 'any');
  assert.equal((await edit(first, { selection })).body.code, 'GROUP_NOT_DYNAMIC');
});

test('a group that one selects from is deleted after it', async () => {
  const source = await group([41]);
  const { body: dynamic } = await add({ groupIds: [source], conditions: [inCebu] });
  const refused = await ask('member', `DELETE /groups/${source}`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'GROUP_SELECTED_FROM']);
  assert.match(refused.text, new RegExp(dynamic.groupName));
  assert.equal((await ask('member', `DELETE /groups/${dynamic.groupId}`)).status, 204);
  assert.equal((await ask('member', `DELETE /groups/${source}`)).status, 204);
});

test('groups of others, deleted ones and bad conditions are refused, and nothing is stored', async () => {
  const theirs = await buildGroup(pool, { customerId: otherCustomerId, groupName: 'Theirs' });
  const gone = await group([]);
  await ask('member', `DELETE /groups/${gone}`);
  const before = (await pool.query('select count(*) from message_group')).rows;
  for (const groupId of [theirs, gone]) {
    const selection = { groupIds: [groupId], conditions: [inCebu] };
    assert.equal((await add(selection)).body.code, 'GROUP_NOT_FOUND');
    const counted = await ask('member', 'POST /groups/count-selection', { body: { selection } });
    assert.equal(counted.body.code, 'GROUP_NOT_FOUND');
  }
  const bad: object[] = [
    { ...inCebu, value: '' },
    { ...inCebu, operator: 'above', value: 'many' },
    { ...inCebu, operator: 'like' },
    history('written', 'within', 0),
    history('written', 'within', 366),
    history('opened', 'within', 5),
    { field: 'rangeHolder', operator: 'is', holders: [] },
  ];
  for (const condition of bad) {
    const answer = await add({ groupIds: [first], conditions: [condition] });
    assert.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_FAILED'], JSON.stringify(condition));
  }
  const none = await add({ groupIds: [first], conditions: [] });
  assert.equal(none.status, 400);
  assert.equal((await ask('viewer', 'POST /groups/dynamic', { body: {} })).status, 403);
  assert.deepEqual((await pool.query('select count(*) from message_group')).rows, before);
});
