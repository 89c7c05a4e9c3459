/** Files, groups and tasks with a test key: the whole path, on the test customer, to the carrier of test mode (decision 155). */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TaskStatus, testNumbers } from '@pahatid/contract';
import { leaseWriter, many, one, run, sql, uuidV7 } from '@pahatid/db';
import { buildApplication, buildSender, buildSimulatedCarriers, buildTemplate } from '@pahatid/db/builders';
import { toTestCustomer } from '@pahatid/domain';
import { until } from '@pahatid/testkit';
import { makeCallbackWorld } from '../callbacks/testing/callback-world.ts';
import { parseNextFile } from '../features/files/parse-next-file.ts';
import { checkNextTask } from '../features/tasks/check-next-task.ts';
import { finishTasks } from '../features/tasks/finish-tasks.ts';
import { prepareNextTask } from '../features/tasks/prepare-next-task.ts';
import { startDueTasks } from '../features/tasks/start-due-tasks.ts';
import type { TaskJobContext } from '../sending/job-context.ts';
import { RoutingTable } from '../sending/route/routing-table.ts';
import { type Sending, startSending } from '../sending/start-sending.ts';

const world = await makeCallbackWorld();
const { api, receiver, dispatch } = world;
const { pool } = api.db;
const { customerId } = api;
const scopes = ['tasks', 'groups', 'messages:read', 'messages:send'];
let appId = '';
let templateId = '';
let testKey = '';
let liveKey = '';
let origin = '';
let otherTestKey = '';
let sending: Sending | null = null;
let jobs: TaskJobContext;

const stop = async (): Promise<void> => {
  await sending?.stop();
  sending = null;
};
api.db.beforeClose(stop);
after(stop);

const ask = (apiKey: string, route: string, input: object = {}) =>
  api.ask(null, route, { ...input, headers: { authorization: `Bearer ${apiKey}` } });
const makeKey = async (mode: string, of = appId): Promise<string> =>
  (await api.ask('owner', 'POST /keys', { body: { keyName: 'Try', appId: of, scopes, mode } })).body.apiKey;

before(async () => {
  ({ appId } = await world.addEndpoint());
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' });
  await run(pool, sql`update callback_endpoint set events = '{message.status,task.status}' where app_id = ${appId}`);
  await buildSender(pool, { customerId, appId, senderId: 'SARISARI' });
  templateId = await buildTemplate(pool, { customerId, appId, smsType: 2, content: 'Hello {1}' });
  testKey = await makeKey('test');
  liveKey = await makeKey('live');
  otherTestKey = await makeKey('test', await buildApplication(pool, { customerId }));
  const writer = await leaseWriter(pool, uuidV7());
  const { ids } = writer;
  // No carrier at all: a live task would have no route.
  const routing = await RoutingTable.load(pool);
  const { log } = api.deps;
  const nothing = (): void => undefined;
  const accept = async () => ({ ids, routing });
  jobs = { pool, log, owner: uuidV7(), offsetMs: 0, writer, accept, notifyTask: nothing, notifySenders: nothing };
  sending = await startSending({
    pools: { control: pool, data: pool },
    secrets: api.deps.secrets,
    log,
    testTimes: { receiptMs: 20, lateMs: 100, replyMs: 50 },
  });
});

const upload = async (text: string): Promise<string> => {
  const body = new FormData();
  body.set('file', new Blob([text], { type: 'text/csv' }), 'phones.csv');
  const headers = { authorization: `Bearer ${testKey}` };
  const answer = await fetch(`${origin}/api/v1/files`, { method: 'POST', headers, body });
  assert.equal(answer.status, 202);
  return ((await answer.json()) as { fileId: string }).fileId;
};
const status = async (taskId: string): Promise<number> => (await ask(testKey, `GET /tasks/${taskId}`)).body.taskStatus;
const create = async (body: object) => {
  const answer = await ask(testKey, 'POST /tasks', {
    body: { taskName: 'Try', appId, smsType: 2, templateId, draft: false, ...body },
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
/** Confirms a checked task and runs it to its end. */
const send = async (taskId: string): Promise<void> => {
  assert.equal((await ask(testKey, `POST /tasks/${taskId}/confirm`)).status, 200);
  await startDueTasks(jobs);
  while (await prepareNextTask(jobs));
  await until(
    async () => {
      await finishTasks(jobs);
      return (await status(taskId)) === 6;
    },
    { what: 'the end of the task' },
  );
};
const money = () =>
  one<object>(
    pool,
    sql`select (select count(*)::int from ledger) as ledger, (select coalesce(sum(amount), 0)::float8 from reservation) as held`,
  );

test('a file becomes a task that is checked, confirmed and delivered, free and without a carrier', async () => {
  const untouched = { ...(await money()) };
  const fileId = await upload(
    `phone,name\r\n${testNumbers.delivered},Ana\r\n${testNumbers.undelivered},Ben\r\n09171234567,Cy`,
  );
  while (await parseNextFile(jobs));
  const made = await create({ fileId });
  const { taskId } = made;
  assert.deepEqual([made.appId, made.senderId], [appId, 'SARISARI']);
  assert.equal(await checkNextTask(jobs), true);
  const { name } = await one<{ name: string }>(
    pool,
    sql`select template_name as name from template where template_id = ${templateId}`,
  );
  assert.equal((await ask(testKey, 'GET /tasks')).body.items[0].templateName, name);
  const checked = (await ask(testKey, `GET /tasks/${taskId}`)).body;
  assert.partialDeepStrictEqual(checked, {
    taskStatus: 2,
    totalCount: 3,
    estimatedCost: 0,
    content: 'Hello {1}',
    appId,
    templateName: name,
  });
  assert.equal((await ask(testKey, `GET /tasks/${taskId}/estimate`)).body.cost, 0);
  await send(taskId);
  await until(async () => (await ask(testKey, `GET /tasks/${taskId}`)).body.deliveredCount === 2, { what: 'receipts' });
  const { items } = (await ask(testKey, `GET /tasks/${taskId}/details`)).body;
  assert.deepEqual(new Set(items.map((item: { clientStatus: number }) => item.clientStatus)), new Set([2, 3]));
  assert.deepEqual({ ...(await money()) }, untouched);
  const records = (await api.ask('member', 'GET /records', { query: { test: '1', taskId } })).body.items;
  assert.equal(records.length, 3);
});

test('a group is filled and sent to, and a task that is not sent yet is cancelled', async () => {
  const group = (await ask(testKey, 'POST /groups', { body: { groupName: 'Testers', variableNames: ['name'] } })).body;
  const members = [{ mobileNumber: '09171234567', variables: { name: 'Ana' } }];
  const added = await ask(testKey, `POST /groups/${group.groupId}/members`, { body: { members } });
  assert.equal(added.body.addedCount, 1, added.text);
  const { taskId } = await create({ groupIds: [group.groupId] });
  assert.equal(await checkNextTask(jobs), true);
  await send(taskId);
  const second = await create({ groupIds: [group.groupId] });
  assert.equal(await checkNextTask(jobs), true);
  assert.equal((await ask(testKey, `POST /tasks/${second.taskId}/cancel`)).body.taskStatus, 7);
});

test('each status of a task of test mode is on the stream of those that listen, whoever brought it about', async () => {
  await run(
    pool,
    sql`insert into live_listener (customer_id, listens_until) values (${customerId}, now() + interval '1 hour')`,
  );
  const group = (await ask(testKey, 'POST /groups', { body: { groupName: 'Listened', variableNames: ['name'] } })).body;
  const members = [{ mobileNumber: '09171234567', variables: { name: 'Ana' } }];
  await ask(testKey, `POST /groups/${group.groupId}/members`, { body: { members } });
  const { taskId } = await create({ groupIds: [group.groupId] });
  assert.equal(await checkNextTask(jobs), true);
  assert.equal((await ask(testKey, `POST /tasks/${taskId}/cancel`)).status, 200);
  const rows = await many<{ status: number; appId: string; sourceId: string }>(
    pool,
    sql`select (facts->>'taskStatus')::int as status, app_id as "appId", source_id as "sourceId" from live_event
        where customer_id = ${customerId} and type = 'task.status' and subject_id = ${taskId} order by event_id`,
  );
  const sourceId = toTestCustomer(customerId);
  // Submitted by the key, checked by a job, cancelled by the key.
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [TaskStatus.Initialized, TaskStatus.ValidationPassed, TaskStatus.Cancelled].map((each) => ({
      status: each,
      appId,
      sourceId,
    })),
  );
  await run(pool, sql`delete from live_listener`);
});

test('S77 tasks, files and groups of test mode are seen with test keys of the same application alone', async () => {
  const [{ taskId }] = (await ask(testKey, 'GET /tasks')).body.items;
  const [{ groupId }] = (await ask(testKey, 'GET /groups')).body.items;
  for (const apiKey of [liveKey, otherTestKey]) {
    assert.deepEqual((await ask(apiKey, 'GET /tasks')).body.items, []);
    for (const route of [`GET /tasks/${taskId}`, `DELETE /tasks/${taskId}`, `POST /tasks/${taskId}/cancel`])
      assert.equal((await ask(apiKey, route)).status, 404, route);
  }
  assert.equal((await ask(liveKey, `GET /groups/${groupId}`)).status, 404);
  for (const who of ['owner', 'operator', 'other'] as const) {
    for (const list of ['GET /tasks', 'GET /groups'] as const)
      assert.deepEqual((await api.ask(who, list)).body.items, [], `${who} ${list}`);
    assert.equal((await api.ask(who, `GET /tasks/${taskId}`)).status, 404, who);
  }
});

test('a task names templates and sender IDs of its own application, and only those', async () => {
  const other = await buildApplication(pool, { customerId });
  const foreign = await buildTemplate(pool, { customerId, appId: other, smsType: 2, content: 'Hello' });
  const bad = async (body: object) =>
    (await ask(testKey, 'POST /tasks', { body: { taskName: 'Bad', draft: true, ...body } })).body.code;
  assert.equal(await bad({ appId, templateId: foreign }), 'TEMPLATE_NOT_FOUND');
  assert.equal(await bad({ appId: other }), 'APP_NOT_FOUND');
  const listed = (await ask(testKey, 'GET /tasks', { query: { appId } })).body.items;
  assert.ok(listed.length >= 3 && listed.every((task: { appId: string }) => task.appId === appId));
  assert.equal((await ask(testKey, 'GET /short-links')).body.code, 'NOT_IN_TEST_MODE');
});

test('events of the task reach the address of the application, with test: true', async () => {
  receiver.heard.length = 0;
  await dispatch();
  const tasks = receiver.heard.map(({ body }) => body).filter(({ type }) => type === 'task.status');
  assert.ok(tasks.some(({ data }) => data.taskStatus === 6));
  assert.ok(tasks.every((body) => body.test === true && body.data.appId === appId));
});

test('S77 no program, whichever its release, gives what a test key sends to a real carrier', async () => {
  const { suppliers } = await buildSimulatedCarriers(pool, { port: 1, secrets: api.deps.secrets });
  const moved = run(
    pool,
    sql`update batch set supplier_id = ${suppliers.Globe} where customer_id = ${toTestCustomer(customerId)}`,
  );
  await assert.rejects(moved, /batch_test_carrier/);
});
